"""What the host runs in a region's place, when there is no device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..base.diagnostics import error_at
from ..directives.combined import host_spelling
from ..directives.model import Directive
from ..plan.captures import Capture, Transport
from ..plan.host import HostCopy, HostVersion, PlacedForm
from ..plan.sharing import Sharing
from .facts import PLACES, RegionFacts


def host_version_of(facts: RegionFacts, captures: Sequence[Capture], sharing: Sharing) -> HostVersion:
    """What runs without a device: the region with the directives that the host's threads know."""
    forms = []
    for part in (*facts.chain, *facts.inside):
        spelling = host_spelling(part.directive) if part in facts.chain else _inner_spelling(part.directive)
        if spelling != part.directive.text:
            before = (f"#pragma omp {spelling}",) if spelling else ()
            forms.append(PlacedForm(part.start, part.pragma_end, part.end, before, ()))
    if len(facts.chain) > 1 and "parallel" not in facts.leaves and "distribute" in facts.leaves:
        forms = [replace(form, before=()) for form in forms if form.start in {c.start for c in facts.chain}] + [
            form for form in forms if form.start not in {c.start for c in facts.chain}
        ]
    start, end = facts.body.start, facts.body.end
    changed = {r.variable for r in facts.function.references if start <= r.start < end and not r.is_read}
    literals = {c.symbol for c in captures if c.transport is Transport.LITERAL}
    for reference in facts.function.references:
        inside = start <= reference.start < end and reference.variable in literals
        if inside and not reference.is_read and reference.qualifier:
            what = f"the region changes its own copy of '{reference.variable.host}': name it in a clause"
            raise error_at(facts.unit.span(reference.start), what)
    spelled = {*sharing.named}
    by_value = [c.symbol for c in captures if c.transport is Transport.LITERAL]
    copies = [HostCopy(v.name, True, False) for v in by_value if v in changed and v not in spelled and not v.type.const]
    binds = any(
        c.directive.name in ("for", "sections", "single", "masked", "master", "barrier", "task") for c in facts.inside
    )
    team = (binds or PLACES.search(facts.text) is not None) and "parallel" not in facts.leaves
    return HostVersion(tuple(forms), team, None, False, None, tuple(sorted(copies, key=lambda c: c.name)))


def _inner_spelling(directive: Directive) -> str | None:
    if {"teams", "distribute", "target"}.isdisjoint(directive.constructs) and "loop" not in directive.constructs:
        return directive.text
    return host_spelling(directive)
