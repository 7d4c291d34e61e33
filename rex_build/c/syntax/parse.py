"""From preprocessed text to a pycparser tree with OpenMP constructs in place.

pycparser reads C11; real headers use GNU extensions. They are normalised here at token level, each replacement
having the length of what it replaces, so that a node's ``coord`` is its physical place in the preprocessed text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import field, replace
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import InputError, ToolError, error_at
from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...directives.model import Directive
from ...directives.parser import check_on_device, parse_directive
from ...directives.selectors import Context, chosen_variant
from ..normalise.streams import use_one_stream
from ..source.gnu_text import OMP_ATTRIBUTE, LayoutAttribute, constant_type, normalise_gnu, without_separators
from ..source.preprocess import Preprocessed
from .parser import KNOWS_C23, GnuParser


class OmpConstruct(c_ast.Node):
    """A directive and the statement it applies to (``body`` is None for stand-alone directives).

    ``start`` is the offset of the ``#`` of its pragma in the preprocessed text. A construct that is ``unread``, for the
    reason given, cannot be lowered.
    """

    __slots__ = ("__weakref__", "body", "coord", "directive", "host_choice", "start", "unread")
    attr_names = ()

    def __init__(self, directive: Directive, body: c_ast.Node | None, start: int, coord: object = None) -> None:
        self.host_choice = False  # chosen by a metadirective that would choose otherwise on the device
        self.unread: InputError | None = None
        self.directive = directive
        self.body = body
        self.start = start
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("body", self.body),) if self.body is not None else ()

    def __iter__(self) -> Iterator[c_ast.Node]:
        if self.body is not None:
            yield self.body


@dataclass(frozen=True)
class ParsedUnit:
    """One translation unit: its preprocessed text, its tree, and how to get from one to the other.

    Inline assembly inside functions is a mention of the name ``__rex_asm`` (or ``asm``) in the tree.
    """

    pre: Preprocessed
    ast: c_ast.FileAST
    layout_attributes: tuple[LayoutAttribute, ...]
    respelled: tuple[tuple[int, int, str], ...] = ()  # (start, end, text) for pragmas that host compilers may not know
    requirements: Mapping[str, str] = field(default_factory=dict)  # clauses of ``requires``, with their keywords
    reductions: tuple[Any, ...] = ()  # what declare_reductions() found
    device_versions: tuple[c_ast.FuncDef, ...] = ()  # of functions whose metadirectives choose otherwise on the device
    # Why the bodies of some functions, empty in the tree, could not be read; by the offsets of their braces.
    unread: Mapping[int, InputError] = field(default_factory=dict)

    @property
    def every_function(self) -> c_ast.FileAST:
        """The tree with the functions' device versions."""
        return c_ast.FileAST([*self.ast.ext, *self.device_versions]) if self.device_versions else self.ast

    def offset_of(self, node: c_ast.Node) -> int:
        """Offset of the node's ``coord`` in the preprocessed text."""
        offset: int = self.pre.line_starts[node.coord.line - 1] + (node.coord.column or 1) - 1
        return offset

    def span_of(self, node: c_ast.Node | None) -> SourceSpan:
        """Where the node is in the user's file."""
        coord = getattr(node, "coord", None)
        if coord is None and node is not None:
            coord = next((c.coord for _, c in node.children() if getattr(c, "coord", None)), None)
        if coord is None:
            return SourceSpan(self.pre.main_file, 1)
        return self.pre.span_at(coord.line, coord.column or 1)


# The parser takes a dozen frames for a level of parentheses. As many fit an ordinary stack where Python uses that.
FRAMES = 12_000

_OMP_PRAGMA = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+omp\b[ \t]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_PARSE_MESSAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+)(?::(?P<col>\d+))?: (?P<text>.*)$", re.DOTALL)


def _what_is_wrong(error: Exception, parser: GnuParser, pre: Preprocessed) -> tuple[int, int, str]:
    """(line and column in the preprocessed text, message)."""
    message = str(error)
    match = _PARSE_MESSAGE.match(message)
    if isinstance(error, ParseError) and match:
        line, column, text = int(match["line"]), int(match["col"] or 1), match["text"]
    else:  # some of pycparser's messages name the file only: the parser stands at the token it could not take
        token = parser.next_token()
        line, column = (token.lineno, token.column) if token is not None else (len(pre.line_starts), 1)
        text = message.rsplit(": ", 1)[-1]
    if isinstance(error, RecursionError):
        return line, column, "this is nested too deeply"
    line = min(line, len(pre.line_starts))
    if re.search(r"\b_BitInt\s*\(\s*$", pre.text[: pre.line_starts[line - 1] + column - 1]):
        return line, column, "'_BitInt' is not supported"
    return line, column, f"syntax error: {text}"


_MOST_UNREAD = 10  # functions that the parser cannot read; each costs another pass over the unit
_TOP_LEVEL = re.compile(r'[{}]|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')


def _host_body(text: str, offset: int) -> tuple[int, int] | None:
    """The extent, without its braces, of the body of the function around ``offset``, where OpenMP has no part in it."""
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


# What clang may assume of a function, and need not: no directive (its AttrDocs, OMPAssume).
_ASSUMPTION = re.compile(r"\[\s*\[\s*(?:using\s+omp\s*:|omp\s*::)\s*assume\s*\(")


def parse_unit(pre: Preprocessed, tolerant: bool = False) -> ParsedUnit:
    """Parse a preprocessed unit and attach every OpenMP directive to its statement.

    With ``tolerant``, target constructs and what is inside them may be unread: whoever lowers them raises the error.
    Raises InputError at the user's line for C that does not parse and for malformed directives (all of them
    together, in source order).
    """
    text, layout = normalise_gnu(pre.text, pre.c23)
    if found := [a for a in layout if OMP_ATTRIBUTE.match(a.text) and not _ASSUMPTION.match(a.text)]:
        line = pre.line_at(found[0].offset)
        where = pre.span_at(line, found[0].offset - pre.line_starts[line - 1] + 1)
        raise error_at(where, "this attribute of OpenMP is not supported, but '#pragma omp' is")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
    unread: dict[int, InputError] = {}
    while True:
        parser = GnuParser(pre.c23)
        try:
            tree = parser.parse(text, pre.main_file)
            break
        except (ParseError, RecursionError, ValueError) as error:  # ValueError: constants with too many suffixes
            if pre.c23 and not KNOWS_C23:
                raise ToolError("a unit in C23 needs a newer pycparser: pip install --upgrade pycparser") from None
            line, column, message = _what_is_wrong(error, parser, pre)
            problem = error_at(pre.span_at(line, column), message)
            body = _host_body(text, pre.line_starts[line - 1] + column - 1)
            if body is None or len(unread) == _MOST_UNREAD:
                raise problem from None
            unread[body[0] - 1] = problem
            text = text[: body[0]] + re.sub(r"[^\n]", " ", text[slice(*body)]) + text[body[1] :]
    unit = ParsedUnit(pre, tree, layout, unread=unread)
    _mark_constants(unit)
    _evaluate_sizes(tree)
    from ..sema.layout import add_cleanups  # which needs this module

    add_cleanups(unit)
    attacher = _Attacher(unit, tolerant)
    attacher.attach_file(tree)
    unit = replace(unit, device_versions=tuple(attacher.device_versions))
    from ..normalise.simplify import read_requirements, simplify  # these change the constructs that are defined here
    from ..normalise.user_reductions import declare_reductions
    from ..normalise.variants import resolve_variants

    reductions = declare_reductions(tree, attacher.parse_functions)

    requirements, required = read_requirements(tree, pre.text)
    use_one_stream(unit.every_function, pre.text)
    edits = [*required, *attacher.edits, *resolve_variants(unit, attacher.parse_functions)]
    edits += [*simplify(tree, pre.text, tolerant), *attacher.spellings]
    simplify(c_ast.FileAST(list(unit.device_versions)), pre.text, tolerant)  # no part of the host file
    respelled = sorted({edit[0]: edit for edit in reversed(edits)}.values())
    return replace(unit, respelled=tuple(respelled), reductions=reductions, requirements=requirements)


def _evaluate_sizes(tree: c_ast.FileAST) -> None:
    """Make statements of sizes of parameters that do more than to have a value: a parameter is a pointer, but the size
    that is written for it is evaluated where the function begins (C11, sections 6.7.6.2p5 and 6.9.1p10)."""
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
    """Give constants whose suffixes the parser did not see their types: ``double _Complex``."""
    written = {a.offset: a.text for a in unit.layout_attributes if a.text[0] in ".0123456789"}
    stack: list[c_ast.Node] = [unit.ast] if written else []
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Constant) and (text := written.get(unit.offset_of(node))):
            node.type = constant_type(text, node.type)
        stack.extend(node)


DEVICE_VERSION = "__rex_device"  # ends the names of functions' device versions


def rename_function(function: c_ast.FuncDef, name: str) -> None:
    function.decl.name = name
    kind = function.decl.type
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name


def _has_metadirective(root: c_ast.Node) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Pragma) and "metadirective" in node.string:
            return True
        stack.extend(node)
    return False


class _Attacher:
    """Replaces Pragma nodes by OmpConstruct nodes that own their statement."""

    def __init__(self, unit: ParsedUnit, tolerant: bool) -> None:
        self.unit = unit
        self.tolerant = tolerant
        self.pre = unit.pre
        self.has_metadirectives = "metadirective" in unit.pre.text
        self.typedefs = frozenset(e.name for e in unit.ast.ext if isinstance(e, c_ast.Typedef) and e.name)
        self.expressions = GnuParser(unit.pre.c23)
        self.errors: list[InputError] = []
        self.edits: list[tuple[int, int, str]] = []
        self.spellings: list[tuple[int, int, str]] = []  # where no other edit is
        self.device_versions: list[c_ast.FuncDef] = []
        self.host_choice = False
        self.differs = False  # some metadirective of the function being read chooses otherwise on the device
        self.enclosing: tuple[str, ...] = ()  # leaf constructs around the pragma being read, outermost first
        self.coord: object = None  # of the pragma being read

    def attach_file(self, tree: c_ast.FileAST) -> None:
        tree.ext = self._attach_items(tree.ext)
        for item in tree.ext:
            if isinstance(item, c_ast.FuncDef):
                self._attach_function(item)
        if self.errors:
            raise InputError([d for e in self.errors for d in e.diagnostics])

    def _attach_function(self, function: c_ast.FuncDef) -> None:
        copy = deepcopy(function) if self.has_metadirectives and _has_metadirective(function.body) else None
        self.differs = False
        self._descend(function.body, ())
        if copy is None or not self.differs:
            return
        host = self.errors, self.edits, self.spellings
        self.errors, self.edits, self.spellings = [], [], []
        self._descend(copy.body, ("target",))
        if not self.errors:  # else it is no function to call there
            rename_function(copy, function.decl.name + DEVICE_VERSION)
            self.device_versions.append(copy)
        self.errors, self.edits, self.spellings = host

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
            stack.extend((child, around) for _, child in node.children())

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
        match = _OMP_PRAGMA.match(self.pre.text, start)
        if not match:
            return None
        self.coord = pragma.coord
        begin, end = match.end(), self.pre.line_end(line)
        start = self.pre.text.index("#", start)
        text = self.pre.text[begin:end].rstrip()
        unread: InputError | None = None
        directive: Directive | None = None
        try:
            directive = parse_directive(text, self._locator(line, text), self._parse_expression)
        except InputError as error:
            directive = self._without_checks(line, text, error)
            unread = error
            if directive is None:
                self.errors.append(error)
        if directive is not None and directive.name.endswith("metadirective"):
            meta, self.host_choice = directive, False
            directive = self._variant(directive, start, end)
            if self.host_choice and directive is None and not self.enclosing:
                directive = meta  # nothing, on the host
        if directive is None or directive.association not in ("block", "loop"):
            if directive is None:
                return None
            construct = OmpConstruct(directive, None, start, pragma.coord)
            construct.unread = unread
            return construct
        if not queue:
            self.errors.append(error_at(directive.span, f"'{directive.name}' has no statement to apply to"))
            return None
        host_choice, self.host_choice = self.host_choice, False
        following = queue.pop()
        body: c_ast.Node | None = following
        if isinstance(following, c_ast.Pragma):
            outer, self.enclosing = self.enclosing, (*self.enclosing, *directive.constructs)
            body = self._construct(following, queue)
            self.enclosing = outer
            if body is None and queue:  # a metadirective that stands for nothing
                body = queue.pop()
        elif isinstance(following, (c_ast.Decl, c_ast.Typedef)):
            self.errors.append(error_at(directive.span, f"'{directive.name}' must be followed by a statement"))
            return None
        construct = OmpConstruct(directive, body, start, pragma.coord)
        construct.host_choice = host_choice
        construct.unread = unread
        return construct

    def _without_checks(self, line: int, text: str, error: InputError) -> Directive | None:
        """What stands for a directive that cannot be read, None where that is an error.

        A directive that nobody knows is the host compiler's business, unless it looks like a misspelt one or stands in
        a target region.
        """
        locate = self._locator(line, text)
        try:
            found = parse_directive(text, locate, self._parse_expression, checked=False)
        except InputError:
            misspelt = any(note.startswith("did you mean") for d in error.diagnostics for note in d.notes)
            if not self.tolerant and (misspelt or "target" in self.enclosing):
                return None
            return Directive("unknown", ("unknown",), (), "none", locate(0, len(text)), text)
        return found if self.tolerant and found.is_target else None

    def _locator(self, line: int, text: str) -> Callable[[int, int], SourceSpan]:
        places: list[SourceSpan | None] = []

        def locate(start: int, end: int) -> SourceSpan:
            if not places:
                places.extend(self.pre.pragma_places(line, text))
            found = places[min(start, len(places) - 1)] if places else None
            if found is None:
                return self.pre.span_at(line, 1)
            return SourceSpan(found.file, found.line, found.column, max(1, end - start))

        return locate

    def _variant(self, directive: Directive, start: int, end: int) -> Directive | None:
        """The directive that a metadirective stands for here; the host's choice replaces its text."""
        place = directive.span
        self.host_choice = False
        try:
            chosen = host = ""
            check_on_device(directive)  # its host compiler is not to see it
            if not directive.name.startswith("end "):
                on_device = "target" in self.enclosing
                host = chosen_variant(directive, Context(False, self.enclosing))
                chosen = chosen_variant(directive, Context(on_device, self.enclosing))
                device = chosen_variant(directive, Context(True, ("target", *self.enclosing)))
                self.host_choice = not on_device and device != host
                self.differs |= self.host_choice
            # Of one directive for both, later stages may say how the host is to see it.
            spelt = self.edits if host != chosen else self.spellings
            spelt.append((start, end, f"#pragma omp {host}" if host else ""))
            for text in {host, chosen} - {""}:
                variant = parse_directive(text, lambda _low, _high: place, self._parse_expression)
                check_on_device(variant)
            return parse_directive(chosen, lambda _low, _high: place, self._parse_expression) if chosen else None
        except InputError as error:
            self.errors.append(error)
            return None

    def parse_functions(self, text: str) -> c_ast.FileAST:
        """Definitions of functions at file scope. Raises ParseError."""
        names = self.typedefs.intersection(_WORD.findall(text))
        return GnuParser(self.pre.c23).parse("".join(f"typedef int {name};" for name in sorted(names)) + text)

    def _parse_expression(self, text: str, span: SourceSpan) -> c_ast.Node:
        names = self.typedefs.intersection(_WORD.findall(text))
        try:
            tree = self.expressions.parse_expression(without_separators(text), names)
        except ParseError:
            raise error_at(span, f"malformed expression '{text}'") from None
        stack = [tree]
        while stack:  # a clause's nodes stand where their pragma stands
            node = stack.pop()
            node.coord = self.coord
            stack.extend(child for _, child in node.children())
        return tree
