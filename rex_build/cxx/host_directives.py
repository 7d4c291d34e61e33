"""What the host compiler sees of directives where LLVM's runtime does not do what they say for gcc's code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.spans import Stretches
from ..directives.model import ListClause
from ..openmp.one_thread import INSIDE, for_one_thread, is_for_one_thread
from ..plan.host import PlacedForm
from .code import Construct
from .loops import canonical_nest
from .nested import collapse_of
from .unit import Unit


def host_directives(unit: Unit) -> Iterator[PlacedForm]:
    """The forms of directives outside of target regions that a single thread has to run."""
    regions = Stretches((c.start, c.end) for c in unit.constructs if c.directive.is_target)
    return one_thread_forms(unit, [c for c in unit.constructs if c.start not in regions])


def one_thread_forms(unit: Unit, constructs: Sequence[Construct]) -> Iterator[PlacedForm]:
    """The forms of those of some constructs that a single thread has to run, and of directives inside of these."""
    alone = [c for c in constructs if is_for_one_thread(c.directive)]
    for construct in alone:
        text = for_one_thread(construct.directive, _loop_variables(unit, construct)).text
        yield PlacedForm(construct.start, construct.pragma_end, construct.end, (f"#pragma omp {text}",), ())
    inside = Stretches((c.body_start, c.end) for c in alone)
    for construct in constructs:
        if construct.directive.name in INSIDE and construct.start in inside:
            yield PlacedForm(construct.start, construct.pragma_end, construct.end, (), ())


def _loop_variables(unit: Unit, construct: Construct) -> list[str]:
    """The variables of a construct's loops that are declared before it and that it does not name private."""
    function = unit.function_at(construct.start)
    if function is None or "for" not in construct.directive.constructs:
        return []
    named = {i.name for c in construct.directive.all("private") if isinstance(c, ListClause) for i in c.items}
    depth = collapse_of(construct.directive.clauses)
    levels = canonical_nest(unit, function, construct, depth, on_host=True).levels
    return [level.symbol.name for level in levels if not level.declared and level.symbol.name not in named]
