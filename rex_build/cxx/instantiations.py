"""What a unit instantiates of its templates."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from . import libclang
from .functions import NARROW_SIGNED, Function
from .text_constructs import name_before, opening_of, qualified_at
from .type_names import FUNCTIONS, UNNAMED
from .unit import Unit, kept

_LOCAL = "local class"
_NO_NAME = regex(rf"\((?:lambda|unnamed|anonymous|{_LOCAL})")  # unlike 'double (*)(double)'
# Explicit instantiations.
EXPLICIT = regex(
    r"(?:^|(?<=[;{}]))[ \t]*(?P<whole>(?P<extern>extern[ \t]+)?template\b\s*(?P<declared>[^<\s;{}][^;{}]*);)",
    re.MULTILINE,
)


def declared_at(unit: Unit, cursor: Any, name: str, at: int | None) -> Any:
    """The variable of a name that an instantiation declares, at a place or anywhere."""
    return next((node for node in _declared(unit, cursor).get(name, ()) if at in (None, node.location.offset)), None)


@kept
def _declared(unit: Unit, cursor: Any) -> dict[str, list[Any]]:
    """The variables that an instantiation declares, by name."""
    declared: dict[str, list[Any]] = {}
    for node in libclang.descendants(cursor):
        if node.kind in (unit.kinds.VAR_DECL, unit.kinds.PARM_DECL):
            declared.setdefault(node.spelling, []).append(node)
    return declared


def instances_with(unit: Unit, function: Function, start: int, end: int) -> list[Any]:
    """The instantiations of a function that have the statement from ``start`` to ``end``, if that is a place in it."""
    found = instantiations(unit).get(function.start, [])
    return [cursor for cursor in found if start < 0 or _has_statement(unit, cursor, start, end)]


def _has_statement(unit: Unit, instance: Any, start: int, end: int) -> bool:
    nodes = libclang.descendants(instance)
    if not any(node.kind == unit.kinds.COMPOUND_STMT for node in nodes):
        return True  # libclang does not show what it has
    return any(start <= unit.place(node.location) < end for node in nodes)


@kept
def narrow_steps(unit: Unit, function: Function) -> frozenset[int]:
    """Where a template steps variables that are narrow signed integers in one of its instantiations."""
    made = (node for one in instantiations(unit).get(function.start, ()) for node in libclang.descendants(one))
    steps = (node for node in made if node.kind == unit.kinds.UNARY_OPERATOR)
    narrow = (node for node in steps if node.type.get_canonical().kind.name in NARROW_SIGNED)
    return frozenset(unit.extent(node)[0] for node in narrow)


def uninstantiated(unit: Unit) -> frozenset[int]:
    """Where constructs begin that stand in templates, or in branches of them, that the unit does not instantiate."""
    found = set()
    for construct in unit.constructs:
        function = unit.function_at(construct.start) if construct.directive.is_target else None
        if function is None or not function.is_template:
            continue
        has_statement = construct.end > construct.pragma_end
        start, end = (construct.body_start, construct.end) if has_statement else (-1, -1)
        if not instances_with(unit, function, start, end):
            found.add(construct.start)
    return frozenset(found)


@kept
def instantiations(unit: Unit) -> dict[int, list[Any]]:
    """The instantiations of the user's templates that the unit makes: for each function's start, their cursors."""
    k = unit.kinds
    found: dict[int, list[Any]] = {}
    seen: set[tuple[str, int]] = set()
    queue = [f.cursor for f in unit.functions if not f.is_template]
    queue += [*(v.cursor for v in unit.globals), *unit.asking]

    def reach(target: Any) -> None:
        function = unit.defined(target)
        if function is None or not function.is_template or function.cursor == target:
            return
        name = f"{target.get_usr()} {target.semantic_parent.type.spelling}"  # which closures may have in common
        if (name, target.canonical.hash) in seen:
            return
        seen.add((name, target.canonical.hash))
        definition = target.get_definition() or target
        found.setdefault(function.start, []).append(definition)
        queue.append(definition)

    for record in unit.explicit:
        general = libclang.template_of(record)
        for function in unit.functions:
            parent = function.cursor.semantic_parent
            if general is not None and function.is_member and parent.canonical == general.canonical:
                found.setdefault(function.start, []).append(record)
    while queue:
        head = queue.pop()
        for cursor in (head, *libclang.descendants(head)):
            if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
                target = cursor.referenced
                if target is not None and target.kind in (
                    k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION,
                    k.VAR_DECL,
                ):  # fmt: skip
                    reach(target)
            elif cursor.kind in (k.VAR_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.FUNCTION_DECL):
                if cursor.kind != k.VAR_DECL:
                    reach(cursor)
                elif (declaration := cursor.type.get_canonical().get_declaration()) is not None:
                    for child in libclang.children(declaration):
                        if child.kind == k.DESTRUCTOR:
                            reach(child)
    return found


def uncalled_methods(unit: Unit, failed: Collection[int]) -> str:
    """Text that names methods with regions of instantiated classes, where nothing calls them by name: virtual ones,
    those of explicit instantiations, and those that the library calls. libclang shows their bodies then. An empty text
    if there are none. The ``failed`` ones do not compile."""
    k = unit.kinds
    regions = (unit.function_at(c.start) for c in unit.constructs if c.directive.is_target)
    methods = {
        f.start: f
        for f in regions
        if f is not None and f.cursor.kind == k.CXX_METHOD and f.is_template and f.start not in failed
    }  # fmt: skip
    found = instantiations(unit) if methods else {}
    called = {s for s in methods if any(i.kind not in (k.CLASS_DECL, k.STRUCT_DECL) for i in found.get(s, ()))}
    if not methods:
        return ""
    records, inside, bases = _records(unit, found)
    for method in methods.values():
        if method.cursor.is_virtual_method():
            hashed = method.cursor.semantic_parent.canonical.hash
            records.setdefault(hashed, set()).update(bases.get(hashed, ()))
    for start, method in methods.items():
        made = records.get(method.cursor.semantic_parent.canonical.hash, set()) if start not in called else set()
        hidden = next((kind for kind in ("lambda", _LOCAL) if any(f"({kind}" in record for record in made)), None)
        if hidden is not None and method.cursor.is_virtual_method():
            what = f"'{method.name}', a virtual method with a region, of a class template with a {hidden} as argument,"
            remedy = "give it an object of a class of a namespace instead"
            raise error_at(unit.span(start), f"{what} is not supported", remedy)
    named = [
        f"(void)&{record}::{method.cursor.spelling};"
        for start, method in sorted(methods.items())
        for hashed in [method.cursor.semantic_parent.canonical.hash]
        for record in sorted((set() if start in called else records.get(hashed, set())) | inside.get(hashed, set()))
        if not _NO_NAME.search(record)
    ]
    return f"\nvoid rex_instances() {{ {' '.join(named)} }}\n" if named else ""


def _named(kind: Any) -> str:
    """A class as text behind the unit can name it, or with a mark of _NO_NAME if it cannot."""
    arguments = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
    around = [argument.get_declaration().semantic_parent for argument in arguments]
    is_local = any(one is not None and one.kind.name in FUNCTIONS for one in around)
    return str(kind.spelling.replace(UNNAMED, "")) + f" ({_LOCAL})" * is_local


_Names = dict[int, set[str]]


def _records(unit: Unit, found: dict[int, list[Any]]) -> tuple[_Names, _Names, _Names]:
    """The names of instantiations of the user's classes, by hash of the class: (of templates, those of which there is a
    variable or an expression; of classes in templates, those in explicit instantiations; the bases of classes that are
    no templates)"""
    k = unit.kinds
    records: _Names = {}
    inside: _Names = {}
    bases: _Names = {}

    def note_inside(general: Any, name: str) -> None:
        for child in libclang.children(general.get_definition() or general):
            if child.kind in (k.CLASS_DECL, k.STRUCT_DECL):
                inside.setdefault(child.canonical.hash, set()).add(f"{name}::{child.spelling}")
                note_inside(child, f"{name}::{child.spelling}")

    def note(kind: Any, depth: int = 0) -> None:
        kind = kind.get_canonical()
        kind = kind.get_pointee() if kind.kind in (unit.types.POINTER, unit.types.LVALUEREFERENCE) else kind
        record = kind.get_declaration()
        general = libclang.template_of(record)
        if general is not None and general.kind == k.CLASS_TEMPLATE:  # perhaps of a class of an instantiation
            general = libclang.pattern(general)
        if general is not None and libclang.is_users(general) and "type-parameter" not in kind.spelling:
            records.setdefault(general.canonical.hash, set()).add(_named(kind))
        for number in range(max(0, kind.get_num_template_arguments()) if depth < 4 else 0):
            if (argument := kind.get_template_argument_type(number)).kind != unit.types.INVALID:
                note(argument, depth + 1)

    for record in unit.explicit:
        note(record.type)
        note_inside(libclang.pattern(record), record.type.spelling)
    bodies = [f.cursor for f in unit.functions if not f.is_template] + [v.cursor for v in unit.globals]
    bodies += [instance for instances in found.values() for instance in instances]
    for outer in bodies:
        for cursor in (outer, *libclang.descendants(outer)):
            if cursor.kind in (k.VAR_DECL, k.CALL_EXPR, k.CXX_NEW_EXPR):
                note(cursor.type)
    for record in unit.plain_classes:
        for base in unit.members_of(record)[1]:
            if (general := libclang.template_of(base)) is not None:
                bases.setdefault(general.canonical.hash, set()).add(_named(base.type.get_canonical()))
    return records, inside, bases


def explicit_functions(unit: Unit) -> str:
    """Text that names the function templates that the unit instantiates explicitly, which libclang does not show.

    ``template int app::sum<4>(const int *);`` becomes ``int (*rex_explicit_1)(const int *) = &app::sum<4>;``.
    """
    named: list[str] = []
    for match in unit.pre.in_own_parts(EXPLICIT):
        declared = match["declared"]
        scope, record = unit.scope_at(match.start())
        if qualified_at(declared, 0) in ("class", "struct", "union") or ")" not in declared:
            continue
        begin = opening_of(declared, declared.rindex(")"), "()")
        identifier = declared[name_before(declared, begin) : begin].strip()
        if match["extern"] or record is not None or "(" in scope or not identifier:
            continue
        result, rest = declared[: declared.rindex(identifier, 0, begin)], declared[begin:]
        pointer = f"rex_explicit_{len(named) + 1}"
        is_method = "<" in identifier.rpartition("::")[0]
        text = f"auto {pointer} = &{identifier};" if is_method else f"{result}(*{pointer}){rest} = &{identifier};"
        spaces = [name for name in scope.split("::") if name]
        outer, end = "".join(f"namespace {name} {{ " for name in spaces), "}" * len(spaces)
        named.append(f"{outer}void rex_names_{pointer}() {{ {text} (void){pointer}; }}{end}\n")
    return "\n" + "".join(named) if named else ""
