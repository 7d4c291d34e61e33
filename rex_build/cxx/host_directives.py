"""What the host compiler sees where it, or LLVM's runtime under it, does not do what the user wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..base.diagnostics import Replacement, Stretches
from ..c.source.library_functions import OF_TEAMS, WITH_DEPEND_OBJECTS, WITH_SHARED_MEMORY, WITH_STRINGS
from ..c.source.tokens import outside_literals
from ..directives.model import GONE, HostForm
from ..openmp.canonical import NotCanonicalError, canonical, only_loop, origin_of, single
from ..openmp.host_forms import Around, HostLoop, Statement, host_form
from ..openmp.older_spellings import bound_loop
from ..openmp.restrictions import shares_memory
from ..plan.unit import PlacedForm
from ..tree import nodes as tree
from .loops import items_of
from .reading.reader import reader_of
from .text_constructs import Construct, qualifier_before
from .unit import Unit

_ELSEWHERE = (
    "declare target", "declare variant", "declare mapper", "declare reduction", "begin declare", "end declare",
    "requires", "target", "metadirective",
)  # fmt: skip

_RENAMED = {**OF_TEAMS, **WITH_DEPEND_OBJECTS, **WITH_STRINGS, **WITH_SHARED_MEMORY}
_CALLED = outside_literals(rf"\b(?:{'|'.join(_RENAMED)})\b(?=\s*\()")


def host_directives(unit: Unit) -> Iterator[PlacedForm]:
    """The forms of directives outside of target regions."""
    regions = Stretches((c.start, c.end) for c in unit.constructs if c.directive.is_target)
    for construct in unit.constructs:
        if construct.start not in regions and not construct.directive.name.startswith(_ELSEWHERE):
            form = form_of(unit, construct)
            if form is not None:
                yield placed(construct, form)


def placed(construct: Construct, form: HostForm) -> PlacedForm:
    end = construct.end if form.after else construct.pragma_end
    return PlacedForm(construct.start, construct.pragma_end, end, form.lines, form.after)


def around(unit: Unit, construct: Construct) -> list[Construct]:
    """The constructs around another one in its function, outermost first."""
    function = unit.function_at(construct.start)
    start = function.start if function is not None else 0
    return [c for c in unit.constructs_in(start, construct.start) if construct.end <= c.end]


def form_of(unit: Unit, construct: Construct) -> HostForm | None:
    """The form in which the host compiler sees a directive, or None for what the user wrote."""
    if construct.directive.name == "nothing":
        return GONE
    outer = Around()
    for one in around(unit, construct):
        outer = outer.below(one.directive, _statement(unit, one))
    directive = construct.written or construct.directive
    form = host_form(directive, _statement(unit, construct), outer, unit.generated.fresh)
    if form is None and "loop" in directive.constructs:
        return HostForm(bound_loop(directive, outer.constructs))
    return form


def _statement(unit: Unit, construct: Construct) -> Statement:
    inside = unit.constructs_in(construct.body_start, construct.end)
    return Statement(lambda most: _loops(unit, construct, most), lambda: [c.directive for c in inside])


def _loops(unit: Unit, construct: Construct, most: int) -> list[HostLoop]:
    reader = reader_of(unit)
    found = reader.region(construct) or reader.pattern(construct)
    loops: list[HostLoop] = []
    inside = found[0].body if found else None
    while len(loops) < most and inside is not None and (loop := only_loop(inside)) is not None:
        name, declared, before = None, True, None
        with suppress(NotCanonicalError):
            level = canonical(loop)
            origin = origin_of(level.step) if level.step is not None else None
            amount = unit.text[slice(*unit.extent(origin))] if origin is not None else "1"
            name, declared = level.symbol.name, level.declared
            before = f"{name} {'+' if level.step_negated else '-'} {amount}"
        start, condition = (
            frozenset(n.variable.name for n in tree.walk(part) if isinstance(n, tree.Named)) if part else frozenset()
            for part in (loop.start, loop.condition)
        )
        loops.append(HostLoop(name, declared, before, start, condition, single(inside, items_of) is loop))
        inside = loop.body
    return loops


def renamed_calls(unit: Unit) -> Iterator[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    if "omp_" not in unit.text:
        return
    shared = shares_memory(unit.requirements)
    declared = {unit.place(cursor.location) for cursors in unit.prototypes.values() for cursor in cursors}
    for match in unit.pre.in_own_parts(_CALLED):
        if (name := match["found"]) and match.start() not in declared and (shared or name not in WITH_SHARED_MEMORY):
            start = qualifier_before(unit.text, match.start())  # of a namespace that declares the function again
            yield Replacement(start, match.end(), f"{'::' if start < match.start() else ''}{_RENAMED[name]}")
