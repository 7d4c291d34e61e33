"""Prints what watches the claims of a kernel (plan/claims.py), for the check device (include/rex_claims.h).

Such a kernel runs its region as it is written. Its claims are those of the transformed kernel that a launch would take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.exhaustive import assert_never
from ..base.line_directives import OWN_LINES, line_marker
from ..base.names import PAD, indent
from ..plan.claims import (
    Claim,
    ClaimKind,
    Watched,
    WatchedAccesses,
    WatchedCounts,
    WatchedElement,
    WatchedFront,
    WatchedLoop,
    WatchedLoops,
    WatchedNeighbours,
    WatchedReads,
    WatchedTrips,
    WatchedUpdates,
    Watching,
)
from ..plan.constructs import Code, Entity
from ..plan.printer import Printer
from .lines import string_literal

_MEMORY = "__rex_memory"
_MOST_NAMES = 64  # of variables through which a kernel reaches memory


def watched(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that the kernel's text has to watch."""
    return tuple(claim for claim in claims if claim.watched is not None)


def definitions(claims: Sequence[Claim]) -> str:
    """The claims as objects, with which a kernel begins."""
    text = ""
    for number, claim in enumerate(claims):
        parts = [string_literal(part) for part in (claim.kind.value, claim.supports, claim.about)]
        value = ", ".join([*parts, "__FILE__", "__LINE__", str(claim.span.column), "0"])
        text += f"{line_marker(claim.span)}{PAD}static rex_claim {_name(number)} = {{{value}}};\n"
    return text + OWN_LINES + _memory(claims)


def _name(number: int) -> str:
    return f"__rex_claim_{number}"


def _named(claims: Sequence[Claim]) -> Iterator[tuple[str, Claim, Watched]]:
    for number, claim in enumerate(claims):
        if claim.watched is not None:
            yield _name(number), claim, claim.watched


def _accesses(claims: Sequence[Claim]) -> dict[ClaimKind, tuple[str, WatchedAccesses]]:
    """The claims about memory, by their kinds."""
    return {c.kind: (name, about) for name, c, about in _named(claims) if isinstance(about, WatchedAccesses)}


def _roots(claims: Sequence[Claim]) -> list[Entity]:
    """The variables through which the kernel reaches memory. Their places here are their numbers."""
    accesses = (a for _, about in _accesses(claims).values() for a in about.accesses)
    found = dict.fromkeys(root for access in accesses for root in access.roots)
    return list(found) if len(found) <= _MOST_NAMES else []


def _memory(claims: Sequence[Claim]) -> str:
    roots, found = _roots(claims), _accesses(claims)
    if not roots:
        return ""
    parts: list[str] = []
    bits: list[str] = []
    for kind in (ClaimKind.APART, ClaimKind.UNWRITTEN):
        name, about = found.get(kind, ("", WatchedAccesses((), frozenset())))
        parts.append(f"&{name}" if name else "nullptr")
        bits.append(f"{sum(1 << n for n, root in enumerate(roots) if root in about.roots):#x}ull")
    names = ", ".join(string_literal(root.name) for root in roots)
    text = f"{PAD}static const char *const __rex_names[] = {{{names}}};\n"
    values = ", ".join([*parts, *bits, "__rex_names"])
    return f"{text}{PAD}static const rex_claimed_memory {_MEMORY} = {{{values}}};\n"


def reached(claims: Sequence[Claim]) -> dict[Code, tuple[str, str]]:
    """What stands around the elements that a kernel accesses, and around calls of what accesses others."""
    numbers = {root: number for number, root in enumerate(_roots(claims))}
    found: dict[Code, tuple[str, str]] = {}
    every = next((about.accesses for _, about in _accesses(claims).values()), ()) if numbers else ()
    for one in sorted(every, key=lambda access: not access.calls):
        before, after = found.get(one.code, ("", ""))
        names = f"{sum(1 << numbers[root] for root in one.roots):#x}ull"
        if one.calls:
            found[one.code] = f"rex_claim_within({_MEMORY}, {names}, [&]() -> decltype(auto) {{ return (", "); })"
        else:
            head = f"rex_claim_through({_MEMORY}, {names}, {str(one.writes).lower()}, "
            found[one.code] = head + before, f"{after})"
    return found


def statements(claims: Sequence[Claim]) -> dict[Code, Watching]:
    """The statements that are printed with what watches them."""
    found: dict[Code, Watching] = {}

    def add(code: Code, name: str, claim: Claim, body: Code | None = None) -> None:
        before = found.get(code, Watching(()))
        found[code] = Watching((*before.claims, (name, claim)), body or before.body)

    for name, claim, about in _named(claims):
        match about:
            case WatchedLoops():
                for one in (loop for level in about.levels for loop in level):
                    add(one.loop, name, claim, one.body)
            case WatchedTrips() | WatchedReads():
                add(about.loop.loop, name, claim, about.loop.body)
            case WatchedUpdates():
                for statement in about.statements:
                    add(statement, name, claim)
            case WatchedFront():
                add(about.loop.loop, name, claim, about.loop.body)
                add(about.statements[0], name, claim)
            case WatchedElement():
                for one in _iterated(claims):
                    add(one.loop, name, claim, one.body)
            case WatchedAccesses() | WatchedCounts() | WatchedNeighbours():
                pass
            case _:
                assert_never(about)
    return found


def _iterated(claims: Sequence[Claim]) -> Iterator[WatchedLoop]:
    """The innermost loops whose iterations are iterations of the kernel."""
    for _, _, about in _named(claims):
        if isinstance(about, WatchedLoops) and not about.alone:
            yield from about.levels[-1]


def iteration(printer: Printer, depth: int) -> tuple[str, Printer]:
    """(the lines with which an iteration of a kernel begins, the printer of its body)"""
    pad, text = indent(depth), ""
    wrapped = dict(printer.around.wrapped)
    plain = printer.with_names({}, wrapped={})
    for name, _, about in _named(printer.around.claims):
        match about:
            case WatchedLoops(alone=False):
                text += f"{pad}const rex_claim_iterations {name}_watch({name});\n"
            case WatchedElement():
                text += f"{pad}rex_claim_element {name}_element({name});\n"
                for use in about.uses:
                    before, after = wrapped.get(use, ("", ""))
                    wrapped[use] = f"{name}_element.at({before}", f"{after})"
            case WatchedNeighbours():
                element = plain.expression(about.element)
                text += f"{pad}rex_claim_follows({name}, {element}, __rex_iv);\n"
            case WatchedCounts():
                counts = ", ".join(printer.trip_count(level) for level in about.levels)
                text += f"{pad}rex_claim_fits({name}, {counts});\n"
            case _:
                pass
    return text, printer.with_names({}, claims=(), wrapped=wrapped)


def statement(code: Code, watching: Watching, printer: Printer, depth: int) -> str:
    """A statement with what watches it."""
    left = {other: one for other, one in printer.around.watched.items() if other is not code}
    inner = printer.with_names({}, watched=left)
    if watching.body is not None:
        return _loop(code, watching, inner, depth)
    text = ""
    for name, claim in watching.claims:
        if isinstance(claim.watched, WatchedFront):
            text += _first_run(name, claim.watched, inner, depth)
    for name, claim in watching.claims:
        if isinstance(claim.watched, WatchedUpdates):
            return text + _update(code, name, claim.watched, inner, depth)
    return text + inner.statement(code, depth)


def _loop(code: Code, watching: Watching, printer: Printer, depth: int) -> str:
    assert watching.body is not None
    pad = indent(depth + 1)
    first, each, wrapped = around_loop(code, watching, printer)
    before_each = {**printer.around.before, **({watching.body: each} if each else {})}
    text = printer.with_names({}, wrapped=wrapped, before=before_each).statement(code, depth + 1)
    return f"{indent(depth)}{{\n{''.join(f'{pad}{line}' + chr(10) for line in first)}{text}{indent(depth)}}}\n"


def around_loop(
    code: Code, watching: Watching, printer: Printer
) -> tuple[list[str], list[str], dict[Code, tuple[str, str]]]:
    """(what stands in front of a loop, what begins each iteration, what stands around expressions in it)"""
    first: list[str] = []
    each: list[str] = []
    wrapped = dict(printer.around.wrapped)
    for name, claim in watching.claims:
        match claim.watched:
            case WatchedLoops() as about:
                (level,) = (n for n, loops in enumerate(about.levels, 1) if any(one.loop is code for one in loops))
                if about.alone:
                    first.append(f"const rex_claim_iterations {name}_watch({name});")
                first += [f"{name}_watch.leave_out({printer.name_of(symbol)});" for symbol in about.left_out]
                last = str(level == len(about.levels)).lower()
                first.append(f"const rex_claim_loop<{level}, {last}> {name}_loop({name}_watch);")
                each.append(f"{name}_loop.turn();")
            case WatchedElement():
                each.append(f"{name}_element.begin();")
            case WatchedTrips() as about:
                first.append(f"rex_claim_number(&{name}, {printer.trip_count(about.level)});")
            case WatchedReads() as about:
                kind = printer.declaration(about.type, f"{name}_first")
                first.append(f"const {kind} = {printer.expression(about.element)};")
                for use in about.uses:
                    before, after = wrapped.get(use, ("", ""))
                    wrapped[use] = f"rex_claim_same({name}, {name}_first, {before}", f"{after})"
            case WatchedFront() as about:
                first.append(f"{name}_twice.again({_variables(about, printer)});")
            case _:
                pass
    return first, each, wrapped


def _update(code: Code, name: str, about: WatchedUpdates, printer: Printer, depth: int) -> str:
    """An update, and the same once more with the operation's identity."""
    pad, place = indent(depth + 1), printer.symbol_text(about.symbol)
    if about.elements:
        place = printer.expression(about.elements[about.statements.index(code)])
    kind = printer.declaration(about.type) if about.type is not None else f"__typeof__({place})"
    text = f"{pad}const auto __rex_before = {place};\n{printer.statement(code, depth + 1)}"
    text += f"{pad}const auto __rex_after = {place};\n"
    text += f"{pad}{place} = rex_identity<{about.operator}, {kind}>();\n{printer.statement(code, depth + 1)}"
    text += f"{pad}rex_claim_exact<{about.operator}, {kind}>({name}, __rex_before, {place}, __rex_after);\n"
    return f"{indent(depth)}{{\n{text}{pad}{place} = __rex_after;\n{indent(depth)}}}\n"


def _first_run(name: str, about: WatchedFront, printer: Printer, depth: int) -> str:
    """The statements of a front, which run a second time behind this."""
    pad = indent(depth)
    left = {c: one for c, one in printer.around.watched.items() if c not in about.statements}
    inner = printer.with_names({}, watched=left)
    text = f"{pad}rex_claim_twice<{len(about.changed)}> {name}_twice({name});\n{pad}{{\n"
    text += "".join(inner.statement(one, depth + 1) for one in about.statements)
    return f"{text}{indent(depth + 1)}{name}_twice.once({_variables(about, printer)});\n{pad}}}\n"


def _variables(about: WatchedFront, printer: Printer) -> str:
    return ", ".join(printer.name_of(symbol) for symbol in about.changed)
