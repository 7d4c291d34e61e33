"""Turns combiners and initialisers of ``declare reduction`` (OpenMP 5.2, section 5.5.11) into C functions in the tree.

Types, conversions and calls in these functions are then handled as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import error_at
from ...openmp.user_reductions import SECTION, declared_reduction
from ..syntax.nodes import OmpConstruct, ParsedUnit, UserReduction, branches, place_nodes


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
