"""The variables that the threads of a team share."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.spans import Stretches
from ..openmp.kinds import LOOP_LEAVES
from ..plan.captures import Capture, Transport
from ..plan.memory import SHARED_MEMORY, TeamMemory
from ..plan.region import KernelKind
from ..plan.sharing import Sharing
from . import libclang
from .code import Construct, Variable
from .facts import RegionFacts
from .loops import canonical_nest, collapse_of
from .reached import pattern

_ADDRESS = regex(r"(?:[^\w\s)\]&]|\breturn)\s*&\s*\Z")  # what is before x in &x, but not in y & x or y && x

_SUBSCRIPT = regex(r"\s*\[")


def team_memory_of(
    facts: RegionFacts, kind: KernelKind, captures: Sequence[Capture], sharing: Sharing, loop: set[Variable]
) -> TeamMemory:
    """The variables that the sequential part and parallel regions share, if a parallel region changes them."""
    if kind not in (KernelKind.TEAMS, KernelKind.PARALLEL):
        return TeamMemory()
    unit, function = facts.unit, facts.function
    literals = {c.symbol for c in captures if c.transport is Transport.LITERAL or c.symbol.type.kind == "pointer"}
    if kind is KernelKind.PARALLEL:
        changed = {
            r.variable
            for r in function.mentions.references
            if facts.body.start <= r.start < facts.body.end and not r.is_read and r.variable in literals
        }
        return TeamMemory(shared=frozenset(changed - sharing.named))
    shared: set[Variable] = set()
    regions = _outermost_parallel(facts)
    for region in regions:
        inner = facts.program.chain(region)[1]
        own = {*inner.private, *inner.firstprivate}
        given_back = {*inner.lastprivate, *(r.symbol for r in inner.reductions)}
        for reference in function.mentions.references:
            variable = reference.variable
            if not region.body_start <= reference.start < region.end or reference.is_read:
                continue
            if variable.is_local and not region.start <= variable.start < region.end and variable not in own:
                shared.add(variable)
        shared |= given_back  # type: ignore[arg-type]
    for construct in facts.inside:  # what the loop of a parallel region counts with is private
        if not LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            nest = canonical_nest(unit, function, construct, collapse_of(unit, construct))
            shared -= {lv.symbol for lv in nest.levels}
    shared |= _reached(facts, regions)
    outside = {c.symbol for c in captures} - literals - sharing.named  # of what is mapped, teams may have copies
    shared = {v for v in shared if v not in outside and v not in loop}
    declared = ((v, v.type.size) for v in shared if facts.body.start <= v.start < facts.body.end)
    sizes = tuple(sorted(declared, key=lambda one: (one[0].start, one[0].name)))
    inside = [v for v in shared if facts.body.start <= v.start < facts.body.end]
    constructed = frozenset(v for v in inside if _is_constructed(facts, v))
    return TeamMemory(frozenset(shared), constructed, sizes=sizes).within(SHARED_MEMORY)


def _outermost_parallel(facts: RegionFacts) -> list[Construct]:
    """The parallel regions of the team. What is declared in them is a thread's own."""
    found: list[Construct] = []
    for construct in facts.inside:  # in the order of the text
        if "parallel" in construct.directive.constructs and (not found or construct.start >= found[-1].end):
            found.append(construct)
    return found


def _is_constructed(facts: RegionFacts, variable: Variable) -> bool:
    """Whether the definition of a variable runs a constructor, which objects in shared memory cannot have."""
    unit, k = facts.unit, facts.unit.kinds
    kind = variable.cursor.type.get_canonical()
    while kind.kind == unit.types.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
    queue, runs = [kind.get_declaration()] if kind.kind == unit.types.RECORD else [], False
    while queue:
        record = pattern(queue.pop())
        for child in libclang.children(record.get_definition() or record):
            if child.kind == k.DESTRUCTOR and not child.is_default_method():
                what = f"'{variable.name}', which threads of a team share, has a destructor, which is not supported"
                raise error_at(unit.span(variable.start), what)
            if child.kind == k.CONSTRUCTOR:
                plain = child.is_copy_constructor() or child.is_move_constructor() or child.is_default_method()
                runs = runs or not plain
            elif child.kind in (k.FIELD_DECL, k.CXX_BASE_SPECIFIER):
                runs = runs or (child.kind == k.FIELD_DECL and unit.is_initialised(child))
                part = child.type.get_canonical()
                while part.kind == unit.types.CONSTANTARRAY:
                    part = part.element_type.get_canonical()
                queue += [part.get_declaration()] if part.kind == unit.types.RECORD else []
    return runs


def _reached(facts: RegionFacts, regions: Sequence[Construct]) -> set[Variable]:
    """Variables of the sequential part whose addresses it takes, if a parallel region may get them.

    On a GPU every thread has its own stack, and such an address means another place to every other thread.
    """
    text, reached, leads = facts.unit.text, set[Variable](), False
    in_regions = Stretches((region.body_start, region.end) for region in regions)
    for reference in facts.function.mentions.references:
        variable = reference.variable
        if not facts.body.start <= reference.start < facts.body.end or not variable.is_local:
            continue
        if reference.start in in_regions:
            leads |= variable.is_reference or variable.type.kind not in ("scalar", "array")
        elif variable.type.kind == "array":
            if not _SUBSCRIPT.match(text, reference.end):
                reached.add(variable)
        elif not reference.is_read and _ADDRESS.search(text, max(0, reference.start - 40), reference.start):
            reached.add(variable)
    return reached if leads else set()
