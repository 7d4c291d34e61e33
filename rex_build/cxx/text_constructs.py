"""What is found in the text of a C++ unit: directives with their statements, and the names in expressions. The plan
holds stretches of that text, and variables and types by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ..base.diagnostics import InputError, SourceSpan, error_at
from ..base.patterns import regex
from ..base.records import dataclass, field, replace
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import (
    before_pragmas,
    behind_space,
    closing,
    directive_pattern,
    is_decimal,
    next_part,
    next_token,
    statement_end,
    word_before,
)
from ..directives.contents import (
    clause_expressions,
    clause_iterators,
    directive_expressions,
    directive_locators,
    locator_expressions,
)
from ..directives.model import Directive
from ..directives.parser import parse_directive
from ..openmp.reductions import declared_reduction
from ..plan.constructs import Code, Entity, Type
from ..tree.nodes import Expression

_DIRECTIVE = directive_pattern("")
_NAME = regex(r"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
OF_REDUCTION = "rex_reduction_"  # what the names of such classes begin with
ASKED = "rex_asked_value_"  # and of the types of clauses' expressions
DECLARATIONS = frozenset(
    ("declare target", "begin declare target", "end declare target", "declare simd", "declare variant", "requires",
     "begin declare variant", "end declare variant", "declare reduction", "declare mapper", "threadprivate",
     "allocate", "nothing", "assumes", "begin assumes", "end assumes")
)  # fmt: skip


_WITH_CONSTANTS = ("requires", "declare target", "begin declare target")


@dataclass(frozen=True)
class CxxType(Type):
    """A type: its text, which names it wherever the unit's kernels stand, and what kind of type it is.

    ``element`` is the type that a pointer leads to, or of which an array is made of ``length`` elements.
    """

    text: str
    kind: str  # scalar, pointer, array, record, function, dependent or other
    size: int = 0  # in bytes, or 0 if it is not known here
    const: bool = False
    element: CxxType | None = None
    length: int = 0
    extent: str = ""  # the length of an array as it is written, where that depends on a template's parameters

    @property
    def value(self) -> CxxType:
        """The type of a copy, neither const nor volatile."""
        text = self.text.removeprefix("volatile ") if self.kind in ("scalar", "array") else self.text
        return replace(self, text=text, const=False)

    @property
    def innermost(self) -> CxxType:
        """The type of the elements of an array of arrays."""
        return self.element.innermost if self.kind == "array" and self.element is not None else self

    @property
    def has_lengths(self) -> bool:
        """Whether the lengths of an array of arrays are constants, perhaps of a template's parameters."""
        if self.kind != "array" or self.element is None:
            return True
        return bool(self.length or self.extent) and self.element.has_lengths


class Variable(Entity):
    """A variable. ``host`` is its name where the program's host code means it, from anywhere in the file.

    ``constant`` is true for constants whose value the C++ compiler knows wherever their declaration can be seen.
    """

    def __init__(self, name: str, type: CxxType, cursor: Any, start: int, end: int) -> None:  # noqa: A002
        self.name = name
        self.type = type
        self.cursor = cursor
        self.start = start  # the offsets of its declaration, or -1 if that is in a header of the system
        self.end = end
        self.is_local = False
        self.is_reference = False
        self.is_variable_length = False  # an array whose length only the run knows
        self.constant = False
        self.host = name
        self.names_type = False  # a local type or alias

    def __repr__(self) -> str:
        return f"Variable({self.name!r})"


@dataclass(frozen=True)
class Range(Code):
    """The user's text from ``start`` to ``end``: a statement, or several."""

    start: int
    end: int


@dataclass(frozen=True)
class Text(Code):
    """An expression of a clause or a loop's head, as text. ``place`` is where its names are looked up, and ``values``
    are what it is in the instantiations."""

    text: str
    place: int
    values: tuple[Expression, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Head(Range):
    """The head of a loop that the grid runs. What it ``does`` is evaluated in each iteration, and the ``guards`` say
    whether that is one of the loop."""

    does: Text | None
    guards: tuple[Text, ...]


@dataclass(frozen=True)
class LeftOut(Range):
    """A statement that a part of a body does not have."""


@dataclass(frozen=True)
class Spread(Range):
    """A body without the ``heads`` of loops in it, which the grid runs, or without statements."""

    heads: tuple[Head | LeftOut, ...]


@dataclass(frozen=True)
class Declaration(Code):
    """The declaration of a variable in a block: from ``start``, perhaps with other variables in front of ``later``."""

    start: int
    later: str = ""


@dataclass(frozen=True)
class Assigned(Code):
    """A statement that assigns a ``value``."""

    statement: Range
    value: Range


@dataclass(frozen=True)
class Passed(Code):
    """A part of a loop's head that the host computes. The kernel gets the value of ``variable``.

    If it is an iterator, ``pointers`` are those in it, with their offsets: they lead to the device's storage."""

    variable: Variable
    pointers: tuple[tuple[int, Variable], ...] = ()


@dataclass(frozen=True)
class Construct(Code):
    """A directive with its statement. ``start`` is the offset of its ``#``, ``pragma_end`` the end of its line, and
    ``end`` one past the statement. The user may have ``written`` another one."""

    directive: Directive = field(compare=False, repr=False)
    start: int
    pragma_end: int
    body_start: int
    end: int
    written: Directive | None = field(default=None, compare=False, repr=False)

    @property
    def body(self) -> Range:
        return Range(self.body_start, self.end)


@dataclass(frozen=True)
class UserReduction:
    """A reduction of one type that a directive declares. ``functions`` are its combiner and its initialiser, and
    ``texts`` their declarations and definitions, with places. ``source`` is what the user wrote, and ``reads_original``
    whether the initialiser names ``omp_orig``. It is declared for [``low``, ``high``) in the namespaces ``scope``, such
    as ``::app::``, or in the class ``record``. ``refused`` is the place of one that device code cannot have."""

    identifier: str
    type: str
    functions: tuple[Variable, Variable]
    texts: tuple[tuple[int, str], ...]
    source: str
    reads_original: bool
    low: int
    high: int
    scope: str
    record: Any
    refused: SourceSpan | None = None


def declare(kind: CxxType, name: str) -> str:
    """``type name`` in C++."""
    if kind.kind == "array" and kind.element is not None:
        inner = f"({name})" if name.startswith("*") else name
        return declare(kind.element, f"{inner}[{kind.extent or kind.length}]")
    if kind.kind == "pointer" and kind.element is not None and kind.element.kind == "array":
        return declare(kind.element, f"*{name}")
    for stars in ("(**", "(*"):  # of a pointer to a pointer to an array or a function, or of a pointer to one
        if f"{stars})" in kind.text:
            return kind.text.replace(f"{stars})", f"{stars}{name})", 1)
    const = "const " if kind.const and kind.kind != "pointer" else ""
    join = "" if kind.text.endswith("*") or not name else " "
    return f"{const}{kind.text}{join}{'const ' if kind.const and kind.kind == 'pointer' else ''}{name}"


@dataclass(frozen=False)
class Found:
    """A directive: the offsets of its ``#`` and of its line's end."""

    directive: Directive
    start: int
    end: int


def find_directives(pre: Preprocessed) -> Iterator[Found]:
    """The directives in the user's files. Raises InputError for those that cannot be read."""
    errors = []
    for match in pre.in_own_parts(_DIRECTIVE):
        line = pre.line_at(match.start())
        end = pre.line_end(line)
        text = pre.text[match.end() : end].rstrip()
        locate = pre.pragma_locator(line, text)
        try:
            directive = parse_directive(text, locate, lambda written, _span: written, qualified=True, begin=match.end())
        except InputError as error:
            errors.append(error)
            continue
        yield Found(directive, pre.text.index("#", match.start()), end)
    if errors:
        raise InputError([d for error in errors for d in error.diagnostics])


def asked_values(text: str, constructs: Sequence[Construct]) -> Iterator[tuple[int, str, int]]:
    """What libclang reads in place of directives: declarations that name the types of the expressions in clauses, so
    that these are expressions of the function around. A declaration begins where the expression does."""
    for construct in constructs:
        directive, begin, end = construct.directive, construct.start, construct.pragma_end
        is_read = directive.name in _WITH_CONSTANTS or directive.name not in DECLARATIONS
        found = dict(_with_iterators(directive)) if is_read else {}
        if not found:
            continue
        before, word = word_before(text, before_pragmas(text, begin))
        if (word or text[before - 1] not in "{};:") and construct.end > end:
            yield begin, "{", begin
            yield construct.end, "}", construct.end
        for (start, stop), declared in sorted(found.items()):
            name = f"{ASKED}{start}"
            yield begin, f"typedef void {name}({declared}, __typeof__((" if declared else "typedef __typeof__((", start
            yield stop, ")));" if declared else f")) {name};", stop
            begin = stop
        yield begin, "", end


def _with_iterators(directive: Directive) -> Iterator[tuple[tuple[int, int], str]]:
    """(where an expression begins and ends, the declarations of the clause's iterators, which may be in it)"""
    for clause in directive.clauses:
        iterators = clause_iterators(clause)
        ranges = {part.at for one in iterators for part in (one.begin, one.end, one.step) if part is not None}
        declared = ", ".join(f"{one.type_text} {one.name}" for one in iterators)
        for e in clause_expressions(clause):
            if e.at[1] and not is_decimal(e.text):
                yield e.at, declared if e.at not in ranges else ""
    yield from ((e.at, "") for item in directive.arguments for e in locator_expressions(item))


def reduction_classes(directives: Sequence[Found]) -> Iterator[tuple[int, str, int]]:
    """What libclang reads in front of each ``declare reduction``: a class whose methods do what the directive says."""
    for number, one in enumerate(directives):
        if one.directive.name == "declare reduction":
            with suppress(InputError):  # the analysis says what is wrong in it
                declared = declared_reduction(one.directive)
                for type_number, kind in enumerate(declared.types_of_cxx()):
                    begin = declared.begin(kind, "rex_value", f"= {kind}()")
                    methods = f"void combine({kind} omp_out, {kind} omp_in) {{ {declared.combiner}; }}"
                    methods += f" void initialise({kind} omp_priv, {kind} omp_orig) {{ {begin} }}"
                    at, name = one.start - 1, f"{OF_REDUCTION}{number}_{type_number}"
                    yield at, f"\nstruct {name} {{ {methods} }};", at


def with_statements(text: str, directives: Sequence[Found]) -> list[Construct]:
    """The directives with the statements that they apply to, in the order of the text."""
    found = []
    for one in directives:
        if one.directive.association in ("block", "loop") or one.directive.name == "section":
            begin = next_part(text, one.end)
            begin = begin if text[begin : begin + 1] == "#" else behind_space(text, one.end)
            end = statement_end(text, one.end)
            if end <= begin or next_token(text, one.end) >= len(text):
                raise error_at(one.directive.span, f"'{one.directive.name}' has no statement to apply to")
            found.append(Construct(one.directive, one.start, one.end, begin, end))
        else:
            found.append(Construct(one.directive, one.start, one.end, one.end, one.end))
    return found


def qualified_at(text: str, place: int) -> str:
    """The name at a place, with what qualifies it, or an empty text."""
    found = _NAME.match(text, place)
    return found[0] if found is not None else ""


def closing_angle(text: str, opening: int) -> int:
    """The offset behind the ``>`` that closes the ``<`` at a place."""
    depth, at = 0, opening
    while at < len(text):
        if text[at] in "([{":
            at = closing(text, at)
            continue
        depth += (text[at] == "<") - (text[at] == ">" and text[at - 1] != "-")
        at += 1
        if depth == 0:
            break
    return at


def opening_of(text: str, end: int, marks: str = "<>") -> int:
    """Where the bracket begins that is closed at a place, or 0."""
    depth = 0
    for at in range(end, -1, -1):
        depth += (text[at] == marks[1]) - (text[at] == marks[0])
        if depth == 0:
            return at
    return 0


def qualifier_before(text: str, place: int, *, angles: bool = False) -> int:
    """Where the name at a place begins, with what qualifies it, which may have arguments of templates in ``angles``."""
    end, word = word_before(text, place)
    return name_before(text, end - 2, angles=angles) if not word and text[end - 2 : end] == "::" else place


def name_before(text: str, end: int, *, angles: bool = True) -> int:
    """Where the name in front of a place begins, with what qualifies it."""
    start, word = word_before(text, end)
    if not word and angles and text[start - 1 : start] == ">":
        start, word = word_before(text, opening_of(text, start - 1))
    if word in ("", "return", "else", "do", "case"):
        return end
    return qualifier_before(text, start - (text[start - 1 : start] == "~"), angles=angles)


def is_list(parameter: str) -> bool:
    """Whether a template's parameter, as it is written, stands for any number of arguments: ``class... T``."""
    return parameter[: word_before(parameter, len(parameter))[0]].rstrip().endswith("...")


def outer_templates(text: str, place: int) -> int:
    """Where a member template of a class template begins, of which a place is behind ``template <class T>``."""
    end, word = word_before(text, place)
    while not word and text[end - 1 : end] == ">":
        start, before = word_before(text, opening_of(text, end - 1))
        if before != "template":
            break
        place = start
        end, word = word_before(text, place)
    return place


def typedef_before(text: str, place: int) -> int:
    """Where the declaration of another name for the class at a place begins, or the place."""
    start, word = word_before(text, place)
    while word in ("const", "volatile"):
        start, word = word_before(text, start)
    return start if word == "typedef" else place


def identifiers_in(text: str) -> list[tuple[int, str]]:
    """The names in an expression that are no members, perhaps qualified (``app::size``), with their offsets in it."""
    found = []
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        if before.endswith((".", "->")) or (before and before[-1].isdigit() and text[match.start() - 1].isdigit()):
            continue
        found.append((match.start(), match[0]))
    return found


def names_in(directive: Directive) -> set[str]:
    """The names in a directive's clauses: of list items, and in expressions. Its own words are none of them."""
    words = {name for e in directive_expressions(directive) for _, name in identifiers_in(e.text)}
    return words.union(item.name for item in directive_locators(directive))
