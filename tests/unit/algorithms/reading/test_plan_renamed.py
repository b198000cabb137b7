"""Names and the order of columns mean nothing to the reading: renamed and shuffled plans give the same figures."""

from __future__ import annotations

import random
import re
from itertools import groupby

import pytest

from algorithms.airflow_review.documents.document import Document, DocumentKind
from algorithms.airflow_review.documents.plain_text import parse_text
from algorithms.airflow_review.reading.plan import read_plan
from tests.support.truth_plan import FIXTURES

FILES = [
    "faults/c03_plan.txt",
    "faults/f03_plan.txt",
    "faults/f07_plan.txt",
    "faults/f14_plan.txt",
    "layouts/l05_fullwidth.txt",
]


def read_text(text):
    return read_plan(
        Document(
            file="plan.txt", sha256="", kind=DocumentKind.TEXT, pages=None, blocks=parse_text(text.encode(), "plan.txt")
        )
    )


def essence(extract, names):
    return [
        (
            names.get(p.name, p.name),
            names.get(p.system, p.system),
            p.type,
            *(None if v is None else v.value for v in (p.required, p.planned, p.table_area, p.chapter_required)),
            [(c.method, c.expression, c.stated) for c in p.calculations],
            sorted((k, v.value) for k, v in p.basis.items()),
        )
        for p in extract.places
    ]


def shuffled_columns(text, seed):
    """Every table with more than three columns gets its columns in another order; 参数|数值 pairs stay."""
    order = random.Random(seed)
    lines = []
    for is_row, run in groupby(text.splitlines(), key=lambda line: "\t" in line):
        rows = [line.split("\t") for line in run]
        width = len(rows[0])
        if is_row and width > 3 and rows[0][0] != "参数" and all(len(row) == width for row in rows):
            columns = order.sample(range(width), width)
            rows = [[row[i] for i in columns] for row in rows]
        lines += ["\t".join(row) for row in rows]
    return "\n".join(lines)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_columns_does_not_matter(file, seed):
    text = (FIXTURES / file).read_text(encoding="utf-8")

    assert essence(read_text(shuffled_columns(text, seed)), {}) == essence(read_text(text), {})


@pytest.mark.parametrize("file", FILES)
def test_names_do_not_matter(file):
    text = (FIXTURES / file).read_text(encoding="utf-8")
    before = read_text(text)
    renamed, names = text, {}
    swaps = {"1": "7", "2": "8", "3": "9", "上": "东", "煤": "层", "盘": "翼"}
    for name in sorted({p.name for p in before.places}, key=len, reverse=True):
        code = re.match(r"[\d上下]*[\d煤盘采]{1,3}(?=\D)", name)
        other = name if code is None else "".join(swaps.get(c, c) for c in code.group()) + name[code.end() :]
        names[other] = name
        renamed = renamed.replace(name, f"\0{len(names)}\0")
    for index, other in enumerate(names, start=1):
        renamed = renamed.replace(f"\0{index}\0", other)
    for index, system in enumerate(s.name for s in before.systems):
        other = f"{'甲乙丙'[index]}区回风井系统"
        names[other] = system
        renamed = renamed.replace(system, other)

    assert essence(read_text(renamed), names) == essence(before, {})
