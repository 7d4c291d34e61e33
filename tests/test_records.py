"""Records behave as frozen dataclasses do, at less cost."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from rex_build.base import records
from rex_build.base.diagnostics import SourceSpan
from rex_build.base.records import dataclass as record
from rex_build.base.records import field

ROOT = Path(records.__file__).parents[2]


def twins() -> list[tuple[Any, Any]]:
    """The same two classes, made by both decorators: (base, derived)."""
    made = []
    for decorate, own_field in (
        (record(frozen=True), records.field),
        (dataclasses.dataclass(frozen=True), dataclasses.field),
    ):

        @decorate
        class Base:
            a: int
            b: str = "b"
            tag: str | None = own_field(default=None, kw_only=True, compare=False)

        @decorate
        class Derived(Base):
            """With a docstring."""

            c: list[int] = own_field(default_factory=list, repr=False)

            @property
            def double(self) -> int:
                return 2 * self.a

        made.append((Base, Derived))
    return made


@pytest.mark.parametrize(("base", "derived"), twins())
def test_construction_and_comparison(base: Any, derived: Any) -> None:
    assert base(1) == base(1, "b") == base(a=1, tag="x")
    assert base(1) != base(2)
    assert base(1) != 1
    assert base(1) != derived(1)
    assert hash(base(1, tag="x")) == hash(base(1, tag="y"))
    assert len({base(1), base(1), base(2)}) == 2
    assert derived(1).c == []
    assert derived(1).c is not derived(1).c
    assert derived(3).double == 6
    assert repr(derived(1, tag="t")).endswith("Derived(a=1, b='b', tag='t')")
    with pytest.raises(TypeError):
        base()
    with pytest.raises(TypeError):
        base(1, "b", "tag")
    with pytest.raises(TypeError):
        base(1, nothing=2)


@pytest.mark.parametrize(("base", "derived"), twins())
def test_frozen(base: Any, derived: Any) -> None:
    value = derived(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.a = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.a
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.new = 1
    assert replace(value, a=5) == derived(5)
    assert replace(value, tag="t").tag == "t"
    assert [f.name for f in fields(base)] == ["a", "b", "tag"]


def test_own_methods_stay() -> None:
    @record(frozen=True)
    class Named:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

        def __repr__(self) -> str:
            return self.name

    assert Named("A") == Named("a")
    assert hash(Named("A")) == hash(Named("a"))
    assert repr(Named("A")) == "A"


def test_a_field_may_have_any_name() -> None:
    @record(frozen=True)
    class Odd:
        values: int
        fields: int = 2
        scope: int = 3

    assert (Odd(1).values, Odd(1).fields, Odd(1).scope) == (1, 2, 3)
    assert Odd(1) == Odd(1)
    assert Odd(1) != Odd(4)


def test_a_class_that_nobody_has_used_is_a_dataclass() -> None:
    @record(frozen=True)
    class Base:
        a: int

    @record(frozen=True)
    class Derived(Base):
        b: int = 2

    @record(frozen=True)
    class Last(Derived):
        c: list[int] = field(default_factory=list)

    assert dataclasses.is_dataclass(Derived)
    assert [f.name for f in fields(Last)] == ["a", "b", "c"]
    assert Derived(1) == Derived(1, 2)
    assert replace(Derived(1), b=3).b == 3
    assert Last(1).c == []


def test_records_that_change() -> None:
    @record(frozen=False)
    class Open:
        a: int
        b: list[int] = field(default_factory=list)

    value = Open(1)
    value.a = 2
    assert value == Open(2, [])
    assert Open(1).b is not Open(1).b
    with pytest.raises(TypeError):
        hash(value)


def test_messages_name_the_class_and_the_field() -> None:
    @record(frozen=True)
    class Named:
        first: int
        second: int = field(kw_only=True)

    with pytest.raises(TypeError, match=r"Named.__init__\(\) missing 1 required positional argument: 'first'"):
        Named(second=1)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'second'"):
        Named(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'third'"):
        Named(1, second=2, third=3)


def test_derived_classes_without_fields_of_their_own() -> None:
    @record(frozen=True)
    class Base:
        a: int

    class Plain(Base):
        pass

    assert Plain(1).a == 1
    assert Plain(1) == Plain(1)
    assert Base(1) != Plain(1)
    assert pickle.loads(pickle.dumps(SourceSpan("x.c", 3))) == SourceSpan("x.c", 3)


def test_a_changed_copy_has_no_cached_values_and_only_known_fields() -> None:
    @record(frozen=True)
    class Square:
        side: int
        name: str = field(default="", kw_only=True)

        @cached_property
        def area(self) -> int:
            return self.side**2

    square = Square(3, name="a")
    assert square.area == 9
    larger = records.replace(square, side=4)
    assert (larger, larger.area) == (Square(4, name="a"), 16)
    assert larger == replace(square, side=4)
    with pytest.raises(TypeError):
        records.replace(square, sides=4)


def test_a_field_of_dataclasses_is_refused() -> None:
    @record(frozen=True)
    class Mixed:
        values: list[int] = dataclasses.field(default_factory=list)

    with pytest.raises(TypeError, match=r"Mixed\.values is made by dataclasses\.field"):
        Mixed()


def test_records_do_not_import_dataclasses() -> None:
    """Its import takes as long as Python's start."""
    text = """if True:
        import sys
        from rex_build.base.records import dataclass, field, replace
        @dataclass(frozen=True)
        class Point:
            x: int
            names: list = field(default_factory=list)
        assert repr(replace(Point(1), x=2)) == "Point(x=2, names=[])"
        print("dataclasses" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-S", "-c", text], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "False\n"


def test_without_eq_objects_compare_by_identity() -> None:
    @record(frozen=True, eq=False)
    class Node:
        value: int

    @record(frozen=True, eq=False)
    class Sum(Node):
        other: int

    assert Sum(1, 2) != Sum(1, 2)
    assert len({Sum(1, 2), Sum(1, 2)}) == 2
    assert replace(Sum(1, 2), other=3).other == 3
