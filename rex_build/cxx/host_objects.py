"""What a region cannot use of the host's objects, because it leads to the host's code or to its tables of classes:
pointers to functions, and virtual bases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..base.diagnostics import InputError, error_at
from ..tree import nodes as tree
from ..tree import types
from ..tree.symbols import Variable
from . import libclang
from .code import Variable as CxxVariable
from .facts import RegionFacts
from .reading.reader import reader_of
from .reading.types import written
from .unit import Unit


def check_host_objects(facts: RegionFacts) -> None:
    """Raise InputError where a region does something with a pointer to a function of the host's but compare it, or it
    or what it calls uses one in an object that may be the host's, or a virtual base of such an object."""
    unit, calls = facts.unit, reader_of(facts.unit).calls
    for region in facts.trees:
        outside = _outside(region)
        places: list[tree.Named | tree.Part] = [*tree.parts(region, tree.Named), *tree.parts(region, tree.Part)]
        pointers = [p for p in places if _leads_to_function(p.type) and _root_of(p) in outside]
        around = {c: node for node in tree.walk(region) for c in tree.children(node)} if pointers else {}
        for pointer in pointers:
            _check_pointer(unit, pointer, around)
        objects = _classes_of(outside)
        called = calls.functions(region)[0] if objects else ()
        bodies = [body.statement for f in called if f.defined and (body := calls.body(f)) is not None]
        for node in (node for part in (region, *bodies) for node in tree.walk(part) if objects):
            member = _called_member(node.callee) if isinstance(node, tree.Call) else None
            if member is not None and isinstance(kind := member.whole.type, types.Record) and kind.info in objects:
                raise _of_host(unit, member.member.name, node.origin)
            for child in tree.children(node):
                if isinstance(child, tree.Opaque):
                    code = node.origin if isinstance(node, tree.Part | tree.Call) else child.origin
                    _check_not_read(unit, objects, code)


def _of_host(unit: Unit, name: str, code: Any) -> InputError:
    what = f"'{name}' leads to a function of the host's, which device code cannot call"
    remedy = "make the function a template's argument: a lambda, an object"
    return error_at(unit.span(unit.extent(code)[0]), what, remedy)


# What leads from a variable to the pointer in it, or in an array of pointers.
_ON_THE_WAY = (tree.Decay, tree.Offset, tree.Pointee, tree.Load, tree.AddressOf, tree.Convert)


def _check_pointer(unit: Unit, pointer: tree.Named | tree.Part, around: Mapping[tree.Node, tree.Node]) -> None:
    """Raise InputError unless a region only asks whether a pointer leads anywhere, or to the same as another one."""
    used: tree.Node = pointer
    while isinstance(outer := around[used], _ON_THE_WAY) and not _is_compared(outer):
        used = outer
    if not _is_compared(outer):
        name = pointer.variable.name if isinstance(pointer, tree.Named) else pointer.member.name
        is_called = isinstance(outer, tree.Call) and outer.callee is used
        raise _of_host(unit, name, outer.origin if is_called else pointer.origin or outer.origin)


def _root_of(node: tree.Node) -> Variable | None:
    """The variable from which one comes to a place, or None if that is another value."""
    while not isinstance(node, tree.Named):
        match node:
            case tree.Part(whole=inner) | tree.Load(place=inner) | tree.Decay(array=inner):
                node = inner
            case tree.Pointee(pointer=inner) | tree.Offset(pointer=inner) | tree.Convert(value=inner):
                node = inner
            case _:
                return None
    return node.variable


def _leads_to_function(kind: types.Type) -> bool:
    """Whether a type is that of pointers or references to functions, or of arrays of them, or leads to these."""
    while isinstance(kind, types.Pointer | types.Array):
        kind = kind.to if isinstance(kind, types.Pointer) else kind.of
    return isinstance(kind, types.Function)


def _is_compared(node: tree.Node) -> bool:
    if isinstance(node, tree.Convert):
        return isinstance(node.type, types.Integer) and node.type.boolean
    return isinstance(node, tree.Binary | tree.Unary)


def _outside(region: tree.Construct) -> set[Variable]:
    """The variables that a region has from outside, and no constants."""
    nodes = list(tree.walk(region))
    declared = {node.variable for node in nodes if isinstance(node, tree.Declare)}
    named = {node.variable for node in nodes if isinstance(node, tree.Named)} - declared
    return {v for v in named if not (isinstance(v.entity, CxxVariable) and v.entity.constant)}


def _check_not_read(unit: Unit, objects: Collection[types.RecordInfo], code: Any) -> None:
    """Raise InputError if code that is not understood, as objects as their virtual bases are, has such a use."""
    k, of_types = unit.kinds, reader_of(unit).types
    classes = [(of_types.cursor(info), "") for info in objects]
    owners = {record.canonical.hash for record, _ in classes}
    bases: dict[int, str] = {}
    for record, base in classes:
        for child in (c for c in libclang.children(written(record)) if c.kind == k.CXX_BASE_SPECIFIER):
            inner = child.type.get_canonical().get_declaration()
            is_virtual = bool(libclang.load().conf.lib.clang_isVirtualBase(child))
            classes.append((inner, base or (inner.spelling if is_virtual else "")))
            bases[inner.canonical.hash] = classes[-1][1]
    for use in (code, *libclang.descendants(code)) if code is not None else ():
        if use.kind != k.MEMBER_REF_EXPR or use.referenced is None:
            continue
        owner = use.referenced.semantic_parent.canonical.hash
        leads = use.referenced.kind == k.FIELD_DECL and libclang.behind(use.type).kind == unit.types.FUNCTIONPROTO
        if leads and owner in owners:
            raise _of_host(unit, use.spelling, use)
        if bases.get(owner):
            what = f"'{use.spelling}' is a member of the virtual base '{bases[owner]}' of an object of the host's"
            span = unit.span(unit.place(use.extent.start))
            raise error_at(span, f"{what}, which device code cannot find")


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


def _classes_of(variables: Iterable[Variable]) -> set[types.RecordInfo]:
    """The classes, of the objects that variables are or lead to and of their members, that have pointers to functions
    or virtual bases."""
    found: set[types.RecordInfo] = set()
    queue = [variable.type for variable in variables]
    while queue:
        match queue.pop():
            case types.Pointer(to=kind) | types.Array(of=kind):
                queue.append(kind)
            case types.Record(info=info) if info not in found:
                found.add(info)
                queue += [member.type for member in info.members]
    return {info for info in found if any(_is_of_host(member) for member in info.members)}


def _is_of_host(member: types.Member) -> bool:
    return _leads_to_function(member.type) or (member.base and isinstance(member.type, types.Unknown))
