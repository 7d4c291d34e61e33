"""What a region maps, copies and uses, from its clauses and from the plan."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...directives.model import ListClause, Locator, MapClause, ReductionClause
from ...plan.code import Entity
from ...plan.loops import LoopNest
from ...plan.region import TargetRegion
from ...plan.rows import MAP_FROM, MAP_LITERAL, MAP_PRIVATE, MAP_TO, Role
from ..analysis.clauses import implicitly
from ..analysis.construct_facts import LOOP_LEAVES, ConstructFacts, ConstructTable, collapse_of
from ..analysis.listed import listed_symbols
from ..analysis.loops import canonical_nest
from ..sema import Sema, Symbol
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .places import DEREFERENCE, Root, item_root
from .uses import Bound, Called, Escape, Event, Lent, Use


@dataclass(frozen=True)
class Mapped:
    """One list item of a map clause, or a variable that is mapped without one (``item`` is None)."""

    root: Root
    how: str
    always: bool
    span: SourceSpan
    item: Locator | None = None


@dataclass(frozen=True)
class Kernel:
    """A region. ``copies`` are the variables of which it has a copy, with whether a clause says so. ``handed_over`` are
    device addresses. ``moved`` are the pointers that it changes, and ``led_elsewhere`` the places that use a pointer
    after the region has set it. ``events`` are what it does with variables of the
    program around it, in the order of the text. What is ``written_unseen`` it may write by pointers of its own, or at
    the end of constructs in it. If it ``is_cut``, it does more, which is not known."""

    construct: OmpConstruct
    maps: tuple[Mapped, ...]
    copies: tuple[tuple[Symbol, bool], ...]
    handed_over: frozenset[Symbol]
    moved: frozenset[Symbol]
    led_elsewhere: frozenset[c_ast.Node]
    events: tuple[Event, ...]
    written_unseen: tuple[Root, ...]
    is_cut: bool


class Privates:
    """The variables of which constructs have copies: by their clauses, and because their loops count with them."""

    def __init__(self, unit: ParsedUnit, constructs: ConstructTable) -> None:
        self._unit, self._constructs = unit, constructs
        self._known: dict[OmpConstruct, frozenset[Entity]] = {}
        self._nests: dict[OmpConstruct, LoopNest | None] = {}

    def of(self, construct: OmpConstruct) -> frozenset[Entity]:
        if construct not in self._known:
            self._known[construct] = self._constructs.sharing(construct).named | self.counting(construct)
        return self._known[construct]

    def counting(self, construct: OmpConstruct) -> frozenset[Entity]:
        """The variables with which the loops of a construct count."""
        if not LOOP_LEAVES.union(("loop",)).intersection(construct.directive.constructs):
            return frozenset()
        nest = self.nest(construct)
        return frozenset(level.symbol for level in (*nest.levels, *nest.inner)) if nest is not None else frozenset()

    def nest(self, construct: OmpConstruct) -> LoopNest | None:
        """The loops of a construct, or None if they are not canonical."""
        if construct not in self._nests:
            self._nests[construct] = self._find_nest(construct)
        return self._nests[construct]

    def _find_nest(self, construct: OmpConstruct) -> LoopNest | None:
        if construct.body is None:
            return None
        sema, sharing = self._constructs.sema, self._constructs.sharing(construct)
        facts = ConstructFacts((construct,), construct.directive.constructs, construct.body, sharing)
        try:
            return canonical_nest(self._unit, sema, construct, construct.body, collapse_of(sema, facts))
        except InputError:
            return None


def mapped_by(sema: Sema, construct: OmpConstruct) -> tuple[Mapped, ...]:
    """The list items of a construct's map clauses, which are found once."""
    known = sema.answers(mapped_by)
    if construct not in known:
        known[construct] = tuple(_mapped_by(sema, construct))
    return known[construct]


def _mapped_by(sema: Sema, construct: OmpConstruct) -> Iterator[Mapped]:
    for clause in construct.directive.clauses:
        if not isinstance(clause, MapClause):
            continue
        for item in clause.items:
            root = item_root(sema, construct, item)
            if root is not None:
                yield Mapped(root, clause.map_type, "always" in clause.modifiers, item.span, item)


def last_name(root: Root) -> str:
    """The name under which an item is known in other functions as well."""
    names = [step for step in root.path if step != DEREFERENCE]
    return names[-1] if names else root.symbol.name


def kernel_of(
    sema: Sema,
    constructs: ConstructTable,
    privates: Privates,
    called: Called,
    region: TargetRegion,
    construct: OmpConstruct,
) -> Kernel:
    """What a lowered region does."""
    maps = list(mapped_by(sema, construct))
    explicit = {m.root.symbol for m in maps}
    by_clause = {s for s in constructs.sharing(construct).named if isinstance(s, Symbol)}
    copies: list[tuple[Symbol, bool]] = []
    for capture in region.captures:
        symbol = capture.symbol
        parameter = region.mapping.parameter(Role.VARIABLE, symbol)
        if not isinstance(symbol, Symbol) or symbol in explicit or parameter is None or is_pointer(symbol.type):
            continue
        flags = region.mapping.rows[parameter.row].flags
        if flags & (MAP_LITERAL | MAP_PRIVATE):
            said = symbol in by_clause or implicitly(construct.directive, symbol.type) == "firstprivate"
            copies.append((symbol, said))
        elif flags & (MAP_TO | MAP_FROM):
            how = {MAP_TO: "to", MAP_FROM: "from"}.get(flags & (MAP_TO | MAP_FROM), "tofrom")
            maps.append(Mapped(Root(symbol), how, False, construct.directive.span))
    known = {symbol for symbol, _ in copies}
    copies += [(s, True) for s in by_clause if s not in known and not is_pointer(s.type)]
    # Of variables in in_reduction the task around the region has copies (OpenMP 5.2, section 5.5.13).
    own = constructs.locals(construct).union(listed_symbols(sema, construct, "in_reduction"))
    handed = [listed_symbols(sema, construct, name) for name in ("is_device_ptr", "has_device_addr")]
    events: list[Event] = []
    moved, is_set, led_elsewhere = set(), set(), set()
    unseen: dict[Root, None] = {}
    inside_of: dict[OmpConstruct, None] = {}
    around: tuple[OmpConstruct, ...] = ()
    for event in called.of_region(construct):
        lent = event.to if isinstance(event, Bound) else event.root if isinstance(event, Escape) else None
        if lent is not None and lent.symbol not in own:
            unseen[lent] = None
        if isinstance(event, Use) and event.constructs is not around:
            around = event.constructs
            inside_of.update(dict.fromkeys(around))
        if isinstance(event, Bound):
            changed = event.pointer
            if changed is not None and not changed.path and (event.to is None or event.to.symbol != changed.symbol):
                is_set.add(changed.symbol)
        else:
            changed = event.root if isinstance(event, Use) and event.writes else None
        if changed is not None and not changed.path:
            moved.add(changed.symbol)
        if isinstance(event, Lent):
            events.append(event)
        elif isinstance(event, Use) and event.root is not None and event.root.symbol not in own:
            if _is_around(constructs, privates, construct, event, event.root.symbol):
                events.append(event)
            if event.root.symbol in is_set:
                led_elsewhere.add(event.node)
    reduced = constructs.sharing(construct).returned
    copies = [(s, said) for s, said in copies if s not in reduced]
    maps += reduced_by(sema, construct, explicit)
    addresses = frozenset(symbol for symbols in handed for symbol in symbols)
    unseen.update((root, None) for inside in inside_of for root in _returned_by(sema, inside))
    cut = called.is_cut(construct)
    pointers = frozenset(moved), frozenset(led_elsewhere)
    return Kernel(construct, tuple(maps), tuple(copies), addresses, *pointers, tuple(events), tuple(unseen), cut)


def _is_around(constructs: ConstructTable, privates: Privates, region: OmpConstruct, use: Use, symbol: Symbol) -> bool:
    """Whether a use in a region concerns the region's variable, and not only a copy of a construct inside.

    What a copy holds comes back at the end of its construct if that reduces it, or has it in ``lastprivate`` or
    ``linear``. So a write to such a copy is a write to the variable as well, unless its loops count with it.
    """
    copying = [c for c in use.constructs if c is not region and symbol in privates.of(c)]
    if any(symbol not in constructs.sharing(c).returned or symbol in privates.counting(c) for c in copying):
        return False
    return not copying or use.writes


def _returned_by(sema: Sema, construct: OmpConstruct) -> Iterator[Root]:
    """The variables to which a construct writes at its end what copies hold."""
    for clause in construct.directive.all("lastprivate", "linear"):  # a reduction reads the variable as well
        for item in clause.items if isinstance(clause, ListClause | ReductionClause) else ():
            root = item_root(sema, construct, item)
            if root is not None:
                yield root


def reduced_by(sema: Sema, construct: OmpConstruct, explicit: Collection[Symbol]) -> Iterator[Mapped]:
    """The list items of reductions, which are mapped as if by ``tofrom`` (OpenMP 5.2, section 5.8.1)."""
    for clause in construct.directive.clauses:
        for item in clause.items if isinstance(clause, ReductionClause) else ():
            root = item_root(sema, construct, item)
            if root is not None and root.symbol not in explicit:
                yield Mapped(root, "tofrom", False, item.span, item)


def moved_by(sema: Sema, construct: OmpConstruct) -> Iterator[Mapped]:
    """The list items of ``target update``."""
    for clause in construct.directive.clauses:
        if isinstance(clause, ListClause) and clause.name in ("to", "from"):
            for item in clause.items:
                root = item_root(sema, construct, item)
                if root is not None:
                    yield Mapped(root, clause.name, False, item.span, item)
