"""Directives that say what other directives say, replaced by those in the tree, so that fewer have to be understood.

``loop`` becomes ``distribute parallel for``, ``for`` or ``simd`` by what it binds to; combined constructs that no
kernel is made for as a whole become nested ones; the parts of ``sections`` become statements; what only advises the
compiler goes. Where the host compiler may not know what the user wrote, its text is respelled too. Source: OpenMP 5.2,
sections 6.5, 8.3.3, 8.4, 9.1, 9.2, 11.3, 11.7 and 17.3.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...directives.combined import host_spelling, leaf_clauses, spell_clause
from ...directives.model import (
    Clause,
    DependClause,
    Directive,
    Expr,
    ExprClause,
    Index,
    KeywordClause,
    ListClause,
    Locator,
    Member,
    TextClause,
    conditional,
)
from ...directives.parser import check_on_device, refuse_unsupported
from ..rewrite.loop_transformations import TRANSFORMATIONS
from ..sema import walk
from ..source.extents import statement_end
from ..syntax.nodes import OmpConstruct, only_loop, single_statement
from .older_spellings import (
    SCOPE_END,
    iteration_before,
    older_doacross,
    older_interop,
    older_spelling,
)

HostEdit = tuple[int, int, str]
"""(start, end, text): offsets in the preprocessed text, and what stands there in the host file instead."""

_DISSOLVED = ("assume", *TRANSFORMATIONS)
_INNER = ("sections", "masked", "master", "taskloop")
_BOUND = {"teams": ("distribute", "parallel", "for"), "parallel": ("for",), "thread": ("simd",)}


def simplify(tree: c_ast.FileAST, text: str, tolerant: bool = False) -> list[HostEdit]:
    """Rewrite every function of ``tree`` in place; ``text`` is the preprocessed text.

    Returns the edits that the host file needs. Raises InputError for malformed clauses of directives that go; with
    ``tolerant`` those stay, unread.
    """
    simplifier = _Simplifier(text, tolerant)
    for number, item in enumerate(tree.ext):
        if isinstance(item, c_ast.FuncDef):
            simplifier.visit(item.body, ())
        elif isinstance(item, OmpConstruct) and item.directive.name == "allocate":
            simplifier.allocate(item, tree.ext[:number])
    return simplifier.edits


def read_requirements(tree: c_ast.FileAST, text: str) -> tuple[dict[str, str], list[HostEdit]]:
    """(clauses of the unit's ``requires`` directives with their keywords, edits for the host file).

    Host compilers without offloading refuse some of them; only the memory order of atomics is left for them to see.
    Raises InputError for malformed directives.
    """
    found: dict[str, str] = {}
    edits: list[HostEdit] = []
    for item in tree.ext:
        older = older_spelling(item.directive) if isinstance(item, OmpConstruct) else None
        if older is not None:
            edits.append((item.start, text.index("\n", item.start), older))
        if isinstance(item, OmpConstruct) and item.directive.name.endswith("assumes"):
            edits.append((item.start, text.index("\n", item.start), ""))
        if not isinstance(item, OmpConstruct) or item.directive.name != "requires":
            continue
        check_on_device(item.directive)
        refuse_unsupported(item.directive)
        for clause in item.directive.clauses:
            if not isinstance(clause, ExprClause) or _is_true(tree, clause):
                found[clause.name] = clause.value if isinstance(clause, KeywordClause) else "1"
        order = found.get("atomic_default_mem_order") if item.directive.has("atomic_default_mem_order") else None
        order = {"acquire": "acq_rel", "release": "acq_rel"}.get(order or "", order)  # newer than host compilers
        left = f"#pragma omp requires atomic_default_mem_order({order})" if order else ""
        edits.append((item.start, text.index("\n", item.start), left))
    return found, edits


def _is_true(tree: c_ast.FileAST, clause: ExprClause) -> bool:
    """Whether a clause asks for what it names: without an argument, or with one that is a constant other than zero."""
    if clause.expr is None or clause.expr.text in ("true", "false"):
        return clause.expr is None or clause.expr.text == "true"
    from ..sema import Sema  # is built on what this module changes

    sema = Sema(tree)
    try:
        sema.analyse(clause.expr.node)
        value = sema.value(clause.expr.node)
    except InputError:
        value = None
    if value is None:
        raise error_at(clause.expr.span, f"'{clause.name}' takes a constant", "OpenMP 5.2, section 8.2")
    return value != 0


class _Simplifier:
    def __init__(self, text: str, tolerant: bool) -> None:
        self.text = text
        self.tolerant = tolerant
        self.edits: list[HostEdit] = []
        self.previous: str | None = None  # the iteration before, in the loop around that doacross orders

    def visit(self, node: c_ast.Node, enclosing: tuple[str, ...]) -> None:
        """Rewrite what is below ``node``. ``enclosing`` are the leaf constructs around it, outermost first."""
        if isinstance(node, c_ast.Compound) and node.block_items:
            node.block_items = self._items(node.block_items, enclosing)
        elif isinstance(node, (c_ast.Case, c_ast.Default)) and node.stmts:
            node.stmts = self._items(node.stmts, enclosing)
        else:
            # Expressions may be thousands of operators deep; what is looked for stands in the statements below.
            stack = [child for _, child in node.children()]
            while stack:
                inner = stack.pop()
                if isinstance(inner, (c_ast.Compound, c_ast.Case, c_ast.Default)):
                    self.visit(inner, enclosing)
                else:
                    stack.extend(child for _, child in inner.children())

    def _items(self, items: list[c_ast.Node], enclosing: tuple[str, ...]) -> list[c_ast.Node]:
        out = []
        for number, item in enumerate(items):
            if isinstance(item, OmpConstruct) and item.directive.name == "allocate":
                self.allocate(item, items[:number])
            elif isinstance(item, OmpConstruct):
                new = self._construct(item, enclosing)
                if new is not None:
                    out.append(new)
            else:
                self.visit(item, enclosing)
                out.append(item)
        return out

    def _construct(self, node: OmpConstruct, enclosing: tuple[str, ...]) -> c_ast.Node | None:
        """What stands for a construct: a simpler one, its body, or nothing."""
        if node.unread is not None:
            return node
        try:
            return self._simplified(node, enclosing)
        except InputError as error:
            if not self.tolerant:
                raise
            node.unread = error
            return node

    def _simplified(self, node: OmpConstruct, enclosing: tuple[str, ...]) -> c_ast.Node | None:
        directive = node.directive
        if directive.name == "nothing":
            return None
        older = older_spelling(directive)
        if older is not None:
            check_on_device(directive)
            self._respell(node, older)
        if directive.name == "error":
            self._error(node)
        if directive.name == "task" and directive.has("detach"):
            self._detach(node)
        if directive.name == "ordered" and directive.has("doacross"):
            check_on_device(directive)
            self._respell(node, older_doacross(directive, self.previous))
        if directive.name == "interop" and "target" not in enclosing:
            check_on_device(directive)
            self._respell(node, older_interop(directive))
        if directive.name == "dispatch":
            check_on_device(directive)
            return self._below(node.body, enclosing)  # the call says by now which variant it is
        if directive.name in _DISSOLVED:
            check_on_device(directive)
            refuse_unsupported(directive)
            self._respell(node, "")
            return self._below(node.body, enclosing)
        plain = _plain_linear(directive)
        if plain is not None:
            node.directive = directive = plain
            self._respell(node, f"#pragma omp {directive.text}")
        if ("for" in directive.constructs and directive.has_scan) or _has_conditional(directive):
            self._on_one_thread(node)
        if "loop" in directive.constructs:
            node.directive = directive = _bound_loop(directive, enclosing)
        if "sections" in directive.constructs and isinstance(node.body, c_ast.Compound):
            node.body = _grouped(node, node.body)
        imperfect = _without_imperfect(directive, node.body)
        if imperfect is not None:
            node.directive = directive = imperfect
            self._respell(node, " ".join(["#pragma omp", directive.name, *map(spell_clause, directive.clauses)]))
        inner = _transformed(node.body)
        if inner is not None:
            node.directive = directive = _limited(directive, inner)
        at = next((i for i, leaf in enumerate(directive.constructs) if i > 0 and leaf in _INNER), None)
        if directive.is_target and at is not None:  # what the host runs is made from the whole
            self._respell(node, f"#pragma omp {host_spelling(directive)}")
        if at is not None:
            node = _split(node, at)
            directive = node.directive
        if node.body is not None:
            if directive.constructs == ("target",):
                _spread(single_statement(node.body))
            around = self.previous
            if directive.has("ordered"):
                self._count_ordered(node)
                self.previous = iteration_before(node.body) if _loops(node.directive, "ordered", 0) < 2 else None
            node.body = self._below(node.body, (*enclosing, *directive.constructs))
            self.previous = around
        if older is not None and directive.name == "scope" and not older.startswith("#"):
            end = statement_end(self.text, self.text.index("\n", node.start))
            self.edits.append((end, end, SCOPE_END))
        return node

    def _count_ordered(self, node: OmpConstruct) -> None:
        """``ordered`` as ``ordered(1)`` where ``doacross`` needs it: gcc 12 knows that with a parameter only."""
        directive = node.directive
        clause = directive.clause("ordered")
        if not isinstance(clause, ExprClause) or clause.expr is not None or directive.has("collapse"):
            return
        inside = (n.directive for n in walk(node) if isinstance(n, OmpConstruct))
        if any(inner.name == "ordered" and inner.has("doacross") for inner in inside):
            one = replace(clause, expr=Expr("1", c_ast.Constant("int", "1", node.coord), clause.span))
            clauses = tuple(one if c is clause else c for c in directive.clauses)
            text = " ".join([directive.name, *map(spell_clause, clauses)])
            node.directive = replace(directive, clauses=clauses, text=text)
            self._respell(node, f"#pragma omp {host_spelling(node.directive) if directive.is_target else text}")

    def _detach(self, node: OmpConstruct) -> None:
        """``task detach(event)``: the task without it, and an empty one, complete when the event is fulfilled, on which
        whatever depends on the first one depends as well. Source: OpenMP 5.2, section 12.5.2."""
        directive = node.directive
        check_on_device(directive)
        event = directive.clause("detach")
        assert isinstance(event, ExprClause)
        assert event.expr is not None
        rows = []
        for clause in directive.all("depend"):
            assert isinstance(clause, DependClause)
            kind = _DEPENDENCES.get(clause.kind)
            if kind is None or clause.iterators:
                raise error_at(clause.span, "'detach' is not supported beside iterators and depend objects")
            rows += [f"{{&{_first_element(item)}, 1, {kind}}}" for item in clause.items]
        clauses = [spell_clause(c) for c in directive.clauses if c.name != "detach"]
        start = [
            "{ static struct rex_location __rex_location = {0, 2, {0, 0}, 0};",
            f"void *__rex_completion = rex_completion_task(&__rex_location, &{event.expr.text});",
            " ".join(["#pragma omp task", *clauses]),
        ]
        self._respell(node, "\n".join(start))
        end = statement_end(self.text, self.text.index("\n", node.start))
        table = f"const struct rex_dependence __rex_dependences[] = {{{', '.join(rows)}}};\n" if rows else ""
        table_name = "__rex_dependences" if rows else "0"
        call = f"rex_start_task(&__rex_location, __rex_completion, {len(rows)}, {table_name}); }}"
        self.edits.append((end, end, table + call))

    def allocate(self, node: OmpConstruct, before: list[c_ast.Node]) -> None:
        """``allocate(list)``: the variables stay where they are, aligned as asked; gcc 12 knows no such directive.

        ``before`` are the items of the same scope that precede it. Source: OpenMP 5.2, section 6.5.
        """
        check_on_device(node.directive)
        refuse_unsupported(node.directive)
        self._respell(node, "")
        align = node.directive.clause("align")
        if not isinstance(align, ExprClause) or align.expr is None:
            return
        declared = {item.name: item for item in before if isinstance(item, c_ast.Decl)}
        for variable in node.directive.arguments:
            declaration = declared.get(variable.name)
            end = self._declarator_end(declaration) if declaration is not None else None
            if declaration is None or end is None:
                raise error_at(variable.span, f"no declaration of '{variable.name}' before it in the same scope")
            declaration.align = [*(declaration.align or ()), c_ast.Alignas(align.expr.node, align.expr.node.coord)]
            self.edits.append((end, end, f"__attribute__((aligned({align.expr.text})))"))

    def _declarator_end(self, declaration: c_ast.Decl) -> int | None:
        """The offset behind a declarator whose name stands in no parentheses, where attributes go."""
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

    def _error(self, node: OmpConstruct) -> None:
        """``error at(execution)``: LLVM's runtime lacks the entry points that gcc calls."""
        at, severity, message = (node.directive.clause(n) for n in ("at", "severity", "message"))
        if not (isinstance(at, KeywordClause) and at.value == "execution"):
            return
        level = 1 if isinstance(severity, KeywordClause) and severity.value == "warning" else 2
        text = message.expr.text if isinstance(message, ExprClause) and message.expr is not None else "(const char *)0"
        call = f"__kmpc_error((void *)0, {level}, {text});"
        self._respell(node, f"{{ extern void __kmpc_error(void *, int, const char *); {call} }}")

    def _on_one_thread(self, node: OmpConstruct) -> None:
        """A worksharing construct that LLVM's runtime does not do for gcc, or not in order, is one host thread's: with
        ``scan`` or ``lastprivate(conditional:)``. What is lastprivate is that thread's anyway."""
        head = "single"
        takes: tuple[str, ...] = ("private", "firstprivate", "nowait")
        if "parallel" in node.directive.constructs:
            head, takes = "parallel num_threads(1)", ("private", "firstprivate", "shared", "if", "copyin")
        last = {i.name for c in node.directive.all("lastprivate") if isinstance(c, ListClause) for i in c.items}
        clauses = [_without(c, last) for c in node.directive.clauses if c.name in takes]
        clauses = [c for c in clauses if not isinstance(c, ExprClause) or c.modifier in (None, "parallel")]
        clauses = [c for c in clauses if not isinstance(c, ListClause) or c.items]
        own = [name for name in _variables(node) if name not in last] if "simd" not in node.directive.constructs else []
        private = f"private({', '.join(own)})" if own else ""
        self._respell(node, " ".join(["#pragma omp", head, *map(spell_clause, clauses), private]).rstrip())
        stack = [node.body]
        while stack:
            below = stack.pop()
            if isinstance(below, OmpConstruct) and below.directive.name in ("scan", "section", "ordered"):
                self._respell(below, "")
            stack += [child for _, child in below.children()] if below is not None else []

    def _respell(self, node: OmpConstruct, text: str) -> None:
        """Raises InputError for clauses that cannot be read: the host compiler would find fault with text of ours."""
        for clause in node.directive.clauses:
            if isinstance(clause, TextClause) and clause.error is not None:
                raise clause.error
        self.edits.append((node.start, self.text.index("\n", node.start), text))

    def _below(self, body: c_ast.Node | None, enclosing: tuple[str, ...]) -> c_ast.Node:
        if isinstance(body, OmpConstruct):
            return self._construct(body, enclosing) or c_ast.EmptyStatement(body.coord)
        if body is None:
            return c_ast.EmptyStatement()
        self.visit(body, enclosing)
        return body


def _without(clause: Clause, names: set[str]) -> Clause:
    """A clause without the list items of these names."""
    if not isinstance(clause, ListClause):
        return clause
    return replace(clause, items=tuple(i for i in clause.items if i.name not in names))


def _variables(node: OmpConstruct) -> list[str]:
    """The variables of a construct's loops that are declared before it, but for those that it names private."""
    named = {i.name for c in node.directive.all("private") if isinstance(c, ListClause) for i in c.items}
    found: list[str] = []
    loop = single_statement(node.body) if node.body is not None else None
    for _ in range(_loops(node.directive, "collapse", 1)):
        if not isinstance(loop, c_ast.For):
            break
        variable = loop.init.lvalue if isinstance(loop.init, c_ast.Assignment) else None
        if isinstance(variable, c_ast.ID) and variable.name not in named:
            found.append(variable.name)
        loop = single_statement(loop.stmt)
    return found


def _has_conditional(directive: Directive) -> bool:
    return not {"for", "sections"}.isdisjoint(directive.constructs) and bool(conditional(directive.clauses))


def _loops(directive: Directive, name: str, unknown: int) -> int:
    """The number in ``collapse(n)`` or ``ordered(n)``, 1 without one; ``unknown`` where it is no plain number."""
    clause = directive.clause(name)
    text = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "1"
    return int(text) if text.isdigit() else unknown


_DEPENDENCES = {"in": 1, "out": 3, "inout": 3, "mutexinoutset": 4, "inoutset": 8}


def _first_element(item: Locator) -> str:
    """The storage by whose address a dependence is known: of a section, its first element."""
    text = item.name
    for step in item.steps:
        if isinstance(step, Member):
            text += ("->" if step.arrow else ".") + step.name
        elif isinstance(step, Index):
            text += f"[{step.expr.text}]"
        else:
            text += f"[{step.lower.text if step.lower is not None else 0}]"
    return text


def _plain_linear(directive: Directive) -> Directive | None:
    """A directive with ``linear(list: step)`` for ``val``, which C always means, and ``step()``, which are newer."""
    if not re.search(r"\blinear\b.*\b(val|step\s*\()", directive.text):
        return None

    def plain(clause: Clause) -> Clause:
        if isinstance(clause, ListClause) and clause.name == "linear" and clause.modifiers == ("val",):
            return replace(clause, modifiers=())
        return clause

    clauses = tuple(map(plain, directive.clauses))
    return replace(directive, clauses=clauses, text=" ".join([directive.name, *map(spell_clause, clauses)]))


def _bound_loop(directive: Directive, enclosing: tuple[str, ...]) -> Directive:
    """A ``loop`` construct as the worksharing that its binding region gives it (OpenMP 5.2, section 11.7.1)."""
    check_on_device(directive)
    at = directive.constructs.index("loop")
    before = directive.constructs[:at]
    bind = directive.clause("bind")
    around = (*enclosing, *before)
    innermost = around[-1] if around else ""
    if before == ("target",):
        new: tuple[str, ...] = ("teams", *_BOUND["teams"])
    elif before:
        new = _BOUND["teams" if innermost == "teams" else "parallel"]
    elif isinstance(bind, KeywordClause):
        new = _BOUND[bind.value]
        if bind.value == "teams" and "parallel" in around:
            new = ("distribute",)
    else:
        new = _BOUND.get(innermost, _BOUND["thread"])
    clauses = tuple(c for c in directive.clauses if c.name != "bind")
    constructs = (*before, *new, *directive.constructs[at + 1 :])
    # Host compilers refuse calls of the OpenMP API in ``loop`` and under ``order(concurrent)``, not in what it becomes.
    text = " ".join([*constructs, *(spell_clause(c) for c in clauses if c.name != "order")])
    return replace(directive, constructs=constructs, clauses=clauses, text=text)


def _spread(only: c_ast.Node | None) -> None:
    """A ``loop`` construct without ``bind`` that is all there is in a ``target`` construct, like ``target loop``: as
    its iterations may run in any order and at once, it need not be the one thread that meets it that runs them all."""
    if not isinstance(only, OmpConstruct) or only.unread is not None or only.directive.name != "loop":
        return
    if not only.directive.has("bind"):
        spread = _bound_loop(only.directive, ("teams",))
        constructs = ("teams", *spread.constructs)
        only.directive = replace(spread, constructs=constructs, text=f"teams {spread.text}")


def _grouped(node: OmpConstruct, body: c_ast.Compound) -> c_ast.Compound:
    """A ``sections`` block with one ``section`` construct per section; the first needs no directive of its own."""
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


def _transformed(body: c_ast.Node | None) -> int | None:
    """How many loops a loop transformation right below generates for a construct to take; None without one."""
    found: int | None = None
    while isinstance(body, OmpConstruct) and body.directive.name in _DISSOLVED:
        directive = body.directive
        if directive.name in TRANSFORMATIONS:
            listed = directive.clause("sizes") or directive.clause("permutation")
            found = 2 if directive.name == "interchange" else 1
            found = listed.text.count(",") + 1 if isinstance(listed, TextClause) else found
        body = body.body
    return found


def _limited(directive: Directive, generated: int) -> Directive:
    """A loop directive over generated loops: of the original ones it collapses no more than were tiled."""

    def clause(c: Clause) -> Clause | None:
        if not isinstance(c, ExprClause) or c.name != "collapse" or c.expr is None:
            return c
        if not c.expr.text.isdigit() or int(c.expr.text) <= generated:
            return c
        number = c_ast.Constant("int", str(generated), c.expr.node.coord)
        return replace(c, expr=replace(c.expr, text=str(generated), node=number)) if generated > 1 else None

    return replace(directive, clauses=tuple(new for c in directive.clauses if (new := clause(c)) is not None))


def _without_imperfect(directive: Directive, body: c_ast.Node | None) -> Directive | None:
    """A loop directive over a nest with code between its loops, which older compilers refuse, or with a loop that moves
    with an outer one, for which gcc 12 makes wrong code: it collapses the loops before that only, and the variables of
    the others are private. None where the nest is a perfect one."""
    clause = directive.clause("collapse")
    if not isinstance(clause, ExprClause) or clause.expr is None or not clause.expr.text.isdigit():
        return None
    perfect = 0
    private: list[str] = []
    outer: set[str] = set()
    for depth in range(int(clause.expr.text)):
        loop = only_loop(body)
        if loop is None:
            return None  # not even one nest: for the analysis to complain about
        moves = _moves_with(loop, outer) and not directive.has("linear", "ordered") and not directive.has_scan
        if perfect == depth and isinstance(single_statement(body), c_ast.For) and not moves:
            perfect += 1
        elif isinstance(loop.init, c_ast.Assignment) and isinstance(loop.init.lvalue, c_ast.ID):
            private.append(loop.init.lvalue.name)
        outer |= _loop_variable(loop)
        body = loop.stmt
    if perfect == int(clause.expr.text) or perfect == 0:
        return None
    number = c_ast.Constant("int", str(perfect), clause.expr.node.coord)
    fewer = replace(clause, expr=replace(clause.expr, text=str(perfect), node=number))
    clauses = [fewer if c is clause else c for c in directive.clauses]
    listed = {item.name for c in directive.clauses if isinstance(c, ListClause) for item in c.items}
    items_ = tuple(Locator(name, (), name, clause.span) for name in private if name not in listed)
    if items_:
        clauses.append(ListClause("private", clause.span, items_))
    return replace(directive, clauses=tuple(clauses))


def _loop_variable(loop: c_ast.For) -> set[str]:
    match loop.init:
        case c_ast.Assignment(lvalue=c_ast.ID(name=name)) | c_ast.DeclList(decls=[c_ast.Decl(name=name)]):
            return {name}
    return set()


def _moves_with(loop: c_ast.For, outer: set[str]) -> bool:
    """Whether both bounds of a loop name variables of the loops around it: ``for (j = i; j < i + 4; ++j)``."""

    def names(part: c_ast.Node | None) -> set[str]:
        return {n.name for n in walk(part) if isinstance(n, c_ast.ID)} if part is not None else set()

    return not outer.isdisjoint(names(loop.init)) and not outer.isdisjoint(names(loop.cond))


def _split(node: OmpConstruct, at: int) -> OmpConstruct:
    """``parallel sections`` as ``parallel`` with ``sections`` in it: leaves from ``at`` on make a construct inside."""
    directive = node.directive
    applied = leaf_clauses(directive)
    outer, inner = directive.constructs[:at], directive.constructs[at:]

    def part(leaves: tuple[str, ...]) -> Directive:
        clauses = tuple(dict.fromkeys(c for leaf in leaves for c in applied[leaf]))
        return replace(directive, name=" ".join(leaves), constructs=leaves, clauses=clauses)

    inside = OmpConstruct(part(inner), node.body, node.start, node.coord)
    return OmpConstruct(part(outer), inside, node.start, node.coord)
