"""How an xlsx sheet shows its numbers: the sheet rounds and multiplies for the eye, the stored value does not."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from lxml import etree

from algorithms.airflow_review.value_class import dataclass

_PERCENT: Final = {"9": "0%", "10": "0.00%"}
_BUILT_IN: Final = {"1": "0", "2": "0.00", "3": "#,##0", "4": "#,##0.00", **_PERCENT}
_NUMBER_FORMAT = re.compile(r"(?:\[\$[^\]]*\]|\[[A-Za-z]+\])?[#,]*[0#,]*0(?:\.([0#?]+))?(%?)(?:_.|\\.)*")
_REFERENCE = re.compile(r"([A-Z]+)(\d+)")
_MAX_SHIFT: Final = 15

Place = tuple[int, int]  # 0-based row and column


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLook:
    """What the values of a sheet do not say."""

    formats: Mapping[Place, str]  # number format of each number cell that has one
    uncalculated: tuple[Place, ...]  # formulas without a stored result
    hidden_rows: tuple[int, ...]  # 1-based


def sheet_looks(data: bytes) -> dict[str, SheetLook]:
    """The look of each sheet by its name; empty for anything but a plain xlsx package."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            codes = _style_codes(archive)
            return {name: _look(archive.read(part), codes) for name, part in _sheets(archive)}
    except (KeyError, ValueError, zipfile.BadZipFile, etree.XMLSyntaxError):
        return {}


def shown(value: Decimal, code: str) -> str | None:
    """A number in a format of digits, thousands and percent; None for any other format."""
    first = code.split(";", maxsplit=1)[0].replace('"', "")
    match = _NUMBER_FORMAT.fullmatch(first)
    if match is None:
        return None
    if match[2]:
        value *= 100
    places = len(match[1] or "")
    text = format(value.quantize(Decimal(1).scaleb(-min(places, _MAX_SHIFT)), ROUND_HALF_UP), "f")
    optional = len(match[1] or "") - len((match[1] or "").rstrip("#?"))
    for _ in range(optional):
        text = text.removesuffix("0")
    return text.rstrip(".") + match[2]


def _root(data: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root: etree._Element = etree.fromstring(data, parser)
    return root


def _named(root: etree._Element, name: str) -> Iterator[etree._Element]:
    yield from root.iter(f"{{*}}{name}")


def _style_codes(archive: zipfile.ZipFile) -> list[str]:
    """The number format of each cell style; empty where it is the general one."""
    if "xl/styles.xml" not in archive.namelist():
        return []
    root = _root(archive.read("xl/styles.xml"))
    own = {node.get("numFmtId", ""): node.get("formatCode", "") for node in _named(root, "numFmt")}
    formats = root.find("{*}cellXfs")
    known = _BUILT_IN | own
    return [] if formats is None else [known.get(node.get("numFmtId", "0"), "") for node in formats]


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    targets = {node.get("Id"): node.get("Target", "") for node in _root(archive.read("xl/_rels/workbook.xml.rels"))}
    for node in _named(_root(archive.read("xl/workbook.xml")), "sheet"):
        relation = next((value for key, value in node.attrib.items() if key.endswith("}id")), "")
        target = targets.get(relation, "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if part in archive.namelist() and "worksheets/" in part:
            yield node.get("name", ""), part


def _look(data: bytes, codes: list[str]) -> SheetLook:
    formats: dict[Place, str] = {}
    uncalculated: list[Place] = []
    hidden: list[int] = []
    for _, row in etree.iterparse(io.BytesIO(data), tag="{*}row", resolve_entities=False, no_network=True):
        if row.get("hidden") in {"1", "true"}:
            hidden.append(int(row.get("r", "0")))
        for cell in row.iterchildren("{*}c"):
            place = _place(cell.get("r", ""))
            if place is None:
                continue
            has_value = bool(cell.findtext("{*}v"))
            if not has_value and cell.find("{*}f") is not None:
                uncalculated.append(place)
            style = int(cell.get("s", "0"))
            if has_value and cell.get("t", "n") == "n" and style < len(codes) and codes[style]:
                formats[place] = codes[style]
        row.clear()
    return SheetLook(formats=formats, uncalculated=tuple(uncalculated), hidden_rows=tuple(hidden))


def _place(reference: str) -> Place | None:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1
