"""What a station's name says: its kind, the side of the place it stands on, the block it opens."""

from __future__ import annotations

import re
from typing import Final

from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.report_columns import WORDS
from algorithms.airflow_review.reading.text import squeeze

_NUMBERING: Final = re.compile(r"^(?:[\[(]?(?:[一二三四五六七八九十]+|\d{1,2})[\])]?[、.．:)\]]|§\d+)+")
_SHELL: Final = "[]()<>《》「」【】:;。"
_MAX_BLOCK: Final = 16  # characters of a heading; a longer text is a sentence
_EITHER: Final = ({"face", "heading"}, {"intake", "return"})
_ORDINAL: Final = re.compile(r"[(]?(?:\d{1,3}|[一二三四五六七八九十]{1,3})[)、.]?")
_CODE: Final = re.compile(r"[A-Za-z]*-?\d+(?:-\d+)*[#号]?(?:测点|测站|测风站|站|点)?")


def block_kind(text: str) -> str | None:
    """The kind of station a heading (`四、采煤工作面`, `【进风】`) opens; None where it opens none."""
    label = re.sub(r"\([^()]*\)", "", _NUMBERING.sub("", squeeze(text))).strip(_SHELL)
    if not label or len(label) > _MAX_BLOCK or re.search(r"[,;=]|\d{3}", label):
        return None
    kinds = {kind for _, kind in word_table("blocks", WORDS).contained(label)}
    if "采掘" in label or any(pair <= kinds for pair in _EITHER):
        return None  # a block of both: the names tell
    key = word_table("blocks", WORDS).key_of(label)
    return None if key in {"intake", "return"} and re.search("进.{0,2}回", label) else key


def is_numbered(text: str) -> bool:
    """Whether a line is a numbered heading: what stood above does not go on below it."""
    label = squeeze(text)
    return _NUMBERING.match(label) is not None and len(label) < 2 * _MAX_BLOCK and not label.endswith(("。", ";", "."))


def kind_of_name(name: str) -> str:
    """The kind of a station by its name alone; the last head noun of a Chinese name decides."""
    text = squeeze(name)
    without_side, side = split_side(text)
    if side:
        kind = _head_kind(without_side)
        if kind in {"face", "heading"}:
            return kind
    return _head_kind(re.sub(r"\([^()]*\)$", "", text)) or _head_kind(text) or "other"


def split_side(name: str) -> tuple[str, str]:
    """A name without the words that only say where at the place the station stands, and that side.

    `11302综采工作面（进风）` → (`11302综采工作面`, `intake`); the side is "" where none is named.
    """
    text = squeeze(name)
    bracket = re.search(r"\(([^()]*)\)$", text)
    if bracket is not None:
        side = _whole_side(bracket.group(1))
        return (text[: bracket.start()], side) if side else (text, "")
    for word, side in word_table("sides", WORDS).words:
        if text.endswith(word) and len(text) > len(word) + 1 and (len(word) > 1 or text[-2] in "面头-"):
            return text[: -len(word)].rstrip("-"), side
    return text, ""


def _whole_side(text: str) -> str:
    return next((side for word, side in word_table("sides", WORDS).words if text == word), "")


def is_side_only(text: str) -> bool:
    """Whether a cell says nothing but the side: 进风, 回风侧, 局扇处."""
    return bool(_whole_side(squeeze(text).strip(_SHELL)))


def is_at_face(text: str) -> bool:
    """Whether a cell says the station stands at the heading's face (迎头): where a heading is measured anyway."""
    return _whole_side(squeeze(text).strip(_SHELL)) == "face"


def is_ordinal(text: str) -> bool:
    """Whether a cell is only the number of a row or section: 3, 三、, (二)."""
    return _ORDINAL.fullmatch(squeeze(text)) is not None


def is_bare_kind(text: str) -> bool:
    """Whether a cell only says what kind of station follows: 总进风, 主扇, 采煤工作面."""
    label = squeeze(text)
    return any(label == word for word, _ in word_table("blocks", WORDS).words) and not is_side_only(text)


def is_code(text: str) -> bool:
    """Whether a cell is only the number of a station: 3#, CF-07, 12号测站."""
    return _CODE.fullmatch(squeeze(text)) is not None


def _head_kind(text: str) -> str | None:
    best: tuple[int, int] | None = None
    kind: str | None = None
    for word, key in word_table("heads", WORDS).contained(text.casefold()):
        at = text.rfind(word.upper()) if word.isascii() else text.rfind(word)
        if at >= 0 and (best is None or (at + len(word), len(word)) > best):
            best, kind = (at + len(word), len(word)), key
    return kind
