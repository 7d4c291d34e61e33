"""Answers questions about C text: where literals, brackets, directives and statements begin and end.

The text is preprocessed: it has no comments, no digraphs, no separators in numbers and no continued lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ...base.diagnostics import Replacement
from ...base.patterns import regex

# Runs of usual characters are taken at once: Python's patterns keep a note for every turn of a group.
STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
LITERAL = rf"{STRING}|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_OPEN, _CLOSE = "([{", ")]}"
_SKIPPED = rf"{LITERAL}|^[ \t]*#[^\n]*"  # brackets and separators in these do not count


def outside_literals(pattern: str) -> re.Pattern[str]:
    """A pattern to search for ``pattern`` outside of literals. It also takes literals, each as a whole: those matches
    have no group ``found``."""
    return regex(rf"{LITERAL}|(?P<found>{pattern})", re.MULTILINE)


def directive_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern for the lines of directives whose text after ``omp`` begins with ``pattern``."""
    return regex(rf"^[ \t]*#[ \t]*pragma[ \t]+omp\b[ \t]*{pattern}", re.MULTILINE)


_OMP = regex(r"pragma[ \t]+omp\b")


def directive_lines(pattern: re.Pattern[str], text: str, begin: int = 0) -> Iterator[re.Match[str]]:
    """The matches of a :func:`directive_pattern` in the lines from ``begin`` on. To search for a word is faster than to
    try each line."""
    done = -1
    for word in _OMP.finditer(text, begin):
        start = text.rfind("\n", 0, word.start()) + 1
        if start > done and (match := pattern.match(text, start)) is not None:
            yield match
        done = start


# ---- brackets ----

_MARKS = regex(rf"{_SKIPPED}|[][(){{}}?:;,=]", re.MULTILINE)
_BRACKETS = regex(rf"{_SKIPPED}|[][(){{}}]", re.MULTILINE)


def _is_mark(match: re.Match[str]) -> bool:
    return match.end() == match.start() + 1


def closing(text: str, opening: int) -> int:
    """The offset behind the bracket that closes the one at ``opening``, or the text's end if none does."""
    depth = 0
    for match in _BRACKETS.finditer(text, opening):
        if _is_mark(match):
            depth += 1 if match[0] in _OPEN else -1
            if depth == 0:
                return match.end()
    return len(text)


def closing_paren(text: str, start: int) -> int:
    """The offset behind the parenthesis that closes the first one at or after ``start``, or the text's end if none
    does."""
    for match in _BRACKETS.finditer(text, start):
        if match[0] == "(":
            return closing(text, match.start())
    return len(text)


def marks_outside(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """The marks ``? : ; , =`` of a stretch of the text that are outside of its brackets.

    A bracket that closes one before the stretch ends it, and comes last.
    """
    depth = 0
    for match in _MARKS.finditer(text, start, len(text) if end is None else end):
        if not _is_mark(match):
            continue
        if match[0] in _OPEN:
            depth += 1
        elif match[0] in _CLOSE and depth > 0:
            depth -= 1
        elif depth == 0:
            yield match
            if match[0] in _CLOSE:
                return


def unclosed(text: str, start: int, end: int, before: Sequence[int] = ()) -> list[int]:
    """The offsets of the brackets that are open at the end of a stretch of the text, outermost first.

    ``before`` are those that are open at its start.
    """
    found = list(before)
    for match in _BRACKETS.finditer(text, start, end):
        if _is_mark(match) and match[0] in _OPEN:
            found.append(match.start())
        elif _is_mark(match) and found:
            found.pop()
    return found


def arguments_at(text: str, opening: int) -> list[tuple[int, int]]:
    """The extents of the arguments in the brackets that open at ``opening``, or none if no bracket closes them."""
    end = closing(text, opening) - 1
    if end <= opening or text[end] not in _CLOSE:
        return []
    commas = [match.start() for match in marks_outside(text, opening + 1, end) if match[0] == ","]
    return list(zip([opening + 1, *(comma + 1 for comma in commas)], [*commas, end], strict=True))


def separated(text: str, mark: str, most: int = 0) -> list[str]:
    """The parts of a text between marks outside of its brackets, without white space around them.

    There are at most ``most`` parts, or any number.
    """
    marks = [match.start() for match in marks_outside(text) if match[0] == mark]
    marks = marks[: most - 1] if most else marks
    ends = zip([0, *(at + 1 for at in marks)], [*marks, len(text)], strict=True)
    return [text[low:high].strip() for low, high in ends]


def flat(text: str) -> str:
    """The text with everything inside brackets blanked, and with zeros in place of literals outside them."""
    out: list[str] = []
    at = depth = 0
    for match in _BRACKETS.finditer(text):
        between = text[at : match.start()]
        out.append(between if depth == 0 else " " * len(between))
        if _is_mark(match):
            depth -= match[0] in _CLOSE
            out.append(match[0] if depth == 0 else " ")
            depth += match[0] in _OPEN
        else:
            out.append(("0" if depth == 0 else " ") * len(match[0]))
        at = match.end()
    return "".join([*out, text[at:]])


# ---- statements ----

_BETWEEN = regex(r"(?:\s+|#[^\n]*)*")
_NO_SPACE = regex(r"\S")
_IN_FRONT = regex(r"(?:\s+|#(?![ \t]*pragma[ \t]+omp\b)[^\n]*)*")
_NAME = regex(r"[^\W\d]\w*")
_WITH_HEAD = ("for", "while", "switch", "if")


def words_in(text: str) -> set[str]:
    """The names and other words of a text."""
    return set(_NAME.findall(text))


def has_word(text: str, *words: str) -> bool:
    """Whether a text has one of some words."""
    return any(word in text for word in words) and not words_in(text).isdisjoint(words)


def is_decimal(text: str) -> bool:
    """Whether a text is a decimal number and nothing else: ``010`` is an octal one."""
    return text.isdecimal() and text.isascii() and (text == "0" or text[0] != "0")


def word_before(text: str, place: int) -> tuple[int, str]:
    """(where the word directly in front of a place begins, the word), without the white space between. The word is
    empty where something else is there."""
    end = place
    while end > 0 and text[end - 1].isspace():
        end -= 1
    start = end
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return start, text[start:end]


def next_token(text: str, offset: int) -> int:
    """The offset of the first token at or after ``offset``. Directives and white space are skipped."""
    found = _BETWEEN.match(text, offset)
    assert found is not None
    return found.end()


def behind_space(text: str, offset: int) -> int:
    """The offset of the first text at or after ``offset`` that is no white space."""
    found = _NO_SPACE.search(text, offset)
    return found.start() if found is not None else len(text)


def next_part(text: str, offset: int) -> int:
    """The offset of the first token or directive of OpenMP at or after ``offset``: other pragmas are skipped."""
    found = _IN_FRONT.match(text, offset)
    assert found is not None
    return found.end()


def _word(text: str, offset: int) -> str:
    match = _NAME.match(text, offset)
    return match[0] if match else text[offset : offset + 1]


def before_pragmas(text: str, start: int, *, omp: bool = True) -> int:
    """Where the lines of pragmas begin that stand directly in front of a place, or the place. They may be OpenMP's."""
    at = start
    while (end := text.rfind("\n", 0, at)) >= 0 and not text[end + 1 : at].strip():
        at = text.rfind("\n", 0, end) + 1
        line = text[at:end].split()
        if line and (not line[0].startswith("#") or ("omp" in line[:3] and not omp)):
            break
        start = at if line else start
    return start


def is_behind_pragma(text: str, start: int) -> bool:
    """Whether the line in front of a statement is a pragma of the host compiler's, which belongs to the statement."""
    return before_pragmas(text, start, omp=False) < start


def statement_end(text: str, offset: int) -> int:
    """The offset behind the statement that begins at or after ``offset``. Directives before it belong to it."""
    offset = next_token(text, offset)
    word = _word(text, offset)
    after = offset + len(word)
    if word == "{":
        return closing(text, offset)
    if word in _WITH_HEAD:
        end = statement_end(text, closing(text, next_token(text, after)))
        if word == "if":
            following = next_token(text, end)
            if _word(text, following) == "else":
                return statement_end(text, following + len("else"))
        return end
    if word == "do":
        return _semicolon(text, statement_end(text, after))
    if word == "else":
        return statement_end(text, after)
    if word == "case":
        return statement_end(text, _label_end(text, after))
    if _NAME.match(word):
        colon = next_token(text, after)
        if text[colon : colon + 1] == ":":
            return statement_end(text, colon + 1)
    return _semicolon(text, offset)


def braces_around(text: str, offset: int) -> Iterator[Replacement]:
    """What takes away the braces around the loop of a directive. gcc 12 wants to see the loop right behind it."""
    at, braces = next_token(text, offset), []
    while text[at] == "{":
        braces.append((at, closing(text, at) - 1))
        at = next_token(text, at + 1)
    for opening, end in reversed(braces):
        if next_token(text, statement_end(text, at)) != end:
            break
        yield Replacement(opening, opening + 1, "")
        yield Replacement(end, end + 1, "")
        at = opening


_HEAD = regex(r"\b(?:if|for|while|switch)\s*\(")
_LABEL = regex(r"\b(?:case\b|[A-Za-z_]\w*(?=\s*:))")
_BEFORE_STATEMENT = regex(r"(?:^|[;{}]|\b(?:else|do))\s*\Z")


def is_in_statement(text: str, offset: int, place: int, open_brackets: Collection[int]) -> bool:
    """Whether the statement that begins at or after ``offset``, in front of a place, ends behind it.

    ``open_brackets`` are those that are open at the place, so that blocks and loops over them are not read.
    """
    offset = next_token(text, offset)
    while (word := _word(text, offset)) in ("for", "while", "switch"):
        offset = next_token(text, closing(text, next_token(text, offset + len(word))))
    if offset >= place:
        return True
    return offset in open_brackets if word == "{" else statement_end(text, offset) > place


def label_in(text: str, start: int, end: int) -> str | None:
    """A label in a stretch of statements, or ``case`` or ``default`` if their ``switch`` is not in it, or None."""
    part = re.sub(_SKIPPED, lambda match: " " * len(match[0]), text[start:end], flags=re.MULTILINE)
    after_heads = {closing(part, match.end() - 1) for match in _HEAD.finditer(part)}
    switches = [(match.start(), statement_end(part, match.start())) for match in re.finditer(r"\bswitch\b", part)]
    for match in _LABEL.finditer(part):
        word = match[0]
        at = match.start()
        while at > 0 and part[at - 1].isspace():
            at -= 1
        if not (at in after_heads or _BEFORE_STATEMENT.search(part, max(0, at - 5), at)):
            continue
        if word not in ("case", "default") or not any(low < at < high for low, high in switches):
            return word
        after_heads.add(_label_end(part, match.end()))  # another label may follow
    return None


def _semicolon(text: str, offset: int) -> int:
    """The offset behind the next ``;``, or of the bracket that closes the block, if that comes first."""
    for match in marks_outside(text, offset):
        if match[0] == ";":
            return match.end()
        if match[0] in _CLOSE:
            return match.start()
    return len(text)


def _label_end(text: str, offset: int) -> int:
    """The offset behind the colon that ends the constant of a ``case``."""
    questions = 0
    for match in marks_outside(text, offset):
        questions += match[0] == "?"
        if match[0] == ":":
            if questions == 0:
                return match.end()
            questions -= 1
    return len(text)
