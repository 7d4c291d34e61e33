"""What device code may not do, in whatever language it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..base.diagnostics import error_at
from ..base.spans import SourceSpan
from ..directives.contents import clause_locators
from ..directives.model import Locator
from ..plan.code import Entity
from .chains import C
from .program import Program

ASSEMBLY = "inline assembly is not supported"


def check_threadprivate(variables: Collection[Entity], uses: Iterable[tuple[Entity, str, SourceSpan]]) -> None:
    """Raise InputError if device code uses a threadprivate variable. ``uses`` are its variables with their names."""
    for variable, name, span in uses if variables else ():
        if variable in variables:
            what = f"'{name}' is threadprivate: device threads have no copies of it"
            raise error_at(span, what, "OpenMP 5.2, section 5.2 (threadprivate directive)")


def check_one_clause_each(program: Program[C], construct: C) -> None:
    """Raise InputError when clauses of a ``target`` contradict each other about a variable (OpenMP 5.2, section 13.8).

    That is so if it is in two clauses, and one of them gives the region a copy or says that it is on the device
    already.
    """
    directive = construct.directive
    names: tuple[str, ...] = ("is_device_ptr", "has_device_addr")
    if directive.constructs == ("target",):  # in combined constructs, the copies may belong to other parts
        names += ("private", "firstprivate")
    copied: dict[Entity, str] = {}

    def check(item: Locator, variable: Entity, name: str) -> None:
        if (before := copied.get(variable, name)) != name:
            one, other = ("map", before) if name == "map" else (before, name)
            what = f"'{item.name}' is in a '{one}' and in a '{other}' clause of one 'target'"
            raise error_at(item.span, what, "OpenMP 5.2, section 13.8: target construct, restrictions")

    for clause in directive.all(*names):
        for item in clause_locators(clause):
            if (variable := program.found(construct, item.name)) is not None:
                check(item, variable, clause.name)
                copied[variable] = clause.name
    for clause in directive.all("map"):
        for item in clause_locators(clause):
            variable = program.found(construct, item.name)
            on_device = variable is not None and copied.get(variable) == "has_device_addr"
            if variable is not None and not (item.steps and (on_device or program.is_pointer(variable))):
                check(item, variable, "map")
