"""``declare reduction`` (OpenMP 5.2, section 5.5.11): its combiner and initialiser become functions in device code."""

from __future__ import annotations

import re

from ..base.diagnostics import error_at
from ..c.source.tokens import separated
from ..directives.model import Directive, TextClause
from . import libclang
from .code import Construct, CxxType, UserReduction, Variable
from .functions import Function
from .templates import Surroundings
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
    scope, record = unit.scope_at(construct.start)
    function = unit.function_at(construct.start)
    place, before, header, qualifier, arguments = construct.start, "", "", scope, ""
    low, high = construct.start, len(unit.text)
    around = Surroundings(unit, function) if function is not None else None
    if function is not None and around is not None:
        low, high = _block(unit, function, construct.start)
        own = around.own_parameters
        header = f"template <{', '.join(text for _, text in own)}> " if own else ""
        arguments = around.arguments(own) if own else ""
        place, record = function.start, around.record
        if around.is_friend_inside:
            what = "'declare reduction' in a friend that a class defines is not supported in C++"
            raise error_at(directive.span, what)
        if any(at < construct.start and _names(v.name, types) for at, v in function.mentions.local_types):
            raise error_at(directive.span, "'declare reduction' for a class of a function is not supported in C++")
    if record is not None:  # members of the class, where it ends
        written = record.get_definition() or record
        place, before, qualifier = unit.extent(written)[1] - 1, "public:\n", ""
    found = []
    for number, written in enumerate(_types(types), first):
        kind = re.sub(r"^(?:struct|class)\s+", "", written.strip())
        names = [f"rex_reduction_{number}_{part}" for part in ("combine", "initialise")]
        functions = tuple(Variable(f"{qualifier}{name}{arguments}", _NO_TYPE, None, -1, -1) for name in names)
        text = before + _text(directive, kind, combiner, names, header)
        clause = directive.clause("initializer")
        initialiser = clause.text.partition("(")[2] if isinstance(clause, TextClause) else ""
        source = f"{combiner} {initialiser}"
        reads = re.search(r"\bomp_orig\b", initialiser) is not None
        owner = record if function is None else None
        found.append(
            UserReduction(
                identifier, kind, (functions[0], functions[1]), text, place, source, reads, low, high, scope, owner
            )
        )
    return found


def _types(text: str) -> list[str]:
    """The types of a list. A comma between the arguments of a template separates none."""
    found: list[str] = []
    for part in separated(text, ","):
        is_inside = bool(found) and found[-1].count("<") > found[-1].count(">")
        found[-1:] = [f"{found[-1]}, {part}"] if is_inside else [*found[-1:], part]
    return found


def _block(unit: Unit, function: Function, place: int) -> tuple[int, int]:
    """The stretch from a place in a function to the end of the block around it."""
    end, stack = function.end, [function.cursor]
    while stack:
        for child in libclang.children(stack.pop()):
            first, last = unit.extent(child)
            if first <= place < last:
                end = last if child.kind == unit.kinds.COMPOUND_STMT else end
                stack.append(child)
    return place, end


def _names(name: str, types: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", types) is not None


def _text(directive: Directive, kind: str, combiner: str, names: list[str], header: str) -> str:
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
    head = f"{header}static inline __device__ void"
    return (
        f"{head} {names[0]}({kind} *rex_out, {kind} *rex_in) {{ (void)rex_in; {_renamed(combiner, 'out', 'in')}; }}\n"
        f"{head} {names[1]}({kind} *rex_priv, {kind} *rex_orig) {{ (void)rex_orig; {set_} }}\n"
    )


def _renamed(text: str, *names: str) -> str:
    for name in names:
        text = re.sub(rf"\bomp_{name}\b", f"(*rex_{name})", text)
    return text


def reduction_for(unit: Unit, function: Function, identifier: str, kind: CxxType, place: int) -> UserReduction | None:
    """The innermost reduction of that identifier for a type, of those that are declared at a place in a function.

    None also where several namespaces or classes have one and it is not told which is meant.
    """
    qualifier, _, name = identifier.rpartition("::")
    found = [r for r in unit.user_reductions if r.identifier == name and r.low < place < r.high]
    found = [r for r in found if is_named(kind.text, r.type) or unit.type_named(r.type) == kind.text]
    local = [r for r in found if r.record is None and r.high < len(unit.text)]
    if local and not qualifier:
        return local[-1]
    if qualifier:
        wanted = f"::{qualifier.removeprefix('::')}"
        found = [r for r in found if _scope_of(unit, r).endswith(wanted)]
    else:
        records = _records_around(unit, function)
        own = [r for r in found if r.record is not None and r.record.canonical.hash in records]
        here = unit.scope_at(function.start)[0]
        spaces = sorted((r for r in found if r.record is None and here.startswith(r.scope)), key=lambda r: len(r.scope))
        elsewhere = [r for r in found if r.record is None]
        found = own or spaces or (elsewhere if len({r.scope for r in elsewhere}) == 1 else [])
    return found[-1] if found else None


def _scope_of(unit: Unit, reduction: UserReduction) -> str:
    """The namespace or the class that a reduction is a member of, as ``::app::Sum``."""
    if reduction.record is not None:
        return re.sub(r"<.*>$", "", unit.scope_name(reduction.record))
    return reduction.scope.removesuffix("::")


def _records_around(unit: Unit, function: Function) -> set[int]:
    """The classes whose members a function can name: its own, their bases and those around it."""
    found: set[int] = set()
    queue = [function.cursor.semantic_parent]
    while queue:
        record = queue.pop()
        if record is None or record.kind not in unit.classes or record.canonical.hash in found:
            continue
        found.add(record.canonical.hash)
        queue += [record.semantic_parent, *unit.members_of(record)[1]]
    return found
