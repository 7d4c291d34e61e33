"""What a region cannot use of the host's objects, because it leads to the host's code or to its tables of classes:
pointers to functions, and virtual bases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from ..base.diagnostics import InputError, error_at
from ..tree import nodes as tree
from ..tree import types
from . import libclang
from .code import Variable
from .dynamic_types import inside
from .facts import RegionFacts
from .reading.reader import reader_of
from .unit import Unit


def check_host_objects(facts: RegionFacts) -> None:
    """Raise InputError where a region calls a function by a pointer of the host's, or uses a virtual base of an object
    of the host's."""
    unit, k = facts.unit, facts.unit.kinds
    bodies = [facts.function.cursor, *(instance.cursor for instance in facts.instances)]
    start, end = facts.body.start, facts.body.end
    for place, node in (use for body in bodies for use in _uses(unit, body, start, end)):
        if node.kind == k.CALL_EXPR:
            callee = next(iter(libclang.children(node)), None)
            pointer = _named_pointer(unit, inside(callee)) if callee is not None else None
            if pointer is not None and _is_of_host(unit, pointer, start, end):
                raise _of_host(unit, pointer.spelling, place)
        elif (base := _virtual_base(unit, facts, node)) is not None and _is_of_host(unit, node, start, end):
            what = f"'{node.spelling}' is a member of the virtual base '{base}' of an object of the host's"
            raise error_at(unit.span(place), f"{what}, which device code cannot find")
    if "(*" in unit.text:  # or there are no pointers to functions that code could keep
        for body in bodies:
            _check_kept(unit, body, start, end)
        _check_objects(facts)


def _of_host(unit: Unit, name: str, place: int) -> InputError:
    what = f"'{name}' leads to a function of the host's, which device code cannot call"
    return error_at(unit.span(place), what, "make the function a template's argument: a lambda, an object")


def _check_kept(unit: Unit, function: Any, start: int, end: int) -> None:
    """Raise InputError where a region does something with the host's pointers to functions but compare them: it keeps
    them in a variable, or passes them on."""
    k = unit.kinds
    stack = [(function, False)]
    while stack:
        node, compared = stack.pop()
        is_named = node.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR) and not compared
        place = unit.place(node.extent.start) if is_named else -1
        pointer = _named_pointer(unit, node) if start <= place < end else None
        if pointer is not None and _is_of_host(unit, pointer, start, end):
            raise _of_host(unit, pointer.spelling, place)
        wraps = node.kind in (k.UNEXPOSED_EXPR, k.PAREN_EXPR) and compared
        compares = node.kind.is_expression() and node.kind != k.CALL_EXPR and node.type.kind == unit.types.BOOL
        stack += [(child, wraps or compares) for child in reversed(libclang.children(node))]


def _check_objects(facts: RegionFacts) -> None:
    """Raise InputError for calls by members of objects that may be the host's, or copies of them, in a region or in
    what it calls."""
    unit, calls = facts.unit, reader_of(facts.unit).calls
    for region in facts.trees:
        objects = _classes_of_host(region)
        called = calls.functions(region)[0] if objects else ()
        bodies = (calls.body(function) for function in called if function.defined)
        for node in (n for part in (region, *(b.statement for b in bodies if b is not None)) for n in tree.walk(part)):
            member = _called_member(node.callee) if isinstance(node, tree.Call) else None
            if member is not None and isinstance(kind := member.whole.type, types.Record) and kind.info in objects:
                raise _of_host(unit, member.member.name, unit.extent(node.origin)[0])


def _called_member(callee: tree.Node) -> tree.Part | None:
    """The member of an object with a function's address that is called, or that has or leads to a table of them."""
    while not isinstance(callee, tree.Part):
        match callee:
            case tree.Convert(value=inner) | tree.Load(place=inner) | tree.Decay(array=inner):
                callee = inner
            case tree.Offset(pointer=inner) | tree.Pointee(pointer=inner):
                callee = inner
            case _:
                return None
    return callee


def _classes_of_host(region: tree.Construct) -> set[types.RecordInfo]:
    """The classes of objects that a region has from outside, and of their members."""
    found: set[types.RecordInfo] = set()
    nodes = list(tree.walk(region))
    declared = {node.variable for node in nodes if isinstance(node, tree.Declare)}
    outside = {node.variable for node in nodes if isinstance(node, tree.Named)} - declared
    queue = [v.type for v in outside if not (isinstance(v.entity, Variable) and v.entity.constant)]
    while queue:
        match queue.pop():
            case types.Pointer(to=kind) | types.Array(of=kind):
                queue.append(kind)
            case types.Record(info=info) if info not in found:
                found.add(info)
                queue += [member.type for member in info.members]
    return found


def _uses(unit: Unit, function: Any, start: int, end: int) -> list[tuple[int, Any]]:
    """The calls and the uses of members in a part of a function, with their places. A function is walked once."""
    if function.hash not in unit.uses:
        kinds = (unit.kinds.CALL_EXPR, unit.kinds.MEMBER_REF_EXPR)
        nodes = [node for node in libclang.descendants(function) if node.kind in kinds]
        unit.uses[function.hash] = sorted(((unit.place(n.extent.start), n) for n in nodes), key=itemgetter(0))
    uses = unit.uses[function.hash]
    low = bisect_left(uses, start, key=itemgetter(0))
    return uses[low : bisect_left(uses, end, low, key=itemgetter(0))]


def leads_to_function(unit: Unit, kind: Any) -> bool:
    """Whether a type is that of pointers or references to functions, or of arrays of them, or leads to these."""
    found = libclang.innermost(kind)
    return found.kind != unit.types.FUNCTIONPROTO and bool(libclang.behind(found).kind == unit.types.FUNCTIONPROTO)


def _named_pointer(unit: Unit, callee: Any) -> Any:
    """The expression that names a variable or a member which leads to a function, or None. It may be that of a call."""
    k = unit.kinds
    while callee.kind in (k.UNARY_OPERATOR, k.ARRAY_SUBSCRIPT_EXPR) and libclang.children(callee):
        callee = inside(libclang.children(callee)[0])
    target = callee.referenced if callee.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR) else None
    if target is None or target.kind not in (k.VAR_DECL, k.PARM_DECL, k.FIELD_DECL):
        return None
    return callee if leads_to_function(unit, target.type) else None


def _is_of_host(unit: Unit, expression: Any, start: int, end: int) -> bool:
    """Whether what an expression names begins with a variable, no constant, that is not declared in [start, end)."""
    k = unit.kinds
    while expression.kind in (k.MEMBER_REF_EXPR, k.ARRAY_SUBSCRIPT_EXPR, k.UNARY_OPERATOR):
        inner = [child for child in libclang.children(expression) if child.kind.is_expression()]
        if not inner:
            return True  # of the method's object
        expression = inside(inner[0])
    if expression.kind == k.CXX_THIS_EXPR:
        return True
    target = expression.referenced if expression.kind == k.DECL_REF_EXPR else None
    if target is None or target.kind not in (k.VAR_DECL, k.PARM_DECL):
        return False
    return not start <= unit.place(target.location) < end and not unit.variable(target).constant


def _virtual_base(unit: Unit, facts: RegionFacts, member: Any) -> str | None:
    """The virtual base that a use of a member goes through, or may, as a method with the whole object."""
    target = member.referenced
    owner = target.semantic_parent if target is not None else None
    inner = [child for child in libclang.children(member) if child.kind.is_expression()]
    if owner is None or owner.kind not in unit.classes or (not inner and not facts.function.is_member):
        return None
    record = inside(inner[0]).type.get_canonical() if inner else facts.function.cursor.semantic_parent.type
    record = record.get_pointee() if record.kind in (unit.types.POINTER, unit.types.LVALUEREFERENCE) else record
    for base, is_virtual, below in _bases(unit, record.get_canonical().get_declaration(), ()):
        through = (base, *below)
        if is_virtual and (target.kind == unit.kinds.CXX_METHOD or owner.canonical in [b.canonical for b in through]):
            return str(base.spelling)
    return None


def _bases(unit: Unit, record: Any, seen: tuple[int, ...]) -> Iterator[tuple[Any, bool, list[Any]]]:
    """(a base of a class, whether it is virtual, its own bases)"""
    from clang.cindex import conf

    if not libclang.is_users(record) or record.hash in seen:
        return
    for child in libclang.children(record.get_definition() or record):
        if child.kind == unit.kinds.CXX_BASE_SPECIFIER:
            base = child.type.get_canonical().get_declaration()
            below = list(_bases(unit, base, (*seen, record.hash)))
            yield base, bool(conf.lib.clang_isVirtualBase(child)), [one for one, _, _ in below]
            yield from below
