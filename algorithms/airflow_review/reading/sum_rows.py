"""Labels of the rows that sum up a distribution table: 小计, 备用系数, 系统总需风量, 矿井合计."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.place_type import type_of_name
from algorithms.airflow_review.reading.text import squeeze

COEFFICIENT: Final = "coefficient"
SYSTEM_REQUIRED: Final = "system_required"
_TIMES_COEFFICIENT: Final = re.compile(r"(?:[×*xX·∙]|乘以?)(?:K\w*=?)?1\.\d+(?:系数)?后?\)?$")
_AFTER_COEFFICIENT: Final = re.compile(
    r"(?:考虑|计入|计及|乘|含|加|按).{0,10}?(?:系数|K[\u4e00-\u9fff]?).{0,2}?后|系数后"
)
_IN_LABEL: Final = re.compile(
    r"(?:[=×*xX·∙:]|取|乘以?)\s*(\d+(?:\.\d+)?)\s*\)?$|\((1\.\d+)\)$|(?:[×*xX·∙]|乘以?)(1\.\d+)(?:系数)?后"
)
_ENDS_LIKE_A_SUM: Final = re.compile(r"(?:风量|系数|计|之和|总和|汇总|[×*xX·∙]?K通?|后|[Σ∑]Q?|=?1\.\d+)$")
_LONGEST_SUM_LABEL: Final = 12  # 其他用风巷道小计 is a label, a longer text is the name of a place
_SMALLEST_FLOW: Final = 10  # a sum row with a smaller number holds a coefficient


def sum_kind(label: str) -> str | None:
    """What a row with this label sums up (a key of `sum_rows` in plan_words.json), or None for a place's name."""
    label = squeeze(label)
    bare = re.sub(r"\([^()]*\)", "", label)
    if _TIMES_COEFFICIENT.search(label) and not re.match(r"^[^×*xX·∙]*系数", label):
        return SYSTEM_REQUIRED
    kind = word_table("sum_rows", "plan_words").key_of(bare)
    if kind is None:
        return None
    is_sum = type_of_name(bare) is None or len(bare) <= _LONGEST_SUM_LABEL or _ENDS_LIKE_A_SUM.search(bare) is not None
    if not is_sum:
        return None
    return SYSTEM_REQUIRED if kind == COEFFICIENT and _AFTER_COEFFICIENT.search(bare) else kind


def kind_by_value(kind: str, value: Decimal | None) -> str:
    """The kind, corrected by the number beside it: `备用系数1.2 | 5400` is a flow, `×K后 | 1.2` a coefficient."""
    if value is None:
        return kind
    if kind == COEFFICIENT and value >= _SMALLEST_FLOW:
        return SYSTEM_REQUIRED
    return COEFFICIENT if kind == SYSTEM_REQUIRED and 1 <= value < 2 else kind  # noqa: PLR2004 - K通


def coefficient_in(label: str) -> str | None:
    """The coefficient printed at the end of a label: `备用系数K=1.2`, `合计×1.2`, `小计（×1.20）`."""
    found = _IN_LABEL.search(squeeze(label))
    return None if found is None else found[1] or found[2] or found[3]
