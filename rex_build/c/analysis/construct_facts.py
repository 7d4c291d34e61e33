"""Reads a construct once: the constructs that are directly nested in it, its clauses, and its private copies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.model import Clause, Expr, Locator, ReductionClause
from ...openmp.chains import chain_of, combined, of_target
from ...openmp.conditions import collapse_depth
from ...openmp.reductions import reduction_of
from ...openmp.sharing import sharing_of
from ...plan.code import Code, Entity
from ...plan.sharing import Reduction, Sharing
from ..sema import Sema, Symbol, free_variables, locals_of
from ..sema.ctype import Array
from ..syntax.nodes import OmpConstruct, single_statement
from .listed import named_symbol
from .reductions import Reduced


@dataclass(frozen=True)
class ConstructFacts:
    """What a construct says.

    ``chain`` is the construct with those directly nested in it that mean the same as one combined construct. ``leaves``
    are the leaf constructs of the chain, ``body`` is its statement, and ``sharing`` is what its clauses say.
    """

    chain: tuple[OmpConstruct, ...]
    leaves: tuple[str, ...]
    body: c_ast.Node
    sharing: Sharing

    @property
    def construct(self) -> OmpConstruct:
        """The outermost of the chain."""
        return self.chain[0]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of the whole chain, outermost first."""
        return [c for part in self.chain for c in part.directive.clauses]


class ConstructTable:
    """The constructs of a unit. The facts of each are computed when they are first asked for, and then looked up."""

    def __init__(self, sema: Sema) -> None:
        self.sema = sema
        self._sharing: dict[tuple[OmpConstruct, bool], Sharing] = {}
        self._facts: dict[tuple[OmpConstruct, bool], ConstructFacts] = {}
        self._locals: dict[OmpConstruct, frozenset[Symbol]] = {}

    def locals(self, construct: OmpConstruct) -> frozenset[Symbol]:
        """The variables that are declared in a construct's statement."""
        if construct not in self._locals:
            body = construct.body
            self._locals[construct] = frozenset(locals_of(self.sema, body) if body is not None else ())
        return self._locals[construct]

    def sharing(self, construct: OmpConstruct, *, typed: bool = True) -> Sharing:
        """The private copies that a construct's own clauses ask for.

        If it is not ``typed``, of reductions only the variables are known.
        """
        key = construct, typed
        if key not in self._sharing:
            self._sharing[key] = sharing_of(Constructs(self), construct, typed=typed)
        return self._sharing[key]

    def sharing_of_chain(self, chain: Sequence[OmpConstruct], *, typed: bool = True) -> Sharing:
        """The private copies that the clauses of directly nested constructs ask for together."""
        return combined([self.sharing(c, typed=typed) for c in chain])

    def of_target(self, chain: Sequence[OmpConstruct]) -> frozenset[Entity]:
        """The copies that only the ``target`` construct of a region makes."""
        return of_target(Constructs(self), chain)

    def facts(self, construct: OmpConstruct, *, typed: bool = True) -> ConstructFacts:
        """The facts of a construct with a statement, together with the constructs directly nested in it."""
        key = construct, typed
        if key not in self._facts:
            self._facts[key] = self._combine(construct, typed)
        return self._facts[key]

    def _combine(self, construct: OmpConstruct, typed: bool) -> ConstructFacts:
        chain, sharing = chain_of(Constructs(self, typed), construct)
        leaves = tuple(leaf for part in chain for leaf in part.directive.constructs)
        body = chain[-1].body
        assert body is not None
        return ConstructFacts(tuple(chain), leaves, body, sharing)


class Constructs:
    """C's constructs and variables, for the decisions of both languages."""

    def __init__(self, table: ConstructTable, typed: bool = True) -> None:
        self._table, self._typed, self.sema = table, typed, table.sema

    def inner(self, construct: OmpConstruct) -> OmpConstruct | None:
        inner = single_statement(construct.body) if construct.body is not None else None
        return inner if isinstance(inner, OmpConstruct) and inner.body is not None else None

    def sharing(self, construct: OmpConstruct) -> Sharing:
        return self._table.sharing(construct, typed=self._typed)

    def used(self, construct: OmpConstruct, *, clauses: bool = True) -> Collection[Symbol]:
        part = construct if clauses else construct.body
        return [r.symbol for r in free_variables(self.sema, part)] if part is not None else []

    def variable(self, construct: OmpConstruct, item: Locator) -> Symbol:
        return named_symbol(self.sema, construct, item)

    def is_const(self, variable: Entity) -> bool:
        kind = variable.type
        while isinstance(kind, Array):
            kind = kind.of
        return "const" in kind.quals

    def is_lasting(self, variable: Entity) -> bool:
        return isinstance(variable, Symbol) and (variable.is_global or variable.has_static_storage)

    def code(self, construct: OmpConstruct, expr: Expr) -> Code:
        node: Code = expr.node
        return node

    def reduction(self, construct: OmpConstruct, clause: ReductionClause, item: Locator) -> Reduction:
        return reduction_of(Reduced(self.sema, construct), clause, item)


def collapse_of(sema: Sema, facts: ConstructFacts) -> int:
    """The number of loops that belong to a construct. Raises InputError if it is no positive constant."""
    return collapse_depth(facts.clauses, lambda expr: sema.value(expr.node))
