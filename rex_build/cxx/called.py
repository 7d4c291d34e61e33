"""What a call runs in device code, and what makes, copies and ends objects where no call is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.diagnostics import SEVERAL_UNITS, OtherUnitsNeeded, error_at
from ..directives.model import ListClause, ReductionClause
from . import libclang
from .functions import Function
from .instantiations import declared_at, instantiations
from .library_calls import declares_library, used_by_library
from .text_constructs import Construct
from .unit import Unit, kept

# The clauses whose list items have private copies.
PRIVATE_COPIES = frozenset(("private", "firstprivate", "lastprivate", "linear", "reduction"))


@kept
def initialisers(unit: Unit, record: Any) -> list[Function]:
    """The default initialisers of members that name something, in a class of the user's and in its parts, each as a
    function whose body it is. Those in a function are a part of that."""
    k, found = unit.kinds, list[Function]()
    naming = (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR, k.OVERLOADED_DECL_REF)
    for part in unit.classes_in(record):
        general = libclang.pattern(part)
        members = libclang.children(general) if libclang.is_users(part) else ()
        for member in (one for one in members if one.kind == k.FIELD_DECL):
            (start, end), at = unit.extent(member), unit.place(member.location)
            if libclang.descendants(member, *naming) and unit.function_at(start) is None:
                is_template = unit.is_in_template(general)
                found.append(Function(unit, member, member.spelling, start, end, at, True, is_template, False))
    return found


def copied_by(unit: Unit, function: Function, construct: Construct) -> Iterator[tuple[Function, bool]]:
    """(what makes, assigns and ends the private copies of objects that a construct lists, whether that is certain)"""
    for clause in construct.directive.clauses:
        if not isinstance(clause, (ListClause, ReductionClause)) or clause.name not in PRIVATE_COPIES:
            continue
        for item in clause.items:
            variable = unit.lookup(function, item.name, construct.start)
            if variable is None:
                continue
            instances = instantiations(unit).get(function.start, ()) if function.is_template else ()
            declared = (declared_at(unit, instance, variable.name, None) for instance in instances)
            for cursor in (variable.cursor, *(cursor for cursor in declared if cursor is not None)):
                kind = cursor.type.get_pointee() if variable.is_reference else cursor.type
                copies_only = clause.name == "firstprivate"
                yield from ((one, is_copying or not copies_only) for one, is_copying in of_copies(unit, kind))


def of_copies(unit: Unit, kind: Any) -> Iterator[tuple[Function, bool]]:
    """(what makes, assigns and ends copies of objects, whether a copy that gets its value when it is made needs it)"""
    k = unit.kinds
    for record in unit.classes_in(unit.class_of(kind)):
        for child in libclang.children(libclang.pattern(record)):
            copies = child.kind == k.DESTRUCTOR or (child.kind == k.CONSTRUCTOR and child.is_copy_constructor())
            makes = child.kind == k.CONSTRUCTOR and child.is_default_constructor()
            if copies or makes or (child.kind == k.CXX_METHOD and child.spelling == "operator="):
                found = unit.defined(child)
                yield from ((found, copies),) if found is not None else ()


def call(unit: Unit, place: int, target: Any, add: Any) -> None:
    k = unit.kinds
    function = unit.defined(target)
    if function is not None:
        add(function, target)
        if not function.cursor.is_default_method():
            return
    if not libclang.is_users(target):
        _through_library(unit, place, target, add)
        return
    if target.kind == k.CONSTRUCTOR and _plain_name(target) != _plain_name(target.semantic_parent):
        _inherited(unit, target.semantic_parent, _plain_name(target), add)
        parts(unit, target.semantic_parent, add)
    if _is_copying(unit, target):
        _copied_parts(unit, target.semantic_parent, target.kind, add)
    is_builtin = target.spelling.startswith("__builtin_")
    may_be_elsewhere = target.kind == k.FUNCTION_DECL or (
        target.kind in (k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
        and not target.is_pure_virtual_method()
        and not target.is_default_method()
    )
    if may_be_elsewhere and not is_builtin and not target.is_definition():
        definition = target.get_definition()
        if definition is None and declares_library(target):
            return
        if definition is None and unit.separable is None:
            raise OtherUnitsNeeded
        if definition is None and not unit.separable:
            what = f"'{target.spelling}' is called on the device, but this unit does not define it"
            note = f"define it here, for example as an inline function in a header, or {SEVERAL_UNITS}"
            raise error_at(unit.span(place), what, note)
        if definition is None:
            unit.elsewhere.append(target)
            symbol = str(target.mangled_name)
            unit.used_elsewhere[symbol] = min(place, unit.used_elsewhere.get(symbol, place))


def _through_library(unit: Unit, place: int, target: Any, add: Any) -> None:
    """Add what a function of the library calls of the user's, such as the operators of iterators and of elements."""
    k = unit.kinds
    queue, seen = [target], set[str]()
    while queue:
        function = queue.pop()
        if libclang.is_users(function):
            if function.kind == k.CXX_METHOD and function.is_virtual_method():
                what = f"device code calls the virtual function '{function.spelling}', which is not supported"
                raise error_at(unit.span(place), what)
            call(unit, place, function, add)
            continue
        symbol = function.mangled_name
        if symbol in seen:
            continue
        seen.add(symbol)
        if symbol not in unit.followed:
            unit.followed[symbol] = list(used_by_library(unit, function, symbol))
        for cursor in unit.followed[symbol]:
            if cursor.kind == k.VAR_DECL:
                end_object(unit, cursor, add)
            else:
                queue.append(cursor)


def end_by_delete(unit: Unit, place: int, record: Any, add: Any, *, is_certain: bool = False) -> None:
    """Add what ``delete`` runs for an object of a class. Raises InputError for virtual destructors, unless it
    ``is_certain`` that the class is the object's own."""
    for one in () if is_certain else unit.with_bases(record):
        for child in libclang.children(libclang.pattern(one)):
            if child.kind == unit.kinds.DESTRUCTOR and child.is_virtual_method():
                what = f"device code calls the virtual function '{child.spelling}', which is not supported"
                raise error_at(unit.span(place), what)
    _add_members(unit, record, (unit.kinds.DESTRUCTOR,), add)
    parts(unit, record, add)


def end_object(unit: Unit, cursor: Any, add: Any) -> None:
    """Add the destructor of a variable's or an expression's class, and what its parts' constructors and destructors
    run."""
    if (record := unit.class_of(cursor.type)) is not None:
        _add_members(unit, record, (unit.kinds.DESTRUCTOR,), add)
        parts(unit, record, add)
        unit.ended |= {libclang.pattern(one).canonical.hash for one in unit.classes_in(record)}


def parts(unit: Unit, record: Any, add: Any) -> None:
    """Add the default constructors and the destructors of a class's members and bases, which no call names."""
    k = unit.kinds
    for part in unit.classes_in(record):
        if part != record and libclang.is_users(part):
            _add_members(unit, part, (k.CONSTRUCTOR, k.DESTRUCTOR, k.FUNCTION_TEMPLATE), add)


def _plain_name(cursor: Any) -> str:
    return str(cursor.spelling.partition("<")[0])


def _inherited(unit: Unit, record: Any, name: str, add: Any) -> None:
    """Add the constructors that a class inherits from the base of a name."""
    for base in map(libclang.pattern, unit.with_bases(record)[1:]):
        for made in libclang.children(base) if _plain_name(base) == name else ():
            is_made = made.kind in (unit.kinds.CONSTRUCTOR, unit.kinds.FUNCTION_TEMPLATE) and _plain_name(made) == name
            function = unit.by_declaration.get(made.canonical.hash) if is_made else None
            if function is not None:
                add(function)


def _is_copying(unit: Unit, target: Any) -> bool:
    """Whether a function makes an object of another one of its class, or assigns one."""
    if target.kind == unit.kinds.CONSTRUCTOR:
        return bool(target.is_copy_constructor() or target.is_move_constructor())
    return bool(target.kind == unit.kinds.CXX_METHOD and target.spelling == "operator=")


def _copied_parts(unit: Unit, record: Any, way: Any, add: Any) -> None:
    """Add what an assignment or a constructor that nobody has written calls for the class's members and bases."""
    for part in unit.parts_of(record):
        own = (c for c in libclang.children(libclang.pattern(part)) if c.kind == way and _is_copying(unit, c))
        if written := [function for function in map(unit.defined, own) if function is not None]:
            for function in written:
                add(function)
        else:
            _copied_parts(unit, part, way, add)


def _add_members(unit: Unit, record: Any, kinds: tuple[Any, ...], add: Any) -> None:
    """Add the functions of some kinds of a class, if they need no arguments; of templates, constructors only."""
    general = libclang.pattern(record)
    name = general.spelling.partition("<")[0]
    for child in libclang.children(general):
        if child.kind not in kinds:
            continue
        if any(c.kind == unit.kinds.PARM_DECL for c in libclang.children(child)) and not child.is_default_constructor():
            continue
        function = unit.by_declaration.get(child.canonical.hash)
        is_constructor = child.spelling.partition("<")[0] == name
        if function is not None and (child.kind != unit.kinds.FUNCTION_TEMPLATE or is_constructor):
            add(function)
        elif function is None and child.kind == unit.kinds.DESTRUCTOR:
            call(unit, unit.place(child.extent.start), child, add)  # perhaps of another unit
