"""What a region cannot use of the host's objects, because it leads to the host's code, to its storage or to its tables
of classes: pointers to functions, members that are references, and virtual bases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ..base.diagnostics import InputError, SourceSpan, error_at
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree import types
from ..tree.calls import Calls
from ..tree.symbols import Storage, Variable

SpanOf = Callable[[Any], SourceSpan]


def check_host_objects(
    regions: Iterable[tree.Construct], calls: Calls, constants: Callable[[Entity], bool],
    check_unread: Callable[[Collection[types.RecordInfo], Any], None], span_of: SpanOf, *, by_pointer: bool,
) -> None:  # fmt: skip
    """Raise InputError where a region does something with a pointer to a function of the host's but compare it, or it
    or what it calls uses one in an object that may be the host's, or a virtual base of such an object.

    ``regions`` has it in each instantiation. The device has ``constants`` of its own. ``check_unread`` does the same
    for code that is not understood. With ``by_pointer``, pointers may lead to functions that the device finds.
    """
    for region in regions:
        outside = _outside(region, constants)
        places: list[tree.Named | tree.Part] = [*tree.parts(region, tree.Named), *tree.parts(region, tree.Part)]
        found = (p for p in places if isinstance(types.end_of(p.type), types.Function) and _root_of(p) in outside)
        pointers = [] if by_pointer else list(found)
        around = {c: node for node in tree.walk(region) for c in tree.children(node)} if pointers else {}
        for pointer in pointers:
            _check_pointer(pointer, around, span_of)
        classes = _classes_in((variable.type for variable in outside), behind=True)
        objects = {i for i in classes if any(_is_of_host(m) and not (by_pointer and _is_pointer(m)) for m in i.members)}
        called = calls.functions(region)[0] if objects else ()
        bodies = [body.statement for f in called if f.defined and (body := calls.body(f)) is not None]
        for node in (node for part in (region, *bodies) for node in tree.walk(part) if objects):
            member = _called_member(node.callee) if isinstance(node, tree.Call) and not by_pointer else None
            if member is not None and isinstance(kind := member.whole.type, types.Record) and kind.info in objects:
                raise of_host(member.member.name, span_of(node.origin))
            for child in tree.children(node):
                if isinstance(child, tree.Opaque):
                    check_unread(objects, node.origin if isinstance(node, tree.Part | tree.Call) else child.origin)


def check_reference_members(
    regions: Iterable[tree.Construct], calls: Calls, variables: Collection[Entity],
    unread: Callable[[Collection[types.RecordInfo], Any], Iterable[Any]],
    may_hold: Callable[[Collection[types.RecordInfo], types.RecordInfo], bool], span_of: SpanOf,
) -> None:  # fmt: skip
    """Raise InputError where a region uses a reference that is a member of an object of the host's, or what it calls
    does: it leads to the host's storage on a device, too, and nothing says where its data is there.

    The ``variables`` are those that the region has from the host. Constructors make objects of their own. ``unread``
    finds such members in code that is not understood, and ``may_hold`` says whether objects of classes with bases that
    are not known may have such a base or member.
    """
    for region in regions:
        named = {one.variable for one in tree.parts(region, tree.Named) if one.variable.entity in variables}
        classes = _classes_in((types.end_of(variable.type) for variable in named), behind=False)
        objects = {info for info in classes if any(map(_is_reference, info.members))}
        open_classes = {i for i in classes if any(m.base and isinstance(m.type, types.Unknown) for m in i.members)}
        if not objects and not open_classes:
            continue
        is_object = partial(_is_object, objects, open_classes, may_hold)
        declared = {one.variable for one in tree.parts(region, tree.Declare)}
        remedy = "let a variable of the function refer to it, and map that"
        for use, name, root in _reference_members(region, is_object, partial(unread, objects)):
            if root not in declared:
                what = f"'{name}' is a reference member, which leads to the host's storage in a region"
                raise error_at(span_of(use), what, remedy)
        called = [f for f in calls.functions(region)[0] if f.defined]
        bodies = {f: found.statement for f in called if (found := calls.body(f)) is not None}
        made = {c.callee for part in (region, *bodies.values()) for c in tree.parts(part, tree.Call) if c.constructs}
        constructors = {one.function for one in made if isinstance(one, tree.FunctionAddress)}
        for function, code in bodies.items():
            for use, name, root in _reference_members(code, is_object, partial(unread, objects)):
                if function not in constructors and root is not None and root.storage is Storage.PARAMETER:
                    what = f"'{function.name.rpartition('::')[2]}', which runs on the device, uses the reference "
                    what += f"member '{name}' of an object of the host, which leads to the host's storage"
                    raise error_at(span_of(use), what, remedy)


def _is_object(
    objects: Collection[types.RecordInfo], open_classes: Collection[types.RecordInfo],
    may_hold: Callable[[Collection[types.RecordInfo], types.RecordInfo], bool], kind: types.Type,
) -> bool:  # fmt: skip
    """Whether a type is a class of such objects."""
    if not isinstance(kind, types.Record):
        return bool(open_classes)
    return kind.info in objects or (bool(open_classes) and may_hold(open_classes, kind.info))


def _reference_members(
    code: tree.Node, is_object: Callable[[types.Type], bool], unread: Callable[[Any], Iterable[Any]]
) -> Iterator[tuple[Any, str, Variable | None]]:
    """(a mention of a reference that is a member of such objects, its name, the variable whose part it is)"""
    for part in tree.parts(code, tree.Part):
        if _is_reference(part.member) and is_object(part.whole.type):
            yield part.origin, part.member.name, _root_of(part)
    for opaque in tree.parts(code, tree.Opaque):
        yield from ((use, use.spelling, None) for use in unread(opaque.origin))


def _is_reference(member: types.Member) -> bool:
    """Whether a member of a class of the user's is a reference. Those of closures have no names."""
    return bool(member.name) and types.is_reference(member.type)


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


def _classes_in(kinds: Iterable[types.Type], *, behind: bool) -> set[types.RecordInfo]:
    """The classes of objects of some types and of their members, and perhaps of what is ``behind`` pointers."""
    found: set[types.RecordInfo] = set()
    queue = list(kinds)
    while queue:
        match queue.pop():
            case types.Array(of=kind):
                queue.append(kind)
            case types.Pointer(to=kind) if behind:
                queue.append(kind)
            case types.Record(info=info) if info not in found:
                found.add(info)
                queue += [member.type for member in info.members]
    return found


def _is_of_host(member: types.Member) -> bool:
    return _is_pointer(member) or (member.base and isinstance(member.type, types.Unknown))


def _is_pointer(member: types.Member) -> bool:
    return isinstance(types.end_of(member.type), types.Function)
