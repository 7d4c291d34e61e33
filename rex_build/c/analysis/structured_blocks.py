"""Checks where control leaves structured blocks."""

from __future__ import annotations

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, error_at
from ...base.patterns import regex
from ...base.spans import SourceSpan
from ..normalise.loop_directives import plain_number
from ..sema import Sema
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches, only_loop

_RULE = "OpenMP 5.2, section 1.2.2: a structured block has one exit, at its end"
_METADIRECTIVE = regex(r"#[ \t]*pragma[ \t]+omp[ \t]+(?:begin[ \t]+)?metadirective\b")


def check_jumps(unit: ParsedUnit, sema: Sema, body: c_ast.Node, directive: str, is_iteration: bool = False) -> None:
    """Raise InputError when control can leave a structured block before its end (OpenMP 5.2, section 1.2.2).

    With ``is_iteration``, the block is the body of an associated loop, and ``continue`` may end it.
    """
    parts = sema.parts(body)
    if not parts.of(c_ast.Return, c_ast.Goto, c_ast.Break, c_ast.Continue):
        return
    labels = {n.name for n in parts.of(c_ast.Label)}

    def refuse(node: c_ast.Node, what: str) -> InputError:
        return error_at(unit.span_of(node), f"{what} leaves the '{directive}' region", _RULE)

    def visit(node: c_ast.Node, in_loop: bool, can_break: bool) -> None:
        if isinstance(node, c_ast.Return):
            raise refuse(node, "'return'")
        if isinstance(node, c_ast.FuncDef):
            return  # its jumps are inside its own body
        if isinstance(node, c_ast.Goto) and not isinstance(node.name, str):
            what = f"a computed 'goto' in a '{directive}' region is not supported"
            raise error_at(unit.span_of(node), what, _RULE)
        if isinstance(node, c_ast.Goto) and node.name not in labels:
            raise refuse(node, f"'goto {node.name}'")
        if isinstance(node, c_ast.Break) and not can_break:
            raise refuse(node, "'break'")
        if isinstance(node, c_ast.Continue) and not in_loop:
            raise refuse(node, "'continue'")
        loop = isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile))
        inside = isinstance(node, OmpConstruct)
        continues = (in_loop or loop) and not inside
        breaks = (can_break or loop or isinstance(node, c_ast.Switch)) and not inside
        for part in branches(node):
            visit(part, continues, breaks)

    visit(body, is_iteration, False)


def check_chosen(unit: ParsedUnit, sema: Sema, function: c_ast.FuncDef) -> None:
    """Raise InputError when control leaves, or enters by ``goto``, the statement of a host construct that stands for a
    metadirective. A host compiler that knows no metadirectives accepts the jump in the user's text."""
    chosen: list[OmpConstruct] = []
    stack: list[c_ast.Node] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, OmpConstruct):
            if node.directive.is_target:
                continue  # its analysis says what is wrong in it
            if node.body is not None and _is_chosen(unit, node):
                chosen.append(node)
        stack += branches(node)
    errors: dict[SourceSpan | None, Diagnostic] = {}  # by place, that of the innermost construct
    for construct in chosen:
        try:
            check_jumps(unit, sema, *_structured_block(construct))
        except InputError as error:
            errors.update((diagnostic.span, diagnostic) for diagnostic in error.diagnostics)
    if errors:
        raise InputError(list(errors.values()))
    if chosen:
        check_entries(unit, function)


def _is_chosen(unit: ParsedUnit, construct: OmpConstruct) -> bool:
    """Whether the directive may stand for a metadirective. In generated text, it may stand there itself."""
    found = _METADIRECTIVE.match(unit.pre.text, construct.start)
    return found is not None or construct.start in unit.pre.generated


def _structured_block(construct: OmpConstruct) -> tuple[c_ast.Node, str, bool]:
    """(the statement that has one exit, the construct's name, whether ``continue`` may end it)"""
    directive = construct.directive
    loop = only_loop(construct.body) if directive.association == "loop" else None
    if loop is None:
        return construct.body, directive.name, False
    for _ in range(plain_number(directive, "collapse", 1) - 1):
        loop = only_loop(loop.stmt) or loop
    return loop.stmt, directive.name, True


def check_entries(unit: ParsedUnit, function: c_ast.Node) -> None:
    """Raise InputError when a ``goto`` leads into the statement of a construct."""
    labels: dict[str, tuple[OmpConstruct, ...]] = {}  # with the constructs around them
    gotos: list[tuple[c_ast.Goto, tuple[OmpConstruct, ...]]] = []
    stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = [(function, ())]
    while stack:
        node, around = stack.pop()
        if isinstance(node, c_ast.Label):
            labels[node.name] = around
        elif isinstance(node, c_ast.Goto):
            gotos.append((node, around))
        elif isinstance(node, OmpConstruct):
            around = (*around, node)
        stack += [(part, around) for part in branches(node)]
    errors: list[Diagnostic] = []
    for node, around in gotos:
        entered = [c for c in labels.get(node.name, ()) if c not in around]
        if entered:
            what = f"'goto {node.name}' leads into the '{entered[-1].directive.name}' region"
            errors += error_at(unit.span_of(node), what, _RULE).diagnostics
    if errors:
        raise InputError(errors)
