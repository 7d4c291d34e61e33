"""Uses of host memory on the device that can be proved wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..directives.model import Member
from ..tree import nodes as tree
from ..tree.symbols import Storage, Variable
from ..tree.types import Member as MemberOf
from ..tree.types import Pointer, Record
from ..tree.values import Object, base_of, object_of, path_of

_ALLOCATORS = frozenset(("malloc", "calloc", "realloc", "aligned_alloc"))


def check_unmapped_members(
    regions: Iterable[tree.Node], bodies: Callable[[], Sequence[tree.Body]], span_of: Callable[[Any], SourceSpan]
) -> None:
    """Raise InputError if a region follows a pointer member that provably holds a host address.

    Mapping a structure copies the addresses in it. This is provably wrong if the structure is local, its address stays
    in the function around the region, its member only ever gets addresses of host storage, and no clause maps it.
    ``regions`` are the region's trees, and ``bodies`` gives those of the functions around it.
    """
    for number, region in enumerate(regions):
        own = {node.variable for node in tree.parts(region, tree.Declare)}
        for named, member in filter(None, map(_followed, tree.parts(region, tree.Pointee))):
            variable = named.variable
            if variable in own or named.origin is None or number >= len(bodies()):
                continue
            body = bodies()[number]
            values = [] if _may_be_mapped(body, variable, member) else list(_given(body, variable, member))
            if values and all(map(_is_host_address, values)):
                what = f"'{variable.name}.{member}' points to host memory that no clause maps"
                remedy = f"map what it points to, for example map(tofrom: {variable.name}.{member}[0:n])"
                raise error_at(span_of(named.origin), what, remedy)


def _followed(place: tree.Pointee) -> tuple[tree.Named, str] | None:
    """(a local structure, its member that is a pointer and leads to a place), or None for another place"""
    match base_of(place.pointer):
        case tree.Load(place=tree.Part(whole=tree.Named() as whole, member=member, type=Pointer(reference=False))):
            is_local = whole.variable.storage is Storage.LOCAL and isinstance(whole.type, Record)
            return (whole, member.name) if is_local else None
    return None


def _may_be_mapped(body: tree.Body, variable: Variable, member: str) -> bool:
    """Whether a clause in a function names a member, or something could put another pointer into it."""
    parts = body.statement.below
    followed = {base_of(node.pointer) for node in tree.parts(body.statement, tree.Pointee)}
    for node in parts:
        match node:
            case tree.Opaque():
                return True
            case tree.AddressOf(place=place) | tree.Decay(array=place) if node not in followed:
                if object_of(place) == Object(variable):
                    return True
            case tree.Construct():
                items = (i for i in node.items if isinstance(i.place, tree.Named) and i.place.variable is variable)
                named = any(isinstance(s, Member) and s.name == member for i in items for s in i.locator.steps)
                if named or any(getattr(clause, "mapper", None) is not None for clause in node.directive.clauses):
                    return True
    return False


def _given(body: tree.Body, variable: Variable, member: str) -> Iterator[tree.Expression | None]:
    """The values that a function stores in the member, None for one that is not known or that the device stores."""
    regions = (node for node in tree.parts(body.statement, tree.Construct) if node.directive.is_target)
    on_device = {node for region in regions for node in tree.walk(region)}
    for node in body.statement.below:
        match node:
            case tree.Declare(initialiser=tree.Aggregate(parts=parts)) if node.variable is variable:
                for path, value in parts:
                    if path and isinstance(path[0], MemberOf) and path[0].name == member:
                        yield value if len(path) == 1 else None
            case tree.Declare(initialiser=value) if node.variable is variable and value is not None:
                yield None
            case tree.Store(place=tree.Named(variable=changed)) if changed is variable:
                yield None
            case tree.Store(place=place) | tree.Update(place=place) if path_of(place) == (variable, (member,)):
                yield node.value if isinstance(node, tree.Store) and node not in on_device else None


def _is_host_address(value: tree.Expression | None) -> bool:
    match base_of(value) if value is not None else None:
        case tree.AddressOf(place=tree.Named()) | tree.Decay(array=tree.Named()):
            return True
        case tree.Call(callee=tree.FunctionAddress(function=function)):
            return function.name.removeprefix("std::") in _ALLOCATORS
    return False
