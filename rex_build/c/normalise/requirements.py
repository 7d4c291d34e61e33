"""Reads ``requires`` directives, and other directives at file scope that apply to the whole unit."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...directives.host_form import GONE, HostForm
from ...directives.model import ExprClause, KeywordClause
from ...directives.parser import check_on_device, refuse_unsupported
from ..sema import Sema
from ..syntax.nodes import OmpConstruct
from .older_spellings import older_form


def read_requirements(tree: c_ast.FileAST, fresh: Callable[[str], str]) -> tuple[dict[str, str], dict[int, HostForm]]:
    """(the clauses of ``requires`` directives with their keywords, the host's forms of directives at file scope).

    The forms are by the directives' offsets. Host compilers without offloading refuse some clauses of ``requires``, so
    they see only the memory order of atomics. Raises InputError for malformed directives.
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
            order = {"acquire": "acq_rel", "release": "acq_rel"}.get(order or "", order)  # too new for host compilers
            text = f"requires atomic_default_mem_order({order})"
            forms[item.start] = HostForm(replace(directive, text=text)) if order else GONE
        elif directive.name.endswith("assumes"):
            forms[item.start] = GONE
        elif (older := older_form(directive, fresh)) is not None:
            forms[item.start] = older
    return found, forms


def _is_true(tree: c_ast.FileAST, clause: ExprClause) -> bool:
    """Whether a clause is in effect: it has no argument, or a constant other than zero."""
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
