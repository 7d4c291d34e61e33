"""What is found in the text of a C++ unit: directives with their statements, and the names in expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from ..base.diagnostics import InputError, error_at
from ..base.patterns import regex
from ..base.records import dataclass
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, directive_pattern, next_token, statement_end, word_before
from ..directives.model import Directive
from ..directives.parser import parse_directive
from ..openmp.reductions import declared_reduction
from .code import Construct

_DIRECTIVE = directive_pattern("")
_LIST = regex(r"\.\.\.\s*\w*\s*$")
_NAME = regex(r"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")


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
            directive = parse_directive(text, locate, lambda written, _span: written, qualified=True)
        except InputError as error:
            errors.append(error)
            continue
        yield Found(directive, pre.text.index("#", match.start()), end)
    if errors:
        raise InputError([d for error in errors for d in error.diagnostics])


OF_REDUCTION = "rex_reduction_"  # what the names of such classes begin with


def reduction_classes(directives: Sequence[Found]) -> Iterator[tuple[int, str]]:
    """What libclang reads in front of each ``declare reduction``: a class whose methods do what the directive says."""
    for number, one in enumerate(directives):
        if one.directive.name == "declare reduction":
            with suppress(InputError):  # the analysis says what is wrong in it
                declared = declared_reduction(one.directive)
                for type_number, kind in enumerate(declared.types_of_cxx()):
                    begin = declared.begin(kind, "rex_value", f"= {kind}()")
                    methods = f"void combine({kind} omp_out, {kind} omp_in) {{ {declared.combiner}; }}"
                    methods += f" void initialise({kind} omp_priv, {kind} omp_orig) {{ {begin} }}"
                    yield one.start - 1, f"\nstruct {OF_REDUCTION}{number}_{type_number} {{ {methods} }};"


def with_statements(text: str, directives: Sequence[Found]) -> list[Construct]:
    """The directives with the statements that they apply to, in the order of the text."""
    found = []
    for one in directives:
        if one.directive.association in ("block", "loop") or one.directive.name == "section":
            begin = one.end
            while text[begin : begin + 1].isspace():
                begin += 1
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
    return _LIST.search(parameter) is not None


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
