"""Results as a table for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from evals.judging import Result, Try, Verdict


def table(results: Sequence[Result], *, k: int) -> Iterator[str]:
    """One line a scenario, with what differed below it, and the sums."""
    width = max(len(result.scenario.id) for result in results)
    yield f"{'scenario':{width}}  pass^{k}  passed  latency  cost"
    for result in results:
        passed = f"{result.passed}/{len(result.tries)}"
        reliable = 1 if result.verdict is Verdict.PASSED else 0
        cost = "–" if result.cost is None else f"{result.cost:.4f}"
        remark = "  claims unchecked" if result.verdict is Verdict.UNCHECKED else ""
        yield f"{result.scenario.id:{width}}  {reliable:^6}  {passed:^6}  {result.latency_s:6.2f}s  {cost}{remark}"
        for difference in result.differences:
            yield f"{'':{width}}  ! {difference}"
    counts = Counter(result.verdict for result in results)
    share = counts[Verdict.PASSED] / len(results)
    parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    yield f"\n{len(results)} scenarios: {parts}; pass^{k} = {share:.3f}"


def as_json(results: Sequence[Result], *, model: str, k: int) -> dict[str, Any]:
    """The same, with everything that was seen in each try; amounts are texts, so that none is rounded."""
    return {
        "model": model,
        "k": k,
        "scenarios": [
            {
                "id": result.scenario.id,
                "verdict": result.verdict.value,
                "passed": result.passed,
                "tries": [_try(one) for one in result.tries],
            }
            for result in results
        ],
    }


def _try(one: Try) -> dict[str, Any]:
    seen = None if one.observed is None else asdict(one.observed)
    if seen is not None and seen["cost"] is not None:
        seen["cost"] = str(seen["cost"])
    return {"verdict": one.verdict.value, "differences": list(one.differences), "observed": seen}
