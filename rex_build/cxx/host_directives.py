"""What the host compiler sees of directives where it, or LLVM's runtime under it, does not do what the user wrote."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.spans import Stretches
from ..c.source.tokens import next_token
from ..directives.host_form import GONE, HostForm
from ..openmp.canonical import increment
from ..openmp.host_forms import Around, HostLoop, Statement, host_form
from ..openmp.older_spellings import bound_loop
from ..plan.host import PlacedForm
from .code import Construct
from .forms import loop_head
from .loops import head_sections, only_loop
from .text_constructs import identifiers_in
from .unit import Unit

_ELSEWHERE = (
    "declare target", "declare variant", "declare mapper", "declare reduction", "begin declare", "end declare",
    "requires", "target", "metadirective",
)  # fmt: skip


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
    return [c for c in unit.constructs if start <= c.start < construct.start and construct.end <= c.end]


def form_of(unit: Unit, construct: Construct) -> HostForm | None:
    """The form in which the host compiler sees a directive, or None for what the user wrote."""
    if construct.directive.name == "nothing":
        return GONE
    outer = Around()
    for one in around(unit, construct):
        outer = outer.below(one.directive, _statement(unit, one))
    directive = construct.directive
    form = host_form(directive, _statement(unit, construct), outer, unit.generated.fresh)
    if form is None and "loop" in directive.constructs:
        return HostForm(bound_loop(directive, outer.constructs))
    return form


def _statement(unit: Unit, construct: Construct) -> Statement:
    inside = [c.directive for c in unit.constructs if construct.body_start <= c.start < construct.end]
    return Statement(lambda most: _loops(unit, construct, most), lambda: inside)


def _loops(unit: Unit, construct: Construct, most: int) -> list[HostLoop]:
    text, function = unit.text, unit.function_at(construct.start)
    loops: list[HostLoop] = []
    at, is_alone = only_loop(text, next_token(text, construct.body_start))
    while len(loops) < most and at is not None and function is not None:
        sections = head_sections(text, at)
        if len(sections) != 3:
            break
        head = loop_head(unit, function, at, sections)
        start, condition = (
            frozenset(name for _, name in identifiers_in(text[low:high])) for low, high in sections[:2]
        )
        moved = increment(head) if head is not None else None
        step, negated = moved if moved is not None else (None, False)
        amount = unit.text[slice(*unit.extent(step.node))] if step is not None else "1"
        name = head.symbol.name if head is not None else None
        before = f"{name} {'+' if negated else '-'} {amount}" if moved is not None else None
        loops.append(HostLoop(name, head is None or head.declared, before, start, condition, is_alone))
        at, is_alone = only_loop(text, next_token(text, sections[-1][1] + 1))
    return loops
