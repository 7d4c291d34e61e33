"""Races between the threads of a region: shared variables that all of them write, and loops whose iterations depend on
each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from pycparser import c_ast, c_generator

from ...base.findings import Finding, Note
from ...base.records import dataclass, replace
from ...base.spans import SourceSpan
from ...directives.model import Clause, ExprClause
from ...plan.code import Entity
from ...plan.loops import CanonicalLoop
from ...tree.affine import Place
from ...tree.types import Member
from ..analysis.construct_facts import ConstructTable
from ..analysis.optimise.affine import Values
from ..sema import Symbol, assignments, free_variables, locals_of, walk
from ..sema.ctype import Pointer, strip
from ..sema.type_questions import is_integer, is_scalar
from ..syntax.nodes import OmpConstruct, branches
from .collisions import collision
from .distances import iterations_apart, spot_of
from .extents import AllExtents
from .kernels import Kernel, Privates
from .locks import locks_held
from .uses import Called, Lent, Use

_FAR = 64  # by so many iterations, elements are apart in loops that have no more
_C = c_generator.CGenerator()
_MOST_PAIRS = 2000
_COMBINING = {"+=": "+", "-=": "+", "++": "+", "p++": "+", "--": "+", "p--": "+", "*=": "*", "&=": "&", "|=": "|"}
_COMBINING["^="] = "^"
_SYNCHRONISING = ("omp_set_", "omp_test_", "omp_unset_", "__sync", "__atomic", "atomic_")
_ACQUIRING = ("seq_cst", "acq_rel", "acquire")
_THREAD_QUERIES = ("omp_get_thread_num", "omp_get_team_num", "omp_get_ancestor_thread_num")


@dataclass(frozen=True)
class Spread:
    """A construct whose threads (or teams) run one statement with the same shared variables.

    ``levels`` are the loops whose iterations they share, or none if each of them runs the whole statement. ``body`` is
    what an iteration runs. ``own`` are the variables of which each thread has one. There
    are ``many_teams`` unless a clause says otherwise.
    """

    construct: OmpConstruct
    who: str
    levels: tuple[CanonicalLoop, ...]
    body: c_ast.Node
    own: frozenset[Entity]
    many_teams: bool


_Places = dict[c_ast.Node, Place | None]  # of accesses


class Races:
    """Looks for races in the regions of a unit."""

    def __init__(self, extents: AllExtents, constructs: ConstructTable, called: Called, privates: Privates) -> None:
        unit, sema = extents.unit, extents.sema
        self._privates, self._extents = privates, extents
        self._locals: dict[c_ast.Node, frozenset[Symbol]] = {}
        self._unit, self.sema, self._constructs, self._called = unit, sema, constructs, called
        self._held: dict[Use, frozenset[str]] = {}
        self._places: dict[int, tuple[Values, dict[tuple[c_ast.FuncCall, ...], tuple[Values, _Places]]]] = {}
        self._found: dict[OmpConstruct, tuple[Spread, ...]] = {}
        self._sets_teams = "omp_set_num_teams" in unit.pre.text  # then a construct without num_teams may have one team
        self._teams_have_own = "groupprivate" in unit.pre.text  # variables
        self._threads_have_own = "threadprivate" in unit.pre.text
        self._nests = any(name in unit.pre.text for name in ("omp_set_max_active_levels", "omp_set_nested"))

    def accesses(self, target: OmpConstruct) -> tuple[Use, ...]:
        """The accesses of a region that the user has written."""
        events = self._called.of_region(target) if not self._teams_have_own else ()
        return tuple(e for e in events if isinstance(e, Use) and not self._is_generated(e))

    def of_host_threads(self, construct: OmpConstruct, kernels: Mapping[OmpConstruct, Kernel]) -> tuple[Use, ...]:
        """The accesses to memory of the device in the regions that the threads of a construct of the host launch."""
        if self._threads_have_own:
            return ()
        return tuple(use for use in self.accesses(construct) if self._is_on_device(use, construct, kernels))

    def _is_on_device(self, use: Use, construct: OmpConstruct, kernels: Mapping[OmpConstruct, Kernel]) -> bool:
        inside = use.constructs[use.constructs.index(construct) + 1 :]
        kernel = next((kernels.get(c) for c in inside if c.directive.is_target), None)
        if kernel is None or use.root is None or kernel.construct.directive.has("device", "depend", "if"):
            return False
        copies = {symbol for symbol, _ in kernel.copies}
        return use.root.symbol not in copies and use.root.symbol not in self._constructs.locals(kernel.construct)

    def has_locks(self, root: OmpConstruct) -> bool:
        """Whether the program may order threads itself: with locks, or by waiting for what others write atomically."""
        events = self._called.of_region(root)
        if any((event.name or "").startswith(_SYNCHRONISING) for event in events if isinstance(event, Lent)):
            return True
        reads = {c for use in events if isinstance(use, Use) and "atomic" in use.guards for c in use.constructs}
        return any(self._may_wait(c) for c in reads.union(self.sema.parts(root).of(OmpConstruct)))

    def _may_wait(self, construct: OmpConstruct) -> bool:
        directive = construct.directive
        if "flush" in directive.constructs:
            return True
        ordered = directive.has(*_ACQUIRING) or self._unit.requirements.get("atomic_default_mem_order") in _ACQUIRING
        return "atomic" in directive.constructs and ordered and directive.has("read", "capture")

    def region(self, root: OmpConstruct, uses: Sequence[Use]) -> Iterator[Finding]:
        """The races between some of the accesses in a construct."""
        locks = self.has_locks(root)
        self._held = locks_held(self._called.of_region(root)) if locks else {}
        inside_of: dict[OmpConstruct, list[Use]] = defaultdict(list)
        for use in uses:
            for construct in use.constructs:
                inside_of[construct].append(use)
        reported: set[Symbol] = set()
        for spread in self.spreads(root):
            local = spread.own | self.locals_of_body(spread.body)
            inside = [use for use in inside_of[spread.construct] if self.is_shared(spread, use, local)]
            if spread.levels:  # without the heads of the loops
                inside = [use for use in inside if any(loop.stmt is spread.body for loop in use.loops)]
            else:  # what a construct inside shares out is its own matter
                inside = [use for use in inside if not self._is_shared_out(spread, use)]
            for finding, symbol in self._in_spread(spread, inside, locks):
                if symbol not in reported:
                    reported.add(symbol)
                    yield finding

    def locals_of_body(self, body: c_ast.Node) -> frozenset[Symbol]:
        if body not in self._locals:
            self._locals[body] = frozenset(locals_of(self.sema, body))
        return self._locals[body]

    @staticmethod
    def _is_shared_out(spread: Spread, use: Use) -> bool:
        inner = takewhile(_shares_threads, use.constructs[use.constructs.index(spread.construct) + 1 :])
        sharing = {"distribute", "loop"} if spread.who == "teams" else {"for", "loop", "distribute", "taskloop"}
        return any(sharing.intersection(c.directive.constructs) for c in inner)

    def _is_generated(self, use: Use) -> bool:
        """Whether the code was not written by the user, but made by a loop transformation."""
        if not self._unit.pre.rewritten or getattr(use.node, "coord", None) is None:
            return False
        offset = self._unit.offset_of(use.node)
        return offset in self._unit.pre.generated

    # -- who runs what ------------------------------------------------------------------------------------------------

    def spreads(self, target: OmpConstruct) -> tuple[Spread, ...]:
        """The constructs in a construct whose threads run one statement."""
        if target not in self._found:
            self._found[target] = tuple(self._find_spreads(target))
        return self._found[target]

    def _find_spreads(self, target: OmpConstruct) -> Iterator[Spread]:
        if self.sema.parts(target).of(OmpConstruct) == [target]:
            alone = self._spread(target, (target,)) if target.body is not None else None
            if alone is not None:
                yield alone
            return
        stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = [(target, ())]
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                if around and node.directive.is_target:
                    continue  # whose threads are not those of the host
                around = (*around, node)
                if node.body is not None and node.directive.name not in ("atomic", "critical"):
                    found = self._spread(node, around)
                    if found is not None:
                        yield found
            stack.extend([(part, around) for part in reversed(branches(node))])

    def _spread(self, node: OmpConstruct, around: tuple[OmpConstruct, ...]) -> Spread | None:
        leaves = set(node.directive.constructs)
        if any(isinstance(c, ExprClause) and c.expr is not None for c in self._doacross(node)):
            return None
        many_teams = self._are_many(around, "teams", "num_teams") and not self._sets_teams
        many_threads = self._are_many(around, "parallel", "num_threads", "thread_limit")
        loop = bool(leaves & {"for", "distribute"})
        if "for" in leaves or (not loop and "parallel" in leaves):
            if not (many_threads or ("distribute" in leaves and many_teams)):
                return None
            owner, who = self._owner(around, "parallel"), "threads"
        elif "distribute" in leaves or "teams" in leaves:
            if not many_teams:
                return None
            owner, who = self._owner(around, "teams"), "teams"
        else:
            return None
        assert node.body is not None
        levels: tuple[CanonicalLoop, ...] = ()
        body: c_ast.Node = node.body
        if loop:
            if leaves & {"simd"} and not leaves & {"for", "distribute"}:
                return None
            nest = self._privates.nest(node)
            if nest is None:
                return None
            levels = nest.levels
            if not isinstance(nest.body, c_ast.Node) or nest.inner or any(lv.trips in (0, 1) for lv in levels):
                return None
            body = nest.body
        own: set[Entity] = {lv.symbol for lv in levels}
        for construct in around[around.index(owner) :] if owner is not None else around:
            own |= self._privates.of(construct)
        if owner is not None:
            own |= self._constructs.locals(owner)
        return Spread(node, who, levels, body, frozenset(own), many_teams)

    @staticmethod
    def _doacross(node: OmpConstruct) -> Sequence[Clause]:
        """The clause ``ordered(n)`` says that the program orders iterations itself."""
        return node.directive.all("ordered")

    @staticmethod
    def _owner(around: Sequence[OmpConstruct], leaf: str) -> OmpConstruct | None:
        return next((c for c in reversed(around) if leaf in c.directive.constructs), None)

    def _are_many(self, around: Sequence[OmpConstruct], leaf: str, *clauses: str) -> bool:
        """Whether a construct makes several teams or threads, as far as its clauses say."""
        owner = self._owner(around, leaf)
        if owner is None:
            return False
        if leaf == "parallel" and not self._nests and self._owner(around[: around.index(owner)], leaf) is not None:
            return False  # a parallel region in another one has one thread, unless the program asks for more levels
        for clause in owner.directive.all(*clauses, "if"):
            if not isinstance(clause, ExprClause) or clause.expr is None:
                continue
            if clause.name == "if" and (leaf != "parallel" or clause.modifier not in (None, "parallel")):
                continue
            if clause.name == "if" or self.sema.value(clause.expr.node) == 1:
                return False
        return True

    def is_shared(self, spread: Spread, use: Use, local: Collection[Entity]) -> bool:
        """Whether the variable of an access is one for all threads of a construct, and none of their ``local`` ones."""
        if use.root is None or use.root.symbol in local or "volatile" in use.root.symbol.type.quals:
            return False
        if "_Atomic" in self.sema.type(use.node).quals if not isinstance(use.node, c_ast.Decl) else False:
            return False
        symbol = use.root.symbol
        at = use.constructs.index(spread.construct)
        return not any(symbol in self._privates.of(inner) for inner in use.constructs[at + 1 :])

    # -- what they share ----------------------------------------------------------------------------------------------

    def _in_spread(self, spread: Spread, uses: Sequence[Use], locks: bool) -> Iterator[tuple[Finding, Symbol]]:
        by_symbol: dict[Symbol, list[Use]] = defaultdict(list)
        for use in uses:
            if use.root is not None:
                by_symbol[use.root.symbol].append(use)
        values: Values | None = None
        for symbol, own in by_symbol.items():
            if not any(use.writes for use in own):
                continue
            if is_scalar(symbol.type) and not isinstance(strip(symbol.type), Pointer):
                found = self._scalar(spread, symbol, own, locks)
            else:
                values = values or self.values(spread, uses)
                found = self._elements(spread, symbol, own, values, locks)
            if found is not None:
                yield found, symbol

    def _scalar(self, spread: Spread, symbol: Symbol, uses: Sequence[Use], locks: bool) -> Finding | None:
        plain = [use for use in uses if use.writes and not use.guards]
        if not plain:
            return self._weak_guard(spread, symbol, uses, f"'{symbol.name}'")
        write = plain[0]
        if locks:
            return self._other_locks(spread, symbol, uses)
        if self.one_thread_only(spread, write):
            return None
        changed = [use for use in uses if use.writes]
        operators = {self._combines(use) for use in changed}
        operator = next(iter(operators)) if len(operators) == 1 else None
        doubtful = self._doubt(write, spread.levels, all(use.operator == "=" for use in changed))
        if operator is not None:
            return self._missing_reduction(spread, symbol, write, operator, f"'{symbol.name}'", doubtful)
        advice = f"declare '{symbol.name}' inside of the loop or region, or add private({symbol.name})"
        message = f"all {spread.who} write to '{symbol.name}', which they share{doubtful}"
        return self._finding("race", spread, symbol, write, message, advice, not doubtful)

    def _other_locks(self, spread: Spread, symbol: Symbol, uses: Sequence[Use]) -> Finding | None:
        """A variable that is written under locks which do not exclude each other."""
        writes = [use for use in uses if use.writes]
        held = [self._held.get(use, frozenset()) for use in writes]
        if not any(held):
            return None
        if frozenset.intersection(*held):
            if not self._of_all_teams(spread, symbol, writes[0]):
                return None
            message = f"a lock keeps only threads of one team apart, but all teams write to '{symbol.name}'"
            return self._finding("race", spread, symbol, writes[0], message, "use 'omp atomic' or a reduction", False)
        message = f"'{symbol.name}' is written under different locks, which do not keep {spread.who} apart"
        return self._finding("race", spread, symbol, writes[0], message, "use one lock, or 'omp atomic'", False)

    def _missing_reduction(
        self, spread: Spread, symbol: Symbol, write: Use, operator: str, what: str, doubtful: str
    ) -> Finding:
        advice = f"add reduction({operator}: {_section(symbol, write)}) to the directive, or update it in 'omp atomic'"
        message = f"all {spread.who} update {what}, which they share, and lose each other's updates{doubtful}"
        return self._finding("reduction", spread, symbol, write, message, advice, not doubtful)

    def _weak_guard(self, spread: Spread, symbol: Symbol, uses: Sequence[Use], what: str) -> Finding | None:
        """A critical section excludes the threads of its own team only; a read beside an atomic update may be early."""
        writes = [use for use in uses if use.writes]
        critical = [use for use in writes if use.guards == {"critical"}]
        sections = {c.directive.argument_text for u in critical for c in u.constructs if c.directive.name == "critical"}
        if len(sections) > 1 and len(critical) == len(writes):
            message = f"critical sections of different names do not keep threads apart, but all write to {what}"
            advice = "give the critical sections one name, or use 'omp atomic'"
            return self._finding("race", spread, symbol, critical[0], message, advice, True)
        if critical and self._of_all_teams(spread, symbol, critical[0]):
            message = f"'critical' keeps only threads of one team apart, but all teams write to {what}"
            advice = "use 'omp atomic' or a reduction"
            return self._finding("race", spread, symbol, critical[0], message, advice, False)
        reads = [use for use in uses if use.reads and not use.guards]
        if reads and all(use.guards == {"atomic"} for use in writes) and not self.one_thread_only(spread, writes[0]):
            message = f"{what} is read without 'atomic' while other {spread.who} may update it atomically"
            return self._finding("race", spread, symbol, reads[0], message, "read it with 'omp atomic read'", False)
        return None

    def _of_all_teams(self, spread: Spread, symbol: Symbol, use: Use) -> bool:
        """Whether the threads that share a variable are those of several teams."""
        if not spread.many_teams:
            return False
        if "distribute" in spread.construct.directive.constructs or spread.who == "teams":
            return True
        if not is_scalar(symbol.type) or isinstance(strip(symbol.type), Pointer):
            return False  # teams may have elements of their own
        around = use.constructs
        return not any(symbol in self._privates.of(c) or symbol in self._constructs.locals(c) for c in around)

    def _combines(self, use: Use) -> str | None:
        """The operator of a reduction that an update has the form of."""
        if use.operator in _COMBINING:
            return _COMBINING[use.operator]
        if use.operator == "=" and isinstance(use.value, c_ast.BinaryOp) and use.value.op in ("+", "-", "*", "&", "|"):
            mine = _C.visit(use.node)
            sides = [_C.visit(use.value.left)] + [_C.visit(use.value.right)] * (use.value.op != "-")
            if mine in sides:
                return "+" if use.value.op == "-" else str(use.value.op)
        return None

    def _doubt(self, use: Use, levels: Sequence[CanonicalLoop], only_assigned: bool = True) -> str:
        """Why an access may not happen in all iterations, as the end of a message."""
        if use.conditions:
            return f", unless '{_C.visit(use.conditions[-1])}' holds for one of them only"
        if not levels and only_assigned and use.operator == "=" and use.value is not None:
            mine, parts = _C.visit(use.node), [_C.visit(part) for part in walk(use.value)]
            if mine not in parts:
                return " (if all write the same value, it is a race all the same)"
        same = (
            only_assigned and use.operator == "=" and use.value is not None and self.sema.number(use.value) is not None
        )
        return " (all write the same value, which is a race all the same)" if same else ""

    def one_thread_only(self, spread: Spread, use: Use) -> bool:
        """Whether a condition seems to choose one iteration or thread."""
        moving = {*(lv.symbol for lv in spread.levels), *spread.own, *self.locals_of_body(spread.body)}
        for condition in use.conditions:
            for node in walk(condition):
                if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") in _THREAD_QUERIES:
                    return True
                tests = isinstance(node, c_ast.BinaryOp) and node.op in ("==", "%", "&")
                if tests or (isinstance(node, c_ast.UnaryOp) and node.op == "!"):
                    elements = {n for a in walk(node) if isinstance(a, c_ast.ArrayRef) for n in walk(a)}
                    named = [n for n in walk(node) if isinstance(n, c_ast.ID) and n not in elements]
                    if use.calls or any(self.sema.symbol(n) in moving for n in named):
                        return True
        return False

    # -- what others ask ----------------------------------------------------------------------------------------------

    def span_of(self, use: Use) -> SourceSpan:
        return self._unit.span_of(use.node)

    def place_in_loop(self, values: Values, loop: OmpConstruct, use: Use) -> object:
        """Where an access is in terms of a construct's loops, and these. None if that is not known."""
        nest, place = self._privates.nest(loop), self._place(values, use)
        spot = spot_of(place, nest.levels) if nest is not None and place is not None else None
        if nest is None or spot is None:
            return None
        parts: list[object] = []
        for level in nest.levels:
            head = (level.lower, level.bound, level.step)
            parts.append((level.relation, *(_C.visit(e) if isinstance(e, c_ast.Node) else e for e in head)))
        for step in spot.steps:
            if isinstance(step, Member):
                parts.append(step)
                continue
            if not step.rest.atoms.isdisjoint(values.moving):
                return None
            factors = [step.factors.get(level.symbol) for level in nest.levels]
            parts.append((*(dict(f.terms) if f is not None else None for f in factors), dict(step.rest.terms)))
        return parts

    # -- elements -----------------------------------------------------------------------------------------------------

    def _elements(
        self, spread: Spread, symbol: Symbol, uses: Sequence[Use], values: Values, locks: bool
    ) -> Finding | None:
        everywhere = [(use, place) for use in uses if (place := self._place(values, use)) is not None]
        if locks:
            return self._guarded_elements(spread, symbol, everywhere, True)
        spots = ((use, spot_of(place, spread.levels)) for use, place in everywhere if not use.guards)
        placed = [(use, spot) for use, spot in spots if spot is not None]
        pairs = 0
        weak: Finding | None = None
        for write, spot in placed:
            if not write.writes:
                continue
            for other, beside in placed:
                pairs += 1
                if pairs > _MOST_PAIRS:
                    return weak
                apart = iterations_apart(spot, beside, spread.levels)
                if apart is None or (isinstance(apart, int) and apart == 0):
                    continue
                if self.one_thread_only(spread, write) or self.one_thread_only(spread, other):
                    continue
                if isinstance(apart, int) and not self._can_be_apart(spread, (write, other), apart):
                    continue
                if spread.levels == () and other is not write:
                    continue
                found = self._dependence(spread, symbol, write, other, apart)
                if found.certain:
                    return found
                weak = weak or found
        weak = weak or self._guarded_elements(spread, symbol, everywhere, False)
        weak = weak or self._collision(spread, symbol, everywhere, values)
        return weak or self._chosen_elements(spread, symbol, everywhere)

    def _collision(
        self, spread: Spread, symbol: Symbol, placed: Sequence[tuple[Use, Place]], values: Values
    ) -> Finding | None:
        """Accesses in different iterations that are found by trying some of them."""
        plain = [(use, place) for use, place in placed if not (use.guards or use.conditions or use.calls)]
        found = collision(self._extents, values, spread.levels, spread.body, plain)
        if found is None:
            return None
        (write, other), loop = found.uses, found.needs
        doubt = f", unless the loop over '{loop.symbol.name}' runs once only" if loop is not None else ""
        return self._depending(spread, symbol, write, other, found.where(spread.levels), doubt)

    def _can_be_apart(self, spread: Spread, uses: tuple[Use, Use], apart: int) -> bool:
        if len(spread.levels) != 1:
            return True
        from .ranges import can_be_apart

        return can_be_apart(self.sema, spread.body, spread.levels[0], uses, apart)

    def _chosen_elements(self, spread: Spread, symbol: Symbol, placed: Sequence[tuple[Use, Place]]) -> Finding | None:
        """Updates of elements that data chooses, as in a histogram."""
        for use, place in placed:
            unknown = any(not isinstance(step, Member) and step.index is None for step in place.steps)
            chosen = unknown and isinstance(use.node, c_ast.ArrayRef) and self._reads_element(use.node.subscript)
            operator = self._combines(use)
            updates = chosen and use.writes and operator is not None and not use.guards
            if updates and not self.one_thread_only(spread, use):
                doubt = ", unless no two iterations choose one element"
                return self._missing_reduction(spread, symbol, use, str(operator), f"'{_C.visit(use.node)}'", doubt)
        return None

    def _reads_element(self, subscript: c_ast.Node) -> bool:
        """Whether an element of an array says which element a subscript means, perhaps by a local variable."""
        for node in walk(subscript):
            if isinstance(node, c_ast.ArrayRef):
                return True
            symbol = self.sema.symbol(node) if isinstance(node, c_ast.ID) else None
            value = getattr(symbol.node, "init", None) if symbol is not None and symbol.is_variable else None
            if value is not None and any(isinstance(part, c_ast.ArrayRef) for part in walk(value)):
                return True
        return False

    def _guarded_elements(
        self, spread: Spread, symbol: Symbol, placed: Sequence[tuple[Use, Place]], locks: bool
    ) -> Finding | None:
        """Elements that all threads use, under guards which do not keep them apart."""
        by_text: dict[str, list[Use]] = defaultdict(list)
        for use, place in placed:
            own_spot = spot_of(place, spread.levels) if use.guards or locks else None
            if own_spot is not None and iterations_apart(own_spot, own_spot, spread.levels) == "all":
                by_text[_C.visit(use.node)].append(use)
        for text, own in by_text.items():
            if any(use.writes for use in own):
                weak = self._weak_guard(spread, symbol, own, f"'{text}'")
                return self._other_locks(spread, symbol, own) if locks else weak
        return None

    def _place(self, values: Values, use: Use) -> Place | None:
        if isinstance(use.node, c_ast.Decl):
            return None
        _, places = self._places.setdefault(id(values), (values, {}))
        calls = self._extents.calls_alike(use.calls)
        if calls not in places:
            counting = [symbol for call in calls for symbol in self._extents.of(call.name.name).counting]
            seen = self._extents.seen_from(values, calls)
            places[calls] = replace(seen, moving=[*seen.moving, *counting]) if counting else seen, {}
        seen, known = places[calls]
        node = self._extents.first_alike(use.node)
        if node not in known:
            known[node] = seen.place(node)
        place = known[node]
        return place if place is not None and not place.unions else None

    def _dependence(self, spread: Spread, symbol: Symbol, write: Use, other: Use, apart: int | str) -> Finding:
        doubt = (
            self._doubt(write, spread.levels)
            if write.conditions or apart == "all"
            else self._doubt(other, spread.levels) * bool(other.conditions)
        )
        text = _C.visit(write.node)
        if apart == "all":
            operator = self._combines(write)
            if operator is not None:
                return self._missing_reduction(spread, symbol, write, operator, f"'{text}'", doubt)
            message = f"all {spread.who} write to '{text}', which is one element for all of them{doubt}"
            return self._finding("race", spread, symbol, write, message, "let each iteration write its own", not doubt)
        if not doubt and abs(int(apart)) >= _FAR and any(level.trips is None for level in spread.levels):
            doubt = ", unless there are fewer"  # such a number is often how many there are
        number = f"{abs(int(apart))} apart" if abs(int(apart)) > 1 else "next to each other"
        return self._depending(spread, symbol, write, other, f"in iterations that are {number}", doubt)

    def _depending(self, spread: Spread, symbol: Symbol, write: Use, other: Use, where: str, doubt: str) -> Finding:
        loops = " and ".join(f"'{lv.symbol.name}'" for lv in spread.levels)
        text, other_text = _C.visit(write.node), _C.visit(other.node)
        what = f"'{text}' and '{other_text}' are one element" if other_text != text else f"'{text}' is one element"
        message = f"iterations of the distributed loop over {loops} depend on each other: {what} {where}{doubt}"
        advice = "let iterations read from one array and write to another, or run the loop in order"
        same_line = self._unit.span_of(other.node).line == self._unit.span_of(write.node).line
        notes = () if same_line else (Note("the other access is here", self._unit.span_of(other.node)),)
        return self._finding("dependence", spread, symbol, write, message, advice, not doubt, notes)

    def _finding(
        self,
        name: str,
        spread: Spread,
        symbol: Symbol,
        use: Use,
        message: str,
        advice: str,
        certain: bool,
        notes: tuple[Note, ...] = (),
    ) -> Finding:
        directive = Note(f"'{spread.construct.directive.name}' is here", spread.construct.directive.span)
        span = self._unit.span_of(use.node)
        return Finding(name, certain, message, span, symbol.name, advice, (*notes, directive))

    def values(self, spread: Spread, uses: Iterable[Use]) -> Values:
        """What is known about the variables of what a construct's threads run, in which all ``uses`` are."""
        sema, body = self.sema, spread.body
        changed = assignments(sema, body).symbols
        single: dict[Entity, c_ast.Node] = {}
        moving: list[Entity] = [lv.symbol for lv in spread.levels]
        inner: list[CanonicalLoop] = []
        nodes = [*walk(body)]
        for declaration in nodes:
            if type(declaration) is not c_ast.Decl or declaration.init is None or not sema.is_typed(declaration.init):
                continue
            symbol = sema.decl_symbol(declaration)
            plain = is_integer(strip(symbol.type)) or isinstance(strip(symbol.type), Pointer)
            if plain and symbol not in changed and not symbol.has_static_storage:
                single[symbol] = declaration.init
        for node in nodes:
            if type(node) is c_ast.For and (level := self._extents.level(node)) is not None:
                inner.append(level)
        # Threads may have different values in variables that each of them has, such as its number.
        outside = {r.symbol for r in free_variables(sema, body)} - spread.own
        # The values of an inner loop's variable are the same in all iterations only if its bounds are.
        for level in inner:
            parts = [n for part in (level.lower, level.bound, level.step) if part is not None for n in walk(part)]
            symbols = {sema.symbol(n) for n in parts if isinstance(n, c_ast.ID)}
            named = {symbol for symbol in symbols if symbol is not None and symbol.is_variable}
            kinds = (c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp, c_ast.Cast)
            if named <= outside and named.isdisjoint(changed) and all(isinstance(n, kinds) for n in parts):
                moving.append(level.symbol)
        fixed = {*(s for s in outside if s not in changed or not is_scalar(s.type))} - {*moving}
        constant = {*(s for s in outside if s in fixed and s not in changed and is_scalar(s.type))}
        moved = {(use.root.symbol, use.root.path) for use in uses if use.writes and use.root is not None}
        pointers = partial(self._extents.pointers.unless, moved)
        return Values(sema, fixed, constant, moving, single, (), {}, {}, in_structures=pointers)


def _shares_threads(construct: OmpConstruct) -> bool:
    return not construct.directive.is_target


def _section(symbol: Symbol, use: Use) -> str:
    """A list item for a reduction of what an access updates."""
    return symbol.name if isinstance(use.node, c_ast.ID) else f"{symbol.name}[:]"
