"""Members of the object of a method that regions have copies of. A reference stands for each, in front of the region.

    #pragma omp target ... reduction(+: s)   ->   { auto &s = this->s;
    statement                                     #pragma omp target ... reduction(+: s)
                                                  statement }
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..directives.model import ListClause, ReductionClause
from .code import Construct
from .edited_lines import LineEdit, with_edits
from .functions import Function
from .reached import PRIVATE_COPIES
from .unit import Unit

_IS_DIRECTIVE = regex(r"[ \t]*#")


def with_references(unit: Unit) -> Preprocessed:
    """The unit's text with references to such members. Where another directive stands in front of the region, the
    analysis of the list refuses it."""
    edits: list[LineEdit] = []
    for construct in unit.constructs:
        function = unit.function_at(construct.start) if construct.directive.is_target else None
        names = list(dict.fromkeys(_members(unit, function, construct))) if function is not None else []
        before = len(unit.text[: construct.start].rstrip()) if names else 0
        if not names or _IS_DIRECTIVE.match(unit.text, unit.text.rfind("\n", 0, before) + 1):
            continue
        references = " ".join(f"auto &{name} = this->{name};" for name in names)
        edits += [(before, before, f" {{ {references}"), (construct.end, construct.end, " }")]
    return with_edits(unit.pre, sorted(edits))


def _members(unit: Unit, function: Function, construct: Construct) -> Iterator[str]:
    """The members without ``this->`` in the lists of a construct that ask for copies."""
    fields = unit.fields(function)
    for clause in construct.directive.clauses if fields else ():
        if isinstance(clause, (ListClause, ReductionClause)) and clause.name in PRIVATE_COPIES:
            for item in clause.items:
                if item.name in fields and unit.lookup(function, item.name, construct.start) is None:
                    yield item.name
