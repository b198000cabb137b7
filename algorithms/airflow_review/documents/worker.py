"""The parsing process: limits itself, reads one file, writes one JSON text to standard output."""

from __future__ import annotations

import json
import resource
import sys

from algorithms.airflow_review.documents import refusal, wire
from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.parsing import parse_document

_WRITTEN_BYTES = 50_000_000  # compiled modules may be cached, nothing else is written to disk


def main(path: str, limits_text: str) -> None:
    """Parse `path` within the limits, given as a JSON object, and print the outcome."""
    limits = Limits(**json.loads(limits_text))
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_CPU, limits.cpu_s)
    _limit(resource.RLIMIT_FSIZE, _WRITTEN_BYTES)
    _limit(resource.RLIMIT_CORE, 0)
    sys.stdout.write(wire.to_text(_outcome(path, limits)))
    sys.stdout.flush()


def _outcome(path: str, limits: Limits) -> Document | InputError:
    try:
        return parse_document(path, limits=limits)
    except InputError as error:
        return error
    except MemoryError:
        return refusal.too_large(path.rpartition("/")[2], "读取时超出内存上限")


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, hard))
