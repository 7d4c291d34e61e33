"""The items of reduction clauses: what they combine, and how."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...directives.model import Index, Locator, ReductionClause, Section, Step
from ...openmp.sharing import OPERATORS, no_operator
from ...plan.host_expression import Number
from ...plan.sharing import Reduction, reads_original_problem
from ..sema import Sema, Symbol
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, Function, Pointer, Scalar, sizeof, strip
from ..sema.type_questions import is_arithmetic, is_array, is_complex, is_integer, is_variably_modified
from ..syntax.nodes import OmpConstruct
from .listed import named_symbol

_OF_COMPLEX = ("+", "-", "*", "&&", "||")


def reduction_of(sema: Sema, construct: OmpConstruct, clause: ReductionClause, item: Locator) -> Reduction:
    section = "OpenMP 5.2, section 5.5.8: reduction clause"
    symbol = named_symbol(sema, construct, item)
    kind: CType = strip(symbol.type)
    count = 0
    first: c_ast.Node | None = None
    length: c_ast.Node | None = None
    whole = False
    if item.steps:
        kind, count, first, length = _section(sema, item, symbol, section)
    elif is_array(symbol.type) and is_variably_modified(symbol.type):
        whole, count = True, 1
        while isinstance(kind, Array):
            kind = strip(kind.of)
    while isinstance(kind, Array):
        if kind.length is None:
            what = f"a reduction over '{item.text}', whose rows have no constant length, is not supported"
            raise error_at(item.span, what, section)
        count = (count or 1) * kind.length
        kind = strip(kind.of)
    functions, own_size = user_reduction(sema, clause.operator, kind), None
    if functions is not None and _reads_original(sema, functions[1]):
        what = reads_original_problem(clause, whole or length is not None)
        if what:
            raise error_at(item.span, f"{what}, over '{item.text}', is not supported", section)
        own_size = Number(sizeof(kind) * (count or 1))
    reduction = Reduction(
        symbol,
        OPERATORS.get(clause.operator, "") if functions is None else "",
        kind,
        _row(symbol, kind),
        _scalars(_row(symbol, kind)),
        functions,
        count,
        first,
        is_section=bool(item.steps),
        length=length,
        whole=whole,
        is_shifted=first is not None and sema.value(first) != 0,
        own_size=own_size,
    )
    if functions is not None:
        return reduction
    if clause.operator not in OPERATORS:
        raise error_at(clause.span, *no_operator(clause.operator, str(kind)), section)
    if not is_arithmetic(kind) or (is_complex(kind) and clause.operator not in _OF_COMPLEX):
        raise error_at(item.span, f"a reduction over '{symbol.name}' of type '{symbol.type}' is not supported", section)
    if clause.operator in ("&", "|", "^") and not is_integer(kind):
        what = f"'{clause.operator}' has no meaning for '{symbol.name}' of type '{symbol.type}'"
        raise error_at(item.span, what, section)
    if isinstance(kind, Scalar) and kind.name.startswith("long double"):
        raise error_at(item.span, "a reduction over a long double is not supported: the device has none", section)
    return reduction


def _row(symbol: Symbol, kind: CType) -> CType:
    """The type of the reduced array's or pointer's elements in device code, where variable-length arrays are flat."""
    pointer = decay(symbol.type)
    return kind if is_variably_modified(symbol.type) or not isinstance(pointer, Pointer) else strip(pointer.to)


def _scalars(kind: CType) -> int:
    """How many scalars or structures a row of constant length has."""
    count = 1
    while isinstance(kind, Array):
        count, kind = count * (kind.length or 1), kind.of
    return count


def _section(
    sema: Sema, item: Locator, symbol: Symbol, rule: str
) -> tuple[CType, int, c_ast.Node | None, c_ast.Node | None]:
    """(element type, number of elements, index of the first one, factor of that number that only the run knows).

    This is for a section of an array or pointer. A single element is a section of one element.
    """
    step = item.steps[0]
    pointer = decay(symbol.type)
    if not isinstance(pointer, Pointer) or not _are_whole_rows(sema, item.steps[1:], strip(pointer.to)):
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported", rule)
    if isinstance(step, Index):
        return strip(pointer.to), 1, step.expr.node, None
    if not isinstance(step, Section) or step.stride is not None:
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported", rule)
    length = sema.value(step.length.node) if step.length is not None else None
    whole = strip(symbol.type)
    if step.length is None and isinstance(whole, Array) and step.lower is None:
        length = whole.length
    first = step.lower.node if step.lower is not None else None
    if length is None and step.length is not None:
        return strip(pointer.to), 1, first, step.length.node
    if length is None or length < 1:
        raise error_at(item.span, f"a reduction over '{item.text}', whose length is not known, is not supported", rule)
    return strip(pointer.to), length, first, None


def _are_whole_rows(sema: Sema, steps: Sequence[Step], row: CType) -> bool:
    """Whether the inner steps of a section take whole rows, so that the section is one contiguous piece."""
    for step in steps:
        if not isinstance(step, Section) or step.stride is not None or not isinstance(row, Array):
            return False
        starts = step.lower is None or sema.value(step.lower.node) == 0
        ends = step.length is None or (row.length is not None and sema.value(step.length.node) == row.length)
        if not starts or not ends:
            return False
        row = strip(row.of)
    return True


def user_reduction(sema: Sema, name: str, kind: CType) -> tuple[Symbol, Symbol] | None:
    """The combiner and the initialiser of the reduction that the program declares for a type."""
    for declared in sema.user_reductions:
        combine, initialise = sema.file_symbol(declared.combine), sema.file_symbol(declared.initialise)
        if declared.name == name and combine is not None and initialise is not None:
            assert isinstance(combine.type, Function)
            pointer = combine.type.params[0]
            if isinstance(pointer, Pointer) and strip(pointer.to) == kind:
                return combine, initialise
    return None


def _reads_original(sema: Sema, initialiser: Symbol) -> bool:
    return any(d.initialise == initialiser.name and d.reads_original for d in sema.user_reductions)


def reduction_functions(sema: Sema, construct: OmpConstruct) -> list[str]:
    """The functions of the combiners and initialisers that a construct's clauses may use."""
    asked = {c.operator for c in construct.directive.clauses if isinstance(c, ReductionClause)}
    return [declared.uses for declared in sema.user_reductions if declared.name in asked]
