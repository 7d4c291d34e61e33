"""What code that the tree does not show uses of the host's objects (:mod:`..openmp.host_objects`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..openmp.host_objects import of_host
from ..tree import types
from . import libclang
from .reading.reader import reader_of
from .reading.types import written
from .unit import Unit


def unread_references(unit: Unit, objects: Collection[types.RecordInfo], code: Any) -> Iterator[Any]:
    """The mentions of references that are members of objects, in code that is not understood."""
    owners = {reader_of(unit).types.cursor(info).canonical.hash for info in objects}
    for use in (code, *libclang.descendants(code)) if code is not None else ():
        field = use.referenced if use.kind == unit.kinds.MEMBER_REF_EXPR else None
        if field is not None and libclang.is_reference(field.type) and field.semantic_parent.canonical.hash in owners:
            yield use


_NO_DATA = frozenset((
    "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE", "FRIEND_DECL",
    "STATIC_ASSERT",
))  # fmt: skip


def may_hold(unit: Unit, owners: Collection[types.RecordInfo], held: types.RecordInfo) -> bool:
    """Whether objects of some classes may have a base or a member of another class, which libclang does not show of
    instantiations: whether what their arguments and the text of their bases, members and aliases name leads to it."""
    of_types = reader_of(unit).types
    k, wanted = unit.kinds, libclang.pattern(of_types.cursor(held)).canonical
    special = [(libclang.template_of(one), one) for one in unit.special_classes]
    queue, seen = [of_types.cursor(info) for info in owners], set[int]()
    while queue:
        cursor = queue.pop()
        if cursor is None or cursor.hash in seen:
            continue
        seen.add(cursor.hash)
        kind = cursor.type.get_canonical()
        arguments = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
        queue += (a.get_declaration() for one in arguments if (a := libclang.behind(one)).kind == unit.types.RECORD)
        general = libclang.pattern(cursor).canonical
        if general == wanted:
            return True
        queue += (one for of, one in special if of is not None and of.canonical == general)
        whole = general.get_definition() or general
        for part in libclang.children(whole) if whole.kind in unit.classes else (whole,):
            nodes = (part, *libclang.descendants(part)) if part.kind.name not in _NO_DATA else ()
            if any(node.kind == k.CALL_EXPR for node in nodes):
                return True  # a type that a function's result decides
            queue += (node.referenced for node in nodes if node.kind in (k.TYPE_REF, k.TEMPLATE_REF))
    return False


def check_unread(unit: Unit, objects: Collection[types.RecordInfo], code: Any) -> None:
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
            raise of_host(use.spelling, unit.span(unit.extent(use)[0]))
        if bases.get(owner):
            what = f"'{use.spelling}' is a member of the virtual base '{bases[owner]}' of an object of the host's"
            span = unit.span(unit.place(use.extent.start))
            raise error_at(span, f"{what}, which device code cannot find")
