"""What C++ says of the items of reduction clauses."""

from __future__ import annotations

from ..directives.model import Expr, Locator, ReductionClause, Step
from ..openmp.list_items import LENGTH_OF_TEMPLATE
from ..openmp.reductions import OPERATORS, Declared
from ..plan.code import Code, Entity
from ..tree import types
from .code import CxxType, Text, Variable
from .list_items import ListReader
from .user_reductions import reduction_for, reduction_in_instances


class Reduced(ListReader):
    """The items of the reduction clauses at a place (see :class:`~rex_build.openmp.reductions.Reduced`)."""

    has_arrays_of_run = False

    def begin(self, locator: Locator) -> tuple[Variable, types.Type, tuple[Step, ...]]:
        self.named(locator)  # not a member
        variable, kind, steps = super().begin(locator)
        is_array = isinstance(kind, types.Unknown) and variable.type.kind == "array"
        return variable, _array(variable.type) if is_array else kind, steps  # as all instantiations have it

    def declared(self, clause: ReductionClause, variable: Entity, *, of_elements: bool) -> Declared | None:
        assert isinstance(variable, Variable)
        unit, function, kind = self.unit, self.function, variable.type
        combined = kind.element.innermost if of_elements and kind.element is not None else kind.innermost
        found = reduction_for(unit, function, clause.operator, combined, self.place)
        if found is None and function.is_template and unit.user_reductions:
            builtin = OPERATORS.get(clause.operator, "")
            found = reduction_in_instances(
                unit, function, clause.operator, variable, of_elements, self.place, builtin
            )  # fmt: skip
        return Declared(*found.functions, found.reads_original) if found is not None else None

    def combined(self, variable: Entity, *, of_elements: bool) -> tuple[CxxType, CxxType, str]:
        """Of a template that nothing instantiates, the type of an element is not known."""
        kind: CxxType = variable.type
        row = kind.element if kind.element is not None and (of_elements or kind.kind == "array") else kind
        return row.innermost.value, row.value, kind.text

    def code(self, expr: Expr) -> Code:
        return Text(expr.text, self.place)

    def length(self, variable: Entity) -> Code:
        value = variable.type.innermost.value.text
        return Text(f"(sizeof({variable.name}) / sizeof({value}))", self.place)


def _array(kind: CxxType) -> types.Type:
    """The array of a template whose elements are not known, but whose lengths may be."""
    if kind.kind != "array" or kind.element is None:
        return types.Unknown(kind.text)
    return types.Array(_array(kind.element), kind.length or (LENGTH_OF_TEMPLATE if kind.extent else None))
