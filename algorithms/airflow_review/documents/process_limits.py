"""How a worker process binds itself. Apart from the code that starts workers: each of them pays for every import."""

from __future__ import annotations

import json
import resource
from typing import Final

from algorithms.airflow_review.documents.limits import Limits

_WRITTEN_BYTES: Final = 50_000_000  # compiled modules may be cached, nothing else is written to disk


def confine(limits_text: str) -> Limits:
    """Bound the current process by the limits, given as a JSON object, and return them; called before a file is opened."""
    limits = Limits(**json.loads(limits_text))
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_CPU, limits.cpu_s)
    _limit(resource.RLIMIT_FSIZE, _WRITTEN_BYTES)
    _limit(resource.RLIMIT_CORE, 0)
    return limits


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, hard))
