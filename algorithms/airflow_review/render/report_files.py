"""The files of a finished review."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from pathlib import Path
from typing import Final

from algorithms.airflow_review.changes import Changes
from algorithms.airflow_review.model import Review
from algorithms.airflow_review.render.content import report_content
from algorithms.airflow_review.render.json_text import changes_to_json_text, review_to_json_text
from algorithms.airflow_review.render.words import Lang, load_words

_NOT_IN_FILE_NAMES: Final = frozenset('<>:"/\\|?*')
_LONGEST_NAME_BYTES = 120
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
)


def write_review(
    review: Review, folder: str | Path, lang: Lang = "zh", *, changes: Changes | None = None
) -> tuple[Path, ...]:
    """Write `review.json`, `report.md`, `report.docx`, `report.xlsx` and `report.html`, in this order.

    With `changes` against an earlier review the reports get a chapter about them, and `changes.json` comes last. The folder is made where it is missing. Each file appears whole or not at all; the same review gives the same bytes.

    Raises:
        OSError: The folder cannot be written.
    """
    # Late: Word and Excel writers bring lxml and their own packages, which `--json` alone does not need.
    from algorithms.airflow_review.render.html import html_text
    from algorithms.airflow_review.render.markdown import markdown_text
    from algorithms.airflow_review.render.word import docx_bytes
    from algorithms.airflow_review.render.workbook import xlsx_bytes

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    words = load_words(lang)
    content = report_content(review, words, changes)
    files = {
        "review.json": review_to_json_text(review).encode(),
        "report.md": markdown_text(content).encode(),
        "report.docx": docx_bytes(content, words),
        "report.xlsx": xlsx_bytes(content),
        "report.html": html_text(content, words).encode(),
    }
    if changes is not None:
        files["changes.json"] = changes_to_json_text(changes).encode()
    return tuple(write_whole(target / name, data) for name, data in files.items())


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file so that no reader ever sees half of it."""
    handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        # mkstemp makes files for the owner alone; a report is as readable as any other file of the folder.
        Path(scratch).chmod(0o644)
        return Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def safe_filename(name: str, *, fallback: str = "review") -> str:
    """A file name out of any logical name; the logical name itself stays as it is (R-PIT-21).

    Chinese letters stay. Separators, control and reserved signs become `_`, dots at the ends go, and what is left is
    cut to 120 bytes of UTF-8.
    """
    folded = unicodedata.normalize("NFC", name)
    text = "".join("_" if sign in _NOT_IN_FILE_NAMES or not sign.isprintable() else sign for sign in folded)
    text = "_".join(text.split()).strip("._ ")
    text = text.encode()[:_LONGEST_NAME_BYTES].decode(errors="ignore").strip("._ ")
    if text.split(".")[0].casefold() in _RESERVED:
        text = f"_{text}"
    return text or fallback
