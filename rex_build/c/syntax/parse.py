"""Parses preprocessed text to a pycparser tree, in which directives are still pragmas.

pycparser reads C11, but real headers use GNU extensions. These are replaced token by token before parsing. Every
replacement has the same length as the original, so that a node's ``coord`` is its place in the preprocessed text.
"""

from __future__ import annotations

import re
from copy import deepcopy

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import Diagnostic, InputError, ToolError, error_at
from ...base.patterns import regex
from ...base.stack import TOO_DEEP
from ..source.gnu_text import constant_type, normalise_gnu
from ..source.preprocess import Preprocessed
from ..source.tokens import outside_literals
from .attributes import belonging
from .nodes import ParsedUnit
from .parser import KNOWS_C23, GnuParser

_PARSE_MESSAGE = regex(r"^(?P<file>.*?):(?P<line>\d+)(?::(?P<col>\d+))?: (?P<text>.*)$", re.DOTALL)


def _what_is_wrong(error: Exception, parser: GnuParser, pre: Preprocessed) -> tuple[int, int, str]:
    """(line, column, message). The place is in the preprocessed text."""
    message = str(error)
    match = _PARSE_MESSAGE.match(message)
    if isinstance(error, ParseError) and match:
        line, column, text = int(match["line"]), int(match["col"] or 1), match["text"]
    else:  # some messages of pycparser name only the file; the parser is then at the token that it could not read
        token = parser.next_token()
        line, column = (token.lineno, token.column) if token is not None else (len(pre.line_starts), 1)
        text = message.rsplit(": ", 1)[-1]
    if isinstance(error, RecursionError):
        return line, column, TOO_DEEP
    line = min(line, len(pre.line_starts))
    if re.search(r"\b_BitInt\s*\(\s*$", pre.text[: pre.line_starts[line - 1] + column - 1]):
        return line, column, "'_BitInt' is not supported"
    return line, column, f"syntax error: {text}"


_MOST_UNREAD = 10  # the most functions that may be unreadable; each of them costs another pass over the unit
_TOP_LEVEL = outside_literals("[{}]")


def _host_body(text: str, offset: int) -> tuple[int, int] | None:
    """The extent, without braces, of the body of the function around ``offset``, or None if it has pragmas."""
    depth = start = 0
    for match in _TOP_LEVEL.finditer(text):
        if match[0] == "{":
            start = match.end() if depth == 0 else start
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0 and match.start() >= offset:
                is_function = text[: start - 1].rstrip().endswith((")", ";"))
                is_host = start <= offset and "#pragma" not in text[start : match.start()]
                return (start, match.start()) if is_function and is_host else None
    return None


# An assumption about a function that clang may use. It is no directive (clang's AttrDocs, OMPAssume).
_ASSUMPTION = regex(r"\[\s*\[\s*(?:using\s+omp\s*:|omp\s*::)\s*assume\s*\(")


def parse(pre: Preprocessed) -> ParsedUnit:
    """Parse a preprocessed unit, whose pragmas become Pragma nodes.

    Raises InputError with the user's line for C that does not parse.
    """
    text, unseen = normalise_gnu(pre.text)
    if found := [offset for offset in unseen.openmp if not _ASSUMPTION.match(pre.text, offset)]:
        where = pre.span_at(*pre.place_at(found[0]))
        raise error_at(where, "this attribute of OpenMP is not supported, but '#pragma omp' is")
    unread: dict[int, InputError] = {}
    while True:
        parser = GnuParser(pre.c23)
        try:
            tree = parser.parse(text, pre.main_file)
            break
        except (ParseError, RecursionError, ValueError) as error:  # constants with too many suffixes give a ValueError
            if pre.c23 and not KNOWS_C23:
                raise ToolError("a unit in C23 needs a newer pycparser: pip install --upgrade pycparser") from None
            line, column, message = _what_is_wrong(error, parser, pre)
            problem = InputError([Diagnostic("error", message, pre.span_at(line, column))])
            body = _host_body(text, pre.line_starts[line - 1] + column - 1)
            if body is None or body[0] - 1 in unread or len(unread) == _MOST_UNREAD:
                raise problem from None
            unread[body[0] - 1] = problem
            text = text[: body[0]] + re.sub(r"[^\n]", " ", text[slice(*body)]) + text[body[1] :]
    lists = [(pre.place_at(attributes.offset), attributes) for attributes in unseen.attributes]
    attributes = belonging(lists, parser.tokens, parser.extents)
    unit = ParsedUnit(pre, tree, unseen, attributes, parser.pragma_types, frozenset(parser.plain), unread=unread)
    _mark_constants(unit)
    _evaluate_sizes(tree)
    return unit


def _evaluate_sizes(tree: c_ast.FileAST) -> None:
    """Turn the sizes of array parameters that have side effects into statements.

    Such a parameter is a pointer, but its written size is evaluated when the function begins (C11, sections 6.7.6.2p5
    and 6.9.1p10).
    """
    for function in tree.ext:
        declarator = function.decl.type if isinstance(function, c_ast.FuncDef) else None
        parameters = declarator.args.params if isinstance(declarator, c_ast.FuncDecl) and declarator.args else []
        sizes = [p.type.dim for p in parameters if isinstance(getattr(p, "type", None), c_ast.ArrayDecl) and p.type.dim]
        acting = [deepcopy(size) for size in sizes if _acts(size)]
        if acting:
            function.body.block_items = [*acting, *(function.body.block_items or [])]


def _acts(node: c_ast.Node) -> bool:
    changes = isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--")
    return changes or isinstance(node, c_ast.Assignment | c_ast.FuncCall) or any(map(_acts, node))


def _mark_constants(unit: ParsedUnit) -> None:
    """Give constants whose suffixes the parser did not see their types, such as ``double _Complex``."""
    written = dict(unit.unseen.constants)
    stack: list[c_ast.Node] = [unit.ast] if written else []
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Constant) and (text := written.get(unit.offset_of(node))):
            node.type = constant_type(text, node.type)
        stack.extend(node)
