"""What a front end says about a program, for the decisions in this folder, and which constructs make one together, with
the private copies that they make (OpenMP 5.2, sections 5.4 and 17.3)."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import Protocol, TypeVar

from ..base.records import replace
from ..directives.model import Directive, Expr, Locator, MapClause, ReductionClause
from ..plan.constructs import Atomic, Code, Entity, LoopNest, Reduction, Sharing
from ..tree import nodes as tree

_FOLLOWS = {
    "target": {"teams", "parallel", "simd"},
    "teams": {"distribute"},
    "parallel": {"for"},
    "distribute": {"parallel", "simd"},
    "for": {"simd"},
}


class Directed(Protocol):
    """A directive with what belongs to it."""

    @property
    def directive(self) -> Directive: ...


class Construct(Directed, Protocol):
    """A construct of a text. ``start`` is its place there."""

    @property
    def start(self) -> int: ...


D = TypeVar("D", bound=Directed)
D_contra = TypeVar("D_contra", bound=Directed, contravariant=True)
C = TypeVar("C", bound=Construct)


class Constructs(Protocol[C]):
    """What a front end says about constructs.

    ``inner`` is the construct with a statement that is all of another one's statement. ``sharing`` is what a
    construct's own clauses say, and ``used`` are the variables from outside that it mentions.
    """

    def inner(self, construct: C) -> C | None: ...

    def sharing(self, construct: C) -> Sharing: ...

    def used(self, construct: C) -> Collection[Entity]: ...


def chain_of(constructs: Constructs[C], construct: C) -> tuple[list[C], Sharing]:
    """(a construct with those directly nested in it that mean the same as one combined construct, their copies)"""
    chain, leaves = [construct], list(construct.directive.constructs)
    sharing = constructs.sharing(construct)
    while (inner := constructs.inner(chain[-1])) is not None:
        if inner.directive.constructs[0] not in _FOLLOWS.get(leaves[-1], ()):
            break
        inside = constructs.sharing(inner)
        if not _combines(constructs, leaves[-1], sharing, inner, inside):
            break
        chain.append(inner)
        leaves += inner.directive.constructs
        sharing = combined([constructs.sharing(part) for part in chain])
    return chain, sharing


def _combines(constructs: Constructs[C], last: str, outer: Sharing, inner: C, inside: Sharing) -> bool:
    """Whether a construct and the one in it mean the same as one combined construct.

    A variable that is private to the outer level and shared by the inner one needs storage for each team. But a
    variable that ``target`` itself copies is one variable for all teams, which the host can make.
    """
    if last == "target" and not (outer.private and inner.directive.constructs[0] != "teams"):
        return True
    if last == "teams" and inner.directive.constructs[0] == "parallel" and outer.reductions:
        return False
    kept = {*outer.private, *outer.firstprivate, *(r.symbol for r in outer.reductions)}
    return kept.intersection(constructs.used(inner)) <= inside.named


def of_target(constructs: Constructs[C], chain: Sequence[C]) -> frozenset[Entity]:
    """The copies that only the ``target`` construct of a region makes.

    In ``target firstprivate(x)`` with ``parallel`` nested in it, ``x`` is one copy for all threads."""
    if len(chain) == 1 or chain[0].directive.constructs != ("target",):
        return frozenset()
    own, inside = constructs.sharing(chain[0]), combined([constructs.sharing(part) for part in chain[1:]])
    return frozenset((*own.firstprivate, *own.private)) - inside.named


def without(sharing: Sharing, of_target: Container[Entity]) -> Sharing:
    """The copies that the threads of a region make, without those of its ``target`` construct."""
    return replace(
        sharing,
        private=tuple(s for s in sharing.private if s not in of_target),
        firstprivate=tuple(s for s in sharing.firstprivate if s not in of_target),
    )


def combined(sharings: Sequence[Sharing]) -> Sharing:
    """The sharing of directly nested constructs together. ``sharings`` are those of each construct, outermost first."""
    if len(sharings) == 1:
        return sharings[0]
    last = dict.fromkeys(symbol for s in sharings for symbol in s.lastprivate)
    reductions = {r.symbol: r for s in sharings for r in s.reductions}
    private = dict.fromkeys(symbol for s in sharings for symbol in s.private)
    first: dict[Entity, None] = {}
    for s in sharings:  # copies that an inner construct makes for 'lastprivate' alone begin with nothing
        first = dict.fromkeys((*(symbol for symbol in first if symbol not in s.lastprivate), *s.firstprivate))
    return Sharing(
        tuple(s for s in private if s not in last and s not in reductions),
        tuple(first),
        tuple(last),
        tuple(reductions.values()),
        tuple({symbol: step for s in sharings for symbol, step in s.linear}.items()),
        tuple({symbol: bytes_ for s in sharings for symbol, bytes_ in s.alignments}.items()),
    )


def of_region(sharing: Sharing, nest: LoopNest, directives: Sequence[Directive]) -> Sharing:
    """The sharing of a region with a loop nest, with the loops' variables added. ``directives`` are the region's.

    A loop variable's last value can be seen outside of the region only if the variable is mapped.
    """
    names = {item.name for c in directives[0].clauses if isinstance(c, MapClause) for item in c.items}
    has_simd = any("simd" in directive.constructs for directive in directives)
    simd = {level.symbol for level in nest.levels if has_simd and level.symbol.name in names}
    return of_loop(sharing, [(level.symbol, level.declared) for level in (*nest.levels, *nest.inner)], simd)


def of_loop(
    sharing: Sharing, variables: Sequence[tuple[Entity, bool]], predetermined: Container[Entity] = ()
) -> Sharing:
    """The sharing of a construct with a loop nest, with the loops' variables added.

    ``variables`` tells for each loop variable whether the loop declares it. They are private, or lastprivate if they
    are linear. Those in ``predetermined``, as for ``simd``, are linear without a clause (OpenMP 5.2, section 5.1.1).
    """
    linear = {s for s, _ in sharing.linear}
    linear |= {s for s, declared in variables if s in predetermined and not declared and s not in sharing.private}
    last = (*sharing.lastprivate, *(s for s, _ in variables if s in linear and s not in sharing.lastprivate))
    own = tuple(s for s, declared in variables if not declared and s not in last)
    return Sharing(
        tuple(s for s in sharing.private if s not in own) + own,
        tuple(s for s in sharing.firstprivate if s not in own),
        last,
        sharing.reductions,
        tuple((s, step) for s, step in sharing.linear if s not in last),
        sharing.alignments,
    )


class Lists(Protocol[D_contra]):
    """What list items name, and what is to be known of variables.

    ``used`` are the variables from outside that a construct mentions, in the order of the text: in its own clauses,
    too, or without ``clauses`` only in its statement. A ``lasting`` variable lives as long as the program.
    """

    def used(self, construct: D_contra, *, clauses: bool = True) -> Collection[Entity]: ...

    def variable(self, construct: D_contra, item: Locator) -> Entity:
        """The variable with which a list item begins. Raises InputError if there is none."""
        ...

    def is_const(self, variable: Entity) -> bool: ...

    def is_lasting(self, variable: Entity) -> bool: ...

    def alignment(self, variable: Entity) -> str:
        """What a variable's declaration asks for beyond its type, in bytes, as a constant expression; may be empty."""
        ...

    def code(self, construct: D_contra, expr: Expr) -> Code: ...

    def reduction(self, construct: D_contra, clause: ReductionClause, item: Locator) -> Reduction: ...


class Program(Lists[C], Constructs[C], Protocol[C]):
    """What is to be known of constructs in device code. All ``check`` methods raise InputError."""

    def chain(self, construct: C) -> tuple[Sequence[C], Sharing]:
        """A construct with those that make one with it, and what their clauses say together."""
        ...

    def body(self, construct: C) -> Code | None: ...

    def changed(self, construct: C) -> Collection[Entity]:
        """The variables that a construct's statement may assign, by their names."""
        ...

    def trees(self, construct: C) -> Sequence[tree.Construct]:
        """A construct as trees, one for each instantiation."""
        ...

    def declares(self, construct: C, variable: Entity) -> bool: ...

    def is_pointer(self, variable: Entity) -> bool: ...

    def is_variable_length(self, variable: Entity) -> bool: ...

    def is_passed_by_value(self, construct: C, variable: Entity) -> bool:
        """Whether a ``target`` construct has copies of a variable that no clause names and that is no local one."""
        ...

    def is_on_device(self, variable: Entity, around: Sequence[C]) -> bool:
        """Whether device code inside these constructs has a variable that a clause names."""
        ...

    def found(self, construct: C, name: str) -> Entity | None:
        """The variable that a name in a construct's clauses means, or None."""
        ...

    def check_allowed(self, construct: C) -> None: ...

    def atomic(self, construct: C) -> Atomic: ...

    def named(self, code: Code) -> Entity | None:
        """The variable that code is the name of."""
        ...

    def sections(self, construct: C) -> tuple[Code, ...]: ...

    def nest(self, chain: Sequence[C], sharing: Sharing) -> LoopNest:
        """The loops of a chain, which makes the copies of ``sharing``."""
        ...

    def observes_place(self, code: Code) -> bool:
        """Whether code can tell which thread or team runs it."""
        ...
