"""``declare reduction`` (OpenMP 5.2, section 5.5.11): its combiner and initialiser become functions in device code."""

from __future__ import annotations

import re

from ..base.diagnostics import error_at
from ..c.source.tokens import separated
from ..directives.model import Directive, TextClause
from .code import Construct, CxxType, UserReduction, Variable
from .type_names import is_named
from .unit import Unit

_SECTION = "OpenMP 5.2, section 5.5.11: declare reduction directive"
_NO_TYPE = CxxType("", "other")


def declared_reductions(unit: Unit) -> tuple[UserReduction, ...]:
    """The reductions that the unit declares. Raises InputError for those that are not supported."""
    found: list[UserReduction] = []
    for construct in unit.constructs:
        if construct.directive.name == "declare reduction":
            found += _reductions(unit, construct, len(found))
    return tuple(found)


def _reductions(unit: Unit, construct: Construct, first: int) -> list[UserReduction]:
    directive = construct.directive
    parts = separated((directive.argument_text or "").replace("::", "\0"), ":", 3)
    if len(parts) != 3:
        raise error_at(directive.span, "expected 'identifier : types : combiner' in 'declare reduction'", _SECTION)
    identifier, types, combiner = (part.replace("\0", "::").strip() for part in parts)
    scope, in_class = unit.scope_at(construct.start)
    function = unit.function_at(construct.start)
    if in_class or (function is not None and (function.is_template or function.is_member)):
        what = "'declare reduction' in a class, a method or a template is not supported in C++"
        raise error_at(directive.span, what)
    found = []
    for number, written in enumerate(separated(types, ","), first):
        kind = re.sub(r"^(?:struct|class)\s+", "", written.strip())
        names = [f"rex_reduction_{number}_{part}" for part in ("combine", "initialise")]
        functions = tuple(Variable(f"{scope}{name}", _NO_TYPE, None, -1, -1) for name in names)
        text = _text(directive, kind, combiner, names)
        place = construct.start if function is None else function.start
        clause = directive.clause("initializer")
        initialiser = clause.text.partition("(")[2] if isinstance(clause, TextClause) else ""
        source = f"{combiner} {initialiser}"
        reads = re.search(r"\bomp_orig\b", initialiser) is not None
        found.append(UserReduction(identifier, kind, (functions[0], functions[1]), text, place, source, reads))
    return found


def _text(directive: Directive, kind: str, combiner: str, names: list[str]) -> str:
    set_ = f"{kind} rex_value = {kind}(); *rex_priv = rex_value;"
    clause = directive.clause("initializer")
    if isinstance(clause, TextClause):
        text = clause.text[clause.text.index("(") + 1 : clause.text.rindex(")")].strip()
        equals = re.match(r"omp_priv\s*=(?!=)(.*)", text, re.DOTALL)
        made = re.match(r"omp_priv\s*([({].*)", text, re.DOTALL)
        if equals:
            set_ = f"{kind} rex_value = {_renamed(equals[1], 'priv', 'orig')}; *rex_priv = rex_value;"
        elif made:
            set_ = f"{kind} rex_value{_renamed(made[1], 'priv', 'orig')}; *rex_priv = rex_value;"
        else:
            set_ = f"{_renamed(text, 'priv', 'orig')};"
    head = "static inline __device__ void"
    return (
        f"{head} {names[0]}({kind} *rex_out, {kind} *rex_in) {{ (void)rex_in; {_renamed(combiner, 'out', 'in')}; }}\n"
        f"{head} {names[1]}({kind} *rex_priv, {kind} *rex_orig) {{ (void)rex_orig; {set_} }}\n"
    )


def _renamed(text: str, *names: str) -> str:
    for name in names:
        text = re.sub(rf"\bomp_{name}\b", f"(*rex_{name})", text)
    return text


def reduction_for(unit: Unit, identifier: str, kind: CxxType, place: int) -> UserReduction | None:
    """The innermost reduction of that identifier for a type, of those that are declared before a place."""
    name = identifier.rpartition("::")[2]
    found = [r for r in unit.user_reductions if r.identifier == name and r.place < place]
    same = [r for r in found if is_named(kind.text, r.type) or unit.type_named(r.type) == kind.text]
    return same[-1] if same else None
