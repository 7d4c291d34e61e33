"""What a front end fills in: the plan is plain data, and the front end's own values stand only where it says so."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pycparser import c_ast

import rex_build.plan
from rex_build.c.cuda.printer import DevicePrinter
from rex_build.c.front_end import read_unit
from rex_build.pipeline import make_plan, preprocessed
from rex_build.plan.constructs import Code, Entity, Type
from rex_build.plan.printer import Printer
from rex_build.request import LowerRequest

PROGRAMS = Path(__file__).parents[1] / "programs"
OWN = (Code, Entity, Type)  # what belongs to a front end


def records() -> list[type]:
    modules = [
        importlib.import_module(f"rex_build.plan.{m.name}") for m in pkgutil.iter_modules(rex_build.plan.__path__)
    ]
    classes = (c for m in modules for c in vars(m).values() if inspect.isclass(c) and c.__module__ == m.__name__)
    return sorted({c for c in classes if dataclasses.is_dataclass(c)}, key=lambda c: c.__qualname__)


def leaves(hint: Any) -> Iterator[Any]:
    """The classes in a type hint."""
    arguments = typing.get_args(hint)
    if not arguments:
        yield hint
    for argument in arguments:
        if isinstance(argument, list):  # the parameters of a Callable
            for part in argument:
                yield from leaves(part)
        else:
            yield from leaves(argument)


def reached(classes: list[type]) -> Iterator[tuple[str, Any]]:
    """(place, class) for everything that fields of the records, and of the records in them, may hold."""
    pending, seen = list(classes), set(classes)
    while pending:
        record = pending.pop()
        for name, hint in typing.get_type_hints(record).items():
            for leaf in leaves(hint):
                yield f"{record.__name__}.{name}", leaf
                if dataclasses.is_dataclass(leaf) and leaf not in seen:
                    seen.add(leaf)
                    pending.append(typing.cast("type", leaf))


def test_no_record_of_the_plan_has_a_field_for_what_belongs_to_c() -> None:
    found = list(reached(records()))
    assert ("CanonicalLoop.lower", Code) in found
    assert ("HostRegion.span", rex_build.base.diagnostics.SourceSpan) in found
    wrong = [f"{place}: {leaf}" for place, leaf in found if "pycparser" in str(leaf) or "rex_build.c." in str(leaf)]
    assert not wrong, "\n".join(wrong)
    untyped = {place for place, leaf in found if leaf in (Any, object)}
    assert not untyped, untyped


def nodes(value: object, place: str) -> Iterator[str]:
    """The places of tree nodes in a plan's values, other than in fields that hold a front end's code."""
    if isinstance(value, c_ast.Node):
        yield f"{place}: {type(value).__name__}"
    elif dataclasses.is_dataclass(value) and not isinstance(value, type | Entity | Type):
        hints = typing.get_type_hints(type(value))
        for field in dataclasses.fields(value):
            if Code not in leaves(hints[field.name]):
                yield from nodes(getattr(value, field.name), f"{place}.{field.name}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from nodes(key, f"{place}[…]")
            yield from nodes(item, f"{place}[…]")
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from nodes(item, f"{place}[…]")


@pytest.mark.compile
@pytest.mark.parametrize("program", ["reduction_types.c", "nested_parallel.c", "collapse.c", "data/iterators.c"])
def test_trees_stand_only_in_fields_for_code(program: str, tmp_path: Path) -> None:
    request = LowerRequest(PROGRAMS / program, tmp_path)
    plan = make_plan(request, read_unit(preprocessed(request))).plan
    assert plan.regions or plan.data
    assert not list(nodes(plan, "plan"))


def test_the_printer_answers_all_that_the_renderers_may_ask() -> None:
    asked = {name: member for name, member in vars(Printer).items() if not name.startswith("_")}
    assert len(asked) > 20
    for name, member in asked.items():
        answer = getattr(DevicePrinter, name)
        if inspect.isfunction(member):
            wanted, given = (inspect.signature(f).parameters.values() for f in (member, answer))
            assert len(list(given)) >= len(list(wanted)), name


def test_the_renderers_ask_for_nothing_else() -> None:
    """Whatever a renderer takes from a printer is in the protocol; mypy checks this where types are written down."""
    import rex_build.render

    texts = [path.read_text() for path in Path(rex_build.render.__path__[0]).glob("*.py")]
    assert not [text[:60] for text in texts if ".sema" in text or "c_ast" in text or "device_names" in text]
