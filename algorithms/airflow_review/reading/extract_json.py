"""Extracts as JSON text and back: what the tools keep in the workspace between two steps."""

from __future__ import annotations

from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from algorithms.airflow_review.extract import PlanExtract, ReportExtract


class ExtractFormatError(ValueError):
    """The text is no extract: says what is wrong with it."""


@lru_cache(maxsize=1)
def _plan_adapter() -> TypeAdapter[PlanExtract]:
    return TypeAdapter(PlanExtract)


@lru_cache(maxsize=1)
def _report_adapter() -> TypeAdapter[ReportExtract]:
    return TypeAdapter(ReportExtract)


def plan_extract_to_json_text(extract: PlanExtract) -> str:
    """A plan extract as JSON; decimals are strings, so no digit is lost, and the order is that of the fields."""
    return _plan_adapter().dump_json(extract, indent=1).decode()


def plan_extract_from_json_text(text: str) -> PlanExtract:
    """The plan extract a JSON text holds.

    Raises:
        ExtractFormatError: the text is not such an extract.
    """
    try:
        return _plan_adapter().validate_json(text)
    except ValidationError as error:
        raise ExtractFormatError(f"不是配风计划提取结果：{_first(error)}") from error


def report_extract_to_json_text(extract: ReportExtract) -> str:
    """A report extract as JSON, like `plan_extract_to_json_text`."""
    return _report_adapter().dump_json(extract, indent=1).decode()


def report_extract_from_json_text(text: str) -> ReportExtract:
    """The report extract a JSON text holds.

    Raises:
        ExtractFormatError: the text is not such an extract.
    """
    try:
        return _report_adapter().validate_json(text)
    except ValidationError as error:
        raise ExtractFormatError(f"不是测风报表提取结果：{_first(error)}") from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or '全文'}: {first['msg']}"
