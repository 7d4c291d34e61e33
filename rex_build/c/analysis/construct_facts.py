"""Reads a construct once: the constructs that are directly nested in it, its clauses, and its private copies."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import dataclass
from ...directives.model import Clause, Expr, ExprClause
from ...directives.parser import check_on_device, refuse_unsupported
from ...plan.sharing import Sharing
from ..sema import Sema, Symbol, assignments, free_variables, locals_of
from ..syntax.nodes import OmpConstruct, single_statement
from ..syntax.parser import Assembly
from .sharing import combined, sharing_of

LOOP_LEAVES = frozenset({"for", "distribute", "simd", "taskloop"})
_FOLLOWS = {
    "target": {"teams", "parallel", "simd", "loop"},
    "teams": {"distribute", "loop"},
    "parallel": {"for", "loop"},
    "distribute": {"parallel", "simd"},
    "for": {"simd"},
}


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

    @property
    def has_loop(self) -> bool:
        """Whether the construct has associated loops."""
        return not LOOP_LEAVES.isdisjoint(self.leaves)

    def expression(self, clause_name: str) -> Expr | None:
        """The expression of the first clause of that name."""
        return next((c.expr for c in self.clauses if isinstance(c, ExprClause) and c.name == clause_name), None)

    def check_supported(self) -> None:
        """Raise InputError if an inner construct of the chain has clauses that devices do not support."""
        for inner in self.chain[1:]:
            check_on_device(inner.directive)
            refuse_unsupported(inner.directive)


class ConstructTable:
    """The constructs of a unit. The facts of each are computed when they are first asked for, and then looked up."""

    def __init__(self, sema: Sema) -> None:
        self.sema = sema
        self._sharing: dict[tuple[OmpConstruct, bool], Sharing] = {}
        self._facts: dict[tuple[OmpConstruct, bool], ConstructFacts] = {}
        self._locals: dict[OmpConstruct, frozenset[Symbol]] = {}
        self._unaddressed: dict[c_ast.FuncDef, frozenset[Symbol]] = {}

    def locals(self, construct: OmpConstruct) -> frozenset[Symbol]:
        """The variables that are declared in a construct's statement."""
        if construct not in self._locals:
            body = construct.body
            self._locals[construct] = frozenset(locals_of(self.sema, body) if body is not None else ())
        return self._locals[construct]

    def unaddressed(self, function: c_ast.FuncDef) -> frozenset[Symbol]:
        """The local objects of a function to which no pointer can lead, because nothing takes their addresses."""
        if function not in self._unaddressed:
            sema, body = self.sema, function.body
            own = {*locals_of(sema, body), *sema.parameters(function)}
            addressed = assignments(sema, body).address_taken
            if sema.parts(body).of(Assembly):  # its operands are not in the tree
                own.clear()
            found = (s for s in own if s.is_variable and not s.has_static_storage and s not in addressed)
            self._unaddressed[function] = frozenset(found)
        return self._unaddressed[function]

    def sharing(self, construct: OmpConstruct, *, with_reductions: bool = True) -> Sharing:
        """The private copies that a construct's own clauses ask for.

        Without ``with_reductions``, reductions are left out, and those that devices do not have are not refused.
        """
        key = construct, with_reductions
        if key not in self._sharing:
            self._sharing[key] = sharing_of(self.sema, construct, with_reductions=with_reductions)
        return self._sharing[key]

    def sharing_of_chain(self, chain: Sequence[OmpConstruct], *, with_reductions: bool = True) -> Sharing:
        """The private copies that the clauses of directly nested constructs ask for together."""
        return combined([self.sharing(c, with_reductions=with_reductions) for c in chain])

    def facts(self, construct: OmpConstruct, *, with_reductions: bool = True) -> ConstructFacts:
        """The facts of a construct with a statement, together with the constructs directly nested in it."""
        key = construct, with_reductions
        if key not in self._facts:
            self._facts[key] = self._combine(construct, with_reductions)
        return self._facts[key]

    def _combine(self, construct: OmpConstruct, with_reductions: bool) -> ConstructFacts:
        chain, leaves = [construct], list(construct.directive.constructs)
        assert construct.body is not None
        body, sharing = construct.body, self.sharing(construct, with_reductions=with_reductions)
        while True:
            inner = single_statement(body)
            if not isinstance(inner, OmpConstruct) or inner.body is None:
                break
            if inner.directive.constructs[0] not in _FOLLOWS.get(leaves[-1], ()):
                break
            inside = self.sharing(inner, with_reductions=with_reductions)
            if not self._combines(leaves[-1], sharing, inner, inside):
                break
            chain.append(inner)
            leaves += inner.directive.constructs
            body, sharing = inner.body, self.sharing_of_chain(chain, with_reductions=with_reductions)
        return ConstructFacts(tuple(chain), tuple(leaves), body, sharing)

    def _combines(self, last_leaf: str, outer: Sharing, inner: OmpConstruct, inside: Sharing) -> bool:
        """Whether a construct and the one in it mean the same as one combined construct.

        A variable that is private to the outer level and shared by the inner one needs storage for each team. But a
        variable that ``target`` itself copies is one variable for all teams, which the host can make.
        """
        if last_leaf == "target" and not (outer.private and inner.directive.constructs[0] != "teams"):
            return True
        kept = {*outer.private, *outer.firstprivate, *(r.symbol for r in outer.reductions)}
        used = {r.symbol for r in free_variables(self.sema, inner)}
        return (kept & used) <= inside.named


def collapse_depth(sema: Sema, facts: ConstructFacts) -> int:
    """The number of loops that belong to a construct. Raises InputError if it is no positive constant."""
    depth = 1
    for clause in facts.clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            value = sema.value(clause.expr.node)
            if value is None or value < 1:
                raise error_at(clause.span, "'collapse' takes a positive constant")
            depth = value
    return depth
