"""Replaces ``tile``, ``unroll partial``, ``reverse`` and ``interchange`` by the loops that they generate.

Source: OpenMP 5.2, chapter 9, and 6.0, chapter 11.

    #pragma omp tile sizes(2, 3)             #pragma omp tile sizes(2, 3)
    for (int i = 0; i < 8; ++i)              for (long long __rex_grid_1_0 = 0; __rex_grid_1_0 < 8; __rex_grid_1_0 += 2)
        for (int j = 0; j < m; ++j)     ->   for (long long __rex_grid_1_1 = 0; ...; __rex_grid_1_1 += 3)
            statement                        for (long long __rex_tile_1_0 = __rex_grid_1_0; ...; ++__rex_tile_1_0)
                                             for (long long __rex_tile_1_1 = __rex_grid_1_1; ...; ++__rex_tile_1_1) {
                                             int i = ...;
                                             int j = ...;
                                                 statement
                                             }

This changes the preprocessed text, for device code and for host compilers that do not know the directives. The
directive stays for later stages and tells them only how many loops can be collapsed. The generated loops count
iterations from 0, so that no loop variable leaves its range.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pycparser import c_ast

from ...base.diagnostics import InputError, SourceSpan, error_at
from ...base.patterns import regex
from ...base.records import dataclass
from ...directives.model import Clause, Directive, ExprClause, TextClause
from ...directives.parser import check_lowered, parse_directive
from ...openmp.launch import TRANSFORMATIONS
from ..source.preprocess import Preprocessed
from ..source.tokens import arguments_at, closing, directive_pattern, flat, next_token, separated, statement_end
from .rewriting import Rewriting

_TRANSFORMATION = directive_pattern(rf"((?:{'|'.join(TRANSFORMATIONS)})\b[^\n]*)")
_PRAGMA = directive_pattern(r"([^\n]*)")
_WORKSHARING = regex(r"\b(?:for|distribute|loop|simd|taskloop)\b")
_START = regex(r"(?P<type>[\w\s*]*?)\b(?P<name>[A-Za-z_]\w*)\s*=(?!=)(?P<value>.*)", re.DOTALL)
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_WEAK_OPERATOR = regex(r"(?<![-<>])[<>](?![<>])|[=!]=|\S\s*&|[|^?,]")
_DECIMAL = regex(r"0|[1-9]\d{0,8}")
_MOST = 50
_RULE = "OpenMP 5.2, section 4.4.1: canonical loop nest form"


@dataclass(frozen=True)
class Transformation:
    """What becomes of the loops of a nest.

    They become tiles of ``sizes``, one for each loop. Without sizes they are put into another ``order``, which has
    their numbers from 0, outermost first.
    """

    sizes: tuple[str, ...] = ()
    order: tuple[int, ...] = (0,)
    is_reversed: bool = False

    @property
    def depth(self) -> int:
        return len(self.sizes) or len(self.order)


@dataclass(frozen=True)
class _Loop:
    """A canonical loop as text. ``type`` is empty if its variable is declared elsewhere."""

    type: str
    name: str
    lower: str
    relation: str
    bound: str
    step: str
    body: tuple[int, int]

    @property
    def upward(self) -> bool:
        return "<" in self.relation

    @property
    def start(self) -> str:
        """The variable's first value, converted to its type unless that makes no difference."""
        return self.lower if _DECIMAL.fullmatch(self.lower) else f"({self.own_type}){_operand(self.lower)}"

    @property
    def own_type(self) -> str:
        return self.type or f"__typeof__({self.name})"

    @property
    def count(self) -> str:
        """The number of iterations.

        Bounds are compared in the type in which the loop compares them. Their distance is computed in 64 bits, or as a
        difference of pointers.
        """
        closed = "=" in self.relation
        if all(_DECIMAL.fullmatch(text) for text in (self.lower, self.bound, self.step)):
            span = (int(self.bound) - int(self.lower)) * (1 if self.upward else -1) + closed
            return str(max(0, -(-span // int(self.step))))
        bound = _operand(self.bound)
        first = f"({self.own_type}){_operand(self.lower)}"
        start, end = f"(1 ? {first} : {bound})", f"(1 ? {bound} : {first})"
        low, high = (start, end) if self.upward else (end, start)
        distance = f"{high} + 0ULL - ({low} + 0ULL)"
        if self.step != "1":
            distance = f"({distance}{'' if closed else ' - 1'}) / {_operand(self.step)} + 1"
        elif closed:
            distance += " + 1"
        return f"({start} {self.relation} {end} ? (long long)({distance}) : 0)"

    def value(self, counter: str) -> str:
        """The value of the loop variable in iteration number ``counter``."""
        moved = counter if self.step == "1" else f"{counter} * {_operand(self.step)}"
        if self.upward and self.lower == "0":
            return f"({self.own_type}){_operand(moved)}"
        return f"({self.own_type})({self.start} {'+' if self.upward else '-'} {moved})"


def _operand(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def transform_loops(pre: Preprocessed, fresh: Callable[[str], str]) -> Preprocessed:
    """``pre`` with the loops that transformations generate. ``fresh`` makes names that are none of the user's.

    Raises InputError for malformed directives and for loops that are not canonical.
    """
    rewriting = Rewriting(pre)
    for number, match in reversed(list(enumerate(_TRANSFORMATION.finditer(pre.text), 1))):  # inner ones come first
        transformation = _transformation(rewriting, match)
        if transformation is not None:
            loops = range(transformation.depth)
            counters = [(fresh(f"__rex_grid_{number}_{i}"), fresh(f"__rex_tile_{number}_{i}")) for i in loops]
            _transform(rewriting, match.start(), match.end(), transformation, counters)
    return rewriting.done()


def _transformation(pre: Rewriting, match: re.Match[str]) -> Transformation | None:
    place = pragma_place(pre, match.start())
    try:
        directive = parse_directive(match[1], lambda _low, _high: place, lambda text, _: c_ast.Constant("int", text))
        check_lowered(directive)
    except InputError:
        return None  # whoever attaches it to its loop says what is wrong
    return transformation_of(directive, pre.text, match.start())


def transformation_of(directive: Directive, text: str, start: int) -> Transformation | None:
    """How the directive at ``start`` transforms loops, or None if it leaves them unchanged.

    ``unroll`` leaves its loop unchanged if no other directive takes the loop.

    Raises InputError for sizes that are not positive, and for numbers that are no permutation.
    """
    if directive.name == "reverse":
        return Transformation(is_reversed=True)
    if directive.name == "interchange":
        return Transformation(order=_permutation(directive.clause("permutation")))
    clause = next(iter(directive.all("sizes", "partial")), None)
    found: list[str] = []
    if isinstance(clause, ExprClause) and clause.expr is not None and _is_taken(text, start):
        found = [clause.expr.text]
    elif isinstance(clause, TextClause):
        found = [clause.text[low:high].strip() for low, high in arguments_at(clause.text, clause.text.index("("))]
    for size in found:
        if clause is not None and re.fullmatch(r"-\s*\d+|0+|", size):
            raise error_at(clause.span, f"'{clause.name}' takes positive numbers", "OpenMP 5.2, section 9.1.1")
    # A size that is known only at run time and is less than 1 would make the loop endless.
    sizes = tuple(size if _DECIMAL.fullmatch(size) else f"(({size}) < 1 ? 1 : ({size}))" for size in found)
    return Transformation(sizes) if sizes else None


def _permutation(clause: Clause | None) -> tuple[int, ...]:
    """The order of loops in which ``interchange`` puts them."""
    if not isinstance(clause, TextClause):
        return 1, 0
    words = [clause.text[low:high].strip() for low, high in arguments_at(clause.text, clause.text.index("("))]
    order = tuple(int(word) - 1 for word in words if word.isdigit())
    if len(words) < 2 or sorted(order) != list(range(len(words))):
        raise error_at(clause.span, "'permutation' takes the numbers of the loops", "OpenMP 6.0, section 11.4.1")
    return order


def pragma_place(pre: Rewriting, start: int) -> SourceSpan:
    return pre.place(pre.text.index("#", start))


def _above(text: str, start: int) -> str:
    """The directives directly above the line at ``start``."""
    found = ""
    end = text.rfind("\n", 0, start)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        match = _PRAGMA.match(text, begin, end)
        if match is None and text[begin:end].strip():
            break
        found += match[1] + "\n" if match else ""
        end = begin - 1
    return found


def _is_taken(text: str, start: int) -> bool:
    """Whether a directive stands right above ``start``, or the loop belongs to a nest that is transformed."""
    if _above(text, start):
        return True
    nests = (m for m in _TRANSFORMATION.finditer(text, 0, start) if m[1].startswith(("tile", "interchange")))
    return any(statement_end(text, nest.end()) > start for nest in nests)


def _transform(pre: Rewriting, start: int, end: int, made: Transformation, counters: Sequence[tuple[str, str]]) -> None:
    """``counters`` are names for each loop: of the loop over its parts, and of the loop in a part."""
    text, place = pre.text, pragma_place(pre, start)
    above = _above(text, start)
    if above.count("\n") >= _MOST:
        raise error_at(place, f"more than {_MOST} directives above one loop are not supported")
    loops: list[_Loop] = []
    at = end
    for _ in range(made.depth):
        loops.append(_loop(pre, at, place, made.depth))
        at = loops[-1].body[0]
    for outer, inner in ((a, b) for i, a in enumerate(loops) for b in loops[i + 1 :]):
        if re.search(rf"(?<![.>])\b{outer.name}\b", f"{inner.lower} {inner.bound} {inner.step}"):
            what = f"bounds of a loop to transform that depend on '{outer.name}'"
            raise error_at(place, f"{what} are not supported", _RULE)
    head = [text[start:end] + "\n"]
    for i, (loop, size) in enumerate(zip(loops, made.sizes, strict=False)):
        grid = counters[i][0]
        head.append(f"for (long long {grid} = 0; {grid} < {loop.count}; {grid} += {size})\n")
    for i, (loop, size) in enumerate(zip(loops, made.sizes, strict=False)):
        grid, tile = counters[i]
        more = f"{tile} < {loop.count} && {tile} < {grid} + {size}"
        head.append(f"for (long long {tile} = {grid}; {more}; ++{tile})\n")
    for i in made.order if not made.sizes else ():
        counter, count = counters[i][1], loops[i].count
        upward, downward = f"0; {counter} < {count}; ++{counter}", f"{count} - 1; {counter} >= 0; --{counter}"
        head.append(f"for (long long {counter} = {downward if made.is_reversed else upward})\n")
    head[-1] = head[-1].replace("\n", " {\n")
    for i, loop in enumerate(loops):
        kind = loop.type
        if kind and any(inner.name == loop.name and inner.type for inner in loops[i + 1 :]):
            continue  # the statement sees only the inner variable of this name
        if not kind and _WORKSHARING.search(above) and not re.search(rf"\b{loop.name}\b", above):
            kind = f"__typeof__({loop.name})"  # it is private, as in the original loop
        unused = " __attribute__((__unused__))" if kind else ""
        value = loop.value(counters[i][1])
        head.append(f"{kind}{' ' if kind else ''}{loop.name}{unused} = {value};\n")
    last = statement_end(text, end)
    pre.replace(start, last, ["".join(head), loops[-1].body, "}\n"])


def _loop(pre: Rewriting, at: int, place: SourceSpan, depth: int) -> _Loop:
    """The loop that begins after ``at``, behind any braces around it and transformations above it."""
    text, braces = pre.text, 0
    while True:
        first = next_token(text, at)
        for pragma in _PRAGMA.finditer(text, at, first):
            if not pragma[1].startswith(TRANSFORMATIONS):
                raise error_at(place, f"'{pragma[1].split()[0]}' between loops to transform is not supported", _RULE)
        if text[first : first + 1] != "{":
            break
        at, braces = first + 1, braces + 1
    behind = re.compile(r"[\s;]*\}" * braces).match(text, statement_end(text, first))
    if not re.compile(r"for\b").match(text, first) or behind is None:
        wanted = "a loop" if depth == 1 else f"{depth} perfectly nested loops"
        raise error_at(place, f"a loop transformation needs {wanted} here", _RULE)
    head = text.index("(", first)
    close = closing(text, head) - 1
    parts = [" ".join(part.split()) for part in separated(text[head + 1 : close], ";")]
    loop = _canonical(parts, (close + 1, statement_end(text, close + 1))) if len(parts) == 3 else None
    if loop is None:
        raise error_at(pre.place(first), "this loop to transform is not canonical", _RULE)
    return loop


def _canonical(parts: list[str], body: tuple[int, int]) -> _Loop | None:
    """The loop whose head has these parts, or None if it is not in canonical form."""
    start = _START.fullmatch(parts[0])
    if start is None or "," in flat(start["value"]):
        return None
    kind, name, lower = start["type"].replace("register ", "").strip(), start["name"], start["value"].strip()
    if kind == "auto":
        kind = f"__typeof__({lower})"
    condition = _condition(parts[1], name)
    step = _step(parts[2], name)
    if condition is None or step is None:
        return None
    relation, bound = condition
    sign, size = step
    if relation == "!=":
        if size not in ("1", "-1"):
            return None
        relation = "<" if (sign == "+") == (size == "1") else ">"
        size = "1"
    elif (sign == "+") != (relation in ("<", "<=")):
        size = f"-({size})"
    if size == "0" or any(re.search(rf"(?<![.>])\b{name}\b", part) for part in (lower, bound, size)):
        return None
    return _Loop(kind, name, lower, relation, bound, size, body)


def _condition(text: str, name: str) -> tuple[str, str] | None:
    """(relation, bound) of a loop's condition, with the variable on the left."""
    left = re.fullmatch(rf"{name}\s*(<=|>=|<|>|!=)(?![<>=])\s*(.*)", text)
    right = re.fullmatch(rf"(.*?)\s*(?<![-<>])(<=|>=|<|>|!=)\s*{name}", text)
    relation, bound = (left[1], left[2]) if left else (_MIRROR[right[2]], right[1]) if right else ("", "")
    return (relation, bound) if bound and not _WEAK_OPERATOR.search(flat(bound)) else None


def _step(text: str, name: str) -> tuple[str, str] | None:
    """(``+`` or ``-``, amount) of a loop's increment."""
    once = re.fullmatch(rf"(?:(\+\+|--)\s*{name}|{name}\s*(\+\+|--))", text)
    if once:
        return (once[1] or once[2])[0], "1"
    by = re.fullmatch(rf"{name}\s*([-+])=(.*)", text)
    if by:
        return by[1], by[2].strip()
    to = re.fullmatch(rf"{name}\s*=\s*{name}\s*([-+])(.*)", text)
    added = re.fullmatch(rf"{name}\s*=(.*)\+\s*{name}", text)
    sign, amount = (to[1], to[2].strip()) if to else ("+", added[1].strip()) if added else ("", "")
    # An operator that binds less strongly, or another term, would change what the amount means.
    return (sign, amount) if amount and not re.search(r"[<>]|\S\s*[-+]", flat(amount)) else None
