"""What a file really is, decided from its bytes before any parser sees them."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import DocumentKind
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.messages.catalogue import say

if TYPE_CHECKING:
    import zipfile

_KINDS: Final = {f".{kind.value}": kind for kind in DocumentKind}
_HEAD: Final = 1024
_PDF_TAIL: Final = 8192
_CHUNK: Final = 1 << 20
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_FOREIGN: Final = (
    (
        re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0|II\*\0|MM\0\*|RIFF.{4}WEBP", re.DOTALL),
        "refusal.content_picture",
    ),
    (
        re.compile(
            rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body|table|meta)",
            re.DOTALL | re.IGNORECASE,
        ),
        "refusal.content_page",
    ),
    (re.compile(rb"\{\\rtf"), "refusal.content_rtf"),
    (re.compile(rb"Rar!|7z\xbc\xaf\x27\x1c|\x1f\x8b"), "refusal.content_archive"),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml"), "refusal.content_xml"),
)
_MAIN_PARTS: Final = (
    (b"wordprocessingml.document.main+xml", DocumentKind.DOCX),
    (b"wordprocessingml.document.macroEnabled.main+xml", DocumentKind.DOCX),
    (b"spreadsheetml.sheet.main+xml", DocumentKind.XLSX),
    (b"ms-excel.sheet.macroEnabled.main+xml", DocumentKind.XLSX),
)
# A cell that holds something; cells that only have a format may stand far out.
_CELL = re.compile(
    rb'<(?:\w+:)?c\s(?:[^>]*?\s)?r="([A-Z]{1,3})(\d{1,7})"[^>]*[^/]>(?=<(?:\w+:)?(?:is|f)[ >]|<(?:\w+:)?v>[^<])'
)
_OVERLAP: Final = 4096  # longer than any cell's opening tag
_TEXT_KINDS: Final = frozenset({DocumentKind.TEXT, DocumentKind.CSV})
_WORKBOOKS: Final = frozenset({DocumentKind.XLSX, DocumentKind.XLS})


def kind_of(data: bytes, file: str, suffix: str, limits: Limits) -> DocumentKind:
    """The container the bytes are in, checked against the suffix and the limits.

    Raises:
        InputError: empty, too large, not the type its name says, damaged or encrypted container.
    """
    named = _KINDS.get(suffix.lower())
    if named is None:
        raise refusal.wrong_type(file, say("refusal.unsupported", suffix=suffix or say("refusal.no_suffix")))
    if not data.strip(b"\0 \t\r\n"):
        raise refusal.empty(file)
    if len(data) > limits.file_bytes:
        raise refusal.too_large(file, say("refusal.file_bytes", size=len(data) / 1e6, limit=limits.file_bytes / 1e6))
    found = _content(data, file, limits)
    # A workbook saved under the other Excel suffix is read as what it is.
    if found is named or (found in _WORKBOOKS and named in _WORKBOOKS):
        return found
    if found is None and named in _TEXT_KINDS:
        return named
    if found is None:
        what = say("refusal.content_unknown")
    else:
        what = say("refusal.content_pdf" if found is DocumentKind.PDF else "refusal.content_document", kind=found)
    raise refusal.wrong_type(file, say("refusal.other_content", suffix=suffix, what=what))


def _content(data: bytes, file: str, limits: Limits) -> DocumentKind | None:
    """The container by its first bytes; None for bytes that may be plain text."""
    head = data[:_HEAD]
    if b"%PDF-" in head:
        _check_pdf(data, file)
        return DocumentKind.PDF
    if head.startswith(b"PK"):
        return _check_zip(data, file, limits)
    if head.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise refusal.encrypted(file)
        if "Workbook".encode("utf-16-le") in data or "Book".encode("utf-16-le") in data:
            return DocumentKind.XLS
        if _is_cut(data):
            raise refusal.damaged(file)
        raise refusal.wrong_type(file, say("refusal.old_office"))
    for pattern, what in _FOREIGN:
        if pattern.match(head):
            raise refusal.wrong_type(file, say("refusal.content_is", what=say(what)))
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refusal.wrong_type(file, say("refusal.not_text"))
    return None


def _is_cut(data: bytes) -> bool:
    """Whether the directory of a compound file, which names what is inside, lies beyond the end of the data."""
    sector_bytes = 1 << (int.from_bytes(data[30:32], "little") & 0xF)
    directory = int.from_bytes(data[48:52], "little")
    return (directory + 2) * sector_bytes > len(data)  # the header takes the place of one sector


def _check_pdf(data: bytes, file: str) -> None:
    """A complete file ends with the address of its cross-reference table; PDFium would read the rest of a cut one."""
    if b"startxref" not in data[-_PDF_TAIL:]:
        raise refusal.damaged(file, say("refusal.cut_pdf"))


def _check_zip(data: bytes, file: str, limits: Limits) -> DocumentKind:
    import zipfile  # late: a pdf need not pay for it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _check_entries(archive, len(data), file, limits)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise refusal.damaged(file) from error
    except RuntimeError as error:  # zipfile's word for an encrypted entry
        raise refusal.encrypted(file) from error


def _check_entries(archive: zipfile.ZipFile, packed: int, file: str, limits: Limits) -> DocumentKind:
    entries = archive.infolist()
    stated = sum(entry.file_size for entry in entries)
    bound = limits.inflated_bytes
    if len(entries) > limits.zip_entries or stated > bound:
        raise refusal.too_large(file, say("refusal.unpacked_parts", size=stated / 1e6, count=len(entries)))
    if stated > max(limits.ratio_free_bytes, limits.inflated_ratio * packed):
        raise refusal.too_large(file, say("refusal.compression"))
    names = {entry.filename for entry in entries}
    if "[Content_Types].xml" not in names:
        raise refusal.wrong_type(file, say("refusal.plain_archive"))
    kind = _main_part(archive.read("[Content_Types].xml"), file)
    inflated = 0
    for entry in entries:
        # Sizes in the directory can lie: count what really comes out.
        inflated += _inflate(archive, entry, bound - inflated, file, kind, limits)
    return kind


def _main_part(types: bytes, file: str) -> DocumentKind:
    for mark, kind in _MAIN_PARTS:
        if mark in types:
            return kind
    raise refusal.wrong_type(file, say("refusal.other_office"))


def _inflate(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, bound: int, file: str, kind: DocumentKind, limits: Limits
) -> int:
    is_sheet = kind is DocumentKind.XLSX and re.search(r"worksheets/[^/]+\.xml$", entry.filename) is not None
    count, rest, rows, columns = 0, b"", 0, 0
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            count += len(chunk)
            if count > bound:
                raise refusal.too_large(file, say("refusal.unpacked_size", limit=limits.inflated_bytes / 1e6))
            if is_sheet:
                rest += chunk
                for column, row in _CELL.findall(rest):
                    rows, columns = max(rows, int(row)), max(columns, _column_number(column))
                rest = rest[-_OVERLAP:]
                if rows * columns > limits.sheet_cells:
                    raise refusal.too_large(file, say("refusal.sheet_extent", rows=rows, columns=columns))
    return count


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
