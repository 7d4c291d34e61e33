"""Decides what single clauses mean for the generated code, for regions and data constructs alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...base.diagnostics import error_at
from ...base.patterns import regex
from ...directives.model import Directive, TextClause
from ...openmp.sharing import defaultmap_of
from ...plan.constructs import Allocator
from ...plan.host_expression import ZERO, Call, Variable, element_count
from ..sema import Sema
from ..sema.ctype import CType
from ..sema.type_questions import is_pointer, is_scalar
from ..syntax.nodes import OmpConstruct

_ALLOCATOR = regex(r"(\w+)(?:\s*\(\s*(\w+)\s*\))?$")
_ALLOCATOR_52 = regex(r"(?P<modifiers>.*?)\s*:\s*(?P<name>\w+)$")
_PREDEFINED = regex(r"omp_(default|large_cap|const|high_bw|low_lat|cgroup|pteam|thread)_mem_alloc$|omp_null_allocator$")


def region_allocators(construct: OmpConstruct) -> tuple[Allocator, ...]:
    """The allocators that ``uses_allocators`` makes for a region (OpenMP 5.2, section 6.8).

    The predefined ones are always there. In device code, a handle is what the device library's omp_init_allocator()
    makes of the traits."""
    found = []
    for clause in construct.directive.all("uses_allocators"):
        assert isinstance(clause, TextClause)
        inside = clause.text[clause.text.index("(") + 1 : clause.text.rindex(")")]
        parts = inside.split(";") if ";" in inside or ":" in inside else re.split(r",(?![^(]*\))", inside)
        for part in map(str.strip, parts):
            space, traits = "omp_default_mem_space", None
            if new := _ALLOCATOR_52.match(part):
                name = new["name"]
                modifiers = dict(re.findall(r"(memspace|traits)\s*\(\s*(\w+)\s*\)", new["modifiers"]))
                space, traits = modifiers.get("memspace", space), modifiers.get("traits")
            elif old := _ALLOCATOR.match(part):
                name, traits = old[1], old[2]
            else:
                raise error_at(clause.span, f"malformed 'uses_allocators' clause: '{part}'", "OpenMP 5.2, section 6.8")
            if not _PREDEFINED.match(name):
                given = Variable(traits) if traits else ZERO
                count = element_count(given) if traits else ZERO
                host = Call("omp_init_allocator", (Variable(space), count, given))
                found.append(Allocator(name, Call("rex_device_allocator", (count, given)), host))
    return tuple(found)


def check_allocators(sema: Sema, construct: OmpConstruct, allocators: Iterable[Allocator]) -> None:
    """Raise InputError for variables in ``uses_allocators`` that are not declared."""
    for allocator in allocators:
        if sema.lookup(construct, allocator.name) is None:
            span = construct.directive.all("uses_allocators")[0].span
            raise error_at(span, f"'{allocator.name}' in 'uses_allocators' is not declared")


def category_of(kind: CType) -> str:
    """The category of variables of a type for ``defaultmap``."""
    return "pointer" if is_pointer(kind) else "scalar" if is_scalar(kind) else "aggregate"


def implicitly(directive: Directive, kind: CType) -> str | None:
    """How variables of a type are mapped implicitly by the ``defaultmap`` clauses, or None for the default."""
    return defaultmap_of(directive.clauses, category_of(kind))
