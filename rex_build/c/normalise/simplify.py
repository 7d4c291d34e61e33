"""Replaces directives in the tree by others that mean the same, so that later stages have to know fewer directives.

``loop`` becomes ``distribute parallel for``, ``for`` or ``simd``, according to its binding. Combined constructs for
which no single kernel is made become nested ones. The parts of ``sections`` become statements. Directives that only
advise the compiler are removed. Source: OpenMP 5.2, sections 6.5, 8.3.3, 8.4, 9.1, 9.2, 11.3, 11.7 and 17.3.
"""

from __future__ import annotations

from collections.abc import Container

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...base.records import replace
from ...directives.combined import split
from ...directives.model import Directive
from ...directives.parser import check_on_device, refuse_unsupported
from ...openmp.host_forms import DISSOLVED, Around, with_counted_ordered, without_imperfect
from ...openmp.older_spellings import bound_loop, plain_linear, spread_loop
from ..syntax.nodes import OmpConstruct, branches, single_statement
from .host_forms import HostForms, limited, statement_of


def simplify(tree: c_ast.FileAST, host: HostForms, tolerant: bool = False, plain: Container[c_ast.Node] = ()) -> None:
    """Rewrite every function of ``tree`` in place, and decide the host forms of its directives on the way.

    Those that are ``plain`` have no directives.

    Raises InputError for malformed clauses of directives that are removed. With ``tolerant``, these stay and are
    unread.
    """
    simplifier = _Simplifier(host, tolerant)
    for number, item in enumerate(tree.ext):
        if isinstance(item, c_ast.FuncDef) and item not in plain:
            simplifier.visit(item.body, Around())
        elif isinstance(item, OmpConstruct) and item.directive.name == "allocate":
            host.allocate(item, tree.ext[:number])


class _Simplifier:
    def __init__(self, host: HostForms, tolerant: bool) -> None:
        self.host = host
        self.tolerant = tolerant

    def visit(self, node: c_ast.Node, around: Around) -> None:
        """Rewrite everything below ``node``."""
        if isinstance(node, c_ast.Compound) and node.block_items:
            node.block_items = self._items(node.block_items, around)
        elif isinstance(node, (c_ast.Case, c_ast.Default)) and node.stmts:
            node.stmts = self._items(node.stmts, around)
        else:
            # Expressions may be thousands of operators deep, and this looks only for statements.
            stack = branches(node)
            while stack:
                inner = stack.pop()
                if isinstance(inner, (c_ast.Compound, c_ast.Case, c_ast.Default)):
                    self.visit(inner, around)
                else:
                    stack += branches(inner)

    def _items(self, items: list[c_ast.Node], around: Around) -> list[c_ast.Node]:
        out = []
        for number, item in enumerate(items):
            if isinstance(item, OmpConstruct) and item.directive.name == "allocate":
                self.host.allocate(item, items[:number])
            elif isinstance(item, OmpConstruct):
                new = self._construct(item, around)
                if new is not None:
                    out.append(new)
            else:
                self.visit(item, around)
                out.append(item)
        return out

    def _construct(self, node: OmpConstruct, around: Around) -> c_ast.Node | None:
        """The replacement of a construct: a simpler construct, its body, or nothing."""
        if node.unread is not None:
            return node
        try:
            return self._simplified(node, around)
        except InputError as error:
            if not self.tolerant:
                raise
            node.unread = error
            return node

    def _simplified(self, node: OmpConstruct, around: Around) -> c_ast.Node | None:
        if node.directive.name == "nothing":
            return None
        self.host.decide(node, around)
        if node.directive.name in ("dispatch", *DISSOLVED):  # a dispatched call already names its variant
            check_on_device(node.directive)
            if node.directive.name in DISSOLVED:
                refuse_unsupported(node.directive)
            return self._below(node.body, around)
        node.directive = directive = _normal(node, around.constructs)
        if directive.constructs == ("sections",) and isinstance(node.body, c_ast.Compound):
            node.body = _grouped(node, node.body)  # of a combined construct: when it is split
        if (directives := split(directive)) is not None:
            node = _in_two(node, directives)
        if node.body is not None:
            if node.directive.constructs == ("target",):
                only = single_statement(node.body)
                if isinstance(only, OmpConstruct) and only.unread is None:
                    only.directive = spread_loop(only.directive)
            node.body = self._below(node.body, around.below(node.directive, statement_of(node)))
        return node

    def _below(self, body: c_ast.Node | None, around: Around) -> c_ast.Node:
        if isinstance(body, OmpConstruct):
            return self._construct(body, around) or c_ast.EmptyStatement(body.coord)
        if body is None:
            return c_ast.EmptyStatement()
        self.visit(body, around)
        return body


def _normal(node: OmpConstruct, around: tuple[str, ...]) -> Directive:
    """The directive of a construct in fewer words, before the construct is split."""
    directive = plain_linear(node.directive)
    if "loop" in directive.constructs:
        directive = bound_loop(directive, around)
    statement = statement_of(node)
    return with_counted_ordered(limited(without_imperfect(directive, statement), node.body), statement)


def _grouped(node: OmpConstruct, body: c_ast.Compound) -> c_ast.Compound:
    """A ``sections`` block with a ``section`` construct for each section. The user may omit the first directive."""
    groups: list[OmpConstruct] = []
    plain = replace(node.directive, name="section", constructs=("section",), clauses=(), text="section", arguments=())
    for item in body.block_items or ():
        if isinstance(item, OmpConstruct) and item.directive.name == "section" and item.body is None:
            item.body = c_ast.Compound([], item.coord)
            groups.append(item)
            continue
        if not groups:
            groups.append(OmpConstruct(plain, c_ast.Compound([], body.coord), node.start, body.coord))
        inside = groups[-1].body
        assert isinstance(inside, c_ast.Compound)
        inside.block_items.append(item)
    return c_ast.Compound(groups, body.coord)


def _in_two(node: OmpConstruct, directives: tuple[Directive, Directive]) -> OmpConstruct:
    """``parallel sections`` as ``parallel`` with ``sections`` inside."""
    outer, inner = directives
    inside = OmpConstruct(inner, node.body, node.start, node.coord)
    whole = OmpConstruct(outer, inside, node.start, node.coord)
    whole.on_host = node.on_host or node.directive
    return whole
