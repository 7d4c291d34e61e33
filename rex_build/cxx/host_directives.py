"""What the host compiler sees of directives where it, or LLVM's runtime under it, does not do what the user wrote."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.records import replace
from ..base.spans import Stretches
from ..c.normalise.older_spellings import bound_loop, older, plain_linear
from ..directives.combined import with_clauses
from ..directives.host_form import GONE, HostForm
from ..directives.model import Directive, Expr, ExprClause, ListClause
from ..openmp.one_thread import INSIDE, for_one_thread, is_for_one_thread
from ..plan.host import PlacedForm
from .code import Construct, Text
from .loops import canonical_nest, collapse_of
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
            form = host_form(unit, construct)
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


def host_form(unit: Unit, construct: Construct) -> HostForm | None:
    """The form in which the host compiler sees a directive, or None for what the user wrote."""
    directive, outer = construct.directive, around(unit, construct)
    if directive.name == "nothing":
        return GONE
    sharing = next((c for c in reversed(outer) if not {"for", "sections"}.isdisjoint(c.directive.constructs)), None)
    if directive.name in INSIDE and sharing is not None and is_for_one_thread(sharing.directive):
        return GONE
    if is_for_one_thread(directive):
        return HostForm(for_one_thread(directive, _loop_variables(unit, construct)))
    leaves = tuple(leaf for c in outer for leaf in c.directive.constructs)
    ordering = next((c for c in reversed(outer) if c.directive.has("ordered")), None)
    previous = _iteration_before(unit, ordering) if directive.has("doacross") and ordering is not None else None
    form = older(directive, leaves, previous, unit.generated.fresh)
    if form is not None:
        return form
    plain = plain_linear(directive)
    plain = bound_loop(plain, leaves) if "loop" in plain.constructs else plain
    plain = _with_counted_ordered(unit, construct, plain)
    return HostForm(plain) if plain is not directive else None


def _with_counted_ordered(unit: Unit, construct: Construct, directive: Directive) -> Directive:
    """``ordered`` as ``ordered(1)``, if ``doacross`` needs it. gcc 12 supports that only with a parameter."""
    clause = directive.clause("ordered")
    if not isinstance(clause, ExprClause) or clause.expr is not None or directive.has("collapse"):
        return directive
    inside = (c.directive for c in unit.constructs if construct.body_start <= c.start < construct.end)
    if not any(inner.name == "ordered" and inner.has("doacross") for inner in inside):
        return directive
    one = replace(clause, expr=Expr("1", None, clause.span))
    return with_clauses(directive, tuple(one if c is clause else c for c in directive.clauses))


def _iteration_before(unit: Unit, construct: Construct) -> str | None:
    """The value that a loop's variable had one iteration before, or None for several loops."""
    clause = construct.directive.clause("ordered")
    counts = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "1"
    function = unit.function_at(construct.start)
    if counts != "1" or function is None:
        return None
    level = canonical_nest(unit, function, construct, 1, on_host=True).levels[0]
    step = level.step.text if isinstance(level.step, Text) else str(level.step_value)
    return f"{level.symbol.name} {'-' if level.increasing else '+'} {step}"


def _loop_variables(unit: Unit, construct: Construct) -> list[str]:
    """The variables of a construct's loops that are declared before it and that it does not name private."""
    function = unit.function_at(construct.start)
    if function is None or "for" not in construct.directive.constructs:
        return []
    named = {i.name for c in construct.directive.all("private") if isinstance(c, ListClause) for i in c.items}
    levels = canonical_nest(unit, function, construct, collapse_of(unit, construct), on_host=True).levels
    return [level.symbol.name for level in levels if not level.declared and level.symbol.name not in named]
