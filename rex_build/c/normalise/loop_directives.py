"""The loops of C's constructs, for the directives in normal form and those that the host sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast, c_generator

from ...base.records import replace
from ...base.spans import SourceSpan
from ...directives.model import Clause, Directive, Expr, ExprClause, TextClause
from ...openmp.host_forms import DISSOLVED, HostLoop, Statement
from ...openmp.kinds import TRANSFORMATIONS
from ..sema import walk
from ..syntax.nodes import OmpConstruct, only_loop, single_statement


def statement_of(node: OmpConstruct) -> Statement:
    """What there is to know of a construct's statement."""

    def number(value: int, span: SourceSpan) -> Expr:
        return Expr(str(value), c_ast.Constant("int", str(value), node.coord), span)

    def inside() -> Iterator[Directive]:
        body = node.body
        return (n.directive for n in walk(body) if isinstance(n, OmpConstruct)) if body is not None else iter(())

    return Statement(lambda most: _loops(node.body, most), inside, number)


def _loops(body: c_ast.Node | None, most: int) -> Sequence[HostLoop]:
    found: list[HostLoop] = []
    while len(found) < most and (loop := only_loop(body)) is not None:
        name, declared = None, isinstance(loop.init, c_ast.DeclList)
        match loop.init:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)) | c_ast.DeclList(decls=[c_ast.Decl(name=name)]):
                pass
        alone = isinstance(single_statement(body), c_ast.For)
        found.append(HostLoop(name, declared, _before(loop), _names(loop.init), _names(loop.cond), alone))
        body = loop.stmt
    return found


def _names(part: c_ast.Node | None) -> frozenset[str]:
    return frozenset(n.name for n in walk(part) if isinstance(n, c_ast.ID)) if part is not None else frozenset()


def _before(loop: c_ast.For) -> str | None:
    """The value that a loop's variable had one iteration before, or None for loops of another form."""
    match loop.next:
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" as op, expr=c_ast.ID(name=name)):
            return f"{name} {'-' if '+' in op else '+'} 1"
        case c_ast.Assignment(op="+=" | "-=" as op, lvalue=c_ast.ID(name=name), rvalue=amount):
            return f"{name} {'-' if op == '+=' else '+'} {c_generator.CGenerator().visit(amount)}"
    return None


def limited(directive: Directive, body: c_ast.Node | None) -> Directive:
    """A loop directive over generated loops, which collapses no more of the original loops than were tiled."""
    generated = _transformed(body)
    if generated is None:
        return directive

    def clause(c: Clause) -> Clause | None:
        if not isinstance(c, ExprClause) or c.name != "collapse" or c.expr is None:
            return c
        if not c.expr.text.isdigit() or int(c.expr.text) <= generated:
            return c
        number = c_ast.Constant("int", str(generated), c.expr.node.coord)
        return replace(c, expr=replace(c.expr, text=str(generated), node=number)) if generated > 1 else None

    return replace(directive, clauses=tuple(new for c in directive.clauses if (new := clause(c)) is not None))


def _transformed(body: c_ast.Node | None) -> int | None:
    """The number of loops that a loop transformation right below generates, or None without a transformation."""
    found: int | None = None
    while isinstance(body, OmpConstruct) and body.directive.name in DISSOLVED:
        directive = body.directive
        if directive.name in TRANSFORMATIONS:
            listed = directive.clause("sizes") or directive.clause("permutation")
            found = 2 if directive.name == "interchange" else 1
            found = listed.text.count(",") + 1 if isinstance(listed, TextClause) else found
        body = body.body
    return found
