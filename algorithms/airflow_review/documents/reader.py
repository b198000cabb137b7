"""The door of this package: a file in, a `Document` out, whatever the file does to its parser."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Final

from algorithms.airflow_review.documents import refusal, wire
from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, Limits
from algorithms.airflow_review.documents.parsing import parse_document

__all__ = ["parse_document", "read_document", "read_documents"]

_ROOT: Final = str(Path(__file__).resolve().parents[3])
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from algorithms.airflow_review.documents.worker import main; main(sys.argv[2], sys.argv[3])"
)
# Nothing of the server's environment (keys) reaches the process that reads foreign files.
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
# Allocators of native libraries abort when memory runs out.
_OUT_OF_MEMORY: Final = frozenset({signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGKILL})


def read_document(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Parse one file in a process of its own, bounded in memory, CPU and wall time.

    Raises:
        InputError: the file cannot be read; the message names it, says why and what to do.
    """
    path = Path(path).resolve()
    if not path.is_file():
        raise refusal.missing(path.name)
    command = [sys.executable, "-I", "-X", "utf8", "-c", _START, _ROOT, str(path), json.dumps(asdict(limits))]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and code; the path is an argument, not a command
            command, capture_output=True, timeout=limits.wall_s, env=_ENVIRONMENT, check=False, start_new_session=True
        )
    except subprocess.TimeoutExpired as error:
        raise refusal.timeout(path.name, limits.wall_s) from error
    if done.returncode:
        raise _crash(path.name, done.returncode, limits) from RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    outcome = wire.from_text(done.stdout)
    if isinstance(outcome, InputError):
        raise outcome
    return outcome


def read_documents(paths: Sequence[str | Path], *, limits: Limits = DEFAULT_LIMITS) -> list[Document]:
    """Parse several files side by side, each in its own process; the results in the order of the paths.

    Raises:
        InputError: the first file, in that order, that cannot be read.
    """
    with ThreadPoolExecutor(max_workers=max(1, len(paths))) as pool:
        return list(pool.map(lambda path: read_document(path, limits=limits), paths))


def _crash(file: str, code: int, limits: Limits) -> InputError:
    """A refusal for a parsing process that ended without an answer."""
    if code == -signal.SIGXCPU:
        return refusal.timeout(file, limits.cpu_s)
    if -code in _OUT_OF_MEMORY:
        return refusal.too_large(file, "读取时超出内存上限")
    return refusal.damaged(file)
