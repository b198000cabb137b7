"""Uploaded files: names cleaned, types checked by content, stored in the session's own `/workspace/uploads`."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO, Final

from api.errors import RefusedError

UPLOADS: Final = "/workspace/uploads"
_MAX_NAME_BYTES: Final = 180
_HEAD_BYTES: Final = 4096
_PDF_HEAD_BYTES: Final = 1024
_WINDOWS_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')

_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What a text file never starts with: an executable, an archive, an office file, a picture renamed by hand.
_BINARY_HEADS: Final = (b"%PDF-", _ZIP, _OLE, b"MZ", b"\x7fELF", b"\x89PNG", b"\xff\xd8\xff", b"Rar!", b"\x1f\x8b")
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileType:
    """What may be uploaded: the media type and how the content must start; no `heads` means text."""

    media_type: str
    heads: tuple[bytes, ...] = ()


_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
FILE_TYPES: Final[Mapping[str, FileType]] = {
    ".pdf": FileType(media_type="application/pdf", heads=(b"%PDF-",)),
    # An encrypted office file is an OLE container: accepted here, the tool that reads it says what to do.
    ".docx": FileType(media_type=f"{_OFFICE}.wordprocessingml.document", heads=(_ZIP, _OLE)),
    ".xlsx": FileType(media_type=f"{_OFFICE}.spreadsheetml.sheet", heads=(_ZIP, _OLE)),
    # Old measuring programs write HTML or text under this name; the reader of reports sorts that out.
    ".xls": FileType(media_type="application/vnd.ms-excel", heads=(_OLE, _ZIP, b"<")),
    ".txt": FileType(media_type="text/plain"),
    ".csv": FileType(media_type="text/csv"),
    ".md": FileType(media_type="text/markdown"),
    ".json": FileType(media_type="application/json"),
    ".png": FileType(media_type="image/png", heads=(b"\x89PNG\r\n\x1a\n",)),
    ".jpg": FileType(media_type="image/jpeg", heads=(b"\xff\xd8\xff",)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One received file, its content in a spool file."""

    name: str
    content: BinaryIO


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUpload:
    """One file as it lies in the workspace; `path` is virtual (`/workspace/uploads/...`), `size` in bytes."""

    path: str
    name: str
    media_type: str
    size: int


def check_uploads(uploads: Sequence[tuple[str, BinaryIO]], *, limit: int) -> tuple[Upload, ...]:
    """Check number, names and content of what was received; nothing is stored.

    Raises:
        RefusedError: Too many files, an unusable name, a type that is not supported, an empty or mismatching file.
    """
    if len(uploads) > limit:
        raise RefusedError("too_many_files", limit=limit, count=len(uploads), details={"limit": limit})
    checked = []
    for given, content in uploads:
        name = clean_name(given)
        _check_content(name, content)
        checked.append(Upload(name=name, content=content))
    return tuple(checked)


def clean_name(given: str) -> str:
    """A file name that is safe on every system: no path, no control or reserved character, a bounded length.

    Raises:
        RefusedError: `bad_file_name`, if nothing usable is left.
    """
    if "\x00" in given:
        raise RefusedError("bad_file_name", name=given.replace("\x00", "?"))
    # A path in an upload's name is never wanted; both separators, because the client's system is not ours.
    base = PureWindowsPath(PurePosixPath(given).name).name
    name = unicodedata.normalize("NFC", base)
    name = "".join(char for char in name if not unicodedata.category(char).startswith("C"))
    name = _FORBIDDEN.sub("_", name).strip(" .")
    stem, dot, suffix = name.rpartition(".")
    if not stem.strip(" ._") or not dot or _WINDOWS_DEVICE.fullmatch(name):
        raise RefusedError("bad_file_name", name=given)
    room = _MAX_NAME_BYTES - len(suffix.encode()) - 1
    return f"{stem.encode()[:room].decode(errors='ignore').rstrip(' .')}.{suffix}"


def store_uploads(uploads: Sequence[Upload], folder: Path) -> tuple[StoredUpload, ...]:
    """Copy checked uploads into `folder` (made if missing); a name that is taken gets a number: `-2`, `-3`."""
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(_store(upload, folder) for upload in uploads)


def media_type_of(name: str) -> str:
    """The media type of a file by its name; unknown ones are plain bytes."""
    known = FILE_TYPES.get(PurePosixPath(name).suffix.lower())
    extra = {".html": "text/html", ".svg": "image/svg+xml"}
    return known.media_type if known else extra.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")


def _store(upload: Upload, folder: Path) -> StoredUpload:
    stem, suffix = PurePosixPath(upload.name).stem, PurePosixPath(upload.name).suffix
    number = 1
    while True:
        path = folder / (upload.name if number == 1 else f"{stem}-{number}{suffix}")
        try:
            # Exclusive, so that two messages of one session cannot write the same name.
            target = path.open("xb")
        except FileExistsError:
            number += 1
            continue
        with target:
            upload.content.seek(0)
            shutil.copyfileobj(upload.content, target)
        return StoredUpload(
            path=f"{UPLOADS}/{path.name}",
            name=path.name,
            media_type=media_type_of(path.name),
            size=path.stat().st_size,
        )


def _check_content(name: str, content: BinaryIO) -> None:
    suffix = PurePosixPath(name).suffix.lower()
    known = FILE_TYPES.get(suffix)
    if known is None:
        raise RefusedError("file_type_unsupported", name=name, allowed=" ".join(FILE_TYPES))
    content.seek(0)
    head = content.read(_HEAD_BYTES)
    content.seek(0)
    if not head:
        raise RefusedError("empty_file", name=name)
    if not _content_fits(suffix, known, head):
        raise RefusedError("file_content_mismatch", name=name, suffix=suffix)


def _content_fits(suffix: str, known: FileType, head: bytes) -> bool:
    if suffix == ".pdf":
        # Readers accept a few bytes of garbage before the header, and so do printers' PDFs contain them.
        return b"%PDF-" in head[:_PDF_HEAD_BYTES]
    if known.heads:
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip() if suffix == ".xls" else head
        return start.startswith(known.heads) or (suffix == ".xls" and _is_text(head))
    return _is_text(head)


def _is_text(head: bytes) -> bool:
    if head.startswith(_BINARY_HEADS):
        return False
    return b"\x00" not in head or head.startswith(_UTF16_MARKS)
