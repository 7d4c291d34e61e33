"""From preprocessed text to a pycparser tree with OpenMP constructs in place.

pycparser reads C11; real headers use GNU extensions. They are normalised here at token level, each replacement
having the length of what it replaces, so that a node's ``coord`` is its physical place in the preprocessed text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from pycparser import c_ast, c_lexer
from pycparser.c_parser import CParser, ParseError

from .diagnostics import InputError, error_at
from .directives.model import Directive
from .directives.parser import parse_directive
from .directives.selectors import Context, chosen_variant
from .lexer import FastLexer
from .preprocess import Preprocessed
from .records import dataclass
from .source import SourceSpan
from .streams import use_one_stream


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


class StmtExpr(c_ast.Node):
    """A GNU statement expression ``({ ... })``."""

    __slots__ = ("__weakref__", "body", "coord")
    attr_names = ()

    def __init__(self, body: c_ast.Compound, coord: object = None) -> None:
        self.body = body
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("body", self.body),)

    def __iter__(self) -> Iterator[c_ast.Node]:
        yield self.body


@dataclass(frozen=True)
class LayoutAttribute:
    """A GNU attribute or pragma that changes how a type is laid out, an imaginary constant (``1.0i``), or the word that
    makes a variable local to its thread: the parser does not see them."""

    offset: int
    text: str


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


_SAME_LENGTH = {
    "__inline": "inline",
    "__inline__": "inline",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "__alignof": "_Alignof",
    "__alignof__": "_Alignof",
    "__typeof": "typeof",
    "__typeof__": "typeof",
    "_Float64": "double",
    "_Float32x": "double",
    "_Float32": "float",
    "__complex__": "_Complex",
    "__extension__": "",
    "__thread": "",
    "_Thread_local": "",
    "__auto_type": "auto signed",  # sema takes the type from the initialiser
    "__builtin_offsetof": "offsetof",
}
_THREAD_LOCAL = ("__thread", "_Thread_local")
# Floating types that stay names of their own: sema knows those that it can tell the layout of.
_FLOATING_WORDS = ("_Float128", "__float128", "_Float64x", "_Float16", "__bf16", "__fp16")
_WORDS = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^[ \t]*#[^\n]*|[{}]|'
    r"\b\d[\d.]*(?:[eE][+-]?\d+)?(?:[fFlL]?[iIjJ]|[iIjJ][fFlL])\b|\b(?:__attribute__|__attribute|__asm__|__asm|asm|__label__|"
    + "|".join(sorted(map(re.escape, _SAME_LENGTH), key=len, reverse=True))
    + r")\b",
    re.MULTILINE,
)
_OMP_PRAGMA = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+omp\b[ \t]*")
_LAYOUT = re.compile(r"\b_*(packed|aligned|vector_size|mode|ms_struct|scalar_storage_order|transparent_union)_*\b")
_BRACKETS = re.compile(r'[()]|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')

_COMMAS = re.compile(r'[][(){},]|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def closing_paren(text: str, start: int) -> int:
    """Offset one past the parenthesis that closes the first one at or after ``start``."""
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if depth == 0:
                return match.end()
    return len(text)


def arguments_at(text: str, start: int) -> list[tuple[int, int]]:
    """Where the arguments between the parenthesis at ``start`` and the one that closes it stand."""
    found, depth, low = [], 0, start + 1
    for match in _COMMAS.finditer(text, start):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        if (match[0] == "," and depth == 1) or depth == 0:
            found.append((low, match.start()))
            low = match.end()
        if depth == 0:
            break
    return found


def normalise_gnu(text: str) -> tuple[str, tuple[LayoutAttribute, ...]]:
    """The text with GNU extensions replaced by what pycparser reads, every offset unchanged.

    What the parser does not see and others need comes beside it: layout attributes, and imaginary constants.
    """
    out: list[str] = []
    layout: list[LayoutAttribute] = []
    at = depth = 0
    for match in _WORDS.finditer(text):
        word, start, end = match[0], match.start(), match.end()
        if start < at:  # inside an attribute already blanked
            continue
        if word == "{":
            depth += 1
            continue
        if word == "}":
            depth -= 1
            continue
        if word[0] in "\"'":
            continue
        if word[0].isdigit():
            layout.append(LayoutAttribute(start, word))
            out += [text[at:start], re.sub("[iIjJ]", "", word) + " "]
            at = end
            continue
        if word.lstrip()[0] == "#":
            if _OMP_PRAGMA.match(word):
                continue
            if re.match(r"\s*#\s*pragma\s+pack\b", word):
                layout.append(LayoutAttribute(start, word.strip()))
            new = _blank(word)
        elif word in _SAME_LENGTH:
            if word in _THREAD_LOCAL:
                layout.append(LayoutAttribute(start, word))
            new = _SAME_LENGTH[word].ljust(len(word))
        elif word == "__label__":  # declares labels as local to a block
            end = text.find(";", end) + 1
            new = _blank(text[start:end])
        else:
            end = closing_paren(text, end)
            old = text[start:end]
            new = _blank(old)
            if "asm" in word and depth > 0 and not _is_barrier(old):
                new = "__rex_asm".ljust(len(word)) + new[len(word) :] if len(word) >= 9 else "asm".ljust(3) + new[3:]
            elif "attribute" in word and _LAYOUT.search(old):
                layout.append(LayoutAttribute(start, old))
        out += [text[at:start], new]
        at = end
    out.append(text[at:])
    return "".join(out), tuple(layout)


def _is_barrier(asm: str) -> bool:
    """Whether an ``asm`` has no instructions and only hides values from the optimiser: without it all is the same."""
    return re.search(r'\(\s*(?:""\s*)+[:)]', asm) is not None and '"=' not in asm


_PARTS = {"__real__": "__real__", "__real": "__real__", "__imag__": "__imag__", "__imag": "__imag__"}


class _GnuParser(CParser):
    """pycparser's parser, with statement expressions and ``typeof``, and usable for a lone expression."""

    def __init__(self) -> None:
        more = dict.fromkeys(_FLOATING_WORDS, "DOUBLE")
        if hasattr(c_ast, "TypeOf"):
            super().__init__(lexer=FastLexer)
            self.clex._keyword_map = {**self.clex._keyword_map, **more, "typeof": "TYPEOF"}
        else:  # pycparser 3.11, the newest for Python 3.10: without typeof, and with keywords for all lexers alike
            super().__init__()
            c_lexer._keyword_map.update(more)

    def _is_type_in_scope(self, name: str) -> bool:
        return name == "__builtin_va_list" or super()._is_type_in_scope(name)

    def _parse_conditional_expression(self) -> c_ast.Node:
        expr = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return expr
        if self._accept("COLON"):  # GNU ``a ?: b``
            return c_ast.TernaryOp(expr, None, self._parse_conditional_expression(), expr.coord)
        iftrue = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(expr, iftrue, self._parse_conditional_expression(), expr.coord)

    def _parse_constant_expression(self) -> c_ast.Node:
        low = super()._parse_constant_expression()
        if self._accept("ELLIPSIS"):  # GNU ranges: ``case 1 ... 4:``, ``[0 ... 9] = x``
            return c_ast.BinaryOp("...", low, super()._parse_constant_expression(), low.coord)
        return low

    def _parse_argument_expression_list(self) -> c_ast.Node:
        """Arguments of a call; some of gcc's builtins take types."""
        first = self._parse_argument()
        arguments = [first]
        while self._accept("COMMA"):
            arguments.append(self._parse_argument())
        return c_ast.ExprList(arguments, first.coord)

    def _parse_argument(self) -> c_ast.Node:
        return self._parse_type_name() if self._starts_declaration() else self._parse_assignment_expression()

    def _parse_unary_expression(self) -> c_ast.Node:
        word = self._peek()
        if word is not None and word.type == "ID" and word.value in _PARTS:
            tok = self._advance()
            return c_ast.UnaryOp(_PARTS[tok.value], self._parse_cast_expression(), self._tok_coord(tok))
        if self._peek_type() == "LAND":  # GNU ``&&label``
            tok = self._advance()
            return c_ast.UnaryOp(tok.value, self._parse_identifier(), self._tok_coord(tok))
        return super()._parse_unary_expression()

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TIMES":  # GNU ``goto *address;``
            tok = self._advance()
            target = self._parse_cast_expression()
            self._expect("SEMI")
            return c_ast.Goto(target, self._tok_coord(tok))
        return super()._parse_jump_statement()

    def _parse_primary_expression(self) -> c_ast.Node:
        if self._peek_type() == "LPAREN" and self._peek_type(2) == "LBRACE":
            opening = self._advance()
            body = self._parse_compound_statement()
            self._expect("RPAREN")
            return StmtExpr(body, self._tok_coord(opening))
        return super()._parse_primary_expression()

    def next_token(self) -> Any:
        """The token that comes next, None at the end."""
        try:
            return self._peek()
        except ParseError:
            return None

    def parse_expression(self, text: str, typedefs: frozenset[str]) -> c_ast.Node:
        """A lone expression in which ``typedefs`` are type names. Raises ParseError."""
        body = f"void __rex_f(void) {{ (void)0; }} int __rex_x = ({text});"
        prelude = "".join(f"typedef int {name};" for name in sorted(typedefs))
        tree = self.parse(f"{prelude}{body}")
        return tree.ext[-1].init


# The parser takes a dozen frames for a level of parentheses. As many fit an ordinary stack where Python uses that.
_FRAMES = 12_000

_WORD = re.compile(r"[A-Za-z_]\w*")
_PARSE_MESSAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+)(?::(?P<col>\d+))?: (?P<text>.*)$", re.DOTALL)


def _syntax_error(error: ParseError, parser: _GnuParser, pre: Preprocessed) -> InputError:
    message = str(error)
    match = _PARSE_MESSAGE.match(message)
    if match:
        line, column, text = int(match["line"]), int(match["col"] or 1), match["text"]
    else:  # some of pycparser's messages name the file only: the parser stands at the token it could not take
        token = parser.next_token()
        line, column = (token.lineno, token.column) if token is not None else (len(pre.line_starts), 1)
        text = message.rsplit(": ", 1)[-1]
    return error_at(pre.span_at(min(line, len(pre.line_starts)), column), f"syntax error: {text}")


def parse_unit(pre: Preprocessed, tolerant: bool = False) -> ParsedUnit:
    """Parse a preprocessed unit and attach every OpenMP directive to its statement.

    With ``tolerant``, target constructs and what is inside them may be unread: whoever lowers them raises the error.
    Raises InputError at the user's line for C that does not parse and for malformed directives (all of them
    together, in source order).
    """
    text, layout = normalise_gnu(pre.text)
    parser = _GnuParser()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
    try:
        tree = parser.parse(text, pre.main_file)
    except ParseError as error:
        raise _syntax_error(error, parser, pre) from None
    except RecursionError:
        token = parser.next_token()
        line, column = (token.lineno, token.column) if token is not None else (1, 1)
        raise error_at(pre.span_at(line, column), "this is nested too deeply") from None
    unit = ParsedUnit(pre, tree, layout)
    _mark_imaginary(unit)
    attacher = _Attacher(unit, tolerant)
    attacher.attach_file(tree)
    from .simplify import read_requirements, simplify  # these change the constructs that are defined here
    from .user_reductions import declare_reductions
    from .variants import resolve_variants

    reductions = declare_reductions(tree, attacher.parse_functions)

    requirements, required = read_requirements(tree, pre.text)
    use_one_stream(tree, pre.text)
    edits = [*required, *attacher.edits, *resolve_variants(unit), *simplify(tree, pre.text, tolerant)]
    edits += attacher.spellings
    respelled = sorted({edit[0]: edit for edit in reversed(edits)}.values())
    return replace(unit, respelled=tuple(respelled), reductions=reductions, requirements=requirements)


def _mark_imaginary(unit: ParsedUnit) -> None:
    """Give imaginary constants their type, ``double _Complex``."""
    places = {a.offset for a in unit.layout_attributes if a.text[0].isdigit()}
    stack: list[c_ast.Node] = [unit.ast] if places else []
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Constant) and unit.offset_of(node) in places:
            node.type += " _Complex"
        stack.extend(node)


class _Attacher:
    """Replaces Pragma nodes by OmpConstruct nodes that own their statement."""

    def __init__(self, unit: ParsedUnit, tolerant: bool) -> None:
        self.unit = unit
        self.tolerant = tolerant
        self.pre = unit.pre
        self.typedefs = frozenset(e.name for e in unit.ast.ext if isinstance(e, c_ast.Typedef) and e.name)
        self.expressions = _GnuParser()
        self.errors: list[InputError] = []
        self.edits: list[tuple[int, int, str]] = []
        self.spellings: list[tuple[int, int, str]] = []  # where no other edit is
        self.host_choice = False
        self.enclosing: tuple[str, ...] = ()  # leaf constructs around the pragma being read, outermost first
        self.coord: object = None  # of the pragma being read

    def attach_file(self, tree: c_ast.FileAST) -> None:
        tree.ext = self._attach_items(tree.ext)
        for item in tree.ext:
            if isinstance(item, c_ast.FuncDef):
                self._descend(item.body)
        if self.errors:
            raise InputError([d for e in self.errors for d in e.diagnostics])

    def _descend(self, root: c_ast.Node) -> None:
        stack: list[tuple[c_ast.Node, tuple[str, ...]]] = [(root, ())]
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
            if not directive.name.startswith("end "):
                on_device = "target" in self.enclosing
                host = chosen_variant(directive, Context(False, self.enclosing))
                chosen = chosen_variant(directive, Context(on_device, self.enclosing))
                device = chosen_variant(directive, Context(True, ("target", *self.enclosing)))
                self.host_choice = not on_device and device != host
            # Of one directive for both, later stages may say how the host is to see it.
            spelt = self.edits if host != chosen else self.spellings
            spelt.append((start, end, f"#pragma omp {host}" if host else ""))
            return parse_directive(chosen, lambda _low, _high: place, self._parse_expression) if chosen else None
        except InputError as error:
            self.errors.append(error)
            return None

    def parse_functions(self, text: str) -> c_ast.FileAST:
        """Definitions of functions at file scope. Raises ParseError."""
        names = self.typedefs.intersection(_WORD.findall(text))
        return _GnuParser().parse("".join(f"typedef int {name};" for name in sorted(names)) + text)

    def _parse_expression(self, text: str, span: SourceSpan) -> c_ast.Node:
        names = self.typedefs.intersection(_WORD.findall(text))
        try:
            tree = self.expressions.parse_expression(text, names)
        except ParseError:
            raise error_at(span, f"malformed expression '{text}'") from None
        stack = [tree]
        while stack:  # a clause's nodes stand where their pragma stands
            node = stack.pop()
            node.coord = self.coord
            stack.extend(child for _, child in node.children())
        return tree
