"""Turns combiners and initialisers of ``declare reduction`` (OpenMP 5.2, section 5.5.11) into C functions in the tree.

Types, conversions and calls in these functions are then handled as everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import error_at
from ...directives.model import Directive, TextClause
from ..source.tokens import separated
from ..syntax.nodes import OmpConstruct, ParsedUnit, UserReduction, branches, place_nodes

_SECTION = "OpenMP 5.2, section 5.5.11: declare reduction directive"


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
    parts = separated(directive.argument_text or "", ":", 3)
    if len(parts) != 3:
        raise error_at(directive.span, "expected 'identifier : types : combiner' in 'declare reduction'", _SECTION)
    out = []
    for number, type_text in enumerate(separated(parts[1], ","), first):
        clause = directive.clause("initializer")
        reads = isinstance(clause, TextClause) and re.search(r"\bomp_orig\b", clause.text) is not None
        names = [f"__rex_reduction_{number}_{part}" for part in ("combine", "initialise", "uses")]
        reduction = UserReduction(parts[0], names[0], names[1], names[2], reads)
        text = _functions(directive, reduction, type_text, parts[2])
        try:
            functions = parse(text).ext[-3:]
        except ParseError:
            raise error_at(directive.span, f"malformed 'declare reduction' for '{type_text}'", _SECTION) from None
        for function in functions:
            place_nodes(function, node.coord)
        out.append((reduction, functions))
    return out


def _functions(directive: Directive, reduction: UserReduction, kind: str, combiner: str) -> str:
    clause = directive.clause("initializer")
    initial = "{0}"
    call = ""
    if isinstance(clause, TextClause):
        text = clause.text[clause.text.index("(") + 1 : clause.text.rindex(")")].strip()
        match = re.match(r"omp_priv\s*=(?!=)(.*)", text, re.DOTALL)
        if match:
            initial = match[1]
        else:
            call = _renamed(text, "priv", "orig")
    value = _renamed(initial, "priv", "orig")
    set_ = f"{call};" if call else f"{kind} __rex_value = {value}; *__rex_priv = __rex_value;"
    combine = _renamed(combiner, "out", "in")
    return (
        f"static void {reduction.combine}({kind} *__rex_out, {kind} *__rex_in) {{ {combine}; }}\n"
        f"static void {reduction.initialise}({kind} *__rex_priv, {kind} *__rex_orig) {{ {set_} }}\n"
        f"static void {reduction.uses}(void) {{ {reduction.combine}; {reduction.initialise}; }}\n"
    )


def _renamed(text: str, *names: str) -> str:
    for name in names:
        text = re.sub(rf"\bomp_{name}\b", f"(*__rex_{name})", text)
    return text
