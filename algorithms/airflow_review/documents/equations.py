"""Office equation objects (OMML) as one line of text that reads like a typed formula."""

from __future__ import annotations

import re
from typing import Final

from algorithms.airflow_review.documents.cell_text import raised
from algorithms.airflow_review.documents.word_package import Element, M, W

_ATOM = re.compile(r"[\w.%²³°℃]+")
_PROPERTIES = re.compile(r"\w+Pr")


def linear_form(node: Element) -> str:
    """The equation in one line: a fraction as `(a)/(b)`, an index glued to its base, a power as `³` or `^`."""
    tag = _local(node)
    if tag in {"t", "delText"}:
        return "" if tag == "delText" else node.text or ""
    if _PROPERTIES.fullmatch(tag) or node.tag in {f"{W}del", f"{W}moveFrom"}:
        return ""
    special = _SPECIAL.get(tag)
    return special(node) if special else "".join(map(linear_form, node.iterchildren("*")))


def _local(node: Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _part(node: Element, name: str) -> str:
    found = node.find(f"{M}{name}")
    return "" if found is None else linear_form(found)


def _setting(node: Element, properties: str, name: str, default: str) -> str:
    found = node.find(f"{M}{properties}/{M}{name}")
    return default if found is None else found.get(f"{M}val", default)


def _grouped(text: str) -> str:
    text = text.strip()
    return text if _ATOM.fullmatch(text) else f"({text})"


def _fraction(node: Element) -> str:
    return f"{_grouped(_part(node, 'num'))}/{_grouped(_part(node, 'den'))}"


def _power(base: str, power: str) -> str:
    power = power.strip()
    # A raised digit behind a letter is a unit or a symbol (m³); behind a number or a bracket it is a power to compute.
    if power.isdecimal() and base[-1:].isalpha():
        return base + raised(power)
    return f"{base}^{_grouped(power)}" if power else base


def _delimited(node: Element) -> str:
    opening, closing = _setting(node, "dPr", "begChr", "("), _setting(node, "dPr", "endChr", ")")
    between = _setting(node, "dPr", "sepChr", "|")
    return opening + between.join(linear_form(part) for part in node.iterchildren(f"{M}e")) + closing


def _radical(node: Element) -> str:
    degree = _part(node, "deg").strip()
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"{degree}√")
    return sign + _grouped(_part(node, "e"))


def _n_ary(node: Element) -> str:
    return _setting(node, "naryPr", "chr", "∫") + _part(node, "e")


def _rows(node: Element) -> str:
    return "；".join(linear_form(part) for part in node.iterchildren(f"{M}e", f"{M}mr"))


_SPECIAL: Final = {
    "f": _fraction,
    "sSup": lambda node: _power(_part(node, "e"), _part(node, "sup")),
    "sSub": lambda node: _part(node, "e") + _part(node, "sub"),
    "sSubSup": lambda node: _power(_part(node, "e") + _part(node, "sub"), _part(node, "sup")),
    "d": _delimited,
    "rad": _radical,
    "nary": _n_ary,
    "eqArr": _rows,
    "m": _rows,
}
