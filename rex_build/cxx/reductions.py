"""The items of reduction clauses: what they combine, and how."""

from __future__ import annotations

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..directives.model import Locator, ReductionClause
from ..openmp.reductions import OPERATORS, RULE, check_operator, part_of, unsupported
from ..plan.host_expression import ZERO, Binary, HostExpression, Number, SizeOf
from ..plan.host_expression import Index as HostIndex
from ..plan.host_expression import Variable as HostVariable
from ..plan.sharing import Reduction, reads_original_problem
from ..tree import types
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
    if declared is None:
        check_operator(clause, item, _combined(reader, item), kind.text)
    operator = operator or ""
    if not item.steps:
        inner = kind.innermost
        count = kind.elements if kind.kind == "array" else 0
        depends = kind.kind == "array" and not count  # on a template's parameters
        is_row = kind.element is not None and kind.element.kind != "array"
        if depends and not (kind.has_lengths and is_row):
            raise unsupported(item, f", a '{kind.text}',")
        row = _value(kind.element) if count and kind.element is not None else _value(inner)
        value, whole = _value(inner), SizeOf(HostVariable(variable.host)) if reads_original else None
        whole_length = Text(f"(sizeof({variable.name}) / sizeof({value.text}))", reader.place) if depends else None
        return Reduction(
            variable, operator, value, row, functions=functions, count=1 if depends else count, length=whole_length,
            own_size=whole,
        )  # fmt: skip
    return _of_section(reader, clause, item, operator, declared)


def _of_section(
    reader: ListReader, clause: ReductionClause, item: Locator, operator: str, declared: UserReduction | None
) -> Reduction:
    """A reduction of a section or an element. Raises InputError for what is not supported."""
    variable, part = reader.named(item), part_of(reader, item)
    kind = variable.type
    element = kind if kind.kind == "dependent" else kind.element  # of a template that nothing instantiates
    if element is None:
        raise unsupported(item)
    value, row = _value(element.innermost), element.elements
    own_size: HostExpression | None = None
    if declared is not None and declared.reads_original:
        if problem := reads_original_problem(clause, part.length is not None):
            raise error_at(item.span, f"{problem}, over '{item.text}', is not supported", RULE)
        own_size = Binary("*", Number(part.count), SizeOf(HostIndex(HostVariable(variable.host), ZERO)))
    first = part.first.text if part.first is not None else "0"
    return Reduction(
        variable,
        operator,
        value,
        _value(element),
        row_length=row,
        functions=declared.functions if declared is not None else None,
        count=part.count * row,
        section=Text(first, reader.place) if first != "0" else None,
        is_section=True,
        length=Text(part.length.text, reader.place) if part.length is not None else None,
        is_shifted=part.is_shifted,
        own_size=own_size,
    )


def _combined(reader: ListReader, item: Locator) -> types.Type:
    """The type of the elements of what a list item names."""
    _, kind, _ = reader.begin(item)
    return kind.to if item.steps and isinstance(kind, types.Pointer) else kind


def _value(kind: CxxType) -> CxxType:
    return CxxType(_VOLATILE.sub("", kind.text), kind.kind, kind.size, False, kind.element, kind.length)
