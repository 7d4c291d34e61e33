"""What C says of the items of reduction clauses."""

from __future__ import annotations

from ...base.diagnostics import InternalError
from ...directives.model import Expr, ReductionClause
from ...openmp.reductions import Declared
from ...plan.code import Code, Entity
from ..sema import Sema
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, Function, Pointer, strip
from ..sema.type_questions import is_variably_modified
from ..syntax.nodes import OmpConstruct
from .list_items import ListItems


class Reduced(ListItems):
    """The items of a construct's reduction clauses (see :class:`~rex_build.openmp.reductions.Reduced`)."""

    has_arrays_of_run = True

    def declared(self, clause: ReductionClause, variable: Entity, *, of_elements: bool) -> Declared | None:
        return user_reduction(self.sema, clause.operator, _innermost(variable.type, of_elements=of_elements))

    def combined(self, variable: Entity, *, of_elements: bool) -> tuple[CType, CType, str]:
        """In device code, variable-length arrays are flat."""
        kind, pointer = _innermost(variable.type, of_elements=of_elements), decay(variable.type)
        row = strip(pointer.to) if isinstance(pointer, Pointer) and not is_variably_modified(variable.type) else kind
        return kind, row, str(variable.type)

    def code(self, expr: Expr) -> Code:
        node: Code = expr.node
        return node

    def length(self, variable: Entity) -> Code:
        raise InternalError(f"the compiler alone knows the length of '{variable.name}'")


def _innermost(kind: CType, *, of_elements: bool) -> CType:
    """The type of the elements of an array of arrays, or of what a variable of a type leads to."""
    if of_elements:
        pointer = decay(kind)
        assert isinstance(pointer, Pointer)
        kind = pointer.to
    while isinstance(kind, Array):
        kind = kind.of
    return strip(kind)


def user_reduction(sema: Sema, name: str, kind: CType) -> Declared | None:
    """The reduction that the program declares for a type."""
    for declared in sema.user_reductions:
        combine, initialise = sema.file_symbol(declared.combine), sema.file_symbol(declared.initialise)
        if declared.name == name and combine is not None and initialise is not None:
            assert isinstance(combine.type, Function)
            pointer = combine.type.params[0]
            if isinstance(pointer, Pointer) and strip(pointer.to) == kind:
                return Declared(combine, initialise, declared.reads_original)
    return None


def reduction_functions(sema: Sema, construct: OmpConstruct) -> list[str]:
    """The functions of the combiners and initialisers that a construct's clauses may use."""
    asked = {c.operator for c in construct.directive.clauses if isinstance(c, ReductionClause)}
    return [declared.uses for declared in sema.user_reductions if declared.name in asked]
