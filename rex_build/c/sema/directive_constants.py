"""Replaces constant expressions in directives by their values, before any other stage reads the directives.

    enum { N = 4 };
    #pragma omp metadirective when(user={condition(N > 3)}: parallel for collapse(N - 2))

becomes, in the preprocessed text,

    #pragma omp metadirective when(user={condition(1)}: parallel for collapse(2))

The stages that choose between directives and transform loops run before types are known, and leave C to this module. A
condition that is not constant stays as it is, because only the run decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import InputError, InternalError, SourceSpan, error_at
from ...base.patterns import regex
from ...base.records import dataclass
from ...directives.arguments import DirectiveText
from ..rewrite.rewriting import respelled
from ..source.preprocess import Preprocessed
from ..source.tokens import directive_pattern
from ..syntax.nodes import branches, place_nodes
from ..syntax.parse import parse
from ..syntax.parser import ExpressionParser
from . import walk
from .analysis import Sema
from .layout import sema_of

_CLAUSES = ("collapse", "ordered", "partial", "sizes", "permutation", "score", "align")
_DIRECTIVE = directive_pattern(rf"([^\n]*\b(?:condition|{'|'.join(_CLAUSES)})[ \t]*\([^\n]*)")
_DECIMAL = regex(r"0|[1-9]\d*")
_WORD = regex(r"[A-Za-z_]\w*")
_TRUTH = {"true": "1", "false": "0"}  # older C without <stdbool.h> knows these words only in directives


@dataclass(frozen=True)
class _Argument:
    """An expression in a directive that may be constant: its clause or trait, and its place [start, end) in text."""

    name: str
    line: int
    start: int
    end: int
    text: str


def with_values(pre: Preprocessed) -> Preprocessed:
    """``pre`` with decimal numbers in place of constants, in conditions, alignments and clauses with numbers of loops.

    Raises InputError for expressions whose value C leaves undefined.
    """
    arguments = list(_arguments(pre))
    if not arguments:
        return pre
    values = _Values(pre)
    values.read_alone(arguments)
    values.read_in_scope([argument for argument in arguments if argument not in values.known])
    edits = []
    for argument, value in values.known.items():
        if value is not None:
            new = int(value != 0) if argument.name == "condition" else value
            edits.append((argument.start, argument.end, str(new)))
    return respelled(pre, sorted(edits), marked=False)


def _arguments(pre: Preprocessed) -> Iterator[_Argument]:
    """The expressions in a unit's directives that are not decimal numbers yet."""
    for match in _DIRECTIVE.finditer(pre.text):
        line, at = pre.line_at(match.start()), match.start(1)
        source = DirectiveText.read(match[1], lambda _low, _high: SourceSpan("", 1), lambda _text, _span: c_ast.ID(""))
        depth = 0  # of braces; a condition stands in a selector set
        for number, token in enumerate(source.tokens):
            depth += (token.text == "{") - (token.text == "}")
            is_condition = token.text == "condition" and depth > 0
            close = source.partners.get(number + 1, 0)
            if close <= number + 2 or not (is_condition or token.text in _CLAUSES):
                continue
            inner = source.stretch(number + 2, close)
            for part in inner.split(":", 1)[-1:] if is_condition else inner.split(","):
                if part and not _DECIMAL.fullmatch(part.text):
                    start, end = part.tokens[0].start, part.tokens[-1].end
                    yield _Argument(token.text, line, at + start, at + end, match[1][start:end])


class _Values:
    """Evaluates expressions. The value of one that is not constant is None."""

    def __init__(self, pre: Preprocessed) -> None:
        self.pre = pre
        self.parser = ExpressionParser(pre.c23)
        self.known: dict[_Argument, int | None] = {}

    def read_alone(self, arguments: Sequence[_Argument]) -> None:
        """Evaluate the expressions without names."""
        sema = Sema(c_ast.FileAST([]))
        for argument in arguments:
            try:
                node = self._parsed(argument, frozenset())
                sema.analyse(node)
            except (ParseError, RecursionError, InputError):
                continue  # it has a name
            self._note(argument, sema, node)

    def read_in_scope(self, arguments: Sequence[_Argument]) -> None:
        """Evaluate expressions with the meaning of names at their directives.

        For that, the unit is parsed with the expressions as statements in place of the directives.
        """
        if not arguments:
            return
        try:
            unit = parse(self.pre)
        except InputError:
            return  # reading the unit for good says what is wrong
        nodes: dict[_Argument, c_ast.Node] = {}
        for argument in arguments:
            try:
                nodes[argument] = self._parsed(argument, unit.pragma_types.get(argument.line, frozenset()))
            except (ParseError, RecursionError):
                continue  # the error is reported when the directive is read
        by_line: dict[int, list[c_ast.Node]] = {}
        for argument, node in nodes.items():
            by_line.setdefault(argument.line, []).append(node)
        sema, complete = sema_of(unit), True
        for item in unit.ast.ext:
            if isinstance(item, c_ast.Pragma):
                for node in _standing_for(item, by_line):
                    complete &= _analyse(sema, node)
            elif isinstance(item, c_ast.FuncDef) and _put_in_place(item.body, by_line):
                complete &= _analyse(sema, item)
        for argument, node in nodes.items():
            self._note(argument, sema, node)
            if complete and argument.name != "condition" and argument in self.known:
                self._check_declared(argument, sema, node)

    def _parsed(self, argument: _Argument, typedefs: frozenset[str]) -> c_ast.Node:
        """The tree of an expression. Raises ParseError."""
        text = _WORD.sub(lambda m: _TRUTH.get(m[0], m[0]), argument.text)
        return self.parser.parse_expression(text, typedefs.intersection(_WORD.findall(text)))

    def _note(self, argument: _Argument, sema: Sema, node: c_ast.Node) -> None:
        try:
            value = sema.value(node)
        except InternalError:  # it stands in code that could not be analysed
            return
        if value is None and (why := sema.undefined_in(node)):
            raise error_at(self._place(argument), f"'{argument.text}' in '{argument.name}' has no value", why)
        self.known[argument] = value

    def _check_declared(self, argument: _Argument, sema: Sema, node: c_ast.Node) -> None:
        """Refuse names that are not declared, which would be in generated loops of which the user knows nothing."""
        for name in walk(node):
            if isinstance(name, c_ast.ID) and sema.symbol(name) is None:
                raise error_at(self._place(argument), f"'{name.name}' in '{argument.name}' is not declared")

    def _place(self, argument: _Argument) -> SourceSpan | None:
        begin = self.pre.line_starts[argument.line - 1]
        text = self.pre.text[begin : self.pre.line_end(argument.line)]
        after = text.index("omp") + len("omp")
        return self.pre.pragma_places(argument.line, text[after:])[argument.start - begin - after]


def _analyse(sema: Sema, node: c_ast.Node) -> bool:
    """Whether the node could be analysed."""
    try:
        sema.analyse(node, on_host=True)
    except InputError:  # reading the unit for good says what is wrong
        return False
    return True


def _standing_for(pragma: c_ast.Pragma, by_line: Mapping[int, list[c_ast.Node]]) -> list[c_ast.Node]:
    """The expressions of a directive, at its place."""
    found = by_line.get(pragma.coord.line, [])
    for node in found:
        place_nodes(node, pragma.coord)
    return found


def _put_in_place(root: c_ast.Node, by_line: Mapping[int, list[c_ast.Node]]) -> bool:
    """Replace the directives below ``root`` by their expressions. Returns whether there are any."""
    replaced = False
    stack = [root]
    while stack:
        node = stack.pop()
        for name in ("block_items", "stmts"):
            items = getattr(node, name, None) or []
            for at in range(len(items) - 1, -1, -1):
                if isinstance(items[at], c_ast.Pragma) and (found := _standing_for(items[at], by_line)):
                    items[at : at + 1] = found
                    replaced = True
        stack += branches(node)
    return replaced
