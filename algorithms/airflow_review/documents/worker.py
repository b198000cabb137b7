"""The parsing processes: each limits itself, reads one file and writes one JSON text.

They are forked from one small process that imports for all of them and touches no foreign byte: it passes on what they wrote and how they
ended. A file that takes its process down, or over, meets nothing of the other file there.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import NoReturn

from algorithms.airflow_review.documents import refusal, wire
from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.documents.process_limits import confine
from algorithms.airflow_review.messages.catalogue import say

_CHUNK = 1 << 20


def main(limits_text: str, *paths: str) -> None:
    """Parse the files side by side within the limits, given as a JSON object.

    For each file, in order, a line `[exit code, bytes]` and so many bytes of text go to standard output.
    """
    gc.disable()  # each process reads one file and ends; its memory is bounded
    if sum(path.lower().endswith(".pdf") for path in paths) > 1:
        import algorithms.airflow_review.documents.pdf.parser  # noqa: F401 - once for all, and not once in each
    pipes: list[int] = []
    processes: list[int] = []
    for path in paths:
        ours, theirs = os.pipe()
        process = os.fork()
        if not process:
            for pipe in (*pipes, ours):  # no file's process can read what another one says
                os.close(pipe)
            os.dup2(theirs, sys.stdout.fileno())  # nor speak in its place
            os.close(theirs)
            _parse_and_exit(path, limits_text)
        os.close(theirs)
        pipes.append(ours)
        processes.append(process)
    for process, pipe in zip(processes, pipes, strict=True):
        with os.fdopen(pipe, "rb") as stream:
            text = stream.read()
        _, status = os.waitpid(process, 0)
        head = json.dumps([os.waitstatus_to_exitcode(status), len(text)])
        sys.stdout.buffer.write(head.encode() + b"\n" + text)
        sys.stdout.buffer.flush()


def _parse_and_exit(path: str, limits_text: str) -> NoReturn:
    try:
        limits = confine(limits_text)
        sys.stdout.write(wire.to_text(_outcome(path, limits)))
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - whatever it is, this process ends here and never goes on as its parent
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _outcome(path: str, limits: Limits) -> Document | InputError:
    try:
        return parse_document(path, limits=limits, second_engine=True)
    except InputError as error:
        return error
    except MemoryError:
        return refusal.too_large(path.rpartition("/")[2], say("refusal.out_of_memory"))
