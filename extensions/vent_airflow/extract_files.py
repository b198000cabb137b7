"""What one tool saves for the next: an extract together with the file it was read from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar

from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import InputFile
from algorithms.airflow_review.reading.extract_json import (
    plan_extract_from_json_text,
    plan_extract_to_json_text,
    report_extract_from_json_text,
    report_extract_to_json_text,
)

PLAN_SCHEMA: Final = "airflow_plan_extract/1"
REPORT_SCHEMA: Final = "airflow_report_extract/1"
_Extract = TypeVar("_Extract")


def plan_to_text(extract: PlanExtract, source: InputFile) -> str:
    """A plan's extract with its source as JSON text."""
    return _envelope(PLAN_SCHEMA, source, plan_extract_to_json_text(extract))


def report_to_text(extract: ReportExtract, source: InputFile) -> str:
    """A report's extract with its source as JSON text."""
    return _envelope(REPORT_SCHEMA, source, report_extract_to_json_text(extract))


def plan_from_mapping(raw: Mapping[str, Any]) -> tuple[PlanExtract, InputFile]:
    """Read back a plan's extract.

    Raises:
        ValueError: It is something else.
    """
    return _opened(PLAN_SCHEMA, raw, plan_extract_from_json_text)


def report_from_mapping(raw: Mapping[str, Any]) -> tuple[ReportExtract, InputFile]:
    """Read back a report's extract.

    Raises:
        ValueError: It is something else.
    """
    return _opened(REPORT_SCHEMA, raw, report_extract_from_json_text)


def _envelope(schema: str, source: InputFile, extract_text: str) -> str:
    head = json.dumps({"schema": schema, "source": asdict(source)}, ensure_ascii=False)
    return f'{head[:-1]}, "extract": {extract_text}}}\n'


def _opened(schema: str, raw: Mapping[str, Any], read: Callable[[str], _Extract]) -> tuple[_Extract, InputFile]:
    found = raw.get("schema")
    if found != schema:
        raise ValueError(f"schema {found!r} is not {schema!r}")
    source, extract = raw.get("source"), raw.get("extract")
    if not isinstance(source, Mapping) or not isinstance(extract, Mapping):
        raise ValueError("source or extract is missing")  # noqa: TRY004 - a wrong shape is a wrong value to the caller
    try:
        item = InputFile(**source)
    except TypeError as error:
        raise ValueError("source is not complete") from error
    return read(json.dumps(extract, default=str)), item
