"""A mine's added record is judged by where it is stricter than ours, and the finding names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.algorithms.rules.test_howto import BLOCKS, effect
from tests.unit.algorithms.rules.test_mine_folder import HEAD, limit, loaded

# The small plan of docs/rules.md: the faces are planned with 1910 m³/min through 11.0 m² (2.89 m/s) and 490 through
# 8.0 m² (1.02 m/s), measured with 2.35 and 1.03 m/s.


def found(tmp_path: Path, **sections: Any) -> list[str]:
    (tmp_path / "mine").mkdir()
    return [line.split(" ", 1)[1] for line in effect(tmp_path / "papers", loaded(tmp_path / "mine", **sections))]


def test_an_added_speed_limit_that_is_stricter_wins_and_is_named(tmp_path: Path) -> None:
    lines = found(tmp_path, speed_limits=[limit(id="own.face", low_m_s=None, high_m_s="2.2")])

    speeds = [line for line in lines if line.startswith("speed_check_failed")]
    assert speeds == [
        "speed_check_failed warning 101综采工作面 stated 1910 expected 1452 rule own.face 2024版",  # 2.2 × 11.0 × 60
        "speed_check_failed note 101综采工作面回风 stated 2.35 expected 2.2 rule own.face 2024版",
    ]


def test_a_least_speed_that_is_added_counts_as_well(tmp_path: Path) -> None:
    lines = found(tmp_path, speed_limits=[limit(id="own.face", low_m_s="1.1", high_m_s=None)])

    assert "speed_check_failed warning 102炮采工作面 stated 490 expected 528 rule own.face 2024版" in lines


def test_an_added_speed_limit_that_is_looser_changes_nothing(tmp_path: Path) -> None:
    both = [limit(id="own.face", low_m_s="0.1", high_m_s="9"), limit(high_m_s="2.2")]
    lines = found(tmp_path, speed_limits=both)

    assert "speed_check_failed warning 101综采工作面 stated 1910 expected 1452 rule speed.face 2024版" in lines


@pytest.mark.parametrize(
    ("when", "is_told"),
    [
        ({"mining_method": ["mechanised"]}, True),
        ({"mining_method": ["blasting"]}, False),
        ({"infusion_and_sprays": ["stated"]}, True),  # nothing is told about it: the stricter limit is kept
    ],
)
def test_an_added_limit_counts_unless_the_documents_tell_against_it(
    tmp_path: Path, when: dict[str, list[str]], is_told: bool
) -> None:
    lines = found(tmp_path, speed_limits=[limit(id="own.face", low_m_s=None, high_m_s="2.2", when=when)])

    assert any(line.startswith("speed_check_failed warning 101综采工作面 ") for line in lines) is is_told


def test_an_added_span_that_is_stricter_wins_and_is_named(tmp_path: Path) -> None:
    span = {"id": "own.speed", "coefficient": "speed_m_s", "place_types": ["coal_face"], "low": "2.5", "high": None}
    lines = found(tmp_path, spans=[{**span, **HEAD}])

    # 60 × 2.5 × 11.0 × 1.2 × 1.2 and 60 × 2.5 × 8.0: the need is computed with the least that is allowed.
    assert "coefficient_out_of_bracket warning 101综采工作面 stated 2 expected ≥2.5 rule own.speed 2024版" in lines
    assert any(line.startswith("planned_below_required") and "stated 1910 expected 2376" in line for line in lines)
    assert any(line.startswith("planned_below_required") and "stated 490 expected 1200" in line for line in lines)


def test_a_floor_of_the_mine_raises_the_need(tmp_path: Path) -> None:
    floor = {"id": "own.substation", "place_types": ["chamber"], "flow_m3_min": "150", **HEAD}
    lines = found(tmp_path, floors=[floor])

    assert "not_the_maximum warning 中央变电所 stated 120 expected 150 rule own.substation 2024版" in lines
    assert any(line.startswith("measured_shortage") and "中央变电所 stated 129 expected 150" in line for line in lines)


def test_a_table_of_the_mine_raises_the_need_also_for_a_value_in_no_row(tmp_path: Path) -> None:
    text = BLOCKS["mine/power.json"].replace('"0.30"', '"0.35"')
    lines = found(tmp_path, **json.loads(text))

    # 400 kW × 0.40; the plan's 0.30 stands in no row of the mine's table.
    assert "coefficient_out_of_bracket warning 中央变电所 stated 0.3 expected 0.40 rule mine.k_power 2024版" in lines
    assert any(line.startswith("measured_shortage") and "stated 129 expected 160" in line for line in lines)
