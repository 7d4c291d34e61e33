"""What is wrong in a C++ program although it can be lowered. Each function is looked at for itself.

Templates are left out, because only their instantiations have types, and so are lambdas' uses of variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.findings import Finding
from ..directives.model import ExprClause, MapClause
from .code import Construct, Variable
from .front_end import Planned
from .loop_findings import loop_findings
from .mapping_findings import mapping_findings, stale_copies
from .scene import Scene, items_of
from .unit import Unit


def findings_of(planned: Planned) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    unit = planned.unit
    shared = {"unified_shared_memory", "self_maps"}.intersection(unit.requirements)
    if shared or unit.mappers or _uses_several_devices(unit):
        return ()
    found = list(_leaks(unit))
    listed = _listed(unit)
    for function in dict.fromkeys(id(one.function) for one in planned.decided):
        own = [one for one in planned.decided if id(one.function) == function]
        if own[0].function.is_template or own[0].instances:
            continue
        scene = Scene(unit, own[0].function, own, listed)
        for region in scene.regions:
            found += loop_findings(scene, region)
            found += mapping_findings(scene, region)
        for construct in scene.constructs:
            if construct.directive.name == "target data":
                found += stale_copies(scene, construct)
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))


def _uses_several_devices(unit: Unit) -> bool:
    directives = [c.directive for c in unit.constructs]
    about = [d for d in directives if d.is_target or d.name.startswith("target ")]
    clauses = [directive.clause("device") for directive in about]
    devices = {c.expr.text if isinstance(c, ExprClause) and c.expr is not None else "" for c in clauses}
    return len(devices) > 1 or "omp_set_default_device" in unit.read.text


def _listed(unit: Unit) -> dict[Variable, list[Construct]]:
    """The constructs that name a variable in a clause."""
    found: dict[Variable, list[Construct]] = {}
    for construct in unit.constructs:
        function = unit.function_at(construct.start)
        if function is None:
            continue
        for clause in construct.directive.clauses:
            for item in items_of(clause):
                variable = unit.lookup(function, item.name, construct.start) if item.name != "this" else None
                if variable is not None:
                    found.setdefault(variable, []).append(construct)
    return found


def _leaks(unit: Unit) -> Iterator[Finding]:
    """The items of ``enter data`` that no ``exit data`` of the unit names."""
    exits = (c.directive for c in unit.constructs if c.directive.name == "target exit data")
    clauses = [clause for directive in exits for clause in directive.clauses]
    removed = {_last_name(item.text) for clause in clauses for item in items_of(clause)}
    for construct in unit.constructs:
        if construct.directive.name != "target enter data":
            continue
        for clause in construct.directive.clauses:
            for item in clause.items if isinstance(clause, MapClause) else ():
                if _last_name(item.text) in removed:
                    continue
                text = item.text
                what = "no 'exit data' in this file removes it"
                message = f"'{text}' stays on the device: {what}, unless other code does"
                advice = f"add '#pragma omp target exit data map(release: {text})' where it is no longer needed"
                yield Finding("leak", False, message, item.span, item.name, advice, ())


def _last_name(text: str) -> str:
    """The name under which an item is known in other functions as well."""
    return text.partition("[")[0].replace("->", ".").rpartition(".")[2].strip()
