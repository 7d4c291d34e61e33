"""Races between the threads of a region: shared variables that all of them write, and loops whose iterations depend on
each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile

from ..base.diagnostics import SourceSpan
from ..base.findings import Finding, Note
from ..base.records import replace
from ..openmp.canonical import Level
from ..optimise.changes import changes_of
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.affine import Facts, Place
from ..tree.symbols import Variable
from ..tree.types import Integer, Member, Pointer
from ..tree.values import constant, same_value, unconverted, widened
from .distances import (
    can_be_apart,
    collision,
    is_number,
    iterations_apart,
    member_led_to,
    member_of_object,
    spot_of,
)
from .events import Lent, Root, Use, is_in_element, locks_held, root_of, spelt
from .spreads import LANES, Spread, Spreads
from .unset import is_scalar
from .whole_unit import WholeUnit

_FAR = 64  # by so many iterations, elements are apart in loops that have no more
_MOST_PAIRS = 2000
_COMBINING = {"+=": "+", "-=": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}
_CHOOSING = {"<": "max", "<=": "max", ">": "min", ">=": "min"}  # in `if (most < x) most = x;`
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SYNCHRONISING = ("omp_set_", "omp_test_", "omp_unset_", "__sync", "__atomic", "atomic_")
_ACQUIRING = ("seq_cst", "acq_rel", "acquire")
_THREAD_QUERIES = ("omp_get_thread_num", "omp_get_team_num", "omp_get_ancestor_thread_num")


# What the bounds of loops that run alike in all iterations consist of.
_PLAIN = (tree.Load, tree.Named, tree.Constant, tree.Binary, tree.Unary, tree.Convert)
_Places = dict[tree.Node, Place | None]  # of accesses


class Races:
    """Looks for races in the regions of a unit."""

    def __init__(self, unit: WholeUnit) -> None:
        self.language, self.extents, self._kernels = unit.language, unit.extents, unit.kernels
        self._called, self._privates = unit.called, unit.privates
        self._held: dict[Use, frozenset[str]] = {}
        self._places: dict[int, tuple[Facts, dict[tuple[tree.Call, ...], tuple[Facts, _Places]]]] = {}
        self._begun: dict[Variable, tree.Expression] = {}  # variables of the bodies that were looked at
        text = self.language.source
        self._teams_have_own = "groupprivate" in text  # variables
        self._threads_have_own = "threadprivate" in text
        self.spreads = Spreads(self._privates, text)

    def accesses(self, target: tree.Construct) -> tuple[Use, ...]:
        """The accesses of a region that the user has written."""
        events = self._called.of_region(target) if not self._teams_have_own else ()
        return tuple(e for e in events if isinstance(e, Use) and not self.language.is_generated(e.node.origin))

    def of_host_threads(self, construct: tree.Construct) -> tuple[Use, ...]:
        """The accesses to memory of the device in the regions that the threads of a construct of the host launch."""
        if self._threads_have_own:
            return ()
        return tuple(use for use in self.accesses(construct) if self._is_on_device(use, construct))

    def _is_on_device(self, use: Use, construct: tree.Construct) -> bool:
        inside = use.constructs[use.constructs.index(construct) + 1 :]
        kernel = next((self._kernels.get(c) for c in inside if c.directive.is_target), None)
        if kernel is None or use.root is None or kernel.construct.directive.has("device", "depend", "if"):
            return False
        own = {variable for variable, _ in kernel.copies} | self._privates.locals(kernel.construct)
        return use.root.variable not in own

    def has_locks(self, root: tree.Construct) -> bool:
        """Whether the program may order threads itself: with locks, or by waiting for what others write atomically."""
        events = self._called.of_region(root)
        if any(event.name.startswith(_SYNCHRONISING) for event in events if isinstance(event, Lent)):
            return True
        reads = {c for use in events if isinstance(use, Use) and "atomic" in use.guards for c in use.constructs}
        return any(self._may_wait(c) for c in reads.union(tree.parts(root, tree.Construct)))

    def _may_wait(self, construct: tree.Construct) -> bool:
        directive = construct.directive
        if "flush" in directive.constructs:
            return True
        ordered = directive.has(*_ACQUIRING) or self.language.memory_order in _ACQUIRING
        return "atomic" in directive.constructs and ordered and directive.has("read", "capture")

    def region(self, root: tree.Construct, uses: Sequence[Use]) -> Iterator[Finding]:
        """The races between some of the accesses in a construct."""
        locks = self.has_locks(root)
        self._held = locks_held(self.language, self._called.of_region(root)) if locks else {}
        inside_of: dict[tree.Construct, list[Use]] = defaultdict(list)
        for use in uses:
            for construct in use.constructs:
                inside_of[construct].append(use)
        reported: set[str] = set()
        for spread in self.spreads.of(root):
            local = self.local(spread)
            inside = [use for use in inside_of[spread.construct] if self.is_shared(spread, use, local)]
            if spread.levels:  # without the heads of the loops
                inside = [use for use in inside if any(loop.body is spread.body for loop in use.loops)]
            else:  # what a construct inside shares out is its own matter
                inside = [use for use in inside if not self._is_shared_out(spread, use)]
            for finding in self._in_spread(spread, inside, locks):
                if finding.variable not in reported and (spread.who != LANES or finding.name == "dependence"):
                    reported.add(finding.variable)
                    yield finding

    def local(self, spread: Spread) -> frozenset[Entity]:
        """The variables of which each thread, or each iteration, has its own."""
        return spread.own | self._privates.locals(spread.body)

    @staticmethod
    def _is_shared_out(spread: Spread, use: Use) -> bool:
        inside = use.constructs[use.constructs.index(spread.construct) + 1 :]
        inner = takewhile(lambda construct: not construct.directive.is_target, inside)
        sharing = {"distribute"} if spread.who == "teams" else {"for", "distribute", "taskloop"}
        return any(sharing.intersection(c.directive.constructs) for c in inner)

    def is_shared(self, spread: Spread, use: Use, local: Collection[Entity]) -> bool:
        """Whether the variable of an access is one for all threads of a construct, and none of their ``local`` ones."""
        if use.root is None or use.root.variable in local or use.root.variable.type.volatile:
            return False
        if getattr(getattr(use.node, "type", None), "atomic", False):
            return False
        at = use.constructs.index(spread.construct)
        return not any(use.root.variable in self._privates.of(inner) for inner in use.constructs[at + 1 :])

    # -- what they share ----------------------------------------------------------------------------------------------

    def _in_spread(self, spread: Spread, uses: Sequence[Use], locks: bool) -> Iterator[Finding]:
        by_variable: dict[tuple[Variable, str], list[Use]] = defaultdict(list)
        for use in uses:
            if use.root is not None:
                by_variable[use.root.variable, name_of(use.root)].append(use)
        facts: Facts | None = None
        for (variable, name), own in by_variable.items():
            if not any(use.writes for use in own):
                continue
            if is_number(variable.type):
                found = self._scalar(spread, name, own, locks)
            else:
                facts = facts or self.facts(spread, uses)
                found = self._elements(spread, name, own, facts, locks)
            if found is not None:
                yield found

    def _scalar(self, spread: Spread, name: str, uses: Sequence[Use], locks: bool) -> Finding | None:
        plain = [use for use in uses if use.writes and not use.guards]
        if not plain:
            return self._weak_guard(spread, name, uses, f"'{name}'")
        write = plain[0]
        if locks:
            return self._other_locks(spread, name, uses)
        if self.one_thread_only(spread, write):
            return None
        changed = [use for use in uses if use.writes]
        operators = {self._combines(use) for use in changed}
        operator = next(iter(operators)) if len(operators) == 1 else None
        doubtful = self._doubt(write, spread.levels, all(use.operator == "=" for use in changed))
        if operator is not None:
            return self._missing_reduction(spread, name, write, operator, f"'{name}'", doubtful)
        chosen = _chosen_by(write)
        if chosen is not None:  # every thread reads what one of them writes
            message = f"all {spread.who} compare with '{name}' and may write to it, and lose what others have written"
            advice = f"add reduction({chosen}: {name}) to the directive, or do both in one 'omp critical' of one team"
            return self._finding("race", spread, name, write, message, advice, True)
        advice = f"declare '{name}' inside of the loop or region, or add private({name})"
        message = f"all {spread.who} write to '{name}', which they share{doubtful}"
        return self._finding("race", spread, name, write, message, advice, not doubtful)

    def _other_locks(self, spread: Spread, name: str, uses: Sequence[Use]) -> Finding | None:
        """A variable that is written under locks which do not exclude each other."""
        writes = [use for use in uses if use.writes]
        held = [self._held.get(use, frozenset()) for use in writes]
        if not any(held):
            return None
        if frozenset.intersection(*held):
            if not self._of_all_teams(spread, writes[0]):
                return None
            message = f"a lock keeps only threads of one team apart, but all teams write to '{name}'"
            return self._finding("race", spread, name, writes[0], message, "use 'omp atomic' or a reduction", False)
        message = f"'{name}' is written under different locks, which do not keep {spread.who} apart"
        return self._finding("race", spread, name, writes[0], message, "use one lock, or 'omp atomic'", False)

    def _missing_reduction(
        self, spread: Spread, name: str, write: Use, operator: str, what: str, doubtful: str
    ) -> Finding:
        item = self._section(name, write)
        advice = f"add reduction({operator}: {item}) to the directive, or update it in 'omp atomic'"
        if isinstance(write.node, tree.Part) and write.root is not None and write.root.variable.name != "this":
            advice = f"update it in 'omp atomic', or a variable of its own with reduction({operator}: …)"
        message = f"all {spread.who} update {what}, which they share, and lose each other's updates{doubtful}"
        return self._finding("reduction", spread, name, write, message, advice, not doubtful)

    def _weak_guard(self, spread: Spread, name: str, uses: Sequence[Use], what: str) -> Finding | None:
        """A critical section excludes the threads of its own team only; a read beside an atomic update may be early."""
        writes = [use for use in uses if use.writes]
        critical = [use for use in writes if use.guards == {"critical"}]
        sections = {c.directive.argument_text for u in critical for c in u.constructs if c.directive.name == "critical"}
        if len(sections) > 1 and len(critical) == len(writes):
            message = f"critical sections of different names do not keep threads apart, but all write to {what}"
            advice = "give the critical sections one name, or use 'omp atomic'"
            return self._finding("race", spread, name, critical[0], message, advice, True)
        if critical and self._of_all_teams(spread, critical[0]):
            message = f"'critical' keeps only threads of one team apart, but all teams write to {what}"
            advice = "use 'omp atomic' or a reduction"
            return self._finding("race", spread, name, critical[0], message, advice, False)
        apart = next(filter(None, (self._written_back(use, uses) for use in writes)), None)
        if apart is not None and not self.one_thread_only(spread, apart):
            message = f"what other {spread.who} write to {what} between 'atomic read' and this 'atomic write' is lost"
            message += ", unless something keeps them away"
            advice = "do both in one 'omp atomic', which may update, capture or compare"
            return self._finding("race", spread, name, apart, message, advice, False)
        reads = [use for use in uses if use.reads and not use.guards]
        if reads and all(use.guards == {"atomic"} for use in writes) and not self.one_thread_only(spread, writes[0]):
            message = f"{what} is read without 'atomic' while other {spread.who} may update it atomically"
            return self._finding("race", spread, name, reads[0], message, "read it with 'omp atomic read'", False)
        return None

    @staticmethod
    def _written_back(write: Use, uses: Iterable[Use]) -> Use | None:
        """A write if it is atomic, always happens, and is of what an atomic read in the same iteration has given."""
        if write.conditions or write.value is None or not write.constructs[-1].directive.has("write"):
            return None
        named = {node.variable for node in tree.walk(write.value) if isinstance(node, tree.Named)}
        for read in uses:
            construct = read.constructs[-1]
            if construct.directive.has("read") and (read.loops, read.conditions) == (write.loops, ()):
                places = (one.place for one in tree.parts(construct, tree.Store))
                if any(isinstance(place, tree.Named) and place.variable in named for place in places):
                    return write
        return None

    def _of_all_teams(self, spread: Spread, use: Use) -> bool:
        """Whether the threads that share a variable are those of several teams."""
        if not spread.many_teams:
            return False
        if "distribute" in spread.construct.directive.constructs or spread.who == "teams":
            return True
        variable = use.root.variable if use.root is not None else None
        if variable is None or not is_number(variable.type):
            return False  # teams may have elements of their own
        return not any(variable in self._privates.of(c) | self._privates.locals(c) for c in use.constructs)

    def _combines(self, use: Use) -> str | None:
        """The operator of a reduction that an update has the form of."""
        value = unconverted(use.value) if use.value is not None else None
        sides: list[tree.Expression] = [] if value is None else [value]
        operator = _COMBINING.get(use.operator)
        if use.operator == "=" and isinstance(value, tree.Binary) and value.operator in ("+", "-", "*", "&", "|"):
            sides = [unconverted(value.left), unconverted(value.right)]
            own = [side for side in sides[: 1 + (value.operator != "-")] if self._reads(side, use)]
            operator = {"-": "+"}.get(value.operator, value.operator) if own else None
            sides = [side for side in sides if side not in own[:1]]
        places = (part.place for side in sides for part in tree.walk(side) if isinstance(part, tree.Load))
        return None if any(self._is_of(place, use.root) for place in places) else operator

    @staticmethod
    def _is_of(place: tree.Place, root: Root | None) -> bool:
        """Whether a place is in the object in which another one is."""
        other = root_of(place)
        return other is not None and root is not None and (other.variable, other.path) == (root.variable, root.path)

    @staticmethod
    def _reads(value: tree.Expression, use: Use) -> bool:
        """Whether a value is that of the place that an access is to."""
        return isinstance(value, tree.Load) and _same(value.place, use.node)

    def _doubt(self, use: Use, levels: Sequence[Level], only_assigned: bool = True) -> str:
        """Why an access may not happen in all iterations, as the end of a message."""
        if use.conditions:
            does = "fails" if use.conditions[-1] in use.failing else "holds"
            return f", unless '{self.language.shown(use.conditions[-1])}' {does} for one of them only"
        if not only_assigned or use.operator != "=" or use.value is None:
            return ""
        if not levels and not any(_same(part, use.node) for part in tree.walk(use.value)):
            return " (if all write the same value, it is a race all the same)"
        return " (all write the same value, which is a race all the same)" * (constant(use.value) is not None)

    def one_thread_only(self, spread: Spread, use: Use, of_all: bool = True) -> bool:
        """Whether a condition seems to choose one iteration or thread. Several have the same remainder, and may all use
        what is one ``of_all``, but not one element that others use as well."""
        moving = {*(level.variable for level in spread.levels), *self.local(spread)}
        for condition in use.conditions:
            equal = ("!=",) if condition in use.failing else ("==", "!")
            choosing = equal if of_all else (*equal, "%", "&")
            for node in tree.walk(condition):
                if isinstance(node, tree.Call) and _called(node) in _THREAD_QUERIES:
                    return True
                if not isinstance(node, tree.Binary | tree.Unary) or node.operator not in choosing:
                    continue
                others = {n for a in tree.walk(node) if _is_shared_value(a, of_all) for n in tree.walk(a)}
                named = [n for n in tree.walk(node) if isinstance(n, tree.Named) and n not in others]
                if (use.calls and (named or not of_all)) or any(n.variable in moving for n in named):
                    return True
        return False

    # -- what others ask ----------------------------------------------------------------------------------------------

    def span_of(self, use: Use) -> SourceSpan:
        """Where the user has written an access, or the call of a library's function in which it is."""
        written = map(self.language.span, (use.node, *reversed(use.calls)))
        return next((span for span in written if span is not None), use.constructs[-1].directive.span)

    def place_in_loop(self, facts: Facts, loop: tree.Construct, use: Use) -> object:
        """Where an access is in terms of a construct's loops, and these. None if that is not known."""
        nest, place = self._privates.nest(loop), self._place(facts, use)
        spot = spot_of(place, nest.levels) if nest is not None and place is not None else None
        if nest is None or spot is None:
            return None
        parts: list[object] = []
        for level in nest.levels:
            ends = (self.extents.first_alike(end) for end in (level.lower, level.bound))
            parts.append((level.relation, *ends, level.step_value, level.increasing))
        for step in spot.steps:
            if isinstance(step, Member):
                parts.append(step)
                continue
            if not step.rest.atoms.isdisjoint(facts.moving):
                return None
            factors = [step.factors.get(level.variable.key) for level in nest.levels]
            parts.append((*(dict(f.terms) if f is not None else None for f in factors), dict(step.rest.terms)))
        return parts

    # -- elements -----------------------------------------------------------------------------------------------------

    def _elements(
        self, spread: Spread, name: str, uses: Sequence[Use], facts: Facts, locks: bool
    ) -> Finding | None:
        everywhere = [(use, place) for use in uses if (place := self._place(facts, use)) is not None]
        based = [(use, place) for use, place in everywhere if _is_based(use, place)]
        if locks:
            return self._guarded_elements(spread, name, based, True)
        spots = ((use, spot_of(place, spread.levels)) for use, place in based if not use.guards)
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
                if any(self.one_thread_only(spread, one, apart == "all") for one in (write, other)):
                    continue
                if isinstance(apart, int) and len(spread.levels) == 1 and not can_be_apart(
                    spread.body, spread.levels[0], (write, other), apart
                ):
                    continue
                if spread.levels == () and other is not write:
                    continue
                found = self._dependence(spread, name, write, other, apart)
                if found.certain:
                    return found
                weak = weak or found
        weak = weak or self._guarded_elements(spread, name, based, False)
        weak = weak or self._collision(spread, name, based, facts)
        return weak or self._chosen_elements(spread, name, facts, uses)

    def _collision(
        self, spread: Spread, name: str, placed: Sequence[tuple[Use, Place]], facts: Facts
    ) -> Finding | None:
        """Accesses in different iterations that are found by trying some of them."""
        plain = [(use, place) for use, place in placed if not (use.guards or use.conditions or use.calls)]
        found = collision(self.extents, facts, spread.levels, spread.body, plain)
        if found is None:
            return None
        (write, other), loop = found.uses, found.needs
        doubt = f", unless the loop over '{loop.variable.name}' runs once only" if loop is not None else ""
        return self._depending(spread, name, write, other, found.where(spread.levels), doubt)

    def _chosen_elements(self, spread: Spread, name: str, facts: Facts, uses: Sequence[Use]) -> Finding | None:
        """Updates of elements that data chooses, as in a histogram."""
        for use in uses:
            operator = self._combines(use) if use.writes and not use.guards else None
            if operator is None or not self._is_chosen(spread, facts, use):
                continue
            if not self.one_thread_only(spread, use):
                doubt = ", unless no two iterations choose one element"
                what = f"'{self.language.shown(use.node)}'"
                return self._missing_reduction(spread, name, use, str(operator), what, doubt)
        return None

    def _is_chosen(self, spread: Spread, facts: Facts, use: Use) -> bool:
        """Whether elements of an array say which element an access means, and the loop's variables do not: iterations
        may choose the same one. Variables of the body stand for what they begin with, and parameters for what they
        get."""
        node = _led_to(facts, use.node) if use.led else use.node
        place = self._place(facts, use) if node is use.node else None
        if place is not None and all(isinstance(step, Member) or step.index is not None for step in place.steps):
            return False
        if not isinstance(node, tree.Pointee) or not isinstance(node.pointer, tree.Offset):
            return False
        begun, counting = self._begun | self._given(use), {level.variable for level in spread.levels}
        queue: list[tuple[tree.Node, bool]] = [(node.pointer.pointer, False), (node.pointer.index, True)]
        seen: set[tree.Node] = set()
        is_chosen = False
        while queue:
            part, in_index = queue.pop()
            if isinstance(part, tree.Named):
                if part.variable in counting:
                    return False
                value = begun.get(part.variable)
                queue += [(value, in_index)] if value is not None and value not in seen else []
                seen.update([value] if value is not None else [])
            elif in_index and isinstance(part, tree.Load) and is_in_element(part.place):
                is_chosen = True
            else:
                queue += [(child, in_index) for child in tree.children(part)]
        return is_chosen

    def _given(self, use: Use) -> dict[Variable, tree.Expression]:
        """What the parameters get, and variables begin with, of the functions in which an access is."""
        found: dict[Variable, tree.Expression] = {}
        for call in use.calls:
            function = call.callee.function if isinstance(call.callee, tree.FunctionAddress) else None
            body = self._called.body_of(function) if function is not None else None
            if body is not None:
                found.update(zip(body.parameters[call.constructs :], call.arguments, strict=False))
                begun = tree.parts(body.statement, tree.Declare)
                found.update((one.variable, one.initialiser) for one in begun if one.initialiser is not None)
        return found

    def _guarded_elements(
        self, spread: Spread, name: str, placed: Sequence[tuple[Use, Place]], locks: bool
    ) -> Finding | None:
        """Elements that all threads use, under guards which do not keep them apart."""
        by_text: dict[str, list[Use]] = defaultdict(list)
        for use, place in placed:
            own_spot = spot_of(place, spread.levels) if use.guards or locks else None
            if own_spot is not None and iterations_apart(own_spot, own_spot, spread.levels) == "all":
                by_text[self.language.shown(use.node)].append(use)
        for text, own in by_text.items():
            if any(use.writes for use in own):
                weak = self._weak_guard(spread, name, own, f"'{text}'")
                return self._other_locks(spread, name, own) if locks else weak
        return None

    def _place(self, facts: Facts, use: Use) -> Place | None:
        if not isinstance(use.node, tree.Named | tree.Pointee | tree.Part):
            return None
        _, places = self._places.setdefault(id(facts), (facts, {}))
        calls = self.extents.calls_alike(use.calls)
        if calls not in places:
            functions = (call.callee.function for call in calls if isinstance(call.callee, tree.FunctionAddress))
            counting = [variable for function in functions for variable in self.extents.of(function).counting]
            seen = self.extents.seen_from(facts, calls)
            places[calls] = replace(seen, moving=[*seen.moving, *counting]) if counting else seen, {}
        seen, known = places[calls]
        node = self.extents.first_alike(use.node)
        if node not in known:
            known[node] = seen.place(node)
        place = known[node] or member_of_object(use)
        if use.led and (place is None or not _is_based(use, place)):
            place = member_led_to(use) or place
        return place if place is not None and not place.unions else None

    def _dependence(self, spread: Spread, name: str, write: Use, other: Use, apart: int | str) -> Finding:
        doubt = (
            self._doubt(write, spread.levels)
            if write.conditions or apart == "all"
            else self._doubt(other, spread.levels) * bool(other.conditions)
        )
        text = self.language.shown(write.node)
        if apart == "all":
            operator = self._combines(write)
            if operator is not None:
                return self._missing_reduction(spread, name, write, operator, f"'{text}'", doubt)
            message = f"all {spread.who} write to '{text}', which is one element for all of them{doubt}"
            return self._finding("race", spread, name, write, message, "let each iteration write its own", not doubt)
        if not doubt and abs(int(apart)) >= _FAR and any(level.trips is None for level in spread.levels):
            doubt = ", unless there are fewer"  # such a number is often how many there are
        number = f"{abs(int(apart))} apart" if abs(int(apart)) > 1 else "next to each other"
        return self._depending(spread, name, write, other, f"in iterations that are {number}", doubt)

    def _depending(self, spread: Spread, name: str, write: Use, other: Use, where: str, doubt: str) -> Finding:
        loops = " and ".join(f"'{level.variable.name}'" for level in spread.levels)
        kind = "simd" if spread.who == LANES else "distributed"
        doubt = doubt or ", unless no vectors are used" * (spread.who == LANES)
        text, other_text = self.language.shown(write.node), self.language.shown(other.node)
        what = f"'{text}' and '{other_text}' are one element" if other_text != text else f"'{text}' is one element"
        message = f"iterations of the {kind} loop over {loops} depend on each other: {what} {where}{doubt}"
        advice = "let iterations read from one array and write to another, or run the loop in order"
        beside = self.span_of(other)
        notes = () if beside.line == self.span_of(write).line else (Note("the other access is here", beside),)
        return self._finding("dependence", spread, name, write, message, advice, not doubt, notes)

    def _finding(
        self, kind: str, spread: Spread, name: str, use: Use, message: str, advice: str, certain: bool,
        notes: tuple[Note, ...] = (),
    ) -> Finding:  # fmt: skip
        directive = Note(f"'{spread.construct.directive.name}' is here", spread.construct.directive.span)
        return Finding(kind, certain, message, self.span_of(use), name, advice, (*notes, directive))

    def facts(self, spread: Spread, uses: Iterable[Use]) -> Facts:
        """What is known about the variables of what a construct's threads run, in which all ``uses`` are."""
        changed = changes_of(spread.body).variables
        single: dict[Entity, tree.Expression] = {}
        for node in tree.parts(spread.body, tree.Declare):
            if node.initialiser is not None:
                self._begun[node.variable] = node.initialiser
                if isinstance(node.variable.type, Integer | Pointer) and node.variable not in changed:
                    single[node.variable.key] = node.initialiser
        named = {one.variable: one.type for one in tree.parts(spread.body, tree.Named)}
        single |= {v.key: tree.Constant(kind, v.value) for v, kind in named.items() if v.value is not None}
        # Threads may have different values in variables that each of them has, such as its number.
        outside = named.keys() - self.local(spread)
        moving: list[Entity] = [level.variable.key for level in spread.levels]
        # The values of an inner loop's variable are the same in all iterations only if its bounds are.
        for level in self.extents.levels_in(spread.body):
            parts = [*tree.walk(level.lower), *tree.walk(level.bound)]
            heads = {part.variable for part in parts if isinstance(part, tree.Named)}
            if heads <= outside and heads.isdisjoint(changed) and all(isinstance(part, _PLAIN) for part in parts):
                moving.append(level.variable.key)
        kept = [v for v in outside if v not in changed or not is_scalar(v.type)]
        fixed = {v.key for v in kept}.difference(moving)
        constants = {v.key for v in kept if v not in changed and is_scalar(v.type)} & fixed
        moved = {(use.root.variable, use.root.path) for use in uses if use.writes and use.root is not None}
        pointers = partial(self.extents.pointer, moved)
        return Facts(fixed, constants, moving, single.get, (), {}, {}, pointers)

    def _section(self, name: str, use: Use) -> str:
        """A list item for a reduction of what an access updates."""
        return name if self.language.shown(use.node).removeprefix("this->") == name else f"{name}[:]"


def _is_based(use: Use, place: Place) -> bool:
    """Whether a place is said of what all iterations share, and not of a pointer that each of them has."""
    return not use.led or (use.root is not None and place.root is use.root.variable.key)


def _chosen_by(write: Use) -> str | None:
    """The operator of the reduction that ``if (x > most) most = x;`` is, or None for another write. All do it."""
    condition = unconverted(write.conditions[0]) if len(write.conditions) == 1 and write.operator == "=" else None
    value = widened(write.value) if write.value is not None else None
    if not isinstance(condition, tree.Binary) or condition.operator not in _CHOOSING or value is None:
        return None
    for old, new, operator in (
        (condition.left, condition.right, condition.operator),
        (condition.right, condition.left, _TURNED[condition.operator]),
    ):
        kept = widened(old)
        if isinstance(kept, tree.Load) and _same(kept.place, write.node) and same_value(widened(new), value):
            return _CHOOSING[operator]
    return None


def _led_to(facts: Facts, node: tree.Node) -> tree.Node:
    """The element to which a pointer or a reference leads that keeps its value."""
    while isinstance(node, tree.Pointee) and isinstance(node.pointer, tree.Load):
        place = node.pointer.place
        value = facts.single(place.variable.key) if isinstance(place, tree.Named) else None
        if value is None:
            break
        value = unconverted(value)
        node = value.place if isinstance(value, tree.AddressOf) else tree.Pointee(node.type, value)
    return node


def _called(call: tree.Call) -> str:
    return call.callee.function.name if isinstance(call.callee, tree.FunctionAddress) else ""


def _same(one: tree.Node, other: tree.Node) -> bool:
    """Whether two places are the same one."""
    kinds = tree.Named | tree.Pointee | tree.Part
    return isinstance(one, kinds) and isinstance(other, kinds) and same_value(one, other)


def _is_shared_value(node: tree.Node, of_all: bool) -> bool:
    """Whether several iterations may have the same value of an expression, whatever its variables are."""
    if of_all and isinstance(node, tree.Binary) and node.operator in ("%", "&", "/", ">>"):
        return True
    return isinstance(node, tree.Offset)


def name_of(root: Root) -> str:
    """The variable that an access is about. Members of ``this`` are variables to the user."""
    return spelt(root) if root.variable.name == "this" else root.variable.name
