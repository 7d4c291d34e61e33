"""Reads the text inside a directive: tokens, expressions, list items and iterators.

Everything here works on a :class:`Stretch`, a run of tokens of one directive. Its brackets are already paired, so the
end of an expression can be found without knowing the C grammar. Source: OpenMP 5.2, sections 3.2.1 (argument lists),
3.2.4 (array shaping), 3.2.5 (array sections) and 3.2.6 (iterators).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from ..base.diagnostics import InputError, SourceSpan, error_at
from ..base.patterns import regex
from ..base.records import dataclass
from .model import Expr, Index, Iterator, Locator, Member, Section, Step

Locate = Callable[[int, int], SourceSpan]
ParseExpression = Callable[[str, SourceSpan], Any]

_TOKEN = regex(
    r"""(?P<literal>(?:u8|[uUL])?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))
      | (?P<word>[^\W\d][\w$]*|\$[\w$]*)
      | (?P<number>\.?\d(?:[eEpP][+-]|'[\da-fA-F]|[\w.])*)
      | (?P<mark>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S)""",
    re.VERBOSE,
)
_GLOBAL = r"(?<![\w)\]])(?<![\w)\]][ ])::\s*"  # behind a value, as in [1::step], these are two colons
_QUALIFIED = regex(
    rf"(?P<qualified>(?:{_GLOBAL})?[^\W\d]\w*(?:\s*::\s*[^\W\d]\w*)+|{_GLOBAL}[^\W\d]\w*)|{_TOKEN.pattern}", re.VERBOSE
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {close: opening for opening, close in _OPENING.items()}
_BINARY = frozenset(re.findall(r"\S+", "/ % ^ | < > <= >= == != << >> && || ? = += -= *= /= %= &= |= ^= <<= >>="))
_PREFIX_OR_BINARY = frozenset("+-*&")


_KINDS = {"qualified": "word"}


@dataclass(frozen=True)
class Token:
    """A preprocessing token. ``start`` and ``end`` are character offsets in the directive's text."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class DirectiveText:
    """A directive's tokens.

    ``partners`` maps the index of each bracket to the index of its partner, in both directions. ``unpaired`` has the
    indices of brackets without a partner.
    """

    text: str
    tokens: tuple[Token, ...]
    partners: dict[int, int]
    unpaired: tuple[int, ...]
    locate: Locate
    parse_expression: ParseExpression
    begin: int

    @classmethod
    def read(
        cls, text: str, locate: Locate, parse_expression: ParseExpression, begin: int = 0, *, qualified: bool = False
    ) -> DirectiveText:
        """The tokens of a text that begins at a place of the unit. A ``qualified`` name of C++, such as ``app::size``,
        is one word."""
        return cls(text, *_tokens(text, qualified), locate, parse_expression, begin)

    def stretch(self, low: int, high: int | None = None) -> Stretch:
        return Stretch(self, low, len(self.tokens) if high is None else high)


@dataclass(frozen=True)
class Stretch:
    """Tokens ``[low, high)`` of a directive."""

    source: DirectiveText
    low: int
    high: int

    def __bool__(self) -> bool:
        return self.low < self.high

    def __len__(self) -> int:
        return self.high - self.low

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.source.tokens[self.low : self.high]

    @property
    def first(self) -> str:
        """The text of the first token, or an empty text if there is none."""
        return self.source.tokens[self.low].text if self else ""

    @property
    def word(self) -> str | None:
        """The identifier if this stretch is a single one, otherwise None."""
        return self.first if len(self) == 1 and self.tokens[0].kind == "word" else None

    @property
    def text(self) -> str:
        return spaced(self.tokens)

    @property
    def span(self) -> SourceSpan:
        """The place of the stretch. An empty stretch has the place of the token that follows it."""
        tokens = self.source.tokens
        if self:
            return self.source.locate(tokens[self.low].start, tokens[self.high - 1].end)
        if self.low < len(tokens):
            return self.source.locate(tokens[self.low].start, tokens[self.low].end)
        end = tokens[-1].end if tokens else 0
        return self.source.locate(end, end + 1)

    @property
    def at(self) -> tuple[int, int]:
        """Where the stretch begins and ends in the unit's text."""
        tokens = self.tokens
        return self.source.begin + tokens[0].start, self.source.begin + tokens[-1].end

    def part(self, low: int, high: int | None = None) -> Stretch:
        """Tokens ``[low, high)`` of this stretch."""
        return Stretch(self.source, self.low + low, self.high if high is None else self.low + high)

    def bracketed(self, at: int) -> tuple[Stretch, int]:
        """(the tokens inside the brackets that open at token ``at``, the number of the token after them)."""
        close = self.source.partners[self.low + at]
        return Stretch(self.source, self.low + at + 1, close), close + 1 - self.low

    def split(self, separator: str, limit: int = -1) -> list[Stretch]:
        """The parts between separators outside of brackets. A ``:`` that belongs to a ``?`` is no separator."""
        parts, start, i, questions = [], self.low, self.low, 0
        while i < self.high and limit != 0:
            text = self.source.tokens[i].text
            if text in _OPENING and i in self.source.partners:
                i = self.source.partners[i]
            elif text == "?":
                questions += 1
            elif text == ":" and questions:
                questions -= 1
            elif text == separator:
                parts.append(Stretch(self.source, start, i))
                start, limit = i + 1, limit - 1
            i += 1
        return [*parts, Stretch(self.source, start, self.high)]

    def cut(self, separator: str) -> tuple[Stretch | None, Stretch]:
        """(the part before the first separator outside of brackets, the rest); (None, everything) without one."""
        parts = self.split(separator, 1)
        return (parts[0], parts[1]) if len(parts) == 2 else (None, parts[0])

    def error(self, message: str, *notes: str) -> InputError:
        return error_at(self.span, message, *notes)


@lru_cache(1000)  # several stages read one directive
def _tokens(text: str, qualified: bool) -> tuple[tuple[Token, ...], dict[int, int], tuple[int, ...]]:
    """(the tokens of a text, the partners of brackets, the brackets without one)"""
    found = (_QUALIFIED if qualified else _TOKEN).finditer(text)
    tokens = tuple(
        Token(_KINDS.get(m.lastgroup or "", m.lastgroup or ""), m.group(), m.start(), m.end()) for m in found
    )
    partners: dict[int, int] = {}
    waiting: list[int] = []  # opening brackets, outermost first
    unpaired: list[int] = []
    for i, token in enumerate(tokens):
        if token.text in _OPENING:
            waiting.append(i)
        elif token.text in _CLOSING:
            wanted = _CLOSING[token.text]
            if all(tokens[w].text != wanted for w in waiting):
                unpaired.append(i)
                continue
            while tokens[waiting[-1]].text != wanted:
                unpaired.append(waiting.pop())
            partners[i] = waiting.pop()
            partners[partners[i]] = i
    return tokens, partners, tuple(sorted(unpaired + waiting))


@lru_cache(1000)
def outside_brackets(text: str, mark: str) -> tuple[int, ...]:
    """The offsets of the tokens ``mark`` that stand in no brackets of the text."""
    found, depth = [], 0
    for match in _TOKEN.finditer(text):
        depth += (match[0] in _OPENING) - (match[0] in _CLOSING)
        if match[0] == mark and depth == 0:
            found.append(match.start())
    return tuple(found)


@cache
def _would_merge(left: str, right: str) -> bool:
    """Whether two tokens would be read as other tokens if nothing stood between them."""
    match = _TOKEN.match(left + right)
    return match is None or match.end() != len(left)


def spaced(tokens: Sequence[Token]) -> str:
    """The tokens as one line, with blanks in the same places however the user wrote them."""
    out: list[str] = []
    brackets: list[tuple[str, int]] = [("", 0)]  # each open bracket, and the number of ``?`` in it without a ``:`` yet
    tight = True  # no blank follows the token before: it is an opening bracket, a prefix operator or ``->``
    operand = False  # the token before ends an operand, so that a following ``*`` multiplies
    previous = ""
    for token in tokens:
        text, kind = token.text, token.kind
        bracket, questions = brackets[-1]
        binary = text in _BINARY or (text in _PREFIX_OR_BINARY and operand)
        tight_after = False
        if text == ":" and questions:
            brackets[-1] = (bracket, questions - 1)
            binary = True
        elif text == "?":
            brackets[-1] = (bracket, questions + 1)
        if text == ":" and not binary:
            gap, tight_after = False, bracket == "["
        elif text in _OPENING:
            gap, tight_after = not tight and not operand, True
            brackets.append((text, 0))
        elif text in _CLOSING:
            gap = False
            if len(brackets) > 1:
                brackets.pop()
        elif text in {",", ";"}:
            gap = False
        elif text in {".", "->"}:
            gap, tight_after = False, True
        elif text in {"++", "--"}:
            gap, tight_after = not tight and not operand, not operand
        elif binary:
            gap = not tight
        else:
            gap = not tight
            tight_after = kind == "mark"
        if out and (gap or _would_merge(previous, text)):
            out.append(" ")
        out.append(text)
        operand = kind != "mark" or text in _CLOSING or (text in {"++", "--"} and operand)
        tight, previous = tight_after, text
    return "".join(out)


def expression(part: Stretch, clause: str) -> Expr:
    """The C expression that ``part`` consists of."""
    if not part:
        raise part.error(f"expected an expression in '{clause}'")
    extra = part.split(",", 1)
    if len(extra) > 1:
        raise Stretch(part.source, extra[0].high, part.high).error(f"expected one expression in '{clause}'")
    text, span = part.text, part.span
    return Expr(text, part.source.parse_expression(text, span), span, part.at)


def _bound(part: Stretch, clause: str) -> Expr:
    """A subscript or a bound of a section. It may contain the comma operator, as in C (C11, section 6.5.17)."""
    if len(part.split(",", 1)) == 1:
        return expression(part, clause)
    for operand in part.split(","):
        expression(operand, clause)
    return Expr(f"({part.text})", part.source.parse_expression(part.text, part.span), part.span, part.at)


def locators(part: Stretch, clause: str) -> tuple[Locator, ...]:
    """A list of variables, members, elements and array sections (OpenMP 5.2, section 3.2.1, locator list)."""
    return tuple(_locator(item, clause) for item in part.split(","))


def check_alignment(text: str, span: SourceSpan) -> None:
    """Raise InputError unless an alignment, which is a number by now, is a power of two (OpenMP 5.2, section 6.3)."""
    if not text.isdecimal() or int(text).bit_count() != 1:
        raise error_at(span, f"the alignment '{text}' is not a constant power of two")


def variables(part: Stretch, clause: str) -> tuple[Locator, ...]:
    """A list of variables without members, elements or sections."""
    items = locators(part, clause)
    for item, written in zip(items, part.split(","), strict=True):
        if item.steps or item.shape:
            raise written.error(
                f"'{item.text}' in '{clause}' clause is not a variable",
                f"'{clause}' takes a list of variables (OpenMP 5.2, section 3.2.1)",
            )
    return items


def _locator(item: Stretch, clause: str) -> Locator:
    if not item:
        raise item.error(f"expected a list item in '{clause}'")
    name, steps, shape = _lvalue(item, clause)
    return Locator(name, steps, item.text, item.span, shape)


def dependences(part: Stretch, clause: str) -> tuple[Locator, ...]:
    """A list of locators, or of other expressions that name storage, such as calls. These have no variable."""
    return tuple(_dependence(item, clause) for item in part.split(","))


def _dependence(item: Stretch, clause: str) -> Locator:
    try:
        return _locator(item, clause)
    except InputError:
        if not item:
            raise
        expression(item, clause)
        return Locator("", (), item.text, item.span)


def _lvalue(item: Stretch, clause: str) -> tuple[str, tuple[Step, ...], tuple[Expr, ...]]:
    """(the variable, the steps, the shape) of ``item``. Parentheses, ``*`` and sums of pointers become steps."""
    if item.first == "*":
        base, offset = _sum(item.part(1), clause)
        name, steps, shape = _lvalue(base, clause)
        return name, (*steps, Index(offset or _written("0", item))), shape
    steps, shape, at = (), (), 1
    if item.first == "(" and item.low in item.source.partners:
        inner, at = item.bracketed(0)
        if inner.first == "[":
            name, steps, _ = _lvalue(item.part(at), clause)
            return name, steps, _shape(inner, clause)
        base, offset = _sum(item.part(0, at), clause)
        if offset is not None:
            name, steps, shape = _lvalue(base, clause)
            following = _steps(item, at, clause, sectioned=False)
            first = following[0] if following else None
            return name, (*steps, _moved(first, offset, item, clause), *following[1:]), shape
        name, steps, shape = _lvalue(inner, clause)
    elif item and item.tokens[0].kind == "word":
        name = item.first
    else:
        raise item.error(f"expected a variable or an array section in '{clause}'")
    return name, (*steps, *_steps(item, at, clause, sectioned=any(isinstance(s, Section) for s in steps))), shape


def _sum(item: Stretch, clause: str) -> tuple[Stretch, Expr | None]:
    """(pointer, offset) for an item ``(pointer + offset)`` in parentheses, otherwise (``item``, None)."""
    if item.first == "(" and item.low in item.source.partners:
        inner, end = item.bracketed(0)
        pointer, offset = inner.cut("+")
        if pointer and offset and end == len(item):
            return pointer, expression(offset, clause)
    return item, None


def _written(text: str, item: Stretch) -> Expr:
    return Expr(text, item.source.parse_expression(text, item.span), item.span)


def _moved(step: Step | None, offset: Expr, item: Stretch, clause: str) -> Step:
    """The index or section, counted from the pointer before ``offset`` was added to it."""
    if isinstance(step, Index):
        return Index(_written(f"({offset.text}) + ({step.expr.text})", item))
    if isinstance(step, Section):
        lower = _written(f"({offset.text}) + ({step.lower.text})", item) if step.lower is not None else offset
        return Section(lower, step.length, step.stride)
    raise item.error(f"'{item.text}' in '{clause}' is not a variable or an array section")


def _steps(item: Stretch, at: int, clause: str, sectioned: bool) -> list[Step]:
    """The members, indices and sections that follow from token ``at`` of ``item`` on."""
    steps: list[Step] = []
    while at < len(item):
        rest = item.part(at)
        if rest.first == "[" and rest.low in item.source.partners:
            inner, at = item.bracketed(at)
            steps.append(_subscript(inner, clause))
            sectioned |= isinstance(steps[-1], Section)
        elif rest.first in {".", "->"} and len(rest) > 1 and rest.tokens[1].kind == "word":
            if sectioned:
                raise rest.part(0, 2).error(
                    "a member cannot be taken of an array section", "OpenMP 5.2, section 3.2.5 (array sections)"
                )
            steps.append(Member(rest.tokens[1].text, rest.first == "->"))
            at += 2
        else:
            named = ("give what the call returns a name, as in p = v.data(), and write p[0:n]",)
            raise item.error(
                f"'{item.text}' in '{clause}' is not a variable or an array section",
                *(named if rest.first == "(" else ()),
                "a list item is a variable, a member of one, an element or an array section such as 'a[lower:length]' "
                "(OpenMP 5.2, section 3.2.1)",
            )
    return steps


def _subscript(inner: Stretch, clause: str) -> Index | Section:
    parts = inner.split(":")
    note = "an array section is [lower:length] or [lower:length:stride] (OpenMP 5.2, section 3.2.5)"
    if len(parts) > 3:
        raise Stretch(inner.source, parts[2].high, inner.high).error("too many ':' in array section", note)
    if not inner:
        raise inner.error("expected an index or an array section between '[' and ']'", note)
    if len(parts) == 1:
        return Index(_bound(inner, clause))
    lower, length = (_bound(p, clause) if p else None for p in parts[:2])
    stride = expression(parts[2], clause) if len(parts) == 3 and parts[2] else None
    return Section(lower, length, stride)


def _shape(inner: Stretch, clause: str) -> tuple[Expr, ...]:
    dimensions: list[Expr] = []
    at = 0
    while at < len(inner):
        if inner.part(at).first != "[":
            raise inner.part(at).error("expected '[' in array shaping", "OpenMP 5.2, section 3.2.4 (array shaping)")
        dimension, at = inner.bracketed(at)
        dimensions.append(expression(dimension, clause))
    return tuple(dimensions)


def iterators(part: Stretch) -> tuple[Iterator, ...]:
    """``type name = begin : end : step, ...``. The default type is ``int`` (OpenMP 5.2, section 3.2.6)."""
    return tuple(_iterator(one) for one in part.split(","))


def _iterator(one: Stretch) -> Iterator:
    left, right = one.cut("=")
    bounds = right.split(":")
    if left is None or not left or left.tokens[-1].kind != "word" or len(bounds) not in {2, 3}:
        raise one.error(
            f"malformed iterator '{one.text}'",
            "an iterator is [type] name = begin:end[:step] (OpenMP 5.2, section 3.2.6)",
        )
    begin, end, *step = (expression(bound, "iterator") for bound in bounds)
    return Iterator(
        left.part(0, len(left) - 1).text or "int", left.tokens[-1].text, begin, end, step[0] if step else None
    )
