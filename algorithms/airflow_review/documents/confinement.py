"""A process of its own for code that reads foreign bytes: bounded in memory, CPU and wall time, and killed beyond that."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import InputError
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.messages.catalogue import say

ROOT: Final = str(Path(__file__).resolve().parents[3])
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from importlib import import_module; import_module(sys.argv[2]).main(*sys.argv[3:])"
)
# Nothing of the server's environment (keys) reaches the process that reads foreign files.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
# Allocators of native libraries abort when memory runs out.
_OUT_OF_MEMORY: Final = frozenset({signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGKILL})


def run_confined(worker: str, path: Path, limits: Limits, *arguments: str) -> bytes:
    """What the `main(path, limits, *arguments)` of the module `worker` writes to standard output; `path` is absolute.

    Raises:
        InputError: the process crashed, or took more time or memory than it may.
    """
    facts = json.dumps(asdict(limits))
    command = [sys.executable, "-I", "-X", "utf8", "-c", _START, ROOT, worker, str(path), facts, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and code; the rest are arguments, not commands
            command, capture_output=True, timeout=limits.wall_s, env=ENVIRONMENT, check=False, start_new_session=True
        )
    except subprocess.TimeoutExpired as error:
        raise refusal.timeout(path.name, limits.wall_s) from error
    if done.returncode:
        raise refusal_of_crash(path.name, done.returncode, limits) from RuntimeError(
            done.stderr.decode(errors="replace")[-2000:]
        )
    return done.stdout


def refusal_of_crash(file: str, code: int, limits: Limits) -> InputError:
    """A refusal for a process that ended without an answer."""
    if code == -signal.SIGXCPU:
        return refusal.timeout(file, limits.cpu_s)
    if -code in _OUT_OF_MEMORY:
        return refusal.too_large(file, say("refusal.out_of_memory"))
    return refusal.damaged(file)
