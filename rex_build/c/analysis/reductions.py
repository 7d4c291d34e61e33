"""The items of reduction clauses: what they combine, and how."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ...directives.model import Locator, ReductionClause
from ...openmp.reductions import OPERATORS, RULE, check_operator, part_of, unsupported
from ...plan.host_expression import Number
from ...plan.sharing import Reduction, reads_original_problem
from ..reading.statements import reader_of
from ..sema import Sema, Symbol
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, Function, Pointer, sizeof, strip
from ..sema.type_questions import is_array, is_variably_modified
from ..syntax.nodes import OmpConstruct
from .list_items import ListItems
from .listed import named_symbol


def reduction_of(sema: Sema, construct: OmpConstruct, clause: ReductionClause, item: Locator) -> Reduction:
    items = ListItems(sema, construct)
    symbol = named_symbol(sema, construct, item)
    kind: CType = strip(symbol.type)
    part = part_of(items, item) if item.steps else None
    count, whole = 0, False
    first = part.first.node if part is not None and part.first is not None else None
    length = part.length.node if part is not None and part.length is not None else None
    if part is not None:
        pointer = decay(symbol.type)
        assert isinstance(pointer, Pointer)
        kind, count = strip(pointer.to), part.count
    elif is_array(symbol.type) and is_variably_modified(symbol.type):
        whole, count = True, 1
        while isinstance(kind, Array):
            kind = strip(kind.of)
    while isinstance(kind, Array):
        if kind.length is None:
            raise unsupported(item, ", whose rows have no constant length,")
        count = (count or 1) * kind.length
        kind = strip(kind.of)
    functions, own_size = user_reduction(sema, clause.operator, kind), None
    if functions is not None and _reads_original(sema, functions[1]):
        what = reads_original_problem(clause, whole or length is not None)
        if what:
            raise error_at(item.span, f"{what}, over '{item.text}', is not supported", RULE)
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
        is_shifted=part is not None and part.is_shifted,
        own_size=own_size,
    )
    if functions is None:
        check_operator(clause, item, reader_of(sema).types.type(kind), str(symbol.type))
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
