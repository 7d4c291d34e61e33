"""The variables of which constructs have copies: by their clauses, and because their loops count with them."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from ..base.diagnostics import InputError, error_at
from ..directives.model import Clause, Expr, Locator
from ..openmp.canonical import Nest, NotCanonicalError, nest_of
from ..openmp.launch import LOOP_LEAVES, collapse_depth
from ..openmp.reductions import listed, sharing_of
from ..plan.constructs import Code, Entity, Reduction, Sharing
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.values import constant
from .events import item_place, root_of
from .uses import is_lasting


def begun_in(node: tree.Node) -> frozenset[Variable]:
    """The variables that begin in a part of the tree."""
    declared = (one.variable for one in tree.parts(node, tree.Declare))
    return frozenset(declared).union(one.variable for one in tree.parts(node, tree.Temporary))


class Privates:
    """What the constructs of a unit say about variables, each asked once."""

    def __init__(self) -> None:
        self._sharing: dict[tree.Construct, Sharing] = {}
        self._nests: dict[tree.Construct, Nest | None] = {}
        self._locals: dict[tree.Node, frozenset[Variable]] = {}

    def of(self, construct: tree.Construct) -> frozenset[Entity]:
        return self.named(construct) | self.counting(construct)

    def named(self, construct: tree.Construct) -> frozenset[Entity]:
        """The variables of which a construct has copies by its clauses."""
        return self.sharing(construct).named

    def sharing(self, construct: tree.Construct) -> Sharing:
        """The copies that a construct's own clauses ask for."""
        if construct not in self._sharing:
            try:
                found = sharing_of(_LISTS, construct, typed=False)
            except InputError:
                found = Sharing()
            self._sharing[construct] = found
        return self._sharing[construct]

    def listed(self, construct: tree.Construct, name: str) -> tuple[Entity, ...]:
        """The variables in a construct's clauses of one name."""
        try:
            return listed(_LISTS, construct, name)
        except InputError:
            return ()

    def counting(self, construct: tree.Construct) -> frozenset[Entity]:
        """The variables with which the loops of a construct count."""
        if LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            return frozenset()
        nest = self.nest(construct)
        return frozenset(level.variable for level in (*nest.levels, *nest.inner)) if nest is not None else frozenset()

    def nest(self, construct: tree.Construct) -> Nest | None:
        """The loops of a construct, or None if they are not canonical."""
        if construct not in self._nests:
            values = {id(expr): value for expr, value in construct.expressions}

            def value_of(expr: Expr) -> int | None:
                return constant(values[id(expr)]) if id(expr) in values else None

            try:
                depth = collapse_depth(construct.directive.clauses, value_of)
            except InputError:
                depth = 0
            self._nests[construct] = None
            with suppress(NotCanonicalError):
                if construct.body is not None and depth:
                    found = nest_of(construct.directive.name, construct.body, depth)
                    is_plain = all(level.is_plain for level in (*found.levels, *found.inner))
                    self._nests[construct] = found if is_plain else None
        return self._nests[construct]

    def locals(self, node: tree.Node) -> frozenset[Variable]:
        """The variables that begin in a part of the tree."""
        if node not in self._locals:
            self._locals[node] = begun_in(node)
        return self._locals[node]


class _Lists:
    """The variables of constructs as ``openmp/`` asks for them."""

    def used(self, construct: tree.Construct, *, clauses: bool = True) -> Collection[Variable]:
        node = construct if clauses or construct.body is None else construct.body
        own, named = begun_in(node), dict.fromkeys(one.variable for one in tree.parts(node, tree.Named))
        return [variable for variable in named if variable not in own]

    def variable(self, construct: tree.Construct, item: Locator) -> Entity:
        place = item_place(construct, item)
        root = root_of(place) if place is not None else None
        if root is None:
            raise error_at(item.span, f"'{item.name}' is not a variable")
        return root.variable

    def is_const(self, variable: Entity) -> bool:  # noqa: ARG002 - it has been refused
        return False

    def is_lasting(self, variable: Entity) -> bool:
        return isinstance(variable, Variable) and is_lasting(variable)

    def alignment(self, variable: Entity) -> str:  # noqa: ARG002 - nothing is printed
        return ""

    def code(self, construct: tree.Construct, expr: Expr) -> Code:
        found: Code = next(value for one, value in construct.expressions if one is expr)  # type: ignore[assignment]
        return found

    def reduction(self, construct: tree.Construct, clause: Clause, item: Locator) -> Reduction:
        raise NotImplementedError


_LISTS = _Lists()
