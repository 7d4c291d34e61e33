"""The constructs whose threads, or teams, run one statement with the same shared variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.records import dataclass
from ..directives.model import ExprClause
from ..openmp.canonical import Level
from ..plan.constructs import Entity
from ..tree import nodes as tree
from .privates import Privates
from .whole_unit import value_of

LANES = "lanes"  # of vectors, in which 'simd' has iterations run


@dataclass(frozen=True)
class Spread:
    """A construct whose threads (or teams) run one statement with the same shared variables.

    ``levels`` are the loops whose iterations they share, or none if each of them runs the whole statement. ``body`` is
    what an iteration runs. ``own`` are the variables of which each thread has one. There
    are ``many_teams`` unless a clause says otherwise.
    """

    construct: tree.Construct
    who: str
    levels: tuple[Level, ...]
    body: tree.Statement
    own: frozenset[Entity]
    many_teams: bool


class Spreads:
    """Finds such constructs, once in each construct, in a unit with the text ``source``."""

    def __init__(self, privates: Privates, source: str) -> None:
        self._privates = privates
        self._found: dict[tree.Construct, tuple[Spread, ...]] = {}
        self._sets_teams = "omp_set_num_teams" in source  # then a construct without num_teams may have one team
        self._nests = any(name in source for name in ("omp_set_max_active_levels", "omp_set_nested"))

    def of(self, target: tree.Construct) -> tuple[Spread, ...]:
        """The constructs in a construct whose threads run one statement."""
        if target not in self._found:
            inside = ((node, around) for node, around in constructs_in(target) if node.body is not None)
            found = (self._spread(*one) for one in inside if one[0].directive.name not in ("atomic", "critical"))
            self._found[target] = tuple(spread for spread in found if spread is not None)
        return self._found[target]

    def _spread(self, node: tree.Construct, around: tuple[tree.Construct, ...]) -> Spread | None:
        leaves = set(node.directive.constructs)
        if any(isinstance(c, ExprClause) and c.expr is not None for c in node.directive.all("ordered")):
            return None  # the program orders iterations itself
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
        elif "simd" in leaves and not node.directive.has("safelen"):
            owner, who, loop = None, LANES, True
        else:
            return None
        assert node.body is not None
        levels: tuple[Level, ...] = ()
        body = node.body
        if loop:
            nest = self._privates.nest(node)
            if nest is None:
                return None
            levels = nest.levels
            if nest.inner or any(lv.trips in (0, 1) for lv in levels):
                return None
            body = nest.body
        own: set[Entity] = {lv.variable for lv in levels}
        for construct in around[around.index(owner) :] if owner is not None else around:
            own |= self._privates.of(construct)
        if owner is not None:
            own |= self._privates.locals(owner)
        return Spread(node, who, levels, body, frozenset(own), many_teams)

    @staticmethod
    def _owner(around: Sequence[tree.Construct], leaf: str) -> tree.Construct | None:
        return next((c for c in reversed(around) if leaf in c.directive.constructs), None)

    def _are_many(self, around: Sequence[tree.Construct], leaf: str, *clauses: str) -> bool:
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
            if clause.name == "if" or value_of(owner, clause.expr) == 1:
                return False
        return True


def constructs_in(root: tree.Construct) -> Iterator[tuple[tree.Construct, tuple[tree.Construct, ...]]]:
    """The constructs in one, itself first, each with those around it and itself. What is in a region that it launches
    is left out, because the threads there are not those of the host."""
    if len(tree.parts(root, tree.Construct)) == 1:  # it is the only one
        yield root, (root,)
        return
    stack: list[tuple[tree.Node, tuple[tree.Construct, ...]]] = [(root, ())]
    while stack:
        node, around = stack.pop()
        if isinstance(node, tree.Construct):
            if around and node.directive.is_target:
                continue
            around = (*around, node)
            yield node, around
        if not isinstance(node, tree.Evaluate | tree.Declare):
            stack.extend([(part, around) for part in reversed(tree.children(node))])
