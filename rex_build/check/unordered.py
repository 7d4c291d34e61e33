"""Two parts of a parallel region that may run at the same time: sections, tasks, and loops that no barrier divides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.findings import Finding, Note
from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.affine import Facts
from .distances import is_number
from .events import Use
from .extents import Extents, meet
from .races import Races, name_of
from .spreads import Spread
from .uses import is_lasting

_EXCLUDING = frozenset(("atomic", "critical", "ordered"))
_ORDERED_TASKS = ("depend", "if", "final", "detach")
_MOST_PAIRS = 2000
_MOST_PARTS = 20  # a part is compared with so many before it


@dataclass(frozen=True)
class _Part:
    """A part of the region: the node that has it, and its accesses. It is ``divided`` by a loop among the threads."""

    node: tree.Node
    uses: tuple[Use, ...]
    divided: bool


class _Uses:
    """Accesses by what they are in: a region may have many parts."""

    def __init__(self, uses: Sequence[Use]) -> None:
        self._uses = uses
        self._of: dict[tree.Node, list[int]] = {}  # constructs, and the nodes and calls of uses, with positions
        for at, use in enumerate(uses):
            for node in {*use.constructs, use.node, *use.calls}:
                self._of.setdefault(node, []).append(at)

    def of(self, construct: tree.Construct) -> list[Use]:
        return [self._uses[at] for at in self._of.get(construct, ())]

    def inside(self, node: tree.Node) -> list[Use]:
        """The accesses in a statement, or in a function that it calls."""
        found = {at for part in tree.walk(node) for at in self._of.get(part, ())}
        return [self._uses[at] for at in sorted(found)]


class Unordered:
    """Looks for accesses of two parts that surely meet, one of which writes."""

    def __init__(self, races: Races) -> None:
        self._races = races

    def region(self, root: tree.Construct, uses: Sequence[Use], extents: Extents) -> Iterator[Finding]:
        """What is found in a region, or in a construct of the host. ``uses`` are the accesses that count."""
        if self._races.has_locks(root):
            return
        for spread in self._races.spreads.of(root):
            own = spread.construct
            inside = [use for use in uses if own in use.constructs]
            if spread.levels or not any(use.writes for use in inside):
                continue
            local = self._races.local(spread)
            shared = [use for use in inside if self._races.is_shared(spread, use, local)]
            told: set[str] = set()
            facts: Facts | None = None
            for what, one, other in self._pairs(spread, _Uses(shared)):
                facts = facts or self._races.facts(spread, inside)
                for finding in self._meeting(spread, facts, extents, what, one, other):
                    if finding.variable not in told:
                        told.add(finding.variable)
                        yield finding

    # -- which parts --------------------------------------------------------------------------------------------------

    def _pairs(self, spread: Spread, uses: _Uses) -> Iterator[tuple[str, _Part, _Part]]:
        stack: list[tree.Node] = [spread.construct]
        while stack:
            node = stack.pop()
            if isinstance(node, tree.Construct) and "sections" in node.directive.constructs:
                parts = self._sections(node, uses)
                for n, two in enumerate(parts):
                    yield from (("sections", one, two) for one in parts[max(0, n - _MOST_PARTS) : n])
            if isinstance(node, tree.Evaluate | tree.Declare):
                continue
            if isinstance(node, tree.Block):
                yield from self._in_block(node, uses)
            if node is spread.construct or not _divides(node):
                stack += reversed(tree.children(node))

    @staticmethod
    def _sections(node: tree.Construct, uses: _Uses) -> list[_Part]:
        """What the sections of a construct do. The first one needs no directive."""
        parts: dict[tree.Construct, list[Use]] = {}
        for use in uses.of(node):
            behind = use.constructs[use.constructs.index(node) + 1 :]
            is_section = bool(behind) and behind[0].directive.name == "section"
            parts.setdefault(behind[0] if is_section else node, []).append(use)
        return [_Part(section, tuple(own), False) for section, own in parts.items()]

    def _in_block(self, block: tree.Block, uses: _Uses) -> Iterator[tuple[str, _Part, _Part]]:
        loops: list[_Part] = []
        tasks: list[_Part] = []
        for item in block.statements:
            directive = item.directive if isinstance(item, tree.Construct) else None
            leaves = set(directive.constructs) if directive is not None else set[str]()
            if directive is None or leaves & {"critical", "atomic"}:
                if loops or tasks:
                    if any("barrier" in c.directive.constructs for c in tree.parts(item, tree.Construct)):
                        loops, tasks = [], []
                    else:
                        plain = self._part(item, uses, False)
                        yield from (("loops", one, plain) for one in loops[-_MOST_PARTS:])
                continue
            waits = not directive.has("nowait")
            if leaves & {"barrier", "taskwait", "taskgroup"}:
                tasks = []
                loops = loops if "barrier" not in leaves else []
            elif leaves == {"task"} and not directive.has(*_ORDERED_TASKS):
                part = self._part(item, uses, False)
                yield from (("tasks", one, part) for one in tasks[-_MOST_PARTS:])
                tasks.append(part)
            elif leaves & {"for", "distribute"} and not leaves & {"target", "teams"}:
                part = self._part(item, uses, True)
                yield from (("loops", one, part) for one in loops[-_MOST_PARTS:])
                if "distribute" in leaves:
                    loops.append(part)
                elif "parallel" not in leaves:
                    loops = loops if waits else [*loops, part]
                    loops, tasks = (loops, tasks) if not waits else ([], [])
            elif leaves & {"single", "sections", "scope"}:
                part = self._part(item, uses, False)
                yield from (("loops", one, part) for one in loops[-_MOST_PARTS:])
                loops, tasks = ([], []) if waits else ([*loops, part], tasks)

    @staticmethod
    def _part(node: tree.Node, uses: _Uses, divided: bool) -> _Part:
        own = uses.of(node) if isinstance(node, tree.Construct) else uses.inside(node)
        return _Part(node, tuple(own), divided)

    # -- what meets ---------------------------------------------------------------------------------------------------

    def _meeting(
        self, spread: Spread, facts: Facts, extents: Extents, what: str, one: _Part, other: _Part
    ) -> Iterator[Finding]:
        pairs = [(u, v) for u in one.uses for v in other.uses if u.root is not None and v.root is not None]
        for first, second in pairs[:_MOST_PAIRS]:
            assert first.root is not None
            assert second.root is not None
            if first.root.variable is not second.root.variable or not (first.writes or second.writes):
                continue
            if name_of(first.root) != name_of(second.root):
                continue
            if self._are_kept_apart(spread, first, second):
                continue
            if any(self._races.one_thread_only(spread, use) for use in (first, second)):
                continue
            if what == "loops" and self._are_alike(facts, one, other, first, second):
                continue
            if _surely_meet(extents, what, first, second):
                yield self._finding(spread, what, first, second)
            elif what == "loops" and self._may_be_of_others(facts, one, other, first, second):
                yield self._finding(spread, what, first, second, ", unless these are other elements")

    def _are_kept_apart(self, spread: Spread, first: Use, second: Use) -> bool:
        """Whether both are atomic, or in critical sections of one name, or what they share may order them."""
        kinds = []
        for use in (first, second):
            inside = use.constructs[use.constructs.index(spread.construct) + 1 :]
            kinds.append({(leaf, c.directive.argument_text) for c in inside for leaf in c.directive.constructs})
        guards = [{leaf for leaf, _ in kind} & _EXCLUDING for kind in kinds]
        if guards[0] == guards[1] == {"atomic"} or {"ordered"} & (guards[0] | guards[1]):
            return True
        names = [{name for leaf, name in kind if leaf == "critical"} for kind in kinds]
        return bool(names[0] & names[1])

    def _are_alike(self, facts: Facts, one: _Part, other: _Part, first: Use, second: Use) -> bool:
        """Whether one thread makes both accesses, because two loops are divided in one way."""
        if not (one.divided and other.divided):
            return False
        assert isinstance(one.node, tree.Construct)
        assert isinstance(other.node, tree.Construct)
        place = self._races.place_in_loop(facts, one.node, first)
        return place is None or place == self._races.place_in_loop(facts, other.node, second)

    def _may_be_of_others(self, facts: Facts, one: _Part, other: _Part, first: Use, second: Use) -> bool:
        """Whether a loop uses other elements of an array than its own iteration of an earlier loop has, as far as is
        known. The earlier one shares them out among teams, for all of which there is no barrier."""
        if not (isinstance(one.node, tree.Construct) and isinstance(other.node, tree.Construct) and other.divided):
            return False
        is_plain = "distribute" in one.node.directive.constructs and not (first.conditions or second.conditions)
        return is_plain and self._races.place_in_loop(facts, other.node, second) is None

    def _finding(self, spread: Spread, what: str, first: Use, second: Use, elements: str = "") -> Finding:
        assert second.root is not None
        does, beside = (("writes", "written") if use.writes else ("reads", "read") for use in (second, first))
        shown = self._races.language.shown
        text = shown(second.node)
        conditions = [use.conditions[-1] for use in (first, second) if use.conditions]
        doubt = f", unless '{shown(conditions[0])}' keeps them apart" if conditions else ""
        if what == "loops":
            message = f"a thread {does[0]} '{text}' here, and nothing waits for the threads by which it is {beside[1]}"
            doubt = doubt or elements or ", unless one thread does both"
            leaves = {leaf for c in first.constructs for leaf in c.directive.constructs}
            in_teams = spread.who == "teams" or "distribute" in leaves
            advice = "end the region in between" if in_teams else "leave out 'nowait', or add '#pragma omp barrier'"
        else:
            message = f"one of the {what} {does[0]} '{text}', and nothing keeps apart from it where it is {beside[1]}"
            one = what == "sections"
            advice = "use 'omp atomic', or one section" if one else "order them with 'depend' clauses or 'taskwait'"
        note = Note(f"'{shown(first.node)}' is {beside[1]} here", self._races.span_of(first))
        directive = Note(f"'{spread.construct.directive.name}' is here", spread.construct.directive.span)
        span = self._races.span_of(second)
        return Finding("race", not doubt, message + doubt, span, name_of(second.root), advice, (note, directive))


def _surely_meet(extents: Extents, what: str, first: Use, second: Use) -> bool:
    assert first.root is not None
    variable = first.root.variable
    if is_number(variable.type):
        return what != "tasks" or is_lasting(variable)  # a task has copies of the others, unless they are shared
    common = sum(one is other for one, other in zip(first.loops, second.loops, strict=False))
    one, other = (extents.of_part(use, common) for use in (first, second))
    return one is not None and other is not None and meet(one, other) is True


def _divides(node: tree.Node) -> bool:
    """Whether other threads run what is in a construct."""
    own = ("parallel", "teams", "target")
    return isinstance(node, tree.Construct) and any(leaf in node.directive.constructs for leaf in own)
