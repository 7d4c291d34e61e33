"""Turns metadirectives whose conditions only the run decides into ``if`` statements (OpenMP 5.2, section 7.4).

    #pragma omp metadirective when(user = {condition(n > 9)}: parallel for)      if (n > 9) {
    statement                                                                 #pragma omp metadirective ... condition(1)
                                                                         ->      statement
                                                                              } else {
                                                                              #pragma omp metadirective ... condition(0)
                                                                                  statement
                                                                              }

This changes the preprocessed text, so later stages need not know of it. They see only metadirectives whose variant is
known, and statements that occur twice. A metadirective that may stand for a loop transformation is replaced by the
directive that it stands for, because transformations change the text too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import Enum

from pycparser import c_ast

from ...base.diagnostics import InputError, SourceSpan, error_at
from ...directives.model import Clause, Directive
from ...directives.parser import parse_directive
from ...directives.selectors import (
    Context,
    chosen_variant,
    conditions_alone,
    dynamic_conditions,
    variants_of,
    with_condition,
    with_device_conditions,
    with_isa_conditions,
)
from ...openmp.launch import TRANSFORMATIONS
from ..source.preprocess import Preprocessed
from ..source.tokens import directive_pattern, is_in_statement, label_in, next_token, statement_end, unclosed
from .loop_transformations import pragma_place
from .rewriting import Rewriting

_METADIRECTIVE = directive_pattern(r"((begin[ \t]+)?metadirective\b[^\n]*)")
_DELIMITER = directive_pattern(r"(begin|end)[ \t]+metadirective\b[^\n]*")
_TARGET = directive_pattern(r"(?!declare\b|begin\b|end\b)[^\n]*\btarget\b(?!\s+(?:data|enter|exit|update)\b)[^\n]*")
_PRAGMA = directive_pattern(r"([^\n]*)")
_ON_HOST = "__builtin_rex_isa(0, __x86_64__)"  # constant on the host and on the device
_MOST_COPIES = 16
_RULE = "OpenMP 5.2, section 7.4 (metadirectives)"


def dynamic_metadirectives(pre: Preprocessed) -> Preprocessed:
    """``pre`` with an ``if`` for every condition of a metadirective that is not constant.

    Raises InputError for statements that cannot be copied.
    """
    rewriting = Rewriting(pre)
    for match in reversed(list(_METADIRECTIVE.finditer(rewriting.text))):  # metadirectives inside others come first
        _make_choice(rewriting, match[1], match.start(), match.end(), bool(match[2]))
    surroundings = _Surroundings()
    for match in reversed(list(_METADIRECTIVE.finditer(rewriting.text))):
        _choose(rewriting, surroundings, match[1], match.start(), match.end(), bool(match[2]), transformations=True)
    return rewriting.done()


def without_metadirectives(pre: Preprocessed) -> Preprocessed:
    """``pre`` with the directives that all metadirectives stand for, for a front end that leaves the text as it is.

    Raises InputError for metadirectives that are wrong, and for statements that cannot be copied.
    """
    rewriting = Rewriting(pre)
    for match in reversed(list(_METADIRECTIVE.finditer(rewriting.text))):
        _make_choice(rewriting, match[1], match.start(), match.end(), bool(match[2]))
    at, surroundings = 0, _Surroundings()
    while (found := _METADIRECTIVE.search(rewriting.text, at)) is not None:  # those around others come first
        at = found.start()
        _choose(rewriting, surroundings, found[1], at, found.end(), bool(found[2]), transformations=False)
    return rewriting.done()


def _make_choice(pre: Rewriting, pragma: str, start: int, end: int, is_delimited: bool) -> None:
    place = pragma_place(pre, start)
    try:
        directive = parse_directive(pragma, lambda _low, _high: place, _no_expression)
        if re.search(r"\btarget_device\b|\bisa\b", pragma):
            pragma = with_isa_conditions(pragma, Clause(directive.name, place))
            if not _in_region(pre.text, start):
                pragma = with_device_conditions(pragma, Clause(directive.name, place))
            directive = parse_directive(pragma, lambda _low, _high: place, _no_expression)
        conditions = dynamic_conditions(directive)
    except InputError:
        return  # whoever attaches it to its statement says what is wrong
    if not conditions:
        return
    alone = conditions_alone(directive)
    conditions.sort(key=lambda c: -alone.get(c, 0))  # in this order, the first condition that holds decides
    by_themselves = len(alone.keys() & set(conditions))
    if (by_themselves + 1) << (len(conditions) - by_themselves) > _MOST_COPIES:
        what = f"a metadirective whose conditions need more than {_MOST_COPIES} copies of its statement"
        raise error_at(place, f"{what} is not supported", _RULE)
    body, last = _statement(pre.text, end, directive, is_delimited)
    _check_labels(pre.text, body, place, "whose condition is not constant")
    first = _loop_directives_above(pre.text, start)
    pieces = _choice(pragma, conditions, alone, is_delimited)
    parts = {_Part.ABOVE: (first, start), _Part.STATEMENT: body}
    pre.replace(first, last, [piece if isinstance(piece, str) else parts[piece] for piece in pieces])


def _loop_directives_above(text: str, start: int) -> int:
    """The offset of the first loop directive directly above ``start`` that takes the same loop, else ``start``."""
    first, end = start, text.rfind("\n", 0, start)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        pragma = _PRAGMA.match(text, begin, end)
        directive = _parsed(pragma[1]) if pragma is not None else None
        if directive is not None and directive.association == "loop":
            first = begin
        elif pragma is not None or text[begin:end].strip():
            break
        end = begin - 1
    return first


def _parsed(pragma: str) -> Directive | None:
    try:
        return parse_directive(pragma, lambda _low, _high: SourceSpan("", 1), _no_expression)
    except InputError:
        return None


def _check_labels(text: str, body: tuple[int, int], place: SourceSpan, which: str) -> None:
    """Refuse a statement that cannot be copied because a label in it would be there twice."""
    if label := label_in(text, *body):
        what = f"the label '{label}' in the statement of a metadirective {which}"
        raise error_at(place, f"{what} is not supported", _RULE)


def _choose(
    pre: Rewriting,
    surroundings: _Surroundings,
    pragma: str,
    start: int,
    end: int,
    is_delimited: bool,
    *,
    transformations: bool,
) -> None:
    """Replace a metadirective by its directive, perhaps only if it may stand for one of the ``transformations``."""
    place = pragma_place(pre, start)
    try:
        directive = parse_directive(pragma, lambda _low, _high: place, _no_expression)
        if transformations and not any(variant.startswith(TRANSFORMATIONS) for variant in variants_of(directive)):
            return
        around = surroundings.at(pre.text, start)
        host = chosen_variant(directive, Context(False, around))
        device = chosen_variant(directive, Context(True, around if "target" in around else ("target", *around)))
    except InputError:
        if transformations:
            return  # whoever attaches it to its statement says what is wrong
        raise
    body, last = _statement(pre.text, end, directive, is_delimited)
    if host == device or host.startswith("target"):  # device code has no target constructs
        lines = _directive_line(host)
        pre.replace(start, last, [*lines, body] if body[0] < body[1] or lines else ["\n"])
        return
    _check_labels(pre.text, body, place, "that stands for other directives on the device")
    first = _loop_directives_above(pre.text, start)
    pieces: list[str | tuple[int, int]] = [f"if ({_ON_HOST}) {{\n", (first, start), *_directive_line(host), body]
    pieces += ["} else {\n", (first, start), *_directive_line(device), body, "}\n"]
    pre.replace(first, last, pieces)


def _directive_line(variant: str) -> list[str]:
    return [f"#pragma omp {variant}\n"] if variant else []


class _Surroundings:
    """The leaf constructs around places in a text. Asking from left to right reads it once.

    It may change behind the place that was asked for. Constructs that metadirectives stand for are not known.
    """

    def __init__(self) -> None:
        self._read = ""  # up to the last place
        self._open: list[int] = []  # brackets there
        self._around: list[tuple[int, tuple[str, ...]]] = []  # (where the statement begins, its constructs)

    def at(self, text: str, start: int) -> tuple[str, ...]:
        """The leaf constructs around ``start``, outermost first."""
        if start < len(self._read) or not text.startswith(self._read):
            self._read, self._open, self._around = "", [], []
        read = len(self._read)
        self._open = unclosed(text, read, start, self._open)
        for pragma in _PRAGMA.finditer(text, read, start):
            directive = _parsed(pragma[1])
            if directive is not None and directive.association in ("block", "loop"):
                self._around.append((pragma.end(), directive.constructs))
        is_open = frozenset(self._open)
        self._around = [one for one in self._around if is_in_statement(text, one[0], start, is_open)]
        self._read = text[:start]
        return tuple(leaf for _, constructs in self._around for leaf in constructs)


def _in_region(text: str, start: int) -> bool:
    """Whether ``start`` is, or may be, inside a target region."""
    return any(statement_end(text, target.end()) > start for target in _TARGET.finditer(text, 0, start))


def _statement(text: str, end: int, directive: Directive, is_delimited: bool) -> tuple[tuple[int, int], int]:
    """(extent of the statement that the directive applies to, end of the construct)."""
    if is_delimited:
        depth = 1
        for delimiter in _DELIMITER.finditer(text, end):
            depth += 1 if delimiter[1] == "begin" else -1
            if depth == 0:
                return (end, delimiter.start()), delimiter.end()
        raise error_at(directive.span, "'begin metadirective' without an 'end metadirective' after it", _RULE)
    if all(_stands_alone(variant) for variant in variants_of(directive)):
        return (end, end), end
    last = statement_end(text, next_token(text, end))
    return (end, last), last


def _stands_alone(variant: str) -> bool:
    directive = _parsed(variant)
    return directive is not None and directive.association == "none"


class _Part(Enum):
    """The parts of a choice that are the user's own text."""

    ABOVE = 1  # loop directives that take the metadirective's loop
    STATEMENT = 2


def _choice(pragma: str, conditions: list[str], alone: Mapping[str, int], is_delimited: bool) -> list[str | _Part]:
    """The text of the construct.

    ``alone`` are conditions that are all that their clause asks for, with their scores. If one holds, conditions with
    the same or a lower score do not matter.
    """
    if not conditions:
        end = "\n#pragma omp end metadirective\n" if is_delimited else "\n"
        return [_Part.ABOVE, f"#pragma omp {pragma}\n", _Part.STATEMENT, end]
    first, rest = conditions[0], conditions[1:]
    left = [c for c in rest if first not in alone or alone.get(c, math.inf) > alone[first]]

    holds = with_condition(pragma, first, 2 + len(rest))  # different true values, so that conditions stay different
    for condition in rest:
        holds = holds if condition in left else with_condition(holds, condition, 0)
    return [
        f"if ({first}) {{\n", *_choice(holds, left, alone, is_delimited),
        "} else {\n", *_choice(with_condition(pragma, first, 0), rest, alone, is_delimited), "}\n",
    ]  # fmt: skip


def _no_expression(_text: str, _span: SourceSpan) -> c_ast.Node:
    return c_ast.Constant("int", "0")
