"""``--on-unsupported=host``, for gradual adoption: decides which target regions an error keeps on the host."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, SourceSpan
from ...base.records import replace
from ..sema import walk
from ..source.tokens import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit


def left_to_host(unit: ParsedUnit, error: InputError) -> tuple[frozenset[int], tuple[Diagnostic, ...]]:
    """(offsets of the target constructs at fault, the errors as warnings).

    An error in a region concerns that region. An error in a function concerns every region that may call it. There are
    no offsets if an error is elsewhere, for example in a data construct. It remains an error then.
    """
    regions = list(_target_constructs(unit))
    found: set[int] = set()
    for diagnostic in error.diagnostics:
        culprits = _at_fault(unit, regions, diagnostic.span) if diagnostic.span is not None else set()
        if not culprits:
            return frozenset(), ()
        found |= culprits
    note = "this region stays on the host, as with an 'if' clause that is false"
    warnings = tuple(replace(d, severity="warning", notes=(*d.notes, note)) for d in error.diagnostics)
    return frozenset(found), warnings


def _target_constructs(unit: ParsedUnit) -> Iterator[OmpConstruct]:
    for item in unit.ast.ext:
        if isinstance(item, c_ast.FuncDef):
            for node in walk(item.body):
                if isinstance(node, OmpConstruct) and node.directive.is_target:
                    yield node


def _at_fault(unit: ParsedUnit, regions: list[OmpConstruct], span: SourceSpan) -> set[int]:
    inside = {r.start for r in regions if _holds(unit, r.start, unit.pre.text.index("\n", r.start), span)}
    if inside:
        return inside
    functions = {f.decl.name: f for f in unit.every_function.ext if isinstance(f, c_ast.FuncDef)}
    starts = {name: unit.offset_of(function.body) for name, function in functions.items()}
    around = {name for name, start in starts.items() if _holds(unit, start, start, span)}
    return {r.start for r in regions if around and around & _reachable(r, functions)}


def _holds(unit: ParsedUnit, start: int, statement: int, span: SourceSpan) -> bool:
    """Whether a place is within the lines of the construct or statement that begins at ``start``."""
    pre = unit.pre
    first, first_line = pre.origin_of(pre.line_at(start))
    last, last_line = pre.origin_of(pre.line_at(statement_end(pre.text, statement) - 1))
    return first.file == last.file == span.file and first_line <= span.line <= last_line


def _reachable(region: OmpConstruct, functions: dict[str, c_ast.FuncDef]) -> set[str]:
    found: set[str] = set()
    queue: list[c_ast.Node] = [region]
    while queue:
        for node in walk(queue.pop()):
            if isinstance(node, c_ast.ID) and node.name in functions and node.name not in found:
                found.add(node.name)
                queue.append(functions[node.name].body)
    return found
