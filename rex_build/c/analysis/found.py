"""Finds the constructs of a unit that concern the device."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, collect_errors, error_at, in_source_order
from ...base.records import dataclass, replace
from ...directives.contents import privatised_names
from ...directives.model import ExprClause
from ...directives.parser import refuse_unsupported
from ...openmp.declare_target import DECLARE_TARGET
from ..sema import Sema, Symbol
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches

_DATA = ("target data", "target enter data", "target exit data", "target update")


@dataclass(frozen=True)
class FoundConstruct:
    """A construct that concerns the device, and its function.

    ``private`` are the variables of which host constructs around it make copies.
    """

    function: c_ast.FuncDef
    construct: OmpConstruct
    private: frozenset[Symbol | None]


@dataclass(frozen=True)
class UnitConstructs:
    """The constructs that are lowered and those that stay, in source order.

    ``lowered`` are the regions that become kernels, and the data constructs. ``on_host`` are the regions that stay on
    the host. ``declaring`` are ``declare target`` and similar directives inside functions.
    """

    lowered: tuple[FoundConstruct, ...]
    on_host: tuple[FoundConstruct, ...]
    declaring: tuple[OmpConstruct, ...]

    @property
    def regions(self) -> tuple[FoundConstruct, ...]:
        """The regions that become kernels."""
        return tuple(f for f in self.lowered if f.construct.directive.is_target)

    @property
    def bodies(self) -> tuple[c_ast.Node, ...]:
        """The statements of those regions."""
        return tuple(f.construct.body for f in self.regions if f.construct.body is not None)

    @property
    def data(self) -> tuple[FoundConstruct, ...]:
        """The data constructs."""
        return tuple(f for f in self.lowered if f.construct.directive.name in _DATA)


def find_constructs(unit: ParsedUnit, sema: Sema, left_to_host: Collection[int]) -> UnitConstructs:
    """The unit's constructs. Those at the offsets ``left_to_host``, and those for the parent device, stay on the host.

    Functions with constructs are analysed. Raises InputError for constructs that cannot be read.
    """
    everything = _constructs_of(unit, sema)
    errors: list[Diagnostic] = []
    for item in everything.lowered:
        with collect_errors(errors):
            _check_ancestor(unit, sema, item.construct)
    lowered: list[FoundConstruct] = []
    on_host: list[FoundConstruct] = []
    for item in everything.lowered:
        stays = item.construct.start in left_to_host or _is_for_ancestor(item.construct)
        (on_host if stays else lowered).append(item)
    for item in lowered:
        with collect_errors(errors):
            _check_readable(item.construct)
    if errors:
        raise InputError(in_source_order(errors))
    return replace(everything, lowered=tuple(lowered), on_host=tuple(on_host))


def _constructs_of(unit: ParsedUnit, sema: Sema) -> UnitConstructs:
    """The data constructs and the outermost target constructs of every function, and the declare target directives."""
    found: list[FoundConstruct] = []
    declaring: list[OmpConstruct] = []
    for item in unit.ast.ext:
        if not isinstance(item, c_ast.FuncDef) or item in unit.plain:
            continue
        inner: list[tuple[OmpConstruct, tuple[OmpConstruct, ...]]] = []
        outside = len(declaring)
        stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = [(item.body, ())]
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                directive = node.directive
                if directive.name in DECLARE_TARGET:
                    declaring.append(node)
                if directive.is_target or directive.name in _DATA:
                    inner.append((node, around))
                if directive.is_target:
                    continue
                around = (*around, node)
            stack.extend([(part, around) for part in reversed(branches(node))])
        if inner or len(declaring) > outside:
            sema.analyse(item, on_host=True)
        for construct, around in inner:
            private = (sema.lookup(c, name) for c in around for name in privatised_names(c.directive))
            found.append(FoundConstruct(item, construct, frozenset(private)))
    return UnitConstructs(tuple(found), (), tuple(declaring))


def _is_for_ancestor(construct: OmpConstruct) -> bool:
    """Whether a region asks for the parent device. Outside of target regions that is the host (OpenMP 5.2, 13.2)."""
    clause = construct.directive.clause("device")
    return construct.directive.is_target and isinstance(clause, ExprClause) and clause.modifier == "ancestor"


def _check_ancestor(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError for an ancestor other than the parent device, or without the ``requires`` that it needs."""
    if not _is_for_ancestor(construct):
        return
    clause = construct.directive.clause("device")
    assert isinstance(clause, ExprClause)
    rule = "OpenMP 5.2, section 13.2: device clause, restrictions"
    if clause.expr is not None and sema.value(clause.expr.node) not in (1, None):
        raise error_at(clause.expr.span, "'ancestor' takes 1: the parent device", rule)
    if "reverse_offload" not in unit.requirements:
        raise error_at(clause.span, "'ancestor' needs 'requires reverse_offload'", rule)


def _check_readable(construct: OmpConstruct) -> None:
    if construct.unread is not None:
        raise construct.unread
    refuse_unsupported(construct.directive)


def constructs_in(sema: Sema, node: c_ast.Node) -> Sequence[OmpConstruct]:
    """The OpenMP constructs inside a statement, including the statement itself, in source order."""
    return sema.parts(node).of(OmpConstruct)


def has_leaf(sema: Sema, node: c_ast.Node, *leaves: str) -> bool:
    """Whether a statement contains a construct with one of these leaf constructs."""
    return any(set(c.directive.constructs).intersection(leaves) for c in constructs_in(sema, node))


def nesting(sema: Sema, roots: Sequence[c_ast.Node]) -> dict[OmpConstruct, tuple[OmpConstruct, ...]]:
    """For every construct, the constructs around it, outermost first."""
    around: dict[OmpConstruct, tuple[OmpConstruct, ...]] = {}
    stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = []
    for root in roots:
        if list(found := constructs_in(sema, root)) == [root]:  # there is nothing to look for inside
            around[root] = ()
        elif found:
            stack.append((root, ()))
    while stack:
        node, outer = stack.pop()
        if isinstance(node, OmpConstruct):
            around[node] = outer
            outer = (*outer, node)
        stack += [(part, outer) for part in branches(node)]
    return around
