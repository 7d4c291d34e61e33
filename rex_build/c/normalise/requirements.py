"""What a unit requires of its implementation, and other directives at file scope that say something to all of it."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...directives.host_form import GONE, HostForm
from ...directives.model import ExprClause, KeywordClause
from ...directives.parser import check_on_device, refuse_unsupported
from ..sema import Sema
from ..syntax.nodes import OmpConstruct
from .older_spellings import older_form


def read_requirements(tree: c_ast.FileAST) -> tuple[dict[str, str], dict[int, HostForm]]:
    """(clauses of the unit's ``requires`` directives with their keywords, the host's forms of directives at file scope
    by their offsets).

    Host compilers without offloading refuse some of them; only the memory order of atomics is left for them to see.
    Raises InputError for malformed directives.
    """
    found: dict[str, str] = {}
    forms: dict[int, HostForm] = {}
    for item in tree.ext:
        if not isinstance(item, OmpConstruct):
            continue
        directive = item.directive
        if directive.name == "requires":
            check_on_device(directive)
            refuse_unsupported(directive)
            for clause in directive.clauses:
                if not isinstance(clause, ExprClause) or _is_true(tree, clause):
                    found[clause.name] = clause.value if isinstance(clause, KeywordClause) else "1"
            order = found.get("atomic_default_mem_order") if directive.has("atomic_default_mem_order") else None
            order = {"acquire": "acq_rel", "release": "acq_rel"}.get(order or "", order)  # newer than host compilers
            text = f"requires atomic_default_mem_order({order})"
            forms[item.start] = HostForm(replace(directive, text=text)) if order else GONE
        elif directive.name.endswith("assumes"):
            forms[item.start] = GONE
        elif (older := older_form(directive)) is not None:
            forms[item.start] = older
    return found, forms


def _is_true(tree: c_ast.FileAST, clause: ExprClause) -> bool:
    """Whether a clause asks for what it names: without an argument, or with one that is a constant other than zero."""
    if clause.expr is None or clause.expr.text in ("true", "false"):
        return clause.expr is None or clause.expr.text == "true"
    sema = Sema(tree)
    try:
        sema.analyse(clause.expr.node)
        value = sema.value(clause.expr.node)
    except InputError:
        value = None
    if value is None:
        raise error_at(clause.expr.span, f"'{clause.name}' takes a constant", "OpenMP 5.2, section 8.2")
    return value != 0
