"""The functions and variables of the user's that kernels reach."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..base.diagnostics import SEVERAL_UNITS, OtherUnitsNeeded, error_at
from ..base.patterns import regex
from ..base.records import dataclass, field
from ..c.source.tokens import has_word, words_in
from ..directives.model import Directive, ListClause, ReductionClause
from . import libclang
from .code import Construct, Variable
from .functions import Function, deleted_by, is_by_pointer, may_be_temporary, note_virtual_call, of_range
from .instantiations import declared_at, instantiations
from .library_calls import declares_library
from .template_members import general_of
from .text_constructs import identifiers_in, qualified_at
from .unit import Unit

_CALLED = regex(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>\s*)?\(")
_ARGUMENT = regex(r"(::[A-Za-z_]\w*)\s*[,)]")  # a member that a template may pass by reference
_UNNAMED = ("Ul", "Ut")  # in a symbol, types without a name
_CLASS = regex(r"\b(?:class|struct|union)\b[^;{}()<>=]*?\b(?!final\b)([A-Za-z_]\w*)\s*(?:final\s*)?[:{]")
# The clauses whose list items have private copies.
PRIVATE_COPIES = frozenset(("private", "firstprivate", "lastprivate", "linear", "reduction"))


@dataclass(frozen=False)
class Reached:
    """``functions`` are device functions, ``constants`` variables of which device code has a copy, and ``variables``
    others that device functions use.

    ``addressed`` are the places of the constants that device code uses otherwise than by their values. ``words`` are
    the words of templates, some of whose names only their instantiations can resolve. ``unresolved`` are static members
    of class templates, such as ``Limits<T>::most``, that regions name where nothing but the instantiation tells which
    is meant, and their places. ``callees`` are what functions perhaps call, by where these begin: places of calls, or
    -1 where nobody knows, and the functions called.
    """

    functions: list[Function]
    constants: list[Variable]
    variables: list[Variable]
    addressed: frozenset[int] = frozenset()
    words: frozenset[str] = frozenset()
    unresolved: Sequence[tuple[int, Variable]] = ()
    callees: Mapping[int, Sequence[tuple[int, Function]]] = field(default_factory=dict)


def reached_from(
    unit: Unit,
    ranges: Sequence[tuple[Function, int, int]],
    bodies: Iterable[tuple[Function, int, int, bool]],
    arguments: Iterable[str],
    declared: Iterable[tuple[Function | None, Function]],
    named: Iterable[Function],
) -> Reached:
    """What the code of regions in ``ranges`` and the ``bodies`` of closures reach, functions that are ``arguments`` of
    templates with regions, those that are ``declared`` for the device, with the function of the region that calls them,
    if that is known, and what reductions perhaps call of functions that have the names in them. Raises InputError."""
    found: dict[int, Function] = {}
    constants: dict[Variable, None] = {}
    variables: dict[Variable, None] = {}
    addressed: set[int] = set()
    of_templates: set[str] = set()
    queue: list[Function] = []
    perhaps: list[Function] = []
    is_certain = True
    callees: dict[int, list[tuple[int, Function]]] = {}
    caller: Function | None = None
    at = -1
    unresolved: list[tuple[int, Variable]] = []
    others = _without_regions(unit)
    without_regions = {f.start for f in others}
    copying = [c for c in unit.constructs if any(clause.name in PRIVATE_COPIES for clause in c.directive.clauses)]
    places = [c.start for c in copying]
    of_device = {name for construct in unit.constructs for name in device_objects(construct.directive)}
    # libclang does not say which operator a 'new' calls.
    allocating = [f for f in others if f.name.startswith(("operator new", "operator delete"))]
    by_name: dict[str, list[Function]] = {}
    for function in others:
        by_name.setdefault(function.name, []).append(function)

    def note(function: Function) -> None:
        if caller is not None:
            callees.setdefault(caller.start, []).append((at, function))

    def add(function: Function) -> None:
        note(function)
        is_possible = not function.mentions.odd and function.start in without_regions
        if function.start not in found and (is_certain or is_possible):
            found[function.start] = function
            queue.append(function)

    def guess(function: Function) -> None:
        """Note what is perhaps called. Where device code cannot be made of it, or of what it calls, the device's
        compiler says who calls it."""
        note(function)
        perhaps.append(function)

    def scan(function: Function, start: int, end: int, *, kernel: bool) -> None:
        nonlocal caller, at
        caller = function
        for at, target in function.mentions.calls:
            if start <= at < end and at not in unit.unevaluated:
                _call(unit, at, target, add)
        for at, (called, pointer) in function.mentions.by_table.items():
            if start <= at < end and pointer in of_device:
                for overriding in unit.functions:
                    if _overrides(unit, overriding.cursor, called):
                        add(overriding)
        for at, target in function.mentions.overloads:
            other = unit.defined(target) if start <= at < end and at not in unit.unevaluated else None
            if other is not None and other.start in without_regions:
                guess(other)
        for at, cursor in function.mentions.declared:
            if start <= at < end:
                _destructor(unit, cursor, add)
        for at, cursor in function.mentions.temporaries:
            if start <= at < end:
                _destructor(unit, cursor, guess)
        for at, record, is_certain_class in function.mentions.deleted:
            if start <= at < end:
                _delete(unit, at, record, add, is_certain=is_certain_class)
        at = -1
        if any(start <= place < end for place, _, _ in function.mentions.bindings):
            for getter in by_name.get("get", ()):  # which structured bindings call, as libclang does not say
                guess(getter)
        for construct in copying[bisect_left(places, start) : bisect_left(places, end)]:
            for copying_function in copied_by(unit, function, construct):
                add(copying_function)
        storing = [*function.mentions.made, *(place for place, _, _ in function.mentions.deleted)]
        if any(start <= place < end for place in storing):
            for other in allocating:
                guess(other)
        for reference in function.mentions.references:
            variable = reference.variable
            if not start <= reference.start < end or variable.is_local:
                continue
            if not reference.is_read and (variable.constant or (variable.type.const and not kernel)):
                addressed.add(variable.start)
            if not variable.constant and variable.type.const and not kernel and unit.is_static_member(variable):
                variables.setdefault(variable)
            elif variable.constant or (variable.type.const and not kernel):
                if variable.type.kind in ("array", "record") or not variable.constant:
                    constants.setdefault(variable)
            elif not kernel and variable.start >= 0:
                variables.setdefault(variable)
        if function.is_template and (used := used_in_instances(unit, function)) is not None:
            text = unit.text[start:end]
            of_templates.update(words_in(text), _ARGUMENT.findall(text))
            for at, cursor in (one for one in used if start <= one[0] < end):
                if cursor.kind == unit.kinds.VAR_DECL:
                    if start <= unit.place(cursor.extent.start) < end:
                        _destructor(unit, cursor, add)
                    member = _member_of_instance(unit, cursor)
                    if member is not None and (member.type.const or not kernel):
                        variables.setdefault(member)
                    elif member is not None and not _is_named(function, at, member):
                        unresolved.append((at, member))
                elif cursor.kind.is_expression():
                    _destructor(unit, cursor, guess)
                elif cursor.kind in unit.classes:
                    _delete(unit, at, cursor, add)
                else:
                    _call(unit, at, cursor, add)
        elif function.is_template and (not kernel or function.start in instantiations(unit)):
            guess_all(unit.text[start:end])  # a region that nothing instantiates needs nothing

    def guess_all(text: str) -> None:
        """Note what some text calls where nothing tells what that is."""
        for name in _CALLED.findall(text):
            for other in by_name.get(name, ()):
                guess(other)
        words = words_in(text)
        of_templates.update(words, _ARGUMENT.findall(text))
        for other in others:
            name = other.name.removeprefix("~").partition("<")[0]
            made = other.cursor.kind in (unit.kinds.CONSTRUCTOR, unit.kinds.DESTRUCTOR) and name in words
            if made or name.startswith("operator"):
                guess(other)

    for function, start, end in ranges:
        scan(function, start, end, kernel=True)
    at = -1
    for caller, function in declared:  # noqa: B007
        add(function)
    for function in named:
        perhaps.append(function)
        for caller in {one.start: one for one, _, _ in ranges}.values():  # noqa: B007
            note(function)
    for name in {qualified_at(part, 0) for text in arguments for part in text.split("&")[1:]}:
        for function in by_name.get(name.rpartition("::")[2], ()):
            for caller in dict.fromkeys(one for one, _, _ in ranges if one.is_template):  # noqa: B007
                add(function)
    given = {name for text in arguments for _, name in identifiers_in(text)}
    for variable in unit.globals if given else ():
        if variable.constant and variable.type.kind == "array" and variable.host.removeprefix("::") in given:
            constants.setdefault(variable)
            addressed.add(variable.start)
    for function, start, end, is_generic in bodies:
        scan(function, start, end, kernel=False)
        if is_generic:
            guess_all(unit.text[start:end])
    while queue or perhaps:
        if not queue:
            is_certain, caller = False, None
            add(perhaps.pop())
            continue
        function = queue.pop()
        scan(function, function.start, function.end, kernel=False)
        for place, what in sorted(function.mentions.odd):  # of what is certain
            raise error_at(unit.span(place), f"'{function.name}', which runs on the device, {what}")
        at = -1
        if function.cursor.kind == unit.kinds.CONSTRUCTOR:
            _parts(unit, function.cursor.semantic_parent, add)
    functions = sorted(found.values(), key=lambda f: f.start)
    calls = {start: [one for one in called if one[1].start in found] for start, called in callees.items()}
    return Reached(
        functions, list(constants), list(variables), frozenset(addressed), frozenset(of_templates), unresolved, calls
    )


def device_objects(directive: Directive) -> set[str]:
    """The variables that a directive says lead to objects of the device."""
    clauses = (c for c in directive.clauses if c.name in ("is_device_ptr", "has_device_addr"))
    return {item.name for clause in clauses if isinstance(clause, ListClause) for item in clause.items}


def _overrides(unit: Unit, method: Any, virtual: Any) -> bool:
    """Whether a method is what a call of a virtual one may run."""
    same = method.kind == unit.kinds.CXX_METHOD and method.displayname == virtual.displayname
    if not same or method.is_const_method() != virtual.is_const_method():
        return False
    classes = [method.semantic_parent]
    for one in classes:
        classes += unit.members_of(one)[1]
    return any(one.canonical == virtual.semantic_parent.canonical for one in classes)


def used_in_instances(unit: Unit, function: Function) -> list[tuple[int, Any]] | None:
    """The places and the declarations of what the instantiations of a template call, and of their variables.

    None if the unit makes none whose body libclang shows.
    """
    if function.start in unit.used:
        return unit.used[function.start]
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    found: dict[tuple[int, int], tuple[int, Any]] = {}
    bodies = [
        body
        for instance in instantiations(unit).get(function.start, ())
        for body in libclang.children(instance)
        if instance.kind in functions and body.kind == k.COMPOUND_STMT
    ]
    for cursor in (node for body in bodies for node in libclang.descendants(body)):
        used = []
        if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            used = [cursor.referenced]
            if cursor.kind == k.CALL_EXPR and is_by_pointer(unit, cursor):
                function.mentions.by_pointer.append(unit.place(cursor.extent.start))
            if cursor.kind != k.MEMBER_REF_EXPR:  # which is a part of the call
                note_virtual_call(unit, function.mentions, cursor, in_instance=True)
        elif cursor.kind == k.VAR_DECL:
            used = [cursor]
        elif cursor.kind == k.CXX_FOR_RANGE_STMT:
            used = list(of_range(unit, cursor))
        elif cursor.kind == k.CXX_DELETE_EXPR:
            used = [record for record, _ in deleted_by(cursor)]
        used = [t for t in used if t is not None and t.kind in (*functions, *unit.classes, k.VAR_DECL)]
        for target in (*used, *[cursor] * may_be_temporary(unit, cursor)):
            place = unit.place(cursor.extent.start)
            found.setdefault((place, target.canonical.hash), (place, target))
    unit.used[function.start] = sorted(found.values(), key=lambda one: one[0]) if bodies else None
    return unit.used[function.start]


def copied_by(unit: Unit, function: Function, construct: Construct) -> Iterator[Function]:
    """What makes, assigns and ends the private copies of objects that a construct lists."""
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
                yield from _of_copies(unit, kind)


def _of_copies(unit: Unit, kind: Any) -> Iterator[Function]:
    k = unit.kinds
    for record in unit.classes_in(unit.class_of(kind)):
        for child in libclang.children(libclang.pattern(record)):
            makes = child.kind == k.CONSTRUCTOR and (child.is_default_constructor() or child.is_copy_constructor())
            if makes or child.kind == k.DESTRUCTOR or child.spelling == "operator=":
                found = unit.defined(child)
                yield from (found,) if found is not None else ()


def _is_named(function: Function, place: int, member: Variable) -> bool:
    """Whether the template itself names the member there. The variable in front of a member is at the same place."""
    return any(r.start == place and r.variable.name == member.name for r in function.mentions.references)


def _member_of_instance(unit: Unit, cursor: Any) -> Variable | None:
    """The variable that a declaration in an instantiation declares, if it is a static member and no constant."""
    if cursor.semantic_parent is None or cursor.semantic_parent.kind not in unit.classes:
        return None
    variable = unit.variable(cursor)
    general = general_of(unit, variable) or variable
    return None if general.constant or variable.constant or variable.start < 0 else variable


def _without_regions(unit: Unit) -> list[Function]:
    """The functions without target constructs. What a template or a combiner calls is guessed by names, and no other
    function is meant."""
    places = sorted(c.start for c in unit.constructs if c.directive.name.startswith("target"))
    return [f for f in unit.functions if bisect_left(places, f.body) == bisect_left(places, f.end)]


def named_in(unit: Unit, text: str) -> list[Function]:
    """The functions, operators, and constructors and destructors of classes that a text names."""
    words = words_in(text)
    found = []
    for function in _without_regions(unit):
        name = function.name.removeprefix("~").partition("<")[0]
        operator = name.removeprefix("operator").strip() if has_word(name, "operator") else ""
        if name in words or (operator and operator in text):
            found.append(function)
    return found


def _call(unit: Unit, place: int, target: Any, add: Any) -> None:
    k = unit.kinds
    function = unit.defined(target)
    if function is not None:
        add(function)
        return
    if not libclang.is_users(target):
        _through_library(unit, place, target, add)
        return
    if target.kind == k.CONSTRUCTOR and _plain_name(target) != _plain_name(target.semantic_parent):
        _inherited(unit, target.semantic_parent, _plain_name(target), add)
        _parts(unit, target.semantic_parent, add)
    if _is_copying(unit, target):
        _copied_parts(unit, target.semantic_parent, target.kind, add)
    is_builtin = target.spelling.startswith("__builtin_")
    may_be_elsewhere = target.kind == k.FUNCTION_DECL or (
        target.kind == k.CXX_METHOD and not target.is_pure_virtual_method() and not target.is_default_method()
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
            unit.used_elsewhere.append((str(target.mangled_name), unit.span(place)))


def _through_library(unit: Unit, place: int, target: Any, add: Any) -> None:
    """Add what a function of the library calls of the user's, such as the operators of iterators and of elements."""
    k = unit.kinds
    if unit.class_names is None:
        unit.class_names = frozenset(f"{len(name)}{name}" for name in _CLASS.findall(unit.read.text))
    queue, seen = [target], set[str]()
    while queue:
        function = queue.pop()
        if libclang.is_users(function):
            if function.kind == k.CXX_METHOD and function.is_virtual_method():
                what = f"device code calls the virtual function '{function.spelling}', which is not supported"
                raise error_at(unit.span(place), what)
            _call(unit, place, function, add)
            continue
        symbol = function.mangled_name
        if symbol in seen:
            continue
        seen.add(symbol)
        if symbol not in unit.followed:
            unit.followed[symbol] = list(_used_by_library(unit, function, symbol))
        for cursor in unit.followed[symbol]:
            if cursor.kind == k.VAR_DECL:
                _destructor(unit, cursor, add)
            else:
                queue.append(cursor)


def _used_by_library(unit: Unit, function: Any, symbol: str) -> Iterator[Any]:
    """The functions that one of the library calls, and its variables of the user's classes."""
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    if not any(name in symbol for name in (*_UNNAMED, *(unit.class_names or ()))):
        return  # nothing of the user's is an argument
    definition = function.get_definition()
    for cursor in libclang.descendants(definition) if definition is not None else ():
        if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            called = cursor.referenced
            if called is not None and called.kind in functions:
                yield called
        elif cursor.kind == k.VAR_DECL:
            declaration = cursor.type.get_canonical().get_declaration()
            if declaration is not None and libclang.is_users(declaration):
                yield cursor


def _delete(unit: Unit, place: int, record: Any, add: Any, *, is_certain: bool = False) -> None:
    """Add what ``delete`` runs for an object of a class. Raises InputError for virtual destructors, unless it
    ``is_certain`` that the class is the object's own."""
    queue = [] if is_certain else [record]
    while queue:
        one = queue.pop()
        for child in libclang.children(libclang.pattern(one)):
            if child.kind == unit.kinds.DESTRUCTOR and child.is_virtual_method():
                what = f"device code calls the virtual function '{child.spelling}', which is not supported"
                raise error_at(unit.span(place), what)
        queue += unit.members_of(one)[1]
    _add_members(unit, record, (unit.kinds.DESTRUCTOR,), add)
    _parts(unit, record, add)


def _destructor(unit: Unit, cursor: Any, add: Any) -> None:
    """Add the destructor of a variable's or an expression's class, and what its parts' constructors and destructors
    run."""
    if (record := unit.class_of(cursor.type)) is not None:
        _add_members(unit, record, (unit.kinds.DESTRUCTOR,), add)
        _parts(unit, record, add)
        unit.ended |= {libclang.pattern(one).canonical.hash for one in unit.classes_in(record)}


def _parts(unit: Unit, record: Any, add: Any) -> None:
    """Add the default constructors and the destructors of a class's members and bases, which no call names."""
    k = unit.kinds
    for part in unit.classes_in(record):
        if part != record and libclang.is_users(part):
            _add_members(unit, part, (k.CONSTRUCTOR, k.DESTRUCTOR, k.FUNCTION_TEMPLATE), add)


def _plain_name(cursor: Any) -> str:
    return str(cursor.spelling.partition("<")[0])


def _inherited(unit: Unit, record: Any, name: str, add: Any) -> None:
    """Add the constructors that a class inherits from the base of a name."""
    for base in map(libclang.pattern, unit.members_of(record)[1]):
        for made in libclang.children(base) if _plain_name(base) == name else ():
            is_made = made.kind in (unit.kinds.CONSTRUCTOR, unit.kinds.FUNCTION_TEMPLATE) and _plain_name(made) == name
            function = unit.by_declaration.get(made.canonical.hash) if is_made else None
            if function is not None:
                add(function)
        _inherited(unit, base, name, add)


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
