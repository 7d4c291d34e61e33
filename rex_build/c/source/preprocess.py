"""Runs ``cc -E`` and remembers where every line of its output comes from."""

from __future__ import annotations

import os
import re
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import BinaryIO

from ...base.diagnostics import Diagnostic, InputError, SourceSpan, Stretches, ToolError, error_at, source_lines
from ...base.paths import INTEROP_HEADER, argument, include_dir
from ...base.patterns import regex
from ...base.records import dataclass, field, replace
from .flags import for_preprocessor, has_unnamed_members
from .letters import respelt, with_letters
from .pragma_places import PragmaPlaces, joined_lines, pragma_places
from .tokens import directive_lines, directive_pattern, outside_literals

# A pattern that begins with a letter is searched for faster than one that begins with a line.
_MARKER = regex(r'#(?<![^\n]#)\s+(\d+)\s+"([^"\\]*(?:\\.[^"\\]*)*)"((?:[ \t]+\d)*)[ \t]*$', re.MULTILINE)


COMPILERS_OWN = ("/usr/include/", "/usr/lib/", "/usr/lib64/", "<")


TOKEN = regex(r"\w+|\S")


@dataclass(frozen=True)
class Origin:
    """The origin of consecutive preprocessed lines. Physical line ``first`` (1-based) is line ``line`` of ``file``.

    ``inclusion`` is the index of the inclusion to which the lines belong.
    """

    first: int
    file: str
    line: int
    system: bool
    inclusion: int

    @property
    def may_share_names(self) -> bool:
        """Whether the text may have names that generated code has.

        A header that was found by ``-isystem`` may, but not those of the compiler and the C library.
        """
        return not (self.system and self.file.startswith(COMPILERS_OWN))


@dataclass(frozen=True)
class Inclusion:
    """One reading of a file: the index of the inclusion that includes it (-1 for the main file), and the line there.

    The line is 0 where an option such as ``-include`` includes the file.

    ``system`` says whether the file was found among the system's headers. ``before`` and ``behind`` are the lines that
    define and undefine macros around it where a front end includes it again.
    """

    file: str
    parent: int
    line: int
    system: bool = False
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


@dataclass(frozen=True)
class Preprocessed:
    """The output of ``cc -E -fopenmp``, with its line markers blanked to empty lines of the same length.

    ``includes`` are the files that were read, in the order of their first use, beginning with the main file.
    ``inclusions`` are all readings of files in order, beginning with that of the main file.
    """

    text: str
    main_file: str
    origins: tuple[Origin, ...]
    includes: tuple[str, ...]
    inclusions: tuple[Inclusion, ...]
    rewritten: tuple[tuple[int, int], ...] = ()  # parts that the compiler did not print
    c23: bool = False  # the text has words that its compiler takes as keywords of C23
    cc: str = "gcc"
    added: tuple[str, ...] = ()  # flags for a header that the compiler lacks
    letters: Mapping[str, str] = field(default_factory=dict)  # those that stand for other characters in names
    unnamed_members: bool = False  # unnamed members may have structure types with tags (-fms-extensions)

    @cached_property
    def files_with_names(self) -> tuple[str, ...]:
        """The files that may have names that generated code has, in the order of their text."""
        return tuple(dict.fromkeys(origin.file for origin in self.origins if origin.may_share_names))

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of each physical line's first character."""
        starts = [0]
        starts += [m.end() for m in re.finditer("\n", self.text)]
        return starts

    @cached_property
    def enumerators_agree(self) -> bool:
        """Whether all constants of an enumeration have its type if one does not fit int, as in C23 (6.7.2.2).

        gcc does so since release 13 in all versions of C. Other compilers give int to the constants that fit.
        """
        return _compiles('enum { wide = 0x100000000, small = 1 }; _Static_assert(sizeof small == 8, "");', self.cc)

    @cached_property
    def stretches(self) -> list[tuple[Origin, int, int]]:
        """(origin, start, end) of the stretches of text that have one origin. Start and end are offsets."""
        starts = [
            self.line_starts[o.first - 1] if o.first <= len(self.line_starts) else len(self.text) for o in self.origins
        ]
        return list(zip(self.origins, starts, [*starts[1:], len(self.text)], strict=True))

    @cached_property
    def own_parts(self) -> list[tuple[int, int]]:
        """The offsets of the stretches of text that are from the user's files."""
        return [(start, end) for origin, start, end in self.stretches if not origin.system]

    def in_own_parts(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """What a pattern finds in the user's files."""
        for start, end in self.own_parts:
            yield from pattern.finditer(self.text, start, end)

    @cached_property
    def generated(self) -> Stretches:
        """The parts that the compiler did not print."""
        return Stretches(self.rewritten)

    @cached_property
    def _firsts(self) -> list[int]:
        return [o.first for o in self.origins]

    def line_end(self, line: int) -> int:
        """The offset of the newline at the end of physical ``line`` (1-based)."""
        end = self.text.find("\n", self.line_starts[line - 1])
        return len(self.text) if end < 0 else end

    def line_at(self, offset: int) -> int:
        """The physical line (1-based) that contains ``offset``."""
        return bisect_right(self.line_starts, offset)

    def place_at(self, offset: int) -> tuple[int, int]:
        """(physical line, column) of an offset, both 1-based."""
        line = self.line_at(offset)
        return line, offset - self.line_starts[line - 1] + 1

    def origin_of(self, line: int) -> tuple[Origin, int]:
        """(the origin of a physical line, the line's number in that file)."""
        origin = self.origins[max(0, bisect_right(self._firsts, line) - 1)]
        return origin, origin.line + line - origin.first

    def span_at(self, line: int, column: int) -> SourceSpan:
        """The place in the user's file for a physical line and column (both 1-based)."""
        start = self.line_starts[line - 1] + column - 1
        return self.span_of(line, column, TOKEN.match(self.text, start))

    def span_of(self, line: int, column: int, found: re.Match[str] | None) -> SourceSpan:
        """The place in the user's file for a token that comes from a physical line (None: there is no token)."""
        origin, user_line = self.origin_of(line)
        token = respelt(found[0], self.letters) if found else ""
        lines = source_lines(origin.file)
        text = lines[user_line - 1] if 0 < user_line <= len(lines) else ""
        if token and not text.startswith(token, column - 1):
            found = re.search(rf"(?<!\w){re.escape(token)}", text)
            column = found.start() + 1 if found else len(text) - len(text.lstrip()) + 1
        return SourceSpan(origin.file, user_line, column, max(1, len(token)))

    def pragma_locator(self, line: int, text: str) -> Callable[[int, int], SourceSpan]:
        """What says where a part of a pragma's text (after ``omp``) stands in the user's file."""
        read: list[PragmaPlaces] = []

        def locate(start: int, end: int) -> SourceSpan:
            if not read:
                read.append(self.pragma_places(line, text))
            places = read[0]
            first, last = (places[min(at, len(places) - 1)] if places else None for at in (start, max(start, end - 1)))
            if first is None:
                return self.span_at(line, 1)
            is_one_line = last is not None and (last.file, last.line) == (first.file, first.line)
            length = last.column - first.column + 1 if last is not None and is_one_line else 1
            return SourceSpan(first.file, first.line, first.column, max(1, length))

        return locate

    def pragma_places(self, line: int, text: str) -> PragmaPlaces:
        """The place in the user's file of each character of a pragma's text (after ``omp``), or None if unknown."""
        origin, user_line = self.origin_of(line)
        lines = joined_lines(source_lines(origin.file), user_line)
        return pragma_places(origin.file, lines, respelt(text, self.letters))


_LINE_DIRECTIVE = regex(r'\s*(?:#|%:)\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)")?((?:\s+\d)*)\s*$')
_LINE_BY_MACRO = regex(r"\s*(?:#|%:)\s*line\b.*\b[A-Za-z_]")


@cache
def line_directives(file: str) -> tuple[tuple[int, int, str | None], ...]:
    """The ``#line`` directives of a file: (their last line, the number of the line after them, the name or None).

    Raises InputError for line markers that only preprocessors write, which tell where headers begin and end, and for
    directives with macros.
    """
    found = []
    lines = source_lines(file)
    for number, text in enumerate(lines, 1):
        if "#" not in text and "%:" not in text:
            continue
        whole = joined_lines(lines, number)
        joined = whole.text
        match = _LINE_DIRECTIVE.match(joined)
        if match and match[3]:
            what = "a file that a preprocessor has written is not supported: give the file that it was made from"
            raise error_at(SourceSpan(file, number), what)
        if match and int(match[1]) == 0 and "line" in joined.split('"')[0]:
            raise error_at(
                SourceSpan(file, number), "'#line 0' is not C: lines are counted from 1", "C17, section 6.10.4"
            )
        if match and match[2] == "":  # gcc then leaves out line markers
            raise error_at(SourceSpan(file, number), "'#line' with an empty file name is not supported")
        if match:
            name = _unescape(match[2]) if match[2] is not None else None
            found.append((whole.last, int(match[1]), name))
        elif _LINE_BY_MACRO.match(re.sub(r'"(?:[^"\\]|\\.)*"', "", joined)):
            raise error_at(SourceSpan(file, number), "a macro in '#line' is not supported: write what it stands for")
    return tuple(found)


@cache
def _presumed(file: str) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    """The lines of the ``#line`` directives of a file, and after each the file's name and the shift of its numbers."""
    directives = line_directives(file)
    name, after = file, []
    for at, number, given in directives:
        name = given if given is not None else name
        after.append((name, number - at - 1))
    return tuple(at for at, _, _ in directives), tuple(after)


def presumed_place(file: str, line: int) -> tuple[str, int]:
    """The file name and number that the compiler gives to a line, because of ``#line`` directives before it."""
    lines, after = _presumed(file)
    passed = bisect_left(lines, line)
    name, shift = after[passed - 1] if passed else (file, 0)
    return name, line + shift


@dataclass(frozen=False)
class _Renumbering:
    """Turns the numbers in line markers, which follow ``#line`` directives, back into lines of the file."""

    name: str  # the compiler's name for the file at this place
    directives: tuple[tuple[int, int, str | None], ...]
    passed: int = 0
    is_entered: bool = False

    def physical(self, line: int, name: str, text: str, lines: Sequence[str]) -> int:
        """The line of the file that a marker with this line and name means.

        ``text`` follows the marker, and ``lines`` are those of the file.
        """
        if line == 1 and name == self.name and not self.is_entered:
            self.is_entered = True
            return line
        for at in range(self.passed, len(self.directives)):  # one may be in a comment, or in a group that is left out
            after, number, given = self.directives[at]
            if (line, name) == (number, given if given is not None else self.name):
                usual, moved = self._moved(line), after + 1  # a line with the number of a directive may come before it
                if _is_line(lines, usual, text) and not _is_line(lines, moved, text):
                    continue
                self.passed = at + 1
                self.name = name
                break
        return self._moved(line)

    def _moved(self, line: int) -> int:
        if self.passed == 0:
            return line
        at, number, _ = self.directives[self.passed - 1]
        return line - number + at + 1


def _is_line(lines: Sequence[str], number: int, text: str) -> bool:
    return 0 < number <= len(lines) and bool(text) and lines[number - 1].strip() == text


_ESCAPES = {b"a": b"\a", b"b": b"\b", b"e": b"\033", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


def _unescape(name: str) -> str:
    """The file that a string literal names. Its escapes are bytes, which may be a part of a character."""
    if "\\" not in name:
        return name

    def byte(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes((int(code, 8) & 0xFF,)) if code[:1].isdigit() else _ESCAPES.get(code, code)

    plain = re.sub(rb"\\([0-7]{1,3}|.)", byte, name.encode("utf-8", "surrogateescape"))
    return plain.decode("utf-8", "surrogateescape")


def read_preprocessed(output: str, main_file: str, *, cxx: bool = False) -> Preprocessed:
    """Interpret the text that ``cc -E`` printed for ``main_file``, which is C or C++."""
    origins: list[Origin] = []
    includes: dict[str, None] = {main_file: None}
    inclusions = [Inclusion(main_file, -1, 0)]
    stack = [0]
    shifts: dict[int, _Renumbering] = {}  # for inclusions whose files have #line directives of their own
    physical = 1
    at = 0
    by_option = False
    pieces: list[str] = []
    for match in _MARKER.finditer(output):
        start, end = match.span()
        physical += output.count("\n", at, start)
        pieces += [output[at:start], " " * (end - start)]
        at = end
        line, name, flags = int(match[1]), _unescape(match[2]), match[3].split()
        if "2" in flags and len(stack) > 1:
            stack.pop()
        if name.startswith("<") and name != main_file and not _is_named(inclusions[stack[-1]].file, name):
            by_option = True
            continue  # it is built into the compiler
        if "1" in flags:
            previous = origins[-1] if origins else Origin(1, main_file, 1, False, 0)
            line_there = 0 if by_option else previous.line + physical - previous.first
            inclusions.append(Inclusion(name, stack[-1], line_there, "3" in flags))
            stack.append(len(inclusions) - 1)
        by_option = False
        here = stack[-1]
        file = inclusions[here].file
        if here not in shifts:
            shifts[here] = _Renumbering(name, line_directives(file) if "3" not in flags else ())
        includes.setdefault(file)
        following = output[end + 1 : output.find("\n", end + 1)].strip() if shifts[here].directives else ""
        lines = source_lines(file) if following else ()
        line_there = shifts[here].physical(line, name, following, lines)
        origins.append(Origin(physical + 1, file, line_there, "3" in flags, here))
    text, letters = with_letters(_as_usual("".join([*pieces, output[at:]]), cxx))
    if not origins:
        origins.append(Origin(1, main_file, 1, False, 0))
    return Preprocessed(text, main_file, tuple(origins), tuple(includes), tuple(inclusions), letters=letters)


def _is_named(file: str, name: str) -> bool:
    """Whether a ``#line`` directive in the file itself gives it this name."""
    return any(name == given for _, _, given in line_directives(file))


_DIGRAPHS = {"<%": "{ ", "%>": " }", "<:": "[ ", ":>": " ]"}
_UNUSUAL = outside_literals(
    r"(?<!<)<[%:]|%>|:>|\\u(?P<short>[\da-fA-F]{4})|\\U(?P<long>[\da-fA-F]{8})"
    r"|(?<![\w.])\.?\d[\w.]*(?:'[\da-fA-F][\w.]*)+"
)
_SCOPE = regex(r":(?![:>])")
_SEPARATOR = regex(r"'(?:(?<=\d')[\da-fA-F]|(?<=[a-fA-F]')\d)")  # a search for the apostrophe is fast


def _as_usual(text: str, cxx: bool) -> str:
    """The text with the usual brackets, braces, letters and numbers.

    These replace the alternative spellings of brackets and braces (C11 6.4.6), the numbers of letters in names (C11
    6.4.3), which gcc prints for letters outside of ASCII, and numbers with separators (C23 6.4.4.1), which get space
    behind them instead. In C++, ``<`` and ``::`` may follow each other (C++11 2.5), as in ``A<::B>``.
    """
    if not any(digraph in text for digraph in (*_DIGRAPHS, "\\u", "\\U")) and not _SEPARATOR.search(text):
        return text

    def usual(match: re.Match[str]) -> str:
        letter, word = match["short"] or match["long"], match[0]
        if letter or match["found"] is None:
            return chr(int(letter, 16)) if letter else word
        if cxx and word == "<:" and _SCOPE.match(text, match.end()):
            return word
        return _DIGRAPHS.get(word) or word.replace("'", "").ljust(len(word))

    return _UNUSUAL.sub(usual, text)


def preprocess(
    source: Path,
    cflags: Sequence[str],
    cc: str,
    defines: Sequence[str] = (),
    language: str = "c",
    meanwhile: Callable[[], None] = lambda: None,
) -> Preprocessed:
    """Preprocess one C or C++ file with the flags with which it is compiled. ``meanwhile`` is called beside it.

    Raises InputError with the compiler's messages if the file has errors, and ToolError if the compiler cannot be run.
    """

    def output(*more: str, meanwhile: Callable[[], None] = lambda: None) -> str:
        words = ("-fopenmp", *defines, *more, *for_preprocessor(cflags), "-x", language, argument(source))
        return _GLUED.sub(_parted, _run_preprocessor(cc, words, meanwhile=meanwhile))

    text = output(meanwhile=meanwhile)
    missing: tuple[str, ...] = ()
    if _INTEROP.search(text) and not _INTEROP_TYPE.search(text):
        missing = ("-include", str(include_dir() / INTEROP_HEADER))
        text = output(*missing)
    text = _expanded_pragmas(text, lambda: output("-dD", *missing), cc, language)
    pre = read_preprocessed(text, str(source), cxx=language != "c")
    if language != "c":
        return replace(pre, cc=cc, added=missing)
    unnamed = has_unnamed_members(cflags)
    c23 = _has_new_keywords(text, cflags, cc)
    return replace(pre, c23=c23, cc=cc, added=missing, unnamed_members=unnamed)


# gcc before 13 prints no blank in front of a directive's name that a macro gives and that it does not know.
_GLUED = regex(
    r"#pragma omp(?=(?:metadirective|begin|declare|assumes?|tile|unroll|reverse|interchange|interop|dispatch)\b)"
)


def _parted(match: re.Match[str]) -> str:
    begins_line = match.start() == 0 or match.string[match.start() - 1] == "\n"
    return f"{match[0]} " if begins_line else match[0]


_IF, _ENDIF = regex(r"#[ \t]*if"), regex(r"#[ \t]*endif\b")

# A condition with a macro that clang defines when it compiles for GPUs, unless it is about compilers of CUDA alone.
_DEVICE_MACRO = regex(
    r"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(?!.*__(?:NVCC|CUDACC|HIPCC)__\W*&&).*?\b(__NVPTX__|__nvptx__|__CUDA_ARCH__)\b"
)


_OPENMP = regex(r"\b[Pp]ragma\b.*\bomp\b")


def _has_code(lines: Sequence[str]) -> bool:
    """Whether one of the branches behind a condition has more than directives and comments."""
    depth, goes_on = 1, False
    for line in map(str.strip, lines):
        depth += bool(_IF.match(line)) - bool(_ENDIF.match(line))
        if depth == 0:
            return False
        if line and not goes_on and not line.startswith(("#", "//", "/*", "*")):
            return True
        goes_on = line.endswith("\\")
    return False


def device_macro_warnings(pre: Preprocessed) -> tuple[Diagnostic, ...]:
    """A warning for each of the user's files that chooses device text by a macro. Both sides get the host's text.

    In headers without OpenMP, such as those of libraries, macros and pragmas alone are no such text.
    """
    found = []
    for file in dict.fromkeys(origin.file for origin in pre.origins if not origin.system):
        lines = source_lines(file)
        for number, line in enumerate(lines, 1):
            match = _DEVICE_MACRO.match(line)
            if match and (any(map(_OPENMP.search, lines)) or _has_code(lines[number:])):
                span = SourceSpan(file, number, match.start(1) + 1, len(match[1]))
                what = f"'{match[1]}' is not defined: host and devices get one text, which is preprocessed for the host"
                note = "'begin declare variant' and 'metadirective' choose between devices"
                found.append(Diagnostic("warning", what, span, (note,)))
                break
    return tuple(found)


# The new keywords of C23, each with a declaration that is valid only if the word is a keyword.
_NEW_KEYWORDS = {
    "bool": "extern bool rex_bool;",
    "true": "static int rex_true = true;",
    "false": "static int rex_false = false;",
    "nullptr": "static void *rex_nullptr = nullptr;",
    "constexpr": "constexpr int rex_constexpr = 1;",
    "static_assert": "static_assert(1);",
    "alignas": "static alignas(8) char rex_alignas;",
    "alignof": "static int rex_alignof = alignof(int);",
    "thread_local": "static thread_local int rex_thread_local;",
    "auto": "static auto rex_auto = 1.0;",
    "enum": "enum rex_enum : int { rex_enumerator };",
}
_FIXED_TYPE = regex(r"enum\s+(?:\w+\s*)?:")
_NEW_KEYWORD = outside_literals(
    rf"\b(?:(?P<word>{'|'.join(word for word in _NEW_KEYWORDS if word != 'enum')})\b|(?P<enum>enum)\s+(?:\w+\s*)?:)"
)


def _has_new_keywords(text: str, cflags: Sequence[str], cc: str) -> bool:
    """Whether the text has words that are keywords only in C23, and the compiler treats them as keywords.

    In older C they are ordinary names (``typedef enum {false, true} bool;``). Compilers have added them one by one in
    different releases, so the compiler itself is asked if such a word occurs.
    """
    words = [word for word in _NEW_KEYWORDS if word != "enum" and word in text]
    if not _FIXED_TYPE.search(text) and not any(re.search(rf"{word}\b(?<!\w{word})", text) for word in words):
        return False
    found = {m["word"] or m["enum"] for m in _NEW_KEYWORD.finditer(text) if m["found"]}
    if not found:
        return False
    standard = [flag for flag in cflags if flag.startswith(("-std=", "--std=", "-ansi"))]
    return _compiles("\n".join(_NEW_KEYWORDS[word] for word in sorted(found)), cc, *standard)


def _compiles(text: str, cc: str, *flags: str) -> bool:
    command = [cc, "-fsyntax-only", "-w", *flags, "-x", "c", "-"]
    return subprocess.run(command, input=text.encode(), capture_output=True, check=False).returncode == 0


_INTEROP = regex(r"omp_(?<!\womp_)(?:interop|ipr|irc|ifr|get_interop|get_num_interop)_\w+")
_INTEROP_TYPE = regex(r"\bomp_interop_t\s*;")  # the end of a type definition


def _run_preprocessor(
    cc: str, arguments: Sequence[str], text: str | None = None, meanwhile: Callable[[], None] = lambda: None
) -> str:
    command = [cc, "-E", *arguments]
    # Line markers must name files as the caller did, in every locale.
    environment = {**os.environ, "LC_ALL": "C"}
    given = text.encode("utf-8", "surrogateescape") if text is not None else None
    stdin = subprocess.PIPE if text is not None else None
    # The compiler writes to files, as it would wait until somebody reads from a pipe.
    with _file_in_memory() as output, _file_in_memory() as errors:
        try:
            process = subprocess.Popen(command, stdin=stdin, stdout=output, stderr=errors, env=environment)
        except OSError as error:
            raise ToolError(f"cannot run the C compiler '{cc}': {error.strerror}") from None
        with process:
            meanwhile()
            process.communicate(given)
        output.seek(0)
        errors.seek(0)
        done, messages = output.read().decode("utf-8", "surrogateescape"), errors.read().decode("utf-8", "replace")
    if process.returncode:
        from .compiler_errors import errors_in

        if found := errors_in(messages):
            raise InputError(found)
        raise InputError(f"preprocessing failed: {' '.join(command)}\n{messages.rstrip()}")
    return done


def _file_in_memory() -> BinaryIO:
    return open(os.memfd_create("rex-build"), "w+b")


# Directives that gcc 12 does not know, and whose text it does not change.
_UNKNOWN = (
    r"(?:(?:begin[ \t]+)?(?:metadirective|declare[ \t]+variant|assumes)|assume|tile|unroll|reverse|interchange|interop"
    r"|dispatch)\b"
)
_UNKNOWN_PRAGMA = directive_pattern(rf"{_UNKNOWN}(?P<rest>.*)$")
# The same with the pragmas that say how often a loop is unrolled, which clang and nvcc read in C++.
_UNROLLING = regex(r"\bpragma[ \t]+(?:unroll|clang[ \t]+loop)\b.*[A-Za-z]")
_UNKNOWN_OF_CXX = regex(
    rf"^[ \t]*#[ \t]*pragma[ \t]+(?:omp\b[ \t]*{_UNKNOWN}|unroll\b|clang[ \t]+loop\b)(?P<rest>.*)$", re.MULTILINE
)
_DEFINITION = regex(r"^#(?:define|undef)[ \t]+(\w+).*$", re.MULTILINE)


def _expanded_pragmas(output: str, with_definitions: Callable[[], str], cc: str, language: str) -> str:
    """The text of ``cc -E``, with macros also expanded in directives that the compiler does not know.

    These are preprocessed again as plain text, after the definitions before them (OpenMP 5.2, section 3.1).
    """
    unknown = _UNKNOWN_PRAGMA
    if language != "c" and ("unroll" in output or "clang" in output) and _UNROLLING.search(output):
        unknown = _UNKNOWN_OF_CXX
    elif next(directive_lines(unknown, output), None) is None:
        return output
    defined = with_definitions()
    built_in = re.compile(r'^# \d+ "<built-in>".*\n(?:#(?:define|undef) .*\n)?', re.MULTILINE)
    lines: list[str] = []
    count = 0
    for line in built_in.sub("", defined).splitlines():
        if _DEFINITION.match(line):
            lines.append(line)
        elif pragma := unknown.match(line):
            lines.append(f"__rex_pragma_{count}{pragma['rest']} __rex_end")
            count += 1
    expanded = _run_preprocessor(cc, ("-P", "-w", "-x", "c", "-"), "\n".join(lines) + "\n")
    found = re.finditer(r"__rex_pragma_(\d+)\b(.*?)__rex_end", expanded, re.DOTALL)
    texts = {int(m[1]): " ".join(m[2].split()) for m in found}
    if len(texts) != count or len(unknown.findall(output)) != count:
        return output
    numbers = iter(range(count))
    return unknown.sub(lambda m: f"{m[0].removesuffix(m['rest'])} {texts[next(numbers)]}".rstrip(), output)
