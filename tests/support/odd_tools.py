"""What tools may do and models may send against all sense; one table for every path that a call can take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from tools.registry import AgentContext, JsonObject, ToolError, ToolPayload, ToolPermissionError, agent_tool, sourced

TITLE = "怪工具"


class UnspeakableError(Exception):
    """Its words cannot be read."""

    @override
    def __str__(self) -> str:
        raise SystemExit("no words")

    @override
    def __repr__(self) -> str:
        raise ValueError("no words")


class UnspeakableToolError(ToolError):
    """A business error that was never made properly."""

    def __init__(self) -> None:
        pass


class Unspeakable:
    """A value of a template that cannot be written the second time it is asked for."""

    def __init__(self) -> None:
        self.asked = 0

    @override
    def __format__(self, spec: str) -> str:
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("asked too often")
        return "once"


class Emptied(dict[str, Any]):
    """A mapping that lies about what it holds."""

    @override
    def get(self, key: object, default: object = None) -> Any:
        raise KeyError(key)


def _raise_none() -> None:
    raise None  # type: ignore[misc]  # noqa: B016 - the bug itself


def _raise_text() -> None:
    raise "text"  # type: ignore[misc]  # noqa: B016 - the bug itself


def _make_raiser(error: Callable[[], BaseException]) -> Callable[[], None]:
    def raise_it() -> None:
        raise error()

    return raise_it


_FAULTS: dict[str, Callable[[], BaseException]] = {
    "system_exit": lambda: SystemExit("text"),
    "keyboard_interrupt": KeyboardInterrupt,
    "generator_exit": GeneratorExit,
    "stop_iteration": lambda: StopIteration(3),
    "stop_async_iteration": StopAsyncIteration,
    "own_cancelled": asyncio.CancelledError,
    "group": lambda: ExceptionGroup("many", [ValueError("a"), OSError("b")]),
    "base_group": lambda: BaseExceptionGroup("many", [SystemExit(1), KeyboardInterrupt()]),
    "recursion": RecursionError,
    "memory": MemoryError,
    "unspeakable": UnspeakableError,
    "half_character": lambda: ValueError("a\ud800\0b"),
    "long": lambda: ValueError("x" * 2_000_000),
    "no_arguments": lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "odd"),
    "business_unmade": UnspeakableToolError,
    "business_template": lambda: ToolError("{x}", values={"x": Unspeakable()}),
    "business_broken_template": lambda: ToolError("{x} {y}", values={"x": 1}),
}
RAISED: dict[str, Callable[[], object]] = {
    "none": _raise_none,
    "text": _raise_text,
    **{name: _make_raiser(error) for name, error in _FAULTS.items()},
}
"""What is raised → a fault of the tool."""

REFUSED: dict[str, Callable[[], BaseException]] = {
    "business_none": lambda: ToolError(None, hint=None, code=None),  # type: ignore[arg-type]
    "business_number": lambda: ToolError(7),  # type: ignore[arg-type]
    "business_half_character": lambda: ToolError("坏\ud800字", code="x" * 500),
    "business_decimals": lambda: ToolError("{share:.1%}", values={"share": 0.123}),
    "permission_none": lambda: ToolPermissionError(None),  # type: ignore[arg-type]
}
"""Errors of the two kinds that a tool may state, stated carelessly."""


def _cycle() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


def _deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


async def _coroutine() -> int:
    return 1


def _closed_coroutine() -> object:
    made = _coroutine()
    made.close()
    return made


RETURNED: dict[str, Callable[[], object]] = {
    "object": object,
    "mixed_set": lambda: {1, "a"},
    "bytes": lambda: b"bytes",
    "nan": lambda: float("nan"),
    "nested_infinity": lambda: {"a": [float("-inf")]},
    "cyclic": _cycle,
    "deep": _deep,
    "generator": lambda: (n for n in range(3)),
    "coroutine": _closed_coroutine,
    "huge": lambda: "风" * 5_000_000,
    "lying_mapping": lambda: Emptied(ok=True),
    "exception": lambda: ValueError("returned instead of raised"),
    "key": lambda: {(1, 2): 3},
    "source_number": lambda: {"ok": True, "data": 1, "sources": 5},
    "source_text": lambda: {"ok": True, "data": 1, "sources": ["a"]},
    "source_locator": lambda: {
        "ok": True,
        "data": 1,
        "sources": [{"id": "a", "title": "t", "kind": "k", "locator": "page 3"}],
    },
}
"""What is returned → a fault of the tool."""

TAKEN: dict[str, tuple[Callable[[], object], object]] = {
    "none": (lambda: None, None),
    "half_character": (lambda: "a\ud800", "a\ufffd"),
    "nested": (lambda: json.loads("[" * 200 + "]" * 200), "[" * 40),
    "endless_number": (lambda: 10**30, str(10**30)),
}
"""Odd answers that can be kept: what is returned, and what of it the model reads (or a part of it)."""

# Arguments as JSON text, the way a model sends them; code of the answer.
SENT: dict[str, tuple[str, str]] = {
    "wrong_type": ('{"count": "many"}', "bad_arguments"),
    "null": ('{"count": null}', "bad_arguments"),
    "missing": ("{}", "bad_arguments"),
    "extra": ('{"count": 1, "more": 2}', "bad_arguments"),
    "named_self": ('{"count": 1, "self": 2}', "bad_arguments"),
    "named_config": ('{"count": 1, "config": {}, "run_manager": 1, "kwargs": {}, "args": []}', "bad_arguments"),
    "long_name": ('{"count": 1, "' + "k" * 1_000_000 + '": 2}', "bad_arguments"),
    "many_names": ("{" + ",".join(f'"k{n}": 1' for n in range(5_000)) + "}", "bad_arguments"),
    "nan": ('{"count": NaN}', "bad_arguments"),
    "infinity": ('{"count": 1, "body": {"a": [Infinity]}}', "bad_arguments"),
    "megabyte": ('{"count": "' + "9" * 1_000_000 + '"}', "bad_arguments"),
    "half_character": ('{"count": "\\ud800"}', "bad_arguments"),
    "half_character_name": ('{"\\ud800\\u0000": 1}', "bad_arguments"),
    "deep": ('{"count": 1, "body": ' + '{"a":' * 500 + "1" + "}" * 501, "bad_arguments"),
    "json_text": ('{"count": 1, "body": "{\\"a\\": "}', "input_parse_error"),
    "json_text_deep": ('{"count": 1, "body": "' + "[" * 100_000 + '"}', "input_parse_error"),
    "json_text_nan": ('{"count": 1, "body": "{\\"a\\": NaN}"}', "input_parse_error"),
    "json_text_list": ('{"count": 1, "body": "[1]"}', "bad_arguments"),
}


@agent_tool(name="odd_sync", title=TITLE, description="怪", category="test", timeout_s=20)
def odd_sync(kind: str, ctx: AgentContext) -> object:
    """Does what the tables say under this name."""
    return _do(kind)


@agent_tool(name="odd_async", title=TITLE, description="怪", category="test", timeout_s=20)
async def odd_async(kind: str, ctx: AgentContext) -> object:
    """The same on the loop."""
    return _do(kind)


@agent_tool(name="odd_strict", title=TITLE, description="怪", category="test")
def odd_strict(count: float, ctx: AgentContext, body: JsonObject | None = None) -> ToolPayload:
    """Takes a number and an object."""
    return sourced(data=[count, body])


TOOLS = (odd_sync, odd_async, odd_strict)


def _do(kind: str) -> object:
    table, _, name = kind.partition(":")
    match table:
        case "raise":
            return RAISED[name]()
        case "refuse":
            error = REFUSED[name]()
            raise error
        case "return":
            return RETURNED[name]()
        case _:
            return TAKEN[name][0]()
