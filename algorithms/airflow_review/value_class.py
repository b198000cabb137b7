"""`dataclass` at a fraction of its cost: a review defines over 150 of them before it reads its first line.

The standard decorator writes and compiles six methods for every class at once. Here the fields are the standard ones, so `fields`,
`replace` and `asdict` work as ever; comparing, showing and freezing are shared code, and the text of `__init__` is compiled when the
first instance is made. Type checkers see the standard decorator.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Never

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen=False, slots=False, kw_only=False, eq=True) -> Any:  # noqa: ANN001
        """As `dataclasses.dataclass`, with the options the review uses."""

        def decorate(plain: type) -> type:
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(plain)
            _add_methods(made, frozen=frozen, eq=eq)
            return made

        return decorate if cls is None else decorate(cls)


def _add_methods(cls: Any, *, frozen: bool, eq: bool) -> None:
    fields = dataclasses.fields(cls)
    compared = [field.name for field in fields if field.compare]
    shown = [field.name for field in fields if field.repr]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else _nothing

    def first_init(self: Any, *args: Any, **given: Any) -> None:
        cls.__init__ = _init_of(cls, frozen=frozen)
        cls.__init__(self, *args, **given)

    def is_equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    cls.__init__ = first_init
    cls.__repr__ = lambda self: f"{type(self).__qualname__}({', '.join(f'{n}={getattr(self, n)!r}' for n in shown)})"
    if eq:
        cls.__eq__ = is_equal
        cls.__hash__ = (lambda self: hash(values(self))) if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__, cls.__reduce__ = _refuse, _refuse, _reduced


def _init_of(cls: Any, *, frozen: bool) -> Any:
    """The `__init__` the standard decorator writes: one argument a field, then `__post_init__`."""
    space: dict[str, Any] = {"set_": object.__setattr__, "missing": dataclasses.MISSING}
    positional, named, body = ["self"], ["*"], ["pass"]
    for field in (field for field in cls.__dataclass_fields__.values() if field.init):
        argument = value = name = field.name
        if field.default is not dataclasses.MISSING:
            space[f"default_{name}"] = field.default
            argument = f"{name}=default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            space[f"default_{name}"] = field.default_factory
            argument, value = f"{name}=missing", f"default_{name}() if {name} is missing else {name}"
        (named if field.kw_only else positional).append(argument)
        body.append(f"set_(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join([*positional, *(named if len(named) > 1 else ())])
    exec("\n ".join([f"def __init__({arguments}):", *body]), space)  # noqa: S102 - nothing but names of fields
    space["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return space["__init__"]


def _nothing(_: object) -> tuple[()]:
    return ()


def _refuse(_: object, name: str, *__: object) -> Never:
    raise dataclasses.FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _reduced(self: Any) -> tuple[Any, ...]:
    return _restored, (type(self), [getattr(self, name) for name in self.__dataclass_fields__])


def _restored(cls: type, values: Sequence[object]) -> object:
    """A copied or unpickled instance: its fields cannot be set one by one."""
    made: object = object.__new__(cls)
    for name, value in zip(cls.__dataclass_fields__, values, strict=True):  # type: ignore[attr-defined]
        object.__setattr__(made, name, value)
    return made
