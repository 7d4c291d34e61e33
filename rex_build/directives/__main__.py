"""``python -m rex_build.directives "target map(to: a[0:n])"`` prints what a directive means.

``python -m rex_build.directives --markdown PROGRAMS`` prints ``docs/openmp.md``; PROGRAMS is the folder of test
programs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from ..base.diagnostics import Diagnostic, InputError, SourceSpan, error_at
from .combined import host_spelling, leaf_clauses, spell_clause
from .model import Directive
from .parser import check_lowered, parse_directive

_HIDDEN = {"span", "node", "error", "name", "at"}


def parse_expression(text: str, span: SourceSpan) -> c_ast.Node:
    """Parse one C expression. The names of types are unknown here, so it may only cast to built-in types."""
    try:
        tree = CParser().parse(f"void f(void) {{ ({text}); }}", "")
    except ParseError as error:
        raise error_at(span, f"'{text}' is not a C expression") from error
    items = tree.ext[0].body.block_items
    if len(items) != 1:
        raise error_at(span, f"'{text}' is not a C expression")
    return items[0]


def dump(value: object, depth: int = 0) -> Iterator[str]:
    """A value as indented lines, one for each field that is not empty."""
    pad = "  " * depth
    if not is_dataclass(value):
        yield f"{pad}{value}"
        return
    yield f"{pad}{type(value).__name__} {getattr(value, 'name', getattr(value, 'text', ''))}".rstrip()
    for one in fields(value):
        content = getattr(value, one.name)
        if one.name in _HIDDEN or content is None or content == ():
            continue
        if is_dataclass(content) or (isinstance(content, tuple) and any(map(is_dataclass, content))):
            yield f"{pad}  {one.name}:"
            for part in content if isinstance(content, tuple) else (content,):
                yield from dump(part, depth + 2)
        else:
            shown = ", ".join(map(str, content)) if isinstance(content, tuple) else content
            yield f"{pad}  {one.name}: {shown}"


def describe(directive: Directive) -> Iterator[str]:
    """Everything that is known about a directive, as lines."""
    yield from dump(directive)
    if len(directive.constructs) > 1:
        yield "by leaf construct:"
        for leaf, clauses in leaf_clauses(directive).items():
            yield f"  {leaf}: {' '.join(map(spell_clause, clauses))}".rstrip()
    yield f"on the host: {host_spelling(directive) or 'no directive'}"


def main(arguments: list[str]) -> int:
    """Parse the directive given on the command line, or each line of standard input. Returns the exit status."""
    if arguments[:1] == ["--markdown"] and len(arguments) == 2:
        from .page import markdown

        print(markdown(Path(arguments[1])), end="")
        return 0
    status = 0
    for line in arguments or sys.stdin.read().splitlines():
        text = line.removeprefix("#pragma").strip().removeprefix("omp ")

        def locate(start: int, end: int) -> SourceSpan:
            return SourceSpan("directive", 1, start + 1, max(1, end - start))

        try:
            directive = parse_directive(text, locate, parse_expression)
            print("\n".join(describe(directive)))
            check_lowered(directive)
        except InputError as error:
            status = error.exit_code
            for diagnostic in error.diagnostics:
                print(_with_caret(diagnostic, text), file=sys.stderr)
    return status


def _with_caret(diagnostic: Diagnostic, text: str) -> str:
    """The message with the directive itself below it, because there is no file from which to read the line."""
    message, *notes = diagnostic.format().split("\n")
    if diagnostic.span is not None:
        start, length = diagnostic.span.column - 1, diagnostic.span.length
        message += f"\n    1 | {text}\n      | {' ' * start}^{'~' * (length - 1)}"
    return "\n".join([message, *notes])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
