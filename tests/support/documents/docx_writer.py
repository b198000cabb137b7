"""Writes small docx packages from raw WordprocessingML, so that tests can hold what object models cannot write."""

from __future__ import annotations

import zipfile
from pathlib import Path

_NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def write_docx(path: Path, body: str, numbering: str = "") -> Path:
    """A package whose main part holds the given body XML."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("word/document.xml", f"<w:document {_NAMES}><w:body>{body}</w:body></w:document>")
        if numbering:
            archive.writestr("word/numbering.xml", f"<w:numbering {_NAMES}>{numbering}</w:numbering>")
    return path


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*content: str, properties: str = "") -> str:
    """A paragraph of runs; plain text becomes a run."""
    inner = "".join(part if part.startswith("<") else run(part) for part in content)
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inner}</w:p>"


def cell(*content: str, span: int = 1, merge: str = "") -> str:
    """A table cell; `merge` is `restart` or `continue`."""
    inner = "".join(part if part.startswith(("<w:p>", "<w:tbl")) else paragraph(part) for part in content)
    grid = f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
    vertical = f'<w:vMerge w:val="{merge}"/>' if merge else ""
    return f"<w:tc><w:tcPr>{grid}{vertical}</w:tcPr>{inner or '<w:p/>'}</w:tc>"


def table(*rows: list[str]) -> str:
    """A table of rows of cells; plain text becomes a cell."""
    lines = ["".join(part if part.startswith("<") else cell(part) for part in row) for row in rows]
    return "<w:tbl>" + "".join(f"<w:tr>{line}</w:tr>" for line in lines) + "</w:tbl>"
