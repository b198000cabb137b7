"""Log lines: one handler, context, no secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sys
import uuid
from collections.abc import Iterator
from typing import Literal

import pytest
import structlog

from config import PROJECT_ROOT
from obs.logs import configure, get_logger, log_context
from obs.sanitize import REDACTED as HIDDEN

SECRET = "sk" + "-" + "0" * 20


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    configure("INFO", "json", stream)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_one_json_object_with_its_facts(stream: io.StringIO) -> None:
    get_logger("api.app").info("run_started", run_id="r1", user="王工")

    (line,) = lines(stream)

    assert line | {"timestamp": ""} == {
        "event": "run_started",
        "level": "info",
        "logger": "api.app",
        "run_id": "r1",
        "timestamp": "",
        "user": "王工",
    }
    assert "王工" in stream.getvalue()
    assert str(line["timestamp"]).endswith("Z")


def test_lines_of_libraries_come_out_in_the_same_form(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("port %d taken", 8080, extra={"api_key": SECRET})

    (line,) = lines(stream)

    assert (line["event"], line["level"], line["api_key"]) == ("port 8080 taken", "warning", HIDDEN)


def test_r_pit_11_configuring_again_writes_each_line_once(stream: io.StringIO) -> None:
    second = io.StringIO()
    configure("INFO", "json", second)
    get_logger("x").info("once")

    assert lines(stream) == []
    assert len(lines(second)) == 1


def test_lines_below_the_level_are_left_out(stream: io.StringIO) -> None:
    get_logger("x").debug("detail")
    logging.getLogger("y").debug("detail")

    assert lines(stream) == []


def test_context_stands_on_every_line_of_its_block_and_its_tasks(stream: io.StringIO) -> None:
    log = get_logger("x")

    async def work() -> None:
        log.info("inside")

    async def main() -> None:
        with log_context(run_id="r1"):
            task = asyncio.ensure_future(work())
            with log_context(run_id="r2", step=1):
                logging.getLogger("lib").info("nested")
            await task
        log.info("outside")

    asyncio.run(main())

    found = [(line["event"], line.get("run_id"), line.get("step")) for line in lines(stream)]
    assert found == [("nested", "r2", 1), ("inside", "r1", None), ("outside", None, None)]


@pytest.mark.parametrize(
    "name", ["api_key", "OPENAI_API_KEY", "access_token", "client_secret", "Authorization", "password", "Set-Cookie"]
)
def test_what_a_secrets_name_stands_before_is_hidden(stream: io.StringIO, name: str) -> None:
    get_logger("x").info("called", headers={name: ["v-1234"], "accept": "text"}, **{name: "v-1234"})

    (line,) = lines(stream)

    assert line[name] == HIDDEN
    assert line["headers"] == {name: [HIDDEN], "accept": "text"}


def test_counts_of_tokens_stay(stream: io.StringIO) -> None:
    get_logger("x").info("metered", input_tokens=12, token_rate=1.5, has_token=True, token=None)

    (line,) = lines(stream)

    assert (line["input_tokens"], line["token_rate"], line["has_token"], line["token"]) == (12, 1.5, True, None)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"Incorrect key {SECRET}.", f"Incorrect key {HIDDEN}."),
        ("header Bearer abc.def-ghi", f"header Bearer {HIDDEN}"),
        ("at mysql://root:hunter2@db:3306/x", f"at {HIDDEN}"),
        ("no such table: audit_rows", f"no such table: {HIDDEN}"),
        ("mail to li.na@corp.example bounced", f"mail to {HIDDEN} bounced"),
        ("cannot open /srv/agent/state.db", f"cannot open {HIDDEN}"),
        ("read /workspace/uploads/plan.pdf", "read /workspace/uploads/plan.pdf"),
        ("a task-list of the desk-top", "a task-list of the desk-top"),
    ],
)
def test_secrets_of_every_class_inside_a_text_are_hidden_and_the_rest_stays(
    stream: io.StringIO, text: str, shown: str
) -> None:
    get_logger("x").info(text, items=[text])

    (line,) = lines(stream)

    assert (line["event"], line["items"]) == (shown, [shown])


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_is_shown_without_the_secret_it_quotes(log_format: Literal["console", "json"]) -> None:
    stream = io.StringIO()
    configure("INFO", log_format, stream)

    def refuse() -> None:
        raise ConnectionError(f"refused {SECRET}")

    try:
        refuse()
    except ConnectionError:
        get_logger("x").exception("call_failed")
        logging.getLogger("lib").exception("lib_failed")

    assert stream.getvalue().count("Traceback") == 2
    assert stream.getvalue().count(f"ConnectionError: refused {HIDDEN}") == 2
    assert SECRET not in stream.getvalue()


def test_a_traceback_keeps_its_frames_without_the_folders_of_the_machine(stream: io.StringIO) -> None:
    try:
        json.loads("{")
    except ValueError:
        get_logger("x").exception("call_failed")

    shown = str(lines(stream)[0]["exception"])
    assert 'File "tests/unit/obs/test_logs.py", line ' in shown
    assert 'File "json/decoder.py", line ' in shown
    assert f"{PROJECT_ROOT}" not in shown
    assert sys.prefix not in shown
    assert "json.loads" in shown


def test_what_an_exception_says_is_sanitized_however_it_is_laid_out(stream: io.StringIO) -> None:
    said = 'first\n  File "/srv/tenants/42/plan.py", line 3, in load_plan\n    password=hunter2x'

    def refuse() -> None:
        raise RuntimeError(said)

    try:
        refuse()
    except RuntimeError:
        get_logger("x").exception("call_failed")

    shown = stream.getvalue()
    assert "/srv/tenants" not in shown
    assert "hunter2x" not in shown


@pytest.mark.parametrize("name", ["run_id", "session_id", "incident_id", "call_id"])
def test_ids_by_which_a_run_is_found_again_stay(stream: io.StringIO, name: str) -> None:
    value = uuid.UUID(int=0x1234_5678_9ABC_DEF0_1234_5678_9ABC_DEF0)

    get_logger("x").info("run_started", **{name: value.hex})

    assert lines(stream)[0][name] == value.hex


def test_lines_for_people_name_event_and_facts() -> None:
    stream = io.StringIO()
    configure("INFO", "console", stream)
    get_logger("x").warning("file_refused", name="计划.pdf")

    assert "file_refused" in stream.getvalue()
    assert "计划.pdf" in stream.getvalue()


def test_a_strange_object_is_shown_without_its_secret(stream: io.StringIO) -> None:
    deep: object = SECRET
    for _ in range(20):
        deep = [deep]
    get_logger("x").info("odd", one=ConnectionError(SECRET), deep=deep)

    assert SECRET not in stream.getvalue()
