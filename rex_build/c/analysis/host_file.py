"""Decides about the host file outside of target regions: the forms of directives there, and which words change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...base.names import identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER
from ...base.patterns import regex
from ...base.spans import Replacement, Stretches
from ...directives.host_form import GONE
from ...directives.model import Directive, KeywordClause
from ...directives.parser import check_on_device
from ...openmp.host_version import with_clause
from ...openmp.requirements import shares_memory
from ...plan.host import HostRegion, PlacedForm
from ...plan.region import TargetRegion
from ...plan.rows import MapRow
from ...plan.unit import DataConstruct
from ..sema import Sema, StorageClass, Symbol, walk
from ..source.library_functions import NEWER, OF_TEAMS, WITH_DEPEND_OBJECTS, WITH_SHARED_MEMORY, WITH_STRINGS
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches
from .host_version import as_written, placed


def generated_variables(
    regions: Sequence[TargetRegion], data: Sequence[DataConstruct], others: Collection[str]
) -> dict[int, list[str]]:
    """The file-scope variables in the text that is generated for each construct, by the construct's offset.

    ``others`` are variables that rows may mention.
    """
    found = {r.start: [identity for _, identity in r.kernels] + _mentioned(r.mapping.rows, others) for r in regions}
    return found | {d.start: _mentioned(d.mapping.rows, others) for d in data}


def _mentioned(rows: Sequence[MapRow], names: Collection[str]) -> list[str]:
    mentioned = {name for row in rows for part in (row.base, row.pointer) for name in part.names}
    return [name for name in names if name in mentioned]


def forms_outside(
    unit: ParsedUnit,
    regions: Sequence[TargetRegion | HostRegion],
    data: Sequence[DataConstruct],
    removed: Collection[int],
    generated: Mapping[int, Sequence[str]],
) -> tuple[PlacedForm, ...]:
    """The forms in which the host compiler sees the directives outside of regions.

    ``removed`` are the offsets of directives that are not for it. ``generated`` are the variables in the text that is
    generated for each construct, by its offset. If ``default`` wants every variable listed, these are listed too
    (OpenMP 5.2, section 5.4.1).
    """
    lowered = {construct.start for construct in data}
    inside = Stretches((region.start, region.end) for region in regions)
    forms = {at: form for at, form in unit.host_forms.items() if at not in lowered and at not in inside}
    forms |= dict.fromkeys(removed, GONE)
    for node, names in _around_generated(unit, generated):
        form = forms.get(node.start) or as_written(unit, node)
        if names and form.directive is not None and _lists_all(form.directive):
            forms[node.start] = with_clause(form, f"shared({', '.join(names)})")
    return tuple(placed(unit, at, form) for at, form in sorted(forms.items(), key=lambda item: item[0]))


def _around_generated(
    unit: ParsedUnit, generated: Mapping[int, Sequence[str]]
) -> list[tuple[OmpConstruct, Sequence[str]]]:
    """The host's constructs that list all variables, each with the variables that generated text in it mentions."""
    wanted: dict[int, tuple[OmpConstruct, dict[str, None]]] = {}
    for item in unit.ast.ext:
        stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = []
        stack += [(item, ())] if isinstance(item, c_ast.FuncDef) and item not in unit.plain else []
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                for outer in around:
                    wanted.setdefault(outer.start, (outer, {}))[1].update(dict.fromkeys(generated.get(node.start, ())))
                if node.directive.is_target:
                    continue
                around = (*around, node) if _lists_all(node.directive) else around
            stack += [(part, around) for part in branches(node)]
    return [(node, tuple(names)) for node, names in wanted.values()]


def _lists_all(directive: Directive) -> bool:
    """Whether variables have to be listed. A malformed directive stays as it is, and the host compiler reports it."""
    clause = directive.clause("default")
    if not isinstance(clause, KeywordClause) or clause.value not in ("none", "private", "firstprivate"):
        return False
    try:
        check_on_device(directive)
    except InputError:
        return False
    return True


_REGISTER = regex(r"\bregister\b(?=[^;{}]*\Z)")


def without_register(unit: ParsedUnit, regions: Sequence[TargetRegion]) -> list[Replacement]:
    """The replacements that remove ``register`` from variables whose addresses launches take, as C requires."""
    places = set()
    for symbol in {c.symbol for region in regions for c in region.captures}:
        if isinstance(symbol, Symbol) and symbol.storage is StorageClass.REGISTER and symbol.node is not None:
            found = list(_REGISTER.finditer(unit.pre.text, 0, unit.offset_of(symbol.node)))
            places |= {found[-1].span()} if found else set()
    return [Replacement(start, end, "") for start, end in sorted(places)]


def declare_missing(unit: ParsedUnit, sema: Sema) -> tuple[str, ...]:
    """Declare the functions that the unit mentions and its omp.h lacks. Returns declarations for the host compiler."""
    words = identifiers(unit.pre.text)
    missing = [p for name, p in NEWER.items() if name in words and sema.file_symbol(name) is None]
    for declaration in missing:
        sema.declare(declaration)
    headers = [f'#include "{INTEROP_HEADER}"' for name in unit.pre.includes if name.endswith(f"/{INTEROP_HEADER}")]
    its_own = NEWER["omp_initial_device"] not in missing  # omp.h has the name, and mentions it once
    macros = [f'#include "{INITIAL_DEVICE_HEADER}"'] if unit.pre.text.count("omp_initial_device") > its_own else []
    # One mention is the declaration in omp.h, which then declares the other function.
    asked = [n for n in OF_TEAMS if unit.pre.text.count(n) > 1 and n not in sema.functions]
    macros += [f"#define {name} {OF_TEAMS[name]}" for name in asked]
    return (*headers, *(f"{declaration};" for declaration in missing), *macros)


def renamed_functions(unit: ParsedUnit) -> list[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    renamed = {**WITH_DEPEND_OBJECTS, **WITH_STRINGS}
    if shares_memory(unit.requirements):
        renamed |= WITH_SHARED_MEMORY
    if not any(name in unit.pre.text for name in renamed):
        return []
    found = []
    for function in unit.ast.ext:
        if isinstance(function, c_ast.FuncDef):
            for node in walk(function.body):
                if isinstance(node, c_ast.ID) and node.name in renamed:
                    start = unit.offset_of(node)
                    found.append(Replacement(start, start + len(node.name), renamed[node.name]))
    return found
