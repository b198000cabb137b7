"""The door of this package: a file in, a `Document` out, whatever the file does to its parser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from algorithms.airflow_review.documents import refusal, wire
from algorithms.airflow_review.documents.confinement import ENVIRONMENT, ROOT, refusal_of_crash
from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, Limits

_START: Final = (
    "import sys; sys.path[:0] = sys.argv[1].split('\\n'); "
    "from algorithms.airflow_review.documents.worker import main; main(*sys.argv[2:])"
)
_TIMED_OUT: Final = None


def read_document(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Parse one file in a process of its own, bounded in memory, CPU and wall time.

    Raises:
        InputError: the file cannot be read; the message names it, says why and what to do.
    """
    return read_documents((path,), limits=limits)[0]


def read_documents(paths: Sequence[str | Path], *, limits: Limits = DEFAULT_LIMITS) -> list[Document]:
    """Parse several files side by side, each in its own process; the results in the order of the paths.

    Raises:
        InputError: the first file, in that order, that cannot be read.
    """
    files = [Path(path).resolve() for path in paths]
    present = [file for file in files if file.is_file()]
    answers = _answers(present, limits) if present else iter(())
    documents = []
    for file in files:
        if not file.is_file():
            raise refusal.missing(file.name)
        documents.append(_document(file.name, *next(answers), limits))
    return documents


def _document(file: str, code: int | None, text: bytes, errors: str, limits: Limits) -> Document:
    if code is _TIMED_OUT:
        raise refusal.timeout(file, limits.wall_s)
    if code:
        raise refusal_of_crash(file, code, limits) from RuntimeError(errors[-2000:])
    outcome = wire.from_text(text)
    if isinstance(outcome, InputError):
        raise outcome
    return outcome


def _answers(files: Sequence[Path], limits: Limits) -> Iterator[tuple[int | None, bytes, str]]:
    """For each file the exit code of its process (None: out of time), what it wrote and what went wrong."""
    # Started without `site`, which costs more than the reading of a small file: the places of the libraries are passed on.
    places = [ROOT, *(place for place in sys.path if place.endswith("-packages"))]
    flags = ["-I", "-S", "-X", "utf8"]
    command = [sys.executable, *flags, "-c", _START, "\n".join(places), json.dumps(asdict(limits)), *map(str, files)]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and code; the paths are arguments, not a command
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        start_new_session=True,
    ) as process:
        late = False
        try:
            written, errors = process.communicate(timeout=limits.wall_s)
        except subprocess.TimeoutExpired:
            late = True
            os.killpg(
                process.pid, signal.SIGKILL
            )  # the whole group: the processes of the files, and the one above them
            written, errors = process.communicate()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    said = errors.decode(errors="replace")
    for _ in files:
        head, newline, written = written.partition(b"\n")
        if not newline:  # nothing more was said: out of time, or the process above them died
            yield _TIMED_OUT if late else process.returncode or 1, b"", said
            continue
        code, size = json.loads(head)
        text, written = written[:size], written[size:]
        yield code if len(text) == size else _TIMED_OUT if late else 1, text, said
