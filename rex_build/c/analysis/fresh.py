"""The variables of a C function that are surely not on a device when a region begins."""

from __future__ import annotations

from collections.abc import Collection

from pycparser import c_ast

from ..sema import Sema, Symbol, assignments, locals_of
from ..sema.ctype import Array, strip
from ..sema.type_questions import is_arithmetic, is_record
from ..syntax.nodes import OmpConstruct
from .nesting import constructs_in

_FORKS = frozenset(("parallel", "teams", "task", "taskloop", "sections"))


def fresh_variables(
    sema: Sema, function: c_ast.FuncDef, construct: OmpConstruct, mapped_elsewhere: Collection[Symbol]
) -> frozenset[Symbol]:
    """The variables of a function that are surely not on a device when the region ``construct`` begins.

    No data construct maps them, no other function can, and no other construct is in flight.
    """
    constructs = constructs_in(sema, function.body)
    forks = [c for c in constructs if c is not construct and _FORKS.intersection(c.directive.constructs)]
    if any(construct in constructs_in(sema, c) for c in forks if not c.directive.is_target):
        return frozenset()
    if any("target" in c.directive.constructs and c.directive.has("nowait") for c in constructs):
        return frozenset()
    own = {*locals_of(sema, function.body), *sema.parameters(function)}
    addressed = assignments(sema, function.body).address_taken
    return frozenset(
        s
        for s in own
        if s.is_variable
        and not s.has_static_storage
        and s not in mapped_elsewhere
        and s not in addressed
        and (is_record(strip(s.type)) or is_arithmetic(strip(s.type)) or isinstance(strip(s.type), Array))
    )
