"""Restrictions on the data clauses of target regions."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ..sema import Sema
from ..syntax.nodes import OmpConstruct
from .clauses import region_allocators


def check_allocators(sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError for variables in ``uses_allocators`` that are not declared."""
    for allocator in region_allocators(construct):
        if sema.lookup(construct, allocator.name) is None:
            span = construct.directive.all("uses_allocators")[0].span
            raise error_at(span, f"'{allocator.name}' in 'uses_allocators' is not declared")
