"""Reads a construct once: what its clauses mean for the generated code, the constructs that make one with it, and its
private copies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ...base.diagnostics import InternalError
from ...directives.model import Directive, Expr, Locator, ReductionClause
from ...openmp.launch import collapse_depth
from ...openmp.program import chain_of
from ...openmp.reductions import Declared, defaultmap_of, reduction_of, sharing_of
from ...plan.constructs import Code, Entity, Reduction, Sharing
from ..sema import Sema, Symbol, free_variables, locals_of
from ..sema.ctype import CType, Function, Pointer, alignof, strip
from ..sema.type_questions import decay, innermost, is_pointer, is_scalar, is_variably_modified
from ..syntax.nodes import OmpConstruct, UserReduction, single_statement
from .list_items import ListItems, named_symbol


def category_of(kind: CType) -> str:
    """The category of variables of a type for ``defaultmap``."""
    return "pointer" if is_pointer(kind) else "scalar" if is_scalar(kind) else "aggregate"


def implicitly(directive: Directive, kind: CType) -> str | None:
    """How variables of a type are mapped implicitly by the ``defaultmap`` clauses, or None for the default."""
    return defaultmap_of(directive.clauses, category_of(kind))


class ConstructTable:
    """The constructs of a unit. What is to be known of each is found when it is first asked for, and then looked up."""

    def __init__(self, sema: Sema) -> None:
        self.sema = sema
        self._sharing: dict[tuple[OmpConstruct, bool], Sharing] = {}
        self._chains: dict[tuple[OmpConstruct, bool], tuple[Sequence[OmpConstruct], Sharing]] = {}
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

    def chain(self, construct: OmpConstruct, *, typed: bool = True) -> tuple[Sequence[OmpConstruct], Sharing]:
        """(a construct with those directly nested in it that mean the same as one combined construct, their copies)"""
        key = construct, typed
        if key not in self._chains:
            self._chains[key] = chain_of(Constructs(self, typed), construct)
        return self._chains[key]


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
        return "const" in innermost(variable.type).quals

    def is_lasting(self, variable: Entity) -> bool:
        return isinstance(variable, Symbol) and (variable.is_global or variable.has_static_storage)

    def alignment(self, variable: Entity) -> str:
        node = variable.node if isinstance(variable, Symbol) else None
        asked = self.sema.asked_alignment(node) if isinstance(node, c_ast.Decl) else 0
        return str(asked) if asked and asked > alignof(variable.type) else ""

    def code(self, construct: OmpConstruct, expr: Expr) -> Code:
        node: Code = expr.node
        return node

    def reduction(self, construct: OmpConstruct, clause: ReductionClause, item: Locator) -> Reduction:
        return reduction_of(Reduced(self.sema, construct), clause, item)


def collapse_of(sema: Sema, chain: Sequence[OmpConstruct]) -> int:
    """The number of loops that belong to constructs that make one. Raises InputError if it is no positive constant."""
    clauses = (clause for part in chain for clause in part.directive.clauses)
    return collapse_depth(clauses, lambda expr: sema.value(expr.node))


# What C says of the items of reduction clauses.


class Reduced(ListItems):
    """The items of a construct's reduction clauses (see :class:`~rex_build.openmp.reductions.Reduced`)."""

    has_arrays_of_run = True

    def declared(self, clause: ReductionClause, variable: Entity, *, of_elements: bool) -> Declared | None:
        return user_reduction(self.sema, clause.operator, element(variable.type, of_elements=of_elements))

    def combined(self, variable: Entity, *, of_elements: bool) -> tuple[CType, CType, str]:
        """In device code, variable-length arrays are flat."""
        kind, pointer = element(variable.type, of_elements=of_elements), decay(variable.type)
        row = strip(pointer.to) if isinstance(pointer, Pointer) and not is_variably_modified(variable.type) else kind
        return kind, row, str(variable.type)

    def code(self, expr: Expr) -> Code:
        node: Code = expr.node
        return node

    def length(self, variable: Entity) -> Code:
        raise InternalError(f"the compiler alone knows the length of '{variable.name}'")


def element(kind: CType, *, of_elements: bool) -> CType:
    """The type of the elements of an array of arrays, or of what a variable of a type leads to."""
    if of_elements:
        pointer = decay(kind)
        assert isinstance(pointer, Pointer)
        kind = pointer.to
    return strip(innermost(kind))


def user_reduction(sema: Sema, name: str, kind: CType) -> Declared | None:
    """The reduction that the program declares for a type."""
    for declared in sema.user_reductions:
        combine, initialise = sema.file_symbol(declared.combine), sema.file_symbol(declared.initialise)
        found = declared.name == name and combined_type(sema, declared) == kind
        if found and combine is not None and initialise is not None:
            return Declared(combine, initialise, declared.reads_original)
    return None


def combined_type(sema: Sema, declared: UserReduction) -> CType | None:
    """The type of what a reduction's combiner combines."""
    combine = sema.file_symbol(declared.combine)
    pointer = combine.type.params[0] if combine is not None and isinstance(combine.type, Function) else None
    return strip(pointer.to) if isinstance(pointer, Pointer) else None


def reduction_functions(sema: Sema, construct: OmpConstruct) -> list[str]:
    """The functions of the combiners and initialisers that a construct's clauses may use."""
    asked = {c.operator for c in construct.directive.clauses if isinstance(c, ReductionClause)}
    return [declared.uses for declared in sema.user_reductions if declared.name in asked]
