"""What a region cannot use of the host's objects, because it leads to the host's code or to its tables of classes:
pointers to functions, and virtual bases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ..base.diagnostics import InputError, error_at
from ..base.spans import SourceSpan
from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree import types
from ..tree.calls import Calls
from ..tree.symbols import Variable

SpanOf = Callable[[Any], SourceSpan]


def check_host_objects(
    regions: Iterable[tree.Construct], calls: Calls, constants: Callable[[Entity], bool],
    check_unread: Callable[[Collection[types.RecordInfo], Any], None], span_of: SpanOf,
) -> None:  # fmt: skip
    """Raise InputError where a region does something with a pointer to a function of the host's but compare it, or it
    or what it calls uses one in an object that may be the host's, or a virtual base of such an object.

    ``regions`` has it in each instantiation. The device has ``constants`` of its own. ``check_unread`` does the same
    for code that is not understood.
    """
    for region in regions:
        outside = _outside(region, constants)
        places: list[tree.Named | tree.Part] = [*tree.parts(region, tree.Named), *tree.parts(region, tree.Part)]
        pointers = [p for p in places if isinstance(types.end_of(p.type), types.Function) and _root_of(p) in outside]
        around = {c: node for node in tree.walk(region) for c in tree.children(node)} if pointers else {}
        for pointer in pointers:
            _check_pointer(pointer, around, span_of)
        objects = _classes_of(outside)
        called = calls.functions(region)[0] if objects else ()
        bodies = [body.statement for f in called if f.defined and (body := calls.body(f)) is not None]
        for node in (node for part in (region, *bodies) for node in tree.walk(part) if objects):
            member = _called_member(node.callee) if isinstance(node, tree.Call) else None
            if member is not None and isinstance(kind := member.whole.type, types.Record) and kind.info in objects:
                raise of_host(member.member.name, span_of(node.origin))
            for child in tree.children(node):
                if isinstance(child, tree.Opaque):
                    check_unread(objects, node.origin if isinstance(node, tree.Part | tree.Call) else child.origin)


def of_host(name: str, span: SourceSpan) -> InputError:
    """The error for what leads to a function of the host's."""
    what = f"'{name}' leads to a function of the host's, which device code cannot call"
    return error_at(span, what, "make the function a template's argument: a lambda, an object")


# What leads from a variable to the pointer in it, or in an array of pointers.
_ON_THE_WAY = (tree.Decay, tree.Offset, tree.Pointee, tree.Load, tree.AddressOf, tree.Convert)


def _check_pointer(pointer: tree.Named | tree.Part, around: Mapping[tree.Node, tree.Node], span_of: SpanOf) -> None:
    """Raise InputError unless a region only asks whether a pointer leads anywhere, or to the same as another one."""
    used: tree.Node = pointer
    while isinstance(outer := around[used], _ON_THE_WAY) and not _is_compared(outer):
        used = outer
    if not _is_compared(outer):
        name = pointer.variable.name if isinstance(pointer, tree.Named) else pointer.member.name
        is_called = isinstance(outer, tree.Call) and outer.callee is used
        raise of_host(name, span_of(outer.origin if is_called else pointer.origin or outer.origin))


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


def _is_compared(node: tree.Node) -> bool:
    if isinstance(node, tree.Convert):
        return isinstance(node.type, types.Integer) and node.type.boolean
    return isinstance(node, tree.Binary | tree.Unary)


def _outside(region: tree.Construct, constants: Callable[[Entity], bool]) -> set[Variable]:
    """The variables that a region has from outside, and no constants."""
    nodes = list(tree.walk(region))
    declared = {node.variable for node in nodes if isinstance(node, tree.Declare)}
    named = {node.variable for node in nodes if isinstance(node, tree.Named)} - declared
    return {v for v in named if v.entity is None or not constants(v.entity)}


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
    kind = member.type
    return isinstance(types.end_of(kind), types.Function) or (member.base and isinstance(kind, types.Unknown))
