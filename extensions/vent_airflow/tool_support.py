"""What all airflow tools share: readable errors, arguments as text or path, large results as files."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, ParamSpec

from algorithms.airflow_review.documents.document import InputError
from algorithms.airflow_review.reading.shapes import as_mapping
from algorithms.airflow_review.render.report_files import safe_filename, write_whole
from algorithms.airflow_review.rules.rule_error import RuleError
from algorithms.airflow_review.settling import SettlingError
from extensions.vent_airflow.workspace_paths import existing_file, session_workspace, to_virtual
from tools.registry import ToolError, ToolPayload

OUTPUTS: Final = "outputs/airflow"
_MAX_ARGUMENT_BYTES: Final = 64 * 1024 * 1024
_Parameters = ParamSpec("_Parameters")


def _readable_errors(tool: Callable[_Parameters, ToolPayload]) -> Callable[_Parameters, ToolPayload]:
    """Say what the user can mend as a business error with its remedy: an unreadable file, a stale correction, a broken rule library.

    A bug of ours goes through to the wrapper of calls, which alone can record it as one: the model reads `{ok: false, error, hint}` with
    an incident number, log and audit have the rest, and the turn goes on (R-PIT-21).
    """

    @functools.wraps(tool)
    def readable(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> ToolPayload:
        try:
            return tool(*args, **kwargs)
        except ToolError:
            raise
        except InputError as error:
            raise ToolError(f"{error.file}：{error.message}", hint=error.hint, code=error.problem) from error
        except SettlingError as error:
            hint = "请用户对照原文件重新核定；核定项不再适用时，请管理员处理核定文件。"
            raise ToolError(str(error), hint=hint, code="settled_stale") from error
        except RuleError as error:
            raise ToolError(f"规则库不可用：{error}", hint="请管理员检查规则文件。", code="rules") from error

    return readable


def _load_argument(argument: object, what: str) -> Mapping[str, Any]:
    """The object an argument stands for: itself, JSON text of it, or the virtual path of a JSON file.

    Numbers come as Decimal, so nothing is lost on the way.

    Raises:
        ToolError: Neither JSON nor a file of the workspace, or no object in it.
    """
    found = _unwrapped(_from_text(argument.strip(), what) if isinstance(argument, str) else argument)
    if not found:
        raise ToolError(f"{what} 应为 JSON 对象", hint="请传入上一步工具返回的 *_path。", code="bad_arguments")
    return found


def is_empty(argument: object) -> bool:
    """Whether an optional argument was left out: nothing, or an empty text."""
    return not argument or (isinstance(argument, str) and not argument.strip())


def _from_text(text: str, what: str) -> object:
    if not text.startswith(("{", "[", '"')):
        path = existing_file(text)
        if path.stat().st_size > _MAX_ARGUMENT_BYTES:
            raise ToolError(f"{what} 的文件过大", hint="请传入上一步工具返回的 *_path。", code="bad_arguments")
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise ToolError(
            f"{what} 不是有效的 JSON，也不是工作区内的文件",
            hint="请传入上一步工具返回的 *_path，或完整的 JSON 文本。",
            code="bad_arguments",
        ) from error


def _unwrapped(value: object) -> Mapping[str, Any]:
    """The object, also where a model has passed a tool's whole answer."""
    found = as_mapping(value)
    if "data" in found and found.keys() <= {"ok", "data", "sources"}:
        return as_mapping(found["data"])
    return found


def save_result(name: str, text: str) -> str:
    """Write a result to `/workspace/outputs/airflow/<timestamp>-<name>.json` and return that virtual path."""
    return to_virtual(write_whole(new_output(f"{name}.json"), text.encode()))


def new_output(name: str) -> Path:
    """A path below the session's outputs that is not taken, its folder made; `name` may be any logical name."""
    folder = session_workspace() / OUTPUTS
    folder.mkdir(parents=True, exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return folder / f"{moment}-{safe_filename(name)}"
