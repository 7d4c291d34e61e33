"""What the host sees of a region's variables and loops: functions that heads of loops call run once, before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..base.precedence import POSTFIX
from ..base.records import dataclass, replace
from ..c.source.tokens import has_word
from ..directives.model import ListClause
from ..openmp.host_bounds import HostView
from ..openmp.launch import LOOP_LEAVES
from ..plan.constructs import CanonicalLoop, Entity, LoopNest
from ..plan.host_expression import HostExpression, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.rows import Capture, DataMapping, Temporary
from ..tree import nodes as tree
from . import libclang
from .functions import Function
from .loops import (
    associated_loops,
    calls_host,
    collapse_of,
    collapsed,
    on_host,
    pointers_in,
    step_of,
    trip_count,
)
from .program import RegionFacts
from .text_constructs import Construct, CxxType, Passed, Text, Variable, identifiers_in
from .unit import Unit

_DECLARING = ("enum", "typedef", "using", "struct", "class", "union")
_RENAMING = ("use_device_ptr", "use_device_addr")
_POINTER = CxxType("void *", "pointer", 8)
_COUNT = CxxType("long long", "scalar", 8)


def host_view(facts: RegionFacts, captures: Sequence[Capture], mapping: DataMapping, nest: LoopNest | None) -> HostView:
    """What the host sees of the variables and loops of a region, whose own loops are ``nest``.

    What functions that these loops' heads call give, it has computed already.
    """
    unit, function, start = facts.unit, facts.function, facts.construct.start
    clauses = ((c, c.directive.all(*_RENAMING)) for c in unit.constructs if c.start < start < c.end)
    items = ((c, i) for c, found in clauses for clause in found if isinstance(clause, ListClause) for i in clause.items)
    renamed = (unit.lookup(function, item.name, construct.start) for construct, item in items)

    def host(symbol: Entity) -> HostExpression:
        assert isinstance(symbol, Variable)
        return HostVariable(symbol.host)

    def values(level: CanonicalLoop) -> Iterator[tree.Expression]:
        parts = () if isinstance(level.bound, Passed) else (level.lower, level.bound, level.step)
        for part in parts:
            if isinstance(part, Text):
                yield from part.values

    def count(level: CanonicalLoop) -> HostExpression | None:
        if isinstance(level.bound, Passed):
            return HostVariable(level.bound.variable.host)
        lower, bound = level.lower, level.bound
        assert isinstance(lower, Text)
        assert isinstance(bound, Text)
        assert isinstance(level.type, CxxType)
        names = frozenset(name for _, name in identifiers_in(f"{lower.text} {bound.text}"))
        text = trip_count(level, lower.text, bound.text, step_of(level), on_host(level.type, lower.text))
        is_outer = any(level.symbol is one.symbol for one in (nest.levels if nest is not None else ()))
        return Written((text,), names, POSTFIX, level.trips) if is_outer or _are_hosts(facts, names) else None

    return HostView(
        captures={c.symbol: c for c in captures},
        mapping=mapping,
        changed=facts.changed,
        constants=frozenset(r.variable for r in function.mentions.references if r.variable.constant),
        device=unit.on_device,
        renamed=frozenset(v for v in renamed if v is not None),
        is_fresh=lambda _: False,
        is_unaddressed=lambda _: False,
        host=host,
        this=unit.this_of(function) if function.is_member else None,
        calls=None,
        values=values,
        count=count,
    )


def _are_hosts(facts: RegionFacts, names: frozenset[str]) -> bool:
    """Whether no name in a loop's head may be declared in the region, where the host does not know it."""
    unit, function = facts.unit, facts.function
    unknown = [name for name in names if unit.lookup(function, name, facts.construct.start) is None]
    declared = (at for at, cursor in function.mentions.declared if cursor.spelling in unknown)
    is_inside = any(facts.body.start <= at < facts.body.end for at in declared)
    return not unknown or not (is_inside or has_word(facts.text, *_DECLARING))


@dataclass(frozen=True)
class HostBounds:
    """A region's nest with what the host computes of it.

    The kernel gets the value of each of the ``temporaries`` as one of the variables ``passed``. It does not see the
    text in ``hidden``. What ``walked`` stretches name, pointers or iterators lead through.
    """

    nest: LoopNest
    temporaries: tuple[Temporary, ...] = ()
    passed: tuple[Variable, ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    walked: tuple[tuple[int, int], ...] = ()


def host_bounds(facts: RegionFacts, nest: LoopNest) -> HostBounds:
    """What the host computes of the loops that a region distributes.

    The host runs the calls in the heads of a combined construct's loops. In a construct inside of ``target``, device
    code calls what it can call.
    """
    levels: list[CanonicalLoop] = []
    temporaries: list[Temporary] = []
    passed: list[Variable] = []
    hidden: list[tuple[int, int]] = []
    walked: list[tuple[int, int]] = []

    def pass_on(name: str, kind: CxxType, value: str, pointers: Sequence[int] = ()) -> Passed:
        variable = Variable(name, kind, None, -1, -1)
        variable.host = f"__{name}"
        variable.is_local = True
        of = "void *" if kind.kind == "pointer" else on_host(kind, value)
        temporaries.append(Temporary(of, variable.host, Written((value,), frozenset(), POSTFIX)))
        passed.append(variable)
        inner = []
        for at in pointers:
            there = f"*reinterpret_cast<void *const *>(reinterpret_cast<const char *>(&{variable.host}) + {at})"
            inner.append((at, pass_on(f"{name}_at_{at}", _POINTER, there).variable))
        return Passed(variable, tuple(inner))

    loops = associated_loops(facts.unit, facts.chain[-1], len(nest.levels))
    for number, (level, loop) in enumerate(zip(nest.levels, loops, strict=True), 1):
        sections, is_hosts = _sections(facts.unit, facts.function, facts.chain, loop)
        lower, bound, step = level.lower, level.bound, level.step
        assert isinstance(lower, Text)
        assert isinstance(bound, Text)
        assert isinstance(level.type, CxxType)
        if level.type.kind in ("pointer", "record"):  # the device may have no address for one past an array's end
            is_hosts[0] = True
            walked.append(sections[0])
        if not any(is_hosts):
            levels.append(level)
            continue
        is_hosts[1] = True  # the kernel gets the number of iterations
        hidden += (section for section, hosts in zip(sections, is_hosts, strict=True) if hosts)
        of = on_host(level.type, lower.text)
        count = trip_count(level, lower.text, bound.text, step_of(level), of)
        trips = pass_on(f"rex_trips_{number}", _COUNT, count)
        changed = replace(level, bound=trips, limits=())
        if is_hosts[0]:
            value = f"static_cast<{of}>({lower.text})"
            pointers = _pointers(facts, level) if level.type.kind == "record" else ()
            changed = replace(changed, lower=pass_on(f"rex_first_{number}", level.type, value, pointers))
        if is_hosts[2]:
            assert isinstance(step, Text)
            changed = replace(changed, step=pass_on(f"rex_step_{number}", _COUNT, step.text))
        levels.append(changed)
    nest = replace(nest, levels=tuple(levels))
    return HostBounds(nest, tuple(temporaries), tuple(passed), tuple(hidden), tuple(walked))


def _pointers(facts: RegionFacts, level: CanonicalLoop) -> Sequence[int]:
    """The offsets of the pointers in an iterator."""
    assert isinstance(level.symbol, Variable)
    around, symbol = facts.around, level.symbol
    kinds = [around.declared_in(symbol, one).type for one in facts.instances] if around is not None else []
    found = [pointers_in(facts.unit, kind) for kind in kinds or [symbol.cursor.type]]
    if any(one != found[0] for one in found):
        what = f"'{symbol.name}' has pointers in other places in other instantiations, which is not supported"
        raise error_at(level.span, what)
    return found[0]


def hidden_heads(unit: Unit, function: Function, chain: Sequence[Construct]) -> Iterator[tuple[int, int]]:
    """The parts of loops' heads whose calls the host makes, so that device code does not reach them."""
    if LOOP_LEAVES.isdisjoint(leaf for part in chain for leaf in part.directive.constructs):
        return
    depth = collapsed(unit, function, chain[-1], collapse_of(unit, *chain))
    for loop in associated_loops(unit, chain[-1], depth):
        sections, is_hosts = _sections(unit, function, chain, loop)
        if any(is_hosts):
            is_hosts[1] = True
            yield from (section for section, hosts in zip(sections, is_hosts, strict=True) if hosts)


def _sections(
    unit: Unit, function: Function, chain: Sequence[Construct], loop: Any
) -> tuple[list[tuple[int, int]], list[bool]]:
    """(where the parts of a loop's head stand, whether the host makes calls in them)"""
    parts = libclang.children(loop)[:3]
    sections = [unit.extent(part) for part in parts]
    calls = (_has_call(unit, part) for part in parts)
    hosts = (len(chain) == 1 or calls_host(unit, function, *section) for section in sections)
    return sections, [is_call and is_hosts for is_call, is_hosts in zip(calls, hosts, strict=True)]


def _has_call(unit: Unit, part: Any) -> bool:
    """Whether a part of a loop's head calls functions, or ``operator->``, which leads to what is the host's."""
    arguments = libclang.load().conf.lib.clang_Cursor_getNumArguments  # -1 for a cast in a template
    calls = (one for one in [part, *libclang.descendants(part)] if one.kind == unit.kinds.CALL_EXPR)
    return any(
        arguments(call) >= 0
        if target is None
        else target.spelling == "operator->"
        or not (target.spelling.startswith("operator") or target.kind == unit.kinds.CONSTRUCTOR)
        for call, target in ((call, call.referenced) for call in calls)
    )
