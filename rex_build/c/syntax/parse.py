"""Parses preprocessed text to a pycparser tree, in which every pragma of OpenMP is a construct that owns its statement.

pycparser reads C11, but real headers use GNU extensions. These are replaced token by token before parsing. Every
replacement has the same length as the original, so that a node's ``coord`` is its place in the preprocessed text.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import Diagnostic, InputError, SourceSpan, ToolError, error_at
from ...base.patterns import regex
from ...base.stack import TOO_DEEP
from ...directives.model import Directive
from ...directives.parser import check_on_device, parse_directive
from ...directives.selectors import Context, chosen_variant
from ...openmp.launch import TRANSFORMATIONS
from ..source.gnu_text import constant_type, normalise_gnu
from ..source.preprocess import Preprocessed
from ..source.tokens import directive_pattern, outside_literals
from .attributes import belonging
from .nodes import DEVICE_VERSION, OmpConstruct, ParsedUnit, branches, rename_function
from .parser import KNOWS_C23, ExpressionParser, GnuParser

MOST_CONSTRUCTS = 200  # inside one another: each is analysed together with all that it contains
_DIRECTIVE = directive_pattern("")
_WORD = regex(r"[A-Za-z_]\w*")


# A metadirective whose choice does not depend on conditions alone.
_ASKS_FOR_DEVICE = regex(r"\bmetadirective\b.*\b(?:construct|device|implementation|target_device)\s*=", re.DOTALL)
_PARSE_MESSAGE = regex(r"^(?P<file>.*?):(?P<line>\d+)(?::(?P<col>\d+))?: (?P<text>.*)$", re.DOTALL)
_MOST_UNREAD = 10  # the most functions that may be unreadable; each of them costs another pass over the unit
_TOP_LEVEL = outside_literals("[{}]")
# An assumption about a function that clang may use. It is no directive (clang's AttrDocs, OMPAssume).
_ASSUMPTION = regex(r"\[\s*\[\s*(?:using\s+omp\s*:|omp\s*::)\s*assume\s*\(")


def _may_choose_otherwise_on_device(root: c_ast.Node) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Pragma) and _ASKS_FOR_DEVICE.search(node.string):
            return True
        stack.extend(branches(node))
    return False


def _problem_with(directive: Directive, body: c_ast.Node | None) -> str | None:
    """Why a directive cannot apply to a statement, or None if it can. Whether it is a loop, other stages ask."""
    inner = body.directive if isinstance(body, OmpConstruct) else None
    if body is None:
        return "has no statement to apply to"
    if isinstance(body, (c_ast.Decl, c_ast.Typedef)):
        return "must be followed by a statement"
    if inner is None or inner.name in ("unknown", *TRANSFORMATIONS):
        return None
    if inner.association not in ("block", "loop"):
        return "must be followed by a statement"
    return "must be followed by a loop" if directive.association == "loop" else None


class Attacher:
    """Replaces Pragma nodes by OmpConstruct nodes that own their statement."""

    def __init__(self, unit: ParsedUnit, tolerant: bool) -> None:
        self.unit = unit
        self.tolerant = tolerant
        self.pre = unit.pre
        self.has_metadirectives = "metadirective" in unit.pre.text
        self.typedefs = frozenset(e.name for e in unit.ast.ext if isinstance(e, c_ast.Typedef) and e.name)
        self.expressions = ExpressionParser(unit.pre.c23)
        self.errors: list[InputError] = []
        self.chosen: dict[int, Directive | None] = {}  # the host's choices of metadirectives, by offset
        self.device_versions: list[c_ast.FuncDef] = []
        self.host_choice = False
        self.differs = False  # a metadirective of the current function chooses otherwise on the device
        self.enclosing: tuple[str, ...] = ()  # leaf constructs around the current pragma, outermost first
        self.coord: Any = None  # of the current pragma

    def attach_file(self, tree: c_ast.FileAST) -> None:
        tree.ext = self._attach_items(tree.ext)
        for item in tree.ext:
            if isinstance(item, c_ast.FuncDef) and item not in self.unit.plain:
                self._attach_function(item)
        if self.errors:
            raise InputError([d for e in self.errors for d in e.diagnostics])

    def _attach_function(self, function: c_ast.FuncDef) -> None:
        may_differ = self.has_metadirectives and _may_choose_otherwise_on_device(function.body)
        copy = deepcopy(function) if may_differ else None
        self.differs = False
        self._descend(function.body, ())
        if copy is None or not self.differs:
            return
        host = self.errors, self.chosen
        self.errors, self.chosen = [], {}
        self._descend(copy.body, ("target",))
        if not self.errors:  # otherwise it cannot be called there
            rename_function(copy, function.decl.name + DEVICE_VERSION)
            self.device_versions.append(copy)
        self.errors, self.chosen = host

    def _descend(self, root: c_ast.Node, around: tuple[str, ...]) -> None:
        stack: list[tuple[c_ast.Node, tuple[str, ...]]] = [(root, around)]
        while stack:
            node, self.enclosing = stack.pop()
            if isinstance(node, c_ast.Compound) and node.block_items:
                node.block_items = self._attach_items(node.block_items)
            elif isinstance(node, (c_ast.Case, c_ast.Default)) and node.stmts:
                node.stmts = self._attach_items(node.stmts)
            around = self.enclosing
            if isinstance(node, OmpConstruct):
                around = (*around, *node.directive.constructs)
            stack.extend([(part, around) for part in branches(node)])

    def _attach_items(self, items: list[c_ast.Node]) -> list[c_ast.Node]:
        out: list[c_ast.Node] = []
        queue = list(reversed(items))
        while queue:
            item = queue.pop()
            if isinstance(item, c_ast.Pragma):
                construct = self._construct(item, queue)
                if construct is not None:
                    out.append(construct)
            else:
                out.append(item)
        return out

    def _construct(self, pragma: c_ast.Pragma, queue: list[c_ast.Node]) -> OmpConstruct | None:
        line = pragma.coord.line
        start = self.pre.line_starts[line - 1]
        match = _DIRECTIVE.match(self.pre.text, start)
        if not match:
            return None
        self.coord = pragma.coord
        begin, end = match.end(), self.pre.line_end(line)
        start = self.pre.text.index("#", start)
        text = self.pre.text[begin:end].rstrip()
        unread: InputError | None = None
        directive: Directive | None = None
        try:
            directive = parse_directive(text, self.pre.pragma_locator(line, text), self._parse_expression)
        except InputError as error:
            directive = self._without_checks(line, text, error)
            unread = error
            if directive is None:
                self.errors.append(error)
        if directive is not None and len(self.enclosing) + len(directive.constructs) > MOST_CONSTRUCTS:
            what = f"more than {MOST_CONSTRUCTS} constructs inside one another are not supported"
            raise error_at(directive.span, what)
        if directive is not None and directive.name.endswith("metadirective"):
            meta, self.host_choice = directive, False
            directive = self._variant(directive, start)
            if self.host_choice and directive is None and not self.enclosing:
                directive = meta  # it is nothing on the host
        if directive is None or directive.association not in ("block", "loop"):
            if directive is None:
                return None
            construct = OmpConstruct(directive, None, start, pragma.coord)
            construct.unread = unread
            return construct
        host_choice, self.host_choice = self.host_choice, False
        body = self._statement_of(directive, queue)
        if (problem := _problem_with(directive, body)) is not None:
            self.errors.append(error_at(directive.span, f"'{directive.name}' {problem}"))
            return None
        construct = OmpConstruct(directive, body, start, pragma.coord)
        construct.host_choice = host_choice
        construct.unread = unread
        return construct

    def _statement_of(self, directive: Directive, queue: list[c_ast.Node]) -> c_ast.Node | None:
        """Take the statement that a directive applies to. ``nothing`` is none, and a metadirective may stand for it."""
        while queue and isinstance(queue[-1], c_ast.Pragma):
            outer, self.enclosing = self.enclosing, (*self.enclosing, *directive.constructs)
            construct = self._construct(queue.pop(), queue)
            self.enclosing = outer
            if construct is not None and construct.directive.name != "nothing":
                return construct
        return queue.pop() if queue else None

    def _without_checks(self, line: int, text: str, error: InputError) -> Directive | None:
        """The directive for a pragma that cannot be read, or None if that is an error.

        An unknown directive is left to the host compiler, unless it looks like a misspelt one or is in a target region.
        """
        locate = self.pre.pragma_locator(line, text)
        try:
            found = parse_directive(text, locate, self._parse_expression, checked=False)
        except InputError:
            misspelt = any(note.startswith("did you mean") for d in error.diagnostics for note in d.notes)
            if not self.tolerant and (misspelt or "target" in self.enclosing):
                return None
            return Directive("unknown", ("unknown",), (), "none", locate(0, len(text)), text)
        return found if self.tolerant and found.is_target else None

    def _variant(self, directive: Directive, start: int) -> Directive | None:
        """The directive that a metadirective stands for here. The one that it stands for on the host is noted."""
        self.host_choice = False
        try:
            chosen = host = ""
            check_on_device(directive)  # the host compiler must not see it
            if not directive.name.startswith("end "):
                on_device = "target" in self.enclosing
                host = chosen_variant(directive, Context(False, self.enclosing))
                chosen = chosen_variant(directive, Context(on_device, self.enclosing))
                device = chosen_variant(directive, Context(True, ("target", *self.enclosing)))
                self.host_choice = not on_device and device != host
                self.differs |= self.host_choice
            on_host = self._chosen(host, directive.span)
            self.chosen[start] = on_host
            return on_host if host == chosen else self._chosen(chosen, directive.span)
        except InputError as error:
            self.errors.append(error)
            return None

    def _chosen(self, text: str, place: SourceSpan) -> Directive | None:
        if not text:
            return None
        variant = parse_directive(text, lambda _low, _high: place, self._parse_expression)
        check_on_device(variant)
        return variant

    def parse_functions(self, text: str) -> c_ast.FileAST:
        """Parse definitions of functions at file scope. Raises ParseError."""
        names = self.typedefs.intersection(_WORD.findall(text))
        return GnuParser(self.pre.c23).parse("".join(f"typedef int {name};" for name in sorted(names)) + text)

    def _parse_expression(self, text: str, span: SourceSpan) -> c_ast.Node:
        names = self.unit.pragma_types[self.coord.line].intersection(_WORD.findall(text))
        try:
            tree = self.expressions.parse_expression(text, names)
        except ParseError:
            raise error_at(span, f"malformed expression '{text}'") from None
        except RecursionError:
            raise error_at(span, TOO_DEEP) from None
        stack = [tree]
        while stack:  # a clause's nodes get the place of their pragma
            node = stack.pop()
            node.coord = self.coord
            stack.extend(child for _, child in node.children())
        return tree


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
