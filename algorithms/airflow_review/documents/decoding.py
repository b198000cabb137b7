"""Bytes of txt and csv files to text by a fixed chain of encodings.

Guessing libraries take short GB18030 lines for Big5; the chain does not guess.
"""

from __future__ import annotations

import codecs

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.messages.catalogue import say

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHAIN = ("utf-8", "gb18030")


def decode(data: bytes, file: str) -> str:
    """The text of a file: byte order mark, else UTF-8, else GB18030.

    Raises:
        InputError: none of the encodings fits.
    """
    marked = [encoding for mark, encoding in _MARKS if data.startswith(mark)]
    for encoding in marked or _CHAIN:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise refusal.damaged(file, say("refusal.unknown_encoding"))
