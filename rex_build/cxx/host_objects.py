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
