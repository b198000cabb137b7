"""One table of refusals; every row is complete, and every error of the database has a status."""

from __future__ import annotations

import inspect
import string
from typing import Any

import pytest

import db.errors
from api.errors import REFUSALS, STATUS_OF, RefusedError


def test_every_error_of_the_database_has_a_status() -> None:
    errors = {
        cls
        for _, cls in inspect.getmembers(db.errors, inspect.isclass)
        if issubclass(cls, Exception) and cls.__module__ == db.errors.__name__
    }

    assert errors == set(STATUS_OF)


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_says_what_is_wrong_and_what_to_do(code: str) -> None:
    row = REFUSALS[code]
    names = {field for text in (row.message, row.hint) for _, field, _, _ in string.Formatter().parse(text) if field}

    words: dict[str, Any] = dict.fromkeys(names, "某")
    error = RefusedError(code, **words)

    assert 400 <= error.status <= 503
    assert error.message
    assert error.hint
    assert "{" not in error.message + error.hint
