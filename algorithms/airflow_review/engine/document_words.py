"""Words and signs that the engine looks for in the texts of documents (`document_words.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentWords:
    """The words of documents, apart from those a mine may bring itself (`rules/names.json`)."""

    stopped: tuple[str, ...]  # any of them in a status: the place needs no air
    main_airway_ends: tuple[str, ...]  # a main intake or return with such an end is a roadway and no shaft
    roadway_sign: str
    main_fan_sign: str
    number_sign: str  # 3#, №3 and 3号 are one
    machine_chamber_sign: str
    no_machine_chambers: tuple[str, ...]  # in a name: what is said of 机电硐室 does not concern the place
    list_marks: re.Pattern[str]  # between the items of a list (机电硐室、爆破材料库)
    digits: Mapping[str, int]
    ten: str
    numeral: str  # all signs a written number consists of
    panel: re.Pattern[str]  # the number of a panel is unique in a mine
    area_label: re.Pattern[str]  # S—工作面平均断面积: the group is what the section is called


@cache
def document_words() -> DocumentWords:
    """The words, read once."""
    data = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return DocumentWords(
        stopped=tuple(data["stopped"]),
        main_airway_ends=tuple(data["main_airway_ends"]),
        roadway_sign=data["roadway_sign"],
        main_fan_sign=data["main_fan_sign"],
        number_sign=data["number_sign"],
        machine_chamber_sign=data["machine_chamber_sign"],
        no_machine_chambers=tuple(data["no_machine_chambers"]),
        list_marks=re.compile(data["list_marks"]),
        digits={sign: value for value, sign in enumerate(data["digits"])},
        ten=data["ten"],
        numeral=data["digits"][1:] + data["ten"],
        panel=re.compile(data["panel"]),
        area_label=re.compile(data["area_label"]),
    )
