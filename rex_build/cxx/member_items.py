"""List items that are given names in front of their construct: members of the object of a method that regions have
copies of, and objects that an operator ``->`` leads to.

    #pragma omp target ... reduction(+: s)   ->   { auto &s = this->s;
    statement                                     #pragma omp target ... reduction(+: s)
                                                  statement }

    #pragma ... map(to: p->a[0:n])       ->   auto *const rex_behind_p_1 = p.operator->();
                                              #pragma omp target enter data map(to: rex_behind_p_1->a[0:n])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..directives.model import ListClause, Locator, Member, ReductionClause
from . import libclang
from .code import Construct
from .functions import Function
from .reached import PRIVATE_COPIES
from .unit import Unit


def with_references(unit: Unit) -> Preprocessed:
    """The unit's text with such names. Where another directive stands in front of the construct, the analysis of the
    list refuses it."""
    edits: list[Respelling] = []
    ends = {len(unit.text[: c.pragma_end].rstrip()): c for c in unit.constructs if c.end == c.pragma_end}
    for number, construct in enumerate(unit.constructs):
        function = unit.function_at(construct.start)
        names = list(dict.fromkeys(_members(unit, function, construct))) if function is not None else []
        inside = list(_behind_arrows(unit, function, construct)) if function is not None else []
        before = len(unit.text[: construct.start].rstrip()) if names or inside else 0
        is_alone = construct.end == construct.pragma_end or (not names and before in ends)
        while is_alone and before in ends:  # directives without a statement
            before = len(unit.text[: ends[before].start].rstrip())
        line = unit.text[unit.text.rfind("\n", 0, before) + 1 : before]
        if not (names or inside) or line.lstrip().startswith("#"):
            continue
        references = [f"auto &{name} = this->{name};" for name in names]
        references += [f"auto *const {_behind(name, number)} = {name}.operator->();" for name, _ in inside]
        edits.append((before, before, f"{'' if is_alone else ' {'} {' '.join(references)}"))
        edits += [] if is_alone else [(construct.end, construct.end, " }")]
        edits += [(at, at + len(name), _behind(name, number)) for name, places in inside for at in places]
    return respelled(unit.pre, sorted(edits, key=lambda one: (one[0], one[2] != " }")))


def _behind(name: str, number: int) -> str:
    return f"rex_behind_{name}_{number}"


def _behind_arrows(unit: Unit, function: Function, construct: Construct) -> Iterator[tuple[str, list[int]]]:
    """(an object whose operator ``->`` list items call, where the construct names it) for those of which it uses no
    more than what the operator leads to."""
    clauses = construct.directive.clauses if construct.directive.name.startswith("target") else ()
    items = (item for clause in clauses for item in getattr(clause, "items", ()) if isinstance(item, Locator))
    arrows = (item.name for item in items if item.steps and isinstance(item.steps[0], Member) and item.steps[0].arrow)
    for name in dict.fromkeys(arrows):
        variable, field = unit.lookup(function, name, construct.start), unit.fields(function).get(name)
        cursor = variable.cursor if variable is not None else field
        if cursor is None or not _is_object(unit, cursor.type.get_canonical()):
            continue
        mentioned = [r.start for r in function.mentions.references if r.variable is variable]
        mentioned += [at for at, member in function.mentions.this if variable is None and member == name]
        in_body = [at for at in mentioned if construct.body_start <= at < construct.end]
        own = re.compile(rf"(?<![\w.>:]){name}\s*->")
        line = [match.start() for match in own.finditer(unit.text, construct.start, construct.pragma_end)]
        if construct.directive.is_target and not all(own.match(unit.text, at) for at in in_body):
            continue
        yield name, [*line, *(in_body if construct.directive.is_target else ())]


def _is_object(unit: Unit, kind: Any) -> bool:
    """Whether a type is a class, perhaps one that depends on a template's parameters, or a reference to an object."""
    kind = libclang.referred(kind).get_canonical()
    return bool(kind.kind == unit.types.RECORD or kind.get_declaration().kind in unit.classes)


def _members(unit: Unit, function: Function, construct: Construct) -> Iterator[str]:
    """The members without ``this->`` in the lists of a construct that ask for copies."""
    fields = unit.fields(function)
    for clause in construct.directive.clauses if fields and construct.directive.is_target else ():
        if isinstance(clause, (ListClause, ReductionClause)) and clause.name in PRIVATE_COPIES:
            for item in clause.items:
                if item.name in fields and unit.lookup(function, item.name, construct.start) is None:
                    yield item.name
