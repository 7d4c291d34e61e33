"""The memory allocators that ``uses_allocators`` makes for a target region (OpenMP 5.2, section 6.8)."""

from __future__ import annotations

import re

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..directives.model import Directive, TextClause
from ..plan.constructs import Allocator
from ..plan.host_expression import ZERO, Call, Variable, element_count
from .program import C, Program

_ALLOCATOR = regex(r"(\w+)(?:\s*\(\s*(\w+)\s*\))?$")
_ALLOCATOR_52 = regex(r"(?P<modifiers>.*?)\s*:\s*(?P<name>\w+)$")
_PREDEFINED = regex(r"omp_(default|large_cap|const|high_bw|low_lat|cgroup|pteam|thread)_mem_alloc$|omp_null_allocator$")


def allocators_of(directive: Directive) -> tuple[Allocator, ...]:
    """The allocators that a directive makes, without the predefined ones, which are always there. Raises InputError.

    In device code, a handle is what the device library's omp_init_allocator() makes of the traits."""
    found = []
    for clause in directive.all("uses_allocators"):
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


def declared_allocators(program: Program[C], construct: C) -> tuple[Allocator, ...]:
    """The allocators of a construct's directive. Raises InputError for handles that are not declared."""
    found = allocators_of(construct.directive)
    for allocator in found:
        if program.found(construct, allocator.name) is None:
            span = construct.directive.all("uses_allocators")[0].span
            raise error_at(span, f"'{allocator.name}' in 'uses_allocators' is not declared")
    return found
