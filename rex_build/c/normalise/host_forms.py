"""Decides the host forms of directives: what the host compiler sees in place of the user's directive.

A directive needs one if the host compiler, or LLVM's runtime under it, does not do what the user wrote. There is one
form for each directive, which is decided while the tree is brought to normal form. The analysis of a target region
completes the forms of the constructs in it, for its host version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from pycparser import c_ast, c_generator
from pycparser.c_parser import ParseError

from ...base.diagnostics import InputError, Replacement, SourceSpan, error_at
from ...base.patterns import regex
from ...base.records import replace
from ...directives.arguments import check_alignment
from ...directives.model import GONE, Clause, Directive, Expr, ExprClause, HostForm, TextClause
from ...directives.parser import check_lowered
from ...openmp.host_forms import DISSOLVED, Around, HostLoop, Statement, host_form
from ...openmp.launch import TRANSFORMATIONS
from ...openmp.older_spellings import older_form
from ...openmp.reductions import SECTION, declared_reduction
from ...openmp.restrictions import requirements_of
from ..sema import Sema, walk
from ..source.tokens import braces_around
from ..syntax.nodes import OmpConstruct, ParsedUnit, UserReduction, branches, only_loop, place_nodes, single_statement


class HostForms:
    """The forms decided so far, by the offsets of their pragmas, and other replacements in the host's text.

    ``chosen`` has the directives that metadirectives stand for on the host, or None for ``nothing``.
    """

    def __init__(
        self,
        text: str,
        chosen: Mapping[int, Directive | None],
        forms: Mapping[int, HostForm],
        fresh: Callable[[str], str],
    ) -> None:
        self.text = text
        self.fresh = fresh
        self.chosen = chosen
        self.decided: dict[int, HostForm | None] = dict(forms)  # None means as the user wrote it
        self.replacements: list[Replacement] = []

    @property
    def forms(self) -> dict[int, HostForm]:
        """All forms that differ from what the user wrote."""
        return {start: form for start, form in self.decided.items() if form is not None}

    def decide(self, node: OmpConstruct, around: Around) -> None:
        """Decide the form of a construct that is not yet in normal form.

        The parts of a construct that was split have their forms already. Raises InputError for wrong clauses.
        """
        if node.start in self.decided:
            return
        directive = self.chosen.get(node.start, node.directive)
        if directive is not None and directive.association == "loop":
            self.replacements += braces_around(self.text, self.text.index("\n", node.start))
        self.decided[node.start] = HostForm(directive) if node.start in self.chosen else None
        form = self.decided[node.start] = self._form(node, directive, around)
        if directive is not node.directive and form is not None:
            node.on_host = form.directive

    def decide_the_rest(self) -> None:
        """Decide the forms of metadirectives that are no construct in the tree, as they mean nothing on the device."""
        for start, directive in self.chosen.items():
            if directive is None:
                self.decided.setdefault(start, GONE)
                continue
            with suppress(InputError):  # it stays as it is, and the host compiler reports it
                self.decide(OmpConstruct(directive, None, start), Around())

    def _form(self, node: OmpConstruct, directive: Directive | None, around: Around) -> HostForm | None:
        if directive is None:
            return GONE
        form = host_form(directive, statement_of(node), around, self.fresh)
        if form is None and node.start in self.chosen:
            form = HostForm(directive)
        if form is not None:  # otherwise the host compiler would complain about generated text
            _check_clauses(directive)
        return form

    def allocate(self, node: OmpConstruct, before: Sequence[c_ast.Node]) -> None:
        """Replace ``allocate(list)``, which gcc 12 does not know. The variables stay, with the alignment it asks for.

        ``before`` are the items before it in the same scope. Source: OpenMP 5.2, section 6.5.
        """
        check_lowered(node.directive)
        _check_clauses(node.directive)
        self.decided[node.start] = GONE
        align = node.directive.clause("align")
        if not isinstance(align, ExprClause) or align.expr is None:
            return
        check_alignment(align.expr.text, align.span)
        declared = {item.name: item for item in before if isinstance(item, c_ast.Decl)}
        for variable in node.directive.arguments:
            declaration = declared.get(variable.name)
            end = self._declarator_end(declaration) if declaration is not None else None
            if declaration is None or end is None:
                raise error_at(variable.span, f"no declaration of '{variable.name}' before it in the same scope")
            declaration.align = [*(declaration.align or ()), c_ast.Alignas(align.expr.node, align.expr.node.coord)]
            self.replacements.append(Replacement(end, end, f"__attribute__((__aligned__({align.expr.text})))"))

    def _declarator_end(self, declaration: c_ast.Decl) -> int | None:
        """The offset after a declarator, where attributes go, or None if the name is in parentheses."""
        line, column = declaration.coord.line, declaration.coord.column
        at: int = sum(len(text) + 1 for text in self.text.split("\n")[: line - 1]) + column - 1
        depth = 0
        while at < len(self.text):
            here = self.text[at]
            depth += (here in "([") - (here in ")]")
            if depth < 0:
                return None
            if depth == 0 and here in ",;=":
                return at
            at += 1
        return None


def _check_clauses(directive: Directive) -> None:
    """Raise the error of a clause that cannot be read."""
    for clause in directive.clauses:
        if isinstance(clause, TextClause) and clause.error is not None:
            raise clause.error


# Reads ``requires`` directives, and other directives at file scope that apply to the whole unit.

def read_requirements(tree: c_ast.FileAST, fresh: Callable[[str], str]) -> tuple[dict[str, str], dict[int, HostForm]]:
    """(the clauses of ``requires`` directives with their keywords, the host's forms of directives at file scope).

    The forms are by the directives' offsets. Host compilers without offloading refuse some clauses of ``requires``, so
    they see only the memory order of atomics. Raises InputError for malformed directives.
    """
    forms: dict[int, HostForm] = {}
    constructs = [item for item in tree.ext if isinstance(item, OmpConstruct)]
    asked = [item.directive for item in constructs if item.directive.name == "requires"]
    found = requirements_of(asked, partial(_constant, tree))
    for item in constructs:
        directive = item.directive
        if directive.name == "requires":
            order = found.get("atomic_default_mem_order") if directive.has("atomic_default_mem_order") else None
            order = {"acquire": "acq_rel", "release": "acq_rel"}.get(order or "", order)  # too new for host compilers
            text = f"requires atomic_default_mem_order({order})"
            forms[item.start] = HostForm(replace(directive, text=text)) if order else GONE
        elif directive.name.endswith("assumes"):
            forms[item.start] = GONE
        elif (older := older_form(directive, fresh)) is not None:
            forms[item.start] = older
    return found, forms


def _constant(tree: c_ast.FileAST, expr: Expr) -> int | None:
    sema = Sema(tree)
    with suppress(InputError):
        sema.analyse(expr.node)
        return sema.value(expr.node)
    return None


# Turns ``fprintf`` to the standard streams into ``printf`` for device code, which has only the program's stdout.
#
# Device code is made from the tree. The host's text is not changed.

_MENTIONED = regex(r"\b(?:fprintf|fputs)\s*\([^;]*\b(?:stdout|stderr)\b")


def use_one_stream(tree: c_ast.FileAST, text: str) -> None:
    """Rewrite the calls in the functions of ``tree``; ``text`` is the preprocessed text."""
    if not _MENTIONED.search(text):
        return
    stack: list[c_ast.Node] = [item.body for item in tree.ext if isinstance(item, c_ast.FuncDef)]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.args is not None:
            arguments = node.args.exprs
            if node.name.name == "fprintf" and _is_standard(arguments[0]):
                node.name.name = "printf"
                node.args.exprs = arguments[1:]
            elif node.name.name == "fputs" and len(arguments) == 2 and _is_standard(arguments[1]):
                node.name.name = "printf"
                node.args.exprs = [c_ast.Constant("string", '"%s"', node.coord), arguments[0]]
        stack += branches(node)


def _is_standard(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.ID) and node.name in ("stdout", "stderr")


# Turns combiners and initialisers of ``declare reduction`` (OpenMP 5.2, section 5.5.11) into C functions in the tree.
#
# Types, conversions and calls in these functions are then handled as everywhere else.

def declare_reductions(unit: ParsedUnit, parse: Callable[[str], c_ast.FileAST]) -> tuple[UserReduction, ...]:
    """Add the functions of every ``declare reduction`` to the unit's tree.

    ``parse`` parses C text in which the unit's type names are known. Raises InputError for malformed directives.
    """
    found: list[UserReduction] = []
    items: list[c_ast.Node] = []
    for item in unit.ast.ext:
        for node in _directives(item) if item not in unit.plain else ():
            for reduction, functions in _reductions(node, len(found), parse):
                found.append(reduction)
                items += functions  # visible from here, or from this function on
        items.append(item)
    unit.ast.ext = items
    return tuple(found)


def _directives(item: c_ast.Node) -> list[OmpConstruct]:
    """The ``declare reduction`` directives in an item of the file, which may be one itself."""
    out = []
    stack = [item] if isinstance(item, (OmpConstruct, c_ast.FuncDef)) else []
    while stack:
        node = stack.pop()
        if isinstance(node, OmpConstruct) and node.directive.name == "declare reduction":
            out.append(node)
        stack += branches(node)
    return out


def _reductions(
    node: OmpConstruct, first: int, parse: Callable[[str], c_ast.FileAST]
) -> list[tuple[UserReduction, list[c_ast.Node]]]:
    directive = node.directive
    declared = declared_reduction(directive)
    out = []
    for number, kind in enumerate(declared.types, first):
        names = [f"__rex_reduction_{number}_{part}" for part in ("combine", "initialise", "uses")]
        reduction = UserReduction(declared.identifier, names[0], names[1], names[2], declared.reads_original)
        combine, initialise = declared.statements(kind, "__rex_", "= {0}")
        text = (
            f"static void {reduction.combine}({kind} *__rex_out, {kind} *__rex_in) {{ {combine} }}\n"
            f"static void {reduction.initialise}({kind} *__rex_priv, {kind} *__rex_orig) {{ {initialise} }}\n"
            f"static void {reduction.uses}(void) {{ {reduction.combine}; {reduction.initialise}; }}\n"
        )
        try:
            functions = parse(text).ext[-3:]
        except ParseError:
            raise error_at(directive.span, f"malformed 'declare reduction' for '{kind}'", SECTION) from None
        for function in functions:
            place_nodes(function, node.coord)
        out.append((reduction, functions))
    return out


# The loops of C's constructs, for the directives in normal form and those that the host sees.


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
