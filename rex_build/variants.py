"""``declare variant``: calls in device code go to the variant that fits there (OpenMP 5.2, sections 7.5.4 and 7.5.5).

The tree is what device code is made from, so every call in it is resolved for the device. In the host's text the host
compiler resolves ``declare variant`` itself; what ``begin declare variant`` encloses gets names of its own or goes.
"""

from __future__ import annotations

from pycparser import c_ast

from .cparse import OmpConstruct, ParsedUnit
from .diagnostics import error_at
from .directives.model import DependClause, Directive, ExprClause, TextClause
from .directives.selectors import Context, score_of
from .records import dataclass

HostEdit = tuple[int, int, str]


@dataclass(frozen=True)
class _Variant:
    name: str
    clause: TextClause
    selector: str


def resolve_variants(unit: ParsedUnit) -> list[HostEdit]:
    """Redirect the calls in ``unit``'s tree; returns the edits that the host file needs. Raises InputError for
    malformed directives and for selectors that only running the program decides."""
    variants: dict[str, list[_Variant]] = {}
    edits = _delimited(unit, variants)
    waiting: list[tuple[Directive, int]] = []
    for item in unit.ast.ext:
        if isinstance(item, OmpConstruct):
            if item.directive.name == "declare variant":
                waiting.append((item.directive, item.start))
        elif isinstance(item, (c_ast.Decl, c_ast.FuncDef)) and waiting:
            base = item.decl.name if isinstance(item, c_ast.FuncDef) else item.name
            for directive, at in waiting:
                clause, selector = _match_clause(directive)
                if "dispatch" in selector:  # older host compilers do not know it
                    edits.append((at, unit.pre.text.index("\n", at), ""))
                name = (directive.argument_text or "").strip()
                variants.setdefault(base, []).append(_Variant(name, clause, selector))
            waiting = []
    for item in unit.ast.ext if variants else ():
        if isinstance(item, c_ast.FuncDef):
            for node in _constructs(item):
                if node.directive.name == "dispatch":
                    edits += _dispatched(unit, node, variants)
            _redirect(item.body, ("target",), variants)
    return edits


def _constructs(item: c_ast.Node) -> list[OmpConstruct]:
    found = []
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, OmpConstruct):
            found.append(node)
        stack += [child for _, child in node.children()]
    return found


def _dispatched(unit: ParsedUnit, node: OmpConstruct, variants: dict[str, list[_Variant]]) -> list[HostEdit]:
    """A ``dispatch`` on the host: the call names the variant, or chooses where ``novariants`` or ``nocontext`` ask."""
    directive = node.directive
    depends = [c.text for c in directive.all("depend") if isinstance(c, DependClause)]
    waits = f"#pragma omp taskwait {' '.join(f'depend({text})' for text in depends)}" if depends else ""
    edits = [(node.start, unit.pre.text.index("\n", node.start), waits)]
    for call in _calls(node)[:1]:  # those in its arguments come after it
        base = call.name.name
        best = _best(base, Context(False, ("dispatch",)), variants)
        plain = [c.expr.text for c in directive.all("novariants", "nocontext") if isinstance(c, ExprClause) and c.expr]
        if best != base:
            text = f"({' || '.join(f'({p})' for p in plain)} ? {base} : {best})" if plain else best
            start = unit.offset_of(call.name)
            edits.append((start, start + len(base), text))
    return edits


def _best(base: str, context: Context, variants: dict[str, list[_Variant]]) -> str:
    """The function that a call of ``base`` reaches."""
    best, most = base, 0
    for variant in variants.get(base, ()):
        score = score_of(variant.selector, context, variant.clause)
        if score is not None and score > most:
            best, most = variant.name, score
    return best


def _match_clause(directive: Directive) -> tuple[TextClause, str]:
    clause = directive.clause("match")
    if not isinstance(clause, TextClause):
        raise error_at(directive.span, f"'{directive.name}' needs a 'match' clause", "OpenMP 5.2, section 7.5.1")
    return clause, clause.text[clause.text.index("(") + 1 : clause.text.rindex(")")]


def _delimited(unit: ParsedUnit, variants: dict[str, list[_Variant]]) -> list[HostEdit]:
    """Functions between ``begin declare variant`` and its end: renamed in the tree, and in the host's text."""
    edits: list[HostEdit] = []
    begin: OmpConstruct | None = None
    renamed: dict[str, str] = {}  # the names that the host calls instead of the base's
    for number, item in enumerate(unit.ast.ext):
        name = item.directive.name if isinstance(item, OmpConstruct) else ""
        if name == "begin declare variant":
            begin = item
        elif name == "end declare variant":
            if begin is None:
                raise error_at(item.directive.span, "'end declare variant' without a 'begin declare variant' before it")
            last = unit.pre.text.index("\n", item.start)
            clause, selector = _match_clause(begin.directive)
            if score_of(selector, Context(False), clause) is None:
                edits.append((begin.start, last, ""))
            else:
                edits.append((begin.start, unit.pre.text.index("\n", begin.start), ""))
                edits.append((item.start, last, ""))
            begin = None
        elif begin is not None and isinstance(item, c_ast.FuncDef):
            clause, selector = _match_clause(begin.directive)
            base, new = item.decl.name, f"{item.decl.name}__rex_variant_{number}"
            variants.setdefault(base, []).append(_Variant(new, clause, selector))
            if score_of(selector, Context(False), clause) is not None:
                start = unit.offset_of(item.decl)
                edits.append((start, start + len(base), new))
                renamed[base] = new
            _rename(item, new)
    for item in unit.ast.ext if renamed else ():
        for call in _calls(item):
            if call.name.name in renamed:
                start = unit.offset_of(call.name)
                edits.append((start, start + len(call.name.name), renamed[call.name.name]))
    return edits


def _rename(function: c_ast.FuncDef, name: str) -> None:
    function.decl.name = name
    kind = function.decl.type
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name


def _calls(item: c_ast.Node) -> list[c_ast.FuncCall]:
    found = []
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            found.append(node)
        stack += [child for _, child in node.children()]
    return found


def _redirect(root: c_ast.Node, around: tuple[str, ...], variants: dict[str, list[_Variant]]) -> None:
    stack = [(root, around)]
    while stack:
        node, enclosing = stack.pop()
        if isinstance(node, OmpConstruct):
            if node.directive.name == "dispatch" and node.directive.has("novariants", "nocontext"):
                continue  # the host's text says what is called; the analysis refuses it on the device
            enclosing = (*enclosing, *node.directive.constructs)
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in variants:
            node.name.name = _best(node.name.name, Context(True, enclosing), variants)
        stack += [(child, enclosing) for _, child in node.children()]
