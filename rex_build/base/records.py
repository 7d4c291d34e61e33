"""Provides frozen dataclasses that are cheap to define.

``dataclasses.dataclass(frozen=True)`` compiles six methods for every class, which takes 0.7 ms a class whenever the
program starts. For 70 classes that is a third of the start-up time of a program that runs once for every file of a
build. Here a class gets only ``__init__`` compiled, when its first object is made, and shares the other methods.
``dataclasses.replace`` and ``fields`` work as usual.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool) -> Callable[[type], type]:
        """``dataclasses.dataclass(frozen=True)``."""
        assert frozen, "for anything else there is dataclasses.dataclass"
        return _record


__all__ = ["dataclass"]

_ABSENT: Any = object()


def _record(cls: type) -> type:
    own = frozenset(vars(cls))
    cls.__doc__ = cls.__doc__ or cls.__name__  # dataclasses would otherwise compute a signature as the docstring
    for name, method in (("__repr__", _repr), ("__setattr__", _refuse), ("__delattr__", _refuse)):
        if name not in own:
            setattr(cls, name, method)
    later = [name for name in ("__init__", "__eq__", "__hash__") if name not in own]
    for name in later:
        setattr(cls, name, _completing(cls, later, name))
    cls.__dataclass_fields__ = _Fields(cls, later)  # type: ignore[attr-defined]
    return cls


def _completing(cls: type, later: list[str], name: str) -> Any:
    """The method ``name`` of a class that is not complete yet."""

    def first_use(self: Any, *args: Any, **kwargs: Any) -> Any:
        _complete(cls, later)
        return getattr(cls, name)(self, *args, **kwargs)

    return first_use


class _Fields:
    """The fields of a class that is not complete yet."""

    def __init__(self, cls: type, later: list[str]) -> None:
        self.cls, self.later = cls, later

    def __get__(self, instance: object, owner: type) -> Any:
        _complete(self.cls, self.later)
        return self.cls.__dataclass_fields__  # type: ignore[attr-defined]


def _complete(cls: type, later: list[str]) -> None:
    fields = dataclasses.fields(dataclasses.dataclass(init=False, repr=False, eq=False)(cls))
    compared = [field.name for field in fields if field.compare]
    values = attrgetter(*compared) if compared else type
    methods = {
        "__init__": _init(fields, hasattr(cls, "__post_init__")),
        "__eq__": lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        ),
        "__hash__": lambda self: hash(values(self)),
    }
    for name in later:
        setattr(cls, name, methods[name])


def _init(fields: tuple[dataclasses.Field[Any], ...], post: bool) -> Any:
    scope: dict[str, Any] = {"_ABSENT": _ABSENT}
    positional, body = ["self"], ["_values = self.__dict__"]
    named: list[str] = []
    for field in fields:
        name = field.name
        parameters = named if field.kw_only else positional
        if field.default is not dataclasses.MISSING:
            scope[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"_make_{name}"] = field.default_factory
            parameters.append(f"{name}=_ABSENT")
            body.append(f"if {name} is _ABSENT: {name} = _make_{name}()")
        else:
            parameters.append(name)
        body.append(f"_values['{name}'] = {name}")
    body += ["self.__post_init__()"] * post
    header = ", ".join([*positional, "*", *named] if named else positional)
    exec(f"def __init__({header}):\n    " + "\n    ".join(body), scope)  # noqa: S102
    return scope["__init__"]


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *_: object) -> None:
    raise dataclasses.FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")
