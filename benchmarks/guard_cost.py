#!/usr/bin/env python
"""What the response guard costs: a reply of 2,000 characters against 200 facts.

    .venv/bin/python benchmarks/guard_cost.py [--rounds N] [--json OUT]

Measured with the evidence read anew, with the evidence read before (as while a reply streams), for one sentence, and for a
reply that is little but numbers. CPU time; goal: p95 below 5 ms.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from tools.critical_fields import CriticalField, FieldValue

PLACES = 48
GOAL_MS = 5.0


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results = [SeenResult("places_list", {"mine": "石岭煤矿", "places": [_place(n) for n in range(PLACES)]})]
    patterns = _patterns()
    text = _reply(results[0].data["places"], rows=7, items=8, prose=23)
    dense = _reply(results[0].data["places"], rows=16, items=14, prose=8)
    sentence = next(line for line in text.splitlines() if line.startswith("- "))
    guard = ResponseGuard()
    book = EvidenceBook(results, patterns)
    flagged = [verdict for verdict in guard.verify_against(book, text) if verdict.is_flagged]
    figures: dict[str, object] = {
        "characters": len(text),
        "facts": len(book.facts),
        "numbers": len(guard.verify_against(book, text)),
        "flagged": len(flagged),
        "whole_reply_ms": _times(lambda: ResponseGuard().verify(text, results, patterns), arguments.rounds),
        "evidence_read_before_ms": _times(lambda: guard.verify_against(book, text), arguments.rounds),
        "dense_numbers": len(guard.verify_against(book, dense)),
        "dense_ms": _times(lambda: guard.verify_against(book, dense), arguments.rounds),
        "one_sentence_ms": _times(lambda: guard.verify_against(book, sentence), arguments.rounds),
    }
    print(json.dumps(figures, ensure_ascii=False, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


def _place(number: int) -> dict[str, object]:
    required = 400 + 37 * number
    return {
        "name": f"{3100 + number}回风顺槽",
        "required_m3_min": required,
        "planned_m3_min": required + 30,
        "measured_m3_min": required + 12.5,
        "speed_m_s": round(0.4 + number / 25, 2),
    }


def _reply(places: list[dict[str, object]], *, rows: int, items: int, prose: int) -> str:
    """A reply of 2,000 characters: a table, a list with differences, prose."""
    table = [
        f"| {p['name']} | {p['required_m3_min']} | {p['planned_m3_min']} | {p['measured_m3_min']} |"
        for p in places[:rows]
    ]
    bullets = [
        f"- **{p['name']}**：需风量 {p['required_m3_min']} m³/min，实测 {p['measured_m3_min']} m³/min，富余 12.5 m³/min，"
        f"风速 {p['speed_m_s']} m/s。"
        for p in places[rows : rows + items]
    ]
    said = "整体来看各地点供风充足，建议按月复测并核对测点编号，重点关注回风系统末端的调节设施，必要时重新分配风量。"
    said += "调整前后都应记录风门与调节窗的状态，由通风队长签字后归档；有疑问的地点先停止变更，等复测结果出来再定。"
    head = ["## 研判结果", "", "| 地点 | 需风量 | 计划 | 实测 |", "|---|---:|---:|---:|"]
    return "\n".join([*head, *table, "", *bullets, "", said * (prose // 2)])


def _patterns() -> tuple[CriticalField, ...]:
    fields = {"required_m3_min": "需风量", "planned_m3_min": "计划", "measured_m3_min": "实测", "speed_m_s": "风速"}
    return tuple(
        CriticalField(name=key, labels=(label,), source_tools=frozenset({"places_list"}), extract=_extractor(key))
        for key, label in fields.items()
    )


def _extractor(key: str) -> Callable[[dict[str, list[dict[str, object]]]], list[FieldValue]]:
    def extract(data: dict[str, list[dict[str, object]]]) -> list[FieldValue]:
        return [
            FieldValue(f"places[{index}].{key}", float(str(place[key])), "", (str(place["name"]),))
            for index, place in enumerate(data["places"])
        ]

    return extract


def _times(call: Callable[[], object], rounds: int) -> dict[str, float]:
    taken = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        taken.append((time.process_time() - begin) * 1000)
    cuts = quantiles(taken, n=20)
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2), "max": round(max(taken), 2)}


if __name__ == "__main__":
    sys.exit(main())
