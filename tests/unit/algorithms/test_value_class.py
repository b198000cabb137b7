"""The review's own `dataclass` behaves as the standard one: every expectation is what the standard decorator does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from algorithms.airflow_review import value_class

OPTIONS: tuple[dict[str, bool], ...] = (
    {"frozen": True, "slots": True, "kw_only": True},
    {"slots": True},
    {"frozen": True, "eq": False},
    {},
)


@value_class.dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Stands at module level, where pickle finds it."""

    name: str
    numbers: tuple[int, ...] = ()


def _made(decorator: Callable[..., Any], options: Mapping[str, bool]) -> Any:
    class Plain:
        """A class with every kind of field the review has."""

        name: str
        size: int = 3
        tags: list[str] = dataclasses.field(default_factory=list, compare=False)
        length: int = dataclasses.field(init=False, repr=False, compare=False, default=0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", len(self.name))

    return decorator(**options)(Plain)


@pytest.mark.parametrize("options", OPTIONS)
def test_equal_shown_hashed_and_replaced_as_the_standard_decorator_does(options: Mapping[str, bool]) -> None:
    ours, standard = _made(value_class.dataclass, options), _made(dataclasses.dataclass, options)
    for make in (ours, standard):
        one, same, other = make(name="a", tags=["x"]), make(name="a"), make(name="b", size=4)
        assert one.length == 1
        assert one.tags == ["x"]
        assert same.tags == []
        assert same.tags is not make(name="a").tags
        assert (one == same, one == other, one == "a") == (options.get("eq", True), False, False)
        assert dataclasses.replace(one, size=9).size == 9
        assert dataclasses.asdict(other) == {"name": "b", "size": 4, "tags": [], "length": 1}
    assert repr(ours(name="a")) == repr(standard(name="a"))
    hashable = ours.__hash__ is not None
    assert hashable == (standard.__hash__ is not None)
    if hashable and options.get("eq", True):
        assert hash(ours(name="a", tags=["x"])) == hash(ours(name="a")) == hash(standard(name="a"))
    assert hasattr(ours(name="a"), "__dict__") == hasattr(standard(name="a"), "__dict__")


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("wrong", [{}, {"name": "a", "length": 4}, {"name": "a", "unknown": 1}])
def test_wrong_arguments_are_refused(options: Mapping[str, bool], wrong: Mapping[str, object]) -> None:
    for decorator in (value_class.dataclass, dataclasses.dataclass):
        with pytest.raises(TypeError):
            _made(decorator, options)(**wrong)


def test_positional_only_where_the_options_allow_it() -> None:
    for decorator in (value_class.dataclass, dataclasses.dataclass):
        assert _made(decorator, {})("a", 5).size == 5
        with pytest.raises(TypeError):
            _made(decorator, {"kw_only": True})("a", 5)


def test_frozen_is_frozen_from_the_first_instance_on() -> None:
    kept = Kept(name="a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        kept.name = "b"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del kept.name
    assert kept.name == "a"


def test_copies_and_pickles_are_equal() -> None:
    kept = Kept(name="a", numbers=(1, 2))
    assert copy.copy(kept) == copy.deepcopy(kept) == pickle.loads(pickle.dumps(kept)) == kept  # noqa: S301 - our own bytes


def test_fields_of_a_base_class_come_first() -> None:
    def child(decorator: Callable[..., Any]) -> Any:
        base = _made(decorator, {"frozen": True, "kw_only": True})

        class Child(base):  # type: ignore[misc, valid-type]
            """One field more."""

            more: int

        return decorator(frozen=True, kw_only=True)(Child)

    ours, standard = child(value_class.dataclass), child(dataclasses.dataclass)
    assert [f.name for f in dataclasses.fields(ours)] == [f.name for f in dataclasses.fields(standard)]
    assert repr(ours(name="a", more=1)) == repr(standard(name="a", more=1))
    assert ours(name="a", more=1) != ours(name="a", more=2)
