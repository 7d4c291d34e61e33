"""The items of reduction clauses: what they combine, and how."""

from __future__ import annotations

import re

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives.model import Index, Locator, ReductionClause, Section
from ..openmp.sharing import OPERATORS, no_operator
from ..plan.host_expression import ZERO, Binary, HostExpression, Number, SizeOf
from ..plan.host_expression import Index as HostIndex
from ..plan.host_expression import Variable as HostVariable
from ..plan.sharing import Reduction, reads_original_problem
from .code import CxxType, Text, UserReduction
from .list_items import ListReader
from .user_reductions import reduction_for, reduction_in_instances

_VOLATILE = regex(r"\bvolatile\s+")


def reduction_of(reader: ListReader, clause: ReductionClause, item: Locator) -> Reduction:
    """A reduction's item. Raises InputError for what is not supported."""
    variable = reader.named(item)
    kind = variable.type
    combined = kind.element if item.steps and kind.element is not None else kind.innermost
    declared = reduction_for(reader.unit, reader.function, clause.operator, combined, reader.place)
    operator, functions = OPERATORS.get(clause.operator), None
    if declared is None and reader.function.is_template and reader.unit.user_reductions:
        declared = reduction_in_instances(
            reader.unit, reader.function, clause.operator, variable, bool(item.steps), reader.place, operator or ""
        )
    if declared is not None:
        operator, functions = "", declared.functions
    reads_original = declared is not None and declared.reads_original
    if operator is None:
        raise error_at(clause.span, *no_operator(clause.operator, combined.text))
    if not item.steps:
        inner = kind.innermost
        count = kind.elements if kind.kind == "array" else 0
        reducible = inner.kind in ("scalar", "dependent") or functions is not None
        depends = kind.kind == "array" and not count  # on a template's parameters
        is_row = kind.element is not None and kind.element.kind != "array"
        if not reducible or (depends and not (kind.has_lengths and is_row)):
            raise error_at(item.span, f"a reduction over '{item.text}', a '{kind.text}', is not supported in C++")
        value, whole = _value(inner), SizeOf(HostVariable(variable.host)) if reads_original else None
        whole_length = Text(f"(sizeof({variable.name}) / sizeof({value.text}))", reader.place) if depends else None
        return Reduction(
            variable, operator, value, value, functions=functions, count=1 if depends else count, length=whole_length,
            own_size=whole,
        )  # fmt: skip
    return _of_section(reader, clause, item, operator, declared)


def _of_section(
    reader: ListReader, clause: ReductionClause, item: Locator, operator: str, declared: UserReduction | None
) -> Reduction:
    """A reduction of a section or an element. Raises InputError for what is not supported."""
    variable = reader.named(item)
    kind, step = variable.type, item.steps[0]
    reads_original = declared is not None and declared.reads_original
    if isinstance(step, Index):  # one element
        step = Section(step.expr, replace(step.expr, text="1"), None)
    element = kind if kind.kind == "dependent" else kind.element  # of a template that nothing instantiates
    if len(item.steps) > 1 or not isinstance(step, Section) or element is None:
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported in C++")
    length = step.length.text if step.length is not None else str(kind.length) if kind.kind == "array" else ""
    if not length:
        raise error_at(item.span, f"'{item.text}': the length of the section is missing")
    value, row = _value(element.innermost), element.elements
    first = step.lower.text if step.lower is not None else "0"
    constant = re.fullmatch(r"\d+", length)
    problem = reads_original_problem(clause, not constant) if reads_original else ""
    if problem:
        raise error_at(item.span, f"{problem}, over '{item.text}', is not supported in C++")
    own_size: HostExpression | None = None
    if reads_original:
        own_size = Binary("*", Number(int(length)), SizeOf(HostIndex(HostVariable(variable.host), ZERO)))
    return Reduction(
        variable,
        operator,
        value,
        _value(element),
        row_length=row,
        functions=declared.functions if declared is not None else None,
        count=int(length) * row if constant else row,
        section=Text(first, reader.place) if first != "0" else None,
        is_section=True,
        length=None if constant else Text(length, reader.place),
        is_shifted=first != "0",
        own_size=own_size,
    )


def _value(kind: CxxType) -> CxxType:
    return CxxType(_VOLATILE.sub("", kind.text), kind.kind, kind.size, False, kind.element, kind.length)
