"""Provides dataclasses that are cheap to define.

``dataclasses.dataclass(frozen=True)`` compiles six methods for every class, which takes 0.7 ms a class whenever the
program starts. For 100 classes that is a third of the start-up time of a program that runs once for every file of a
build. Here all classes share their methods but ``__init__``, which is compiled once for all classes with as many fields
where these are few. A class gets its methods when its first object is made. Importing ``dataclasses`` takes as long as
starting Python, so ``field`` and ``replace`` are here, too. ``dataclasses.fields`` and the like work as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from operator import attrgetter
from types import FunctionType

_ABSENT: Any = object()
_MADE_OTHERWISE: set[type] = set()  # the classes of which objects need more than their fields


class Field:
    """What the body of a class says of a field. Without a value or a factory, the field has no default."""

    __slots__ = ("compare", "default", "default_factory", "kw_only", "repr")

    def __init__(
        self,
        default: Any = _ABSENT,
        default_factory: Any = _ABSENT,
        repr: bool = True,  # noqa: A002 - as in dataclasses
        compare: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.repr, self.compare, self.kw_only = repr, compare, kw_only

    def given(self) -> dict[str, Any]:
        """The arguments with which ``dataclasses.field`` makes the same field."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not _ABSENT}


_PLAIN = Field()
_USUAL = 7  # fields: few classes have more, and few objects are of these


TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import Any
else:

    def dataclass(*, frozen: bool, eq: bool = True) -> Callable[[type], type]:
        """``dataclasses.dataclass``, which has other options, too. Without ``eq``, objects compare by identity."""
        return partial(_record, frozen=frozen, eq=eq)

    def field(**given: Any) -> Field:
        """``dataclasses.field``, which has other options, too."""
        return Field(**given)

    def replace(record: Any, **changes: Any) -> Any:
        """``dataclasses.replace``."""
        cls, known = record.__class__, record.__dict__
        fields = _fields(cls)
        if len(known) != len(fields) or cls in _MADE_OTHERWISE or not changes.keys() <= fields.keys():
            return cls(**values(record) | changes)
        made = object.__new__(cls)  # as its __init__ would make it
        made.__dict__.update(known)
        made.__dict__.update(changes)
        return made


__all__ = ["dataclass", "field", "replace", "values"]


def values(record: Any) -> dict[str, Any]:
    """The values of a record's fields by name."""
    known = record.__dict__  # which has values of cached properties, too
    return {name: known[name] for name in _fields(record.__class__)}


def _record(cls: type, frozen: bool, eq: bool) -> type:
    has_init = "__init__" in vars(cls)
    if has_init or hasattr(cls, "__post_init__"):
        _MADE_OTHERWISE.add(cls)
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # dataclasses would otherwise compute a signature as the docstring
    cls.__dataclass_fields__ = _Fields(cls)  # type: ignore[attr-defined]
    if has_init:
        _complete(cls, frozen, eq)
        return cls

    def first_use(self: Any, *args: Any, **kwargs: Any) -> None:
        _complete(cls, frozen, eq)
        cls.__init__ = _init(cls, _fields(cls))  # type: ignore[misc]
        cls.__init__(self, *args, **kwargs)  # type: ignore[misc]

    cls.__init__ = first_use  # type: ignore[misc]
    return cls


class _Fields:
    """The fields of a class for which nobody has asked ``dataclasses`` yet."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        for name, own in _own_fields(self.cls).items():
            if isinstance(vars(self.cls).get(name), Field):
                setattr(self.cls, name, dataclasses.field(**own.given()))
        dataclasses.dataclass(init=False, repr=False, eq=False)(self.cls)
        return self.cls.__dataclass_fields__  # type: ignore[attr-defined]


def _complete(cls: type, frozen: bool, eq: bool) -> None:
    """Give a class the methods that it does not define, but ``__init__``."""
    methods: dict[str, Any] = {"__repr__": _repr}
    if eq:
        compared = [name for name, field in _fields(cls).items() if field.compare]
        values = attrgetter(*compared) if compared else type
        methods["__eq__"] = lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )
        methods["__hash__"] = lambda self: hash(values(self))
    methods |= {"__setattr__": _refuse, "__delattr__": _refuse} if frozen else {"__hash__": None}
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)


@cache
def _fields(cls: Any) -> dict[str, Field]:
    """The fields of a class and its bases by name."""
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        if "__dataclass_fields__" in vars(base):
            found |= _own_fields(base)
    return found


@cache
def _own_fields(cls: Any) -> dict[str, Field]:
    """The fields that the body of a class gives. It is asked before ``dataclasses`` takes them out of the class."""
    found = {}
    said = vars(cls)
    for name in cls.__annotations__:
        value = said.get(name, _PLAIN)
        if type(value).__module__ == "dataclasses":
            raise TypeError(f"{cls.__qualname__}.{name} is made by dataclasses.field, not by field of base.records")
        found[name] = value if isinstance(value, Field) else Field(value)
    return found


def _init(cls: type, fields: dict[str, Field]) -> Any:
    positional = [name for name, field in fields.items() if not field.kw_only]
    named = [name for name, field in fields.items() if field.kw_only]
    names = [*positional, *named]
    makers = {name: f.default_factory for name, f in fields.items() if f.default_factory is not _ABSENT}
    has_post_init = hasattr(cls, "__post_init__")

    def fill(self: Any, given: dict[str, Any]) -> None:
        del given["self"]
        for name, make in makers.items():
            if given[name] is _ABSENT:
                given[name] = make()
        self.__dict__.update(given)
        if has_post_init:
            self.__post_init__()

    is_usual = len(names) <= _USUAL and not makers and not has_post_init
    model = (_model(len(names)) if is_usual else _given).__code__
    renamed: dict[Any, Any] = {f"field_{at}": name for at, name in enumerate(names)}
    code = model.replace(
        co_argcount=1 + len(positional),
        co_kwonlyargcount=len(named),
        co_nlocals=1 + len(names) + is_usual,
        co_varnames=("self", *names, *("values",) * is_usual),
        co_consts=tuple(map(renamed.get, model.co_consts, model.co_consts)),
    )
    init = FunctionType(code, {"fill": fill}, "__init__")
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    # A field with a factory has a default that stands for its value.
    defaults = {name: f.default for name, f in fields.items() if f.default is not f.default_factory}
    init.__defaults__ = tuple(defaults[name] for name in positional if name in defaults)
    init.__kwdefaults__ = {name: defaults[name] for name in named if name in defaults}
    return init


@cache
def _model(count: int) -> Any:
    """An ``__init__`` for so many fields, which are called ``field_0``, ``field_1`` and so on."""
    fields = [f"field_{at}" for at in range(count)]
    header = ", ".join(["self", *fields])
    body = ["values = self.__dict__", *(f"values['{field}'] = {field}" for field in fields)]
    scope: dict[str, Any] = {}
    exec(f"def __init__({header}):\n    " + "\n    ".join(body), scope)  # noqa: S102
    return scope["__init__"]


def _given(self: Any) -> None:
    """An ``__init__`` for any fields. Calling it takes longer, but nothing is compiled."""
    fill(self, locals())  # type: ignore[name-defined]  # noqa: F821


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name, field in _fields(self.__class__).items() if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *_: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")
