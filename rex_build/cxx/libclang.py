"""Reads a C++ unit with libclang, which is an optional part of the installation (``rex-build[cxx]``)."""

from __future__ import annotations

import os
import re
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from ctypes import byref, c_int, c_uint
from functools import cache, cached_property
from typing import Any

from ..base.diagnostics import Diagnostic, InputError, ToolError, source_lines
from ..base.patterns import regex
from ..base.records import dataclass
from ..c.source.flags import spelt_out
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import directive_pattern, outside_literals

_VERSIONS = (18, 19)  # the Python part of later ones has other nodes where there is none, and no callbacks
_MISSING = "libclang, which reads C++ units, is not installed"
_REMEDY = "install it with: pip install 'rex-build[cxx]'"
_INCLUDE = regex(r"\s*(?:#|%:)\s*include\s*(<[^>]+>)")
_LANGUAGE = (
    "-std=",
    "--std=",
    "-ansi",
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-fchar8_t",
    "-fno-char8_t",
)
# What context selectors become in the text (see directives/selectors.py). Any value serves to read it.
_ASKED = (
    "__builtin_rex_isa(sm, macro)=0",
    "rex_default_device()=0",
    "rex_initial_device()=0",
    "rex_device_number(n)=(n)",
    "REX_VARIANT(host, device)=device",
)
_DIRECTIVE = directive_pattern("")
_NAMED = regex(r"^use of undeclared identifier '(\w+)'")
_WIDE = regex(r"[^\x00-\x7f]")
# Bytes that are no text, and pragmas, of which libclang takes some for those of the statement behind. One says how
# classes are laid out.
_NOT_READ = regex(r"[\ud800-\udfff]|^[ \t]*#[ \t]*pragma\b(?![ \t]+pack\b)[^\n]*", re.MULTILINE)
# What calls through pointers that the host made, and what writes and reads files.
_OF_THE_HOST = regex(r"\bstd::(function|basic_[io]stream|basic_iostream|basic_ios)\b")
_WITH_OPERAND = frozenset(("-I", "-isystem", "-iquote", "-idirafter"))

_BUILTIN = "undeclared identifier '__builtin_"


@dataclass(frozen=True)
class ReadText:
    """The text that libclang reads: the preprocessed text of the user's files, with the headers of the system left as
    ``#include``. ``starts`` and ``places`` are the offsets of stretches here and in the preprocessed text. What
    it has besides is all at the place where it is inserted."""

    text: str
    starts: tuple[int, ...]
    places: tuple[int, ...]

    @cached_property
    def _wide(self) -> tuple[list[int], list[int], list[int]]:
        """The characters that take several bytes: (their offsets in bytes, their offsets, how many more bytes than
        characters there are before the first, behind it, behind the next and so on)."""
        in_bytes, offsets, more = [], [0], [0]
        for match in _WIDE.finditer(self.text):
            in_bytes.append(match.start() + more[-1])
            offsets.append(match.start())
            more.append(more[-1] + len(match[0].encode()) - 1)
        return in_bytes, offsets, more

    @property
    def size(self) -> int:
        """The text's size in bytes."""
        return len(self.text) + self._wide[2][-1]

    def place(self, offset: int) -> int:
        """The offset in the preprocessed text for an offset in this text, which libclang counts in bytes."""
        in_bytes, offsets, more = self._wide
        wide = bisect_right(in_bytes, offset)
        offset = max(offset - more[wide], offsets[wide])  # it may be inside of a character
        at = bisect_right(self.starts, offset) - 1
        place = self.places[at] + offset - self.starts[at] if at >= 0 else 0
        return min(place, self.places[at + 1]) if at + 1 < len(self.places) else place


def system_inclusions(pre: Preprocessed) -> dict[int, str]:
    """The system headers that the user's files include: the numbers of their inclusions, and what is included.

    A header of the user's may say that it is one of the system. Those beside it are the user's, too, although the
    preprocessor takes them for the system's from there on: they use what it declares.
    """
    first: dict[int, bool] = {}
    for origin in pre.origins:
        first.setdefault(origin.inclusion, origin.system)
    claiming = {origin.inclusion for origin in pre.origins if origin.system}
    system: set[int] = set()
    found: dict[int, str] = {}
    for number, inclusion in enumerate(pre.inclusions):
        if number == 0:
            continue
        if inclusion.parent in system:
            system.add(number)
        elif first.get(number, False):
            folder = os.path.join(os.path.dirname(pre.inclusions[inclusion.parent].file), "")
            is_below = inclusion.file.startswith(folder) and (folder or not os.path.isabs(inclusion.file))
            if inclusion.parent in claiming and is_below:
                continue
            system.add(number)
            if inclusion.file.endswith("/stdc-predef.h"):  # compilers include it by themselves
                found[number] = ""
                continue
            lines = source_lines(pre.inclusions[inclusion.parent].file)
            text = lines[inclusion.line - 1] if 0 < inclusion.line <= len(lines) else ""
            match = _INCLUDE.match(text)
            found[number] = match[1] if match else f'"{os.path.abspath(inclusion.file)}"'
    return found


def outermost_headers(pre: Preprocessed, headers: Mapping[int, str]) -> dict[int, int]:
    """For each inclusion in a header of the system the outermost one, which is one of ``headers``."""
    top: dict[int, int] = {}
    for number, inclusion in enumerate(pre.inclusions):
        if number in headers:
            top[number] = number
        elif inclusion.parent in top:
            top[number] = top[inclusion.parent]
    return top


# gcc's way to a list of numbers, as in std::integer_sequence<T, __integer_pack(n)...>: clang has another one.
_COUNT = r"[^(),;]*(?:\((?:[^();]|\([^();]*\))*\)[^(),;]*)*"
_INTEGER_PACK = regex(rf"([\w:]+)\s*<([^<>,;{{}}]+),\s*__integer_pack\s*\(({_COUNT})\)\s*\.\.\.\s*>")


def _sequence(match: re.Match[str]) -> str:
    name, kind, count = match.groups()
    return f"__make_integer_seq<{name},{kind},{count}>".ljust(len(match[0]))


def read_text(pre: Preprocessed, inserted: Sequence[tuple[int, str, int]]) -> ReadText:
    """The text for libclang, with what is ``inserted`` in place of stretches of the user's files."""
    headers = system_inclusions(pre)
    top = outermost_headers(pre, headers)
    pieces: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    included: set[int] = set()
    length = 0
    places_of_more = [place for place, _, _ in inserted]

    def add(text: str, place: int) -> None:
        nonlocal length
        starts.append(length)
        places.append(place)
        pieces.append(text)
        length += len(text)

    for origin, start, stop in pre.stretches:
        if (outermost := top.get(origin.inclusion)) is not None:
            if outermost not in included and headers[outermost]:
                included.add(outermost)
                one = pre.inclusions[outermost]
                lines = ("", *one.before, f"#include {headers[outermost]}", *one.behind, "")
                add("\n".join(lines), start)
        else:
            begin = start
            for place, added, end in inserted[bisect_left(places_of_more, start) : bisect_left(places_of_more, stop)]:
                add(pre.text[begin:place], begin)
                add(added, end)
                begin = end
            add(pre.text[begin:stop], begin)
    text = _INTEGER_PACK.sub(_sequence, _NOT_READ.sub(lambda match: " " * len(match[0]), "".join(pieces)))
    return ReadText(text, tuple(starts), tuple(places))


@cache
def _folders(cxx: str) -> tuple[str, ...]:
    """The folders in which a g++ looks for system headers."""
    command = [cxx, "-E", "-v", "-x", "c++", os.devnull]
    try:
        done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.CalledProcessError) as error:
        raise ToolError(f"cannot ask '{cxx}' for its header folders: {error}") from None
    _, _, after = done.stderr.decode("utf-8", "surrogateescape").partition("#include <...> search starts here:\n")
    return tuple(line.strip() for line in after.partition("End of search list")[0].splitlines() if line.strip())


FLOAT16 = 32  # the kind of the type _Float16
_DECLARATION, _STATEMENT = 0, 1  # in the pointers of a cursor
_WITH_STATEMENT = range(100, 350)  # the kinds of expressions and statements
_TYPES_WITHOUT_NAMES = range(32, 40)  # _Float16, __bf16 and others, which libclang has and its Python part has not


@cache
def load() -> Any:
    """The module ``clang.cindex``. Raises ToolError, with the remedy, if it is not installed."""
    try:
        from clang import cindex
    except ImportError:
        raise ToolError([Diagnostic("error", _MISSING, notes=(_REMEDY,))]) from None
    beside = f"{cindex.Config.library_path}/libclang.so"
    if not cindex.Config.loaded and cindex.Config.library_file is None and os.path.isfile(beside):
        cindex.Config.set_library_file(beside)  # it imports platform otherwise, to make up this name
    try:
        cindex.conf.lib  # noqa: B018
    except cindex.LibclangError as error:  # its Python part is there, and the library is not
        raise ToolError([Diagnostic("error", f"{_MISSING}: {error}", notes=(_REMEDY,))]) from None
    version = _version(cindex)
    if version not in _VERSIONS or not hasattr(cindex, "callbacks"):
        older, newer = _VERSIONS
        message = f"C++ units are read with libclang {older} or {newer} and the Python part of the same version"
        notes = (f"the library that was found has version {version}; {_REMEDY}",)
        raise ToolError([Diagnostic("error", message, notes=notes)])
    _add_types(cindex.TypeKind)
    for kinds in cindex.BaseEnumeration.__subclasses__() if hasattr(cindex.TypeKind, "_kinds") else ():
        # Each member would make such a table of its own.
        kinds._name_map = {member: name for name, member in vars(kinds).items() if isinstance(member, kinds)}
    kinds_by_number = cache(cindex.CursorKind.from_id)  # asked some thousand times for a short unit
    cindex.Cursor.kind = property(lambda cursor: kinds_by_number(cursor._kind_id))
    cindex.Cursor.hash = property(_identity)
    if cindex.Cursor.__hash__ is None:  # as in versions 19 and 20, although equal nodes have the same number
        cindex.Cursor.__hash__ = lambda cursor: cursor.hash
    return cindex


def _identity(cursor: Any) -> int:
    """The number of a node, which no other node of its unit has while the unit is there.

    libclang's own has 32 bits, and in a unit with some ten thousand declarations two often have the same one. Both are
    made of the kind and a pointer: to the expression or statement, else to the declaration (``clang_hashCursor``).
    """
    kind: int = cursor._kind_id
    return (cursor.data[_STATEMENT if kind in _WITH_STATEMENT else _DECLARATION] or 0) << 10 | kind


def _version(cindex: Any) -> int:
    """The first number of the library's version, or 0 if it says none."""
    ask = cindex.conf.lib["clang_getClangVersion"]
    ask.restype = cindex._CXString
    said = ask()  # its text goes with it
    number = str(cindex.conf.lib.clang_getCString(said)).partition("clang version ")[2].partition(".")[0]
    return int(number) if number.isdigit() else 0


def _add_types(kinds: Any) -> None:
    """Let ``kinds``, the class ``TypeKind``, have members for the types that Python's part of libclang leaves out.

    Up to version 18 it has a list of its members, and making one adds it. Since version 19 it is an ``Enum``, which
    asks ``_missing_`` for a member that it has not.
    """
    if hasattr(kinds, "_kinds"):
        for number in _TYPES_WITHOUT_NAMES:
            if kinds._kinds[number] is None:
                setattr(kinds, f"TYPE_{number}", kinds(number))
        return

    def member(number: int) -> Any:
        if number not in _TYPES_WITHOUT_NAMES:
            return None  # Python says that there is no such kind
        made = object.__new__(kinds)
        made._name_, made._value_ = f"TYPE_{number}", number
        kinds._value2member_map_[number] = made
        return made

    kinds._missing_ = member


@cache
def _library() -> Any:
    """libclang's functions."""
    return load().conf.lib


def standard_of(flag: str) -> str:
    """The year of the standard of C++ that a flag asks for, as it is written, or an empty text."""
    option, _, name = flag.partition("=")
    return name.partition("++")[2] if option in ("-std", "--std") else ""


def language_flags(cflags: Sequence[str]) -> list[str]:
    """The flags of a compiler's command line that say how its headers are found and read."""
    found: list[str] = []
    words = iter(spelt_out(cflags))
    for word in words:
        if word in _WITH_OPERAND:
            found += [word, next(words, "")]
        elif word.startswith(("-std=", "--std=")) and "+" not in word:
            continue  # of C: g++ warns of it, and ignores it
        elif word.startswith(_LANGUAGE):
            found.append(word)
    return found


def defined_by(flag: str) -> tuple[str, str]:
    """(the name of the macro that a flag ``-D`` defines, the line that defines it)"""
    name, equals, value = flag[2:].partition("=")
    return name.partition("(")[0], f"#define {name} {value if equals else 1}".strip()


def without_seen_macros(flags: Sequence[str], text: str) -> list[str]:
    """The flags without macros whose names a preprocessed text still has, where they stand for themselves.

    The source may have undefined such a macro, or its text names itself. The text is preprocessed a second time, for
    the headers of the system.
    """
    named = {flag: defined_by(flag)[0] for flag in flags if flag.startswith("-D") and flag[2:3] not in ("", "_")}
    if not named:
        return list(flags)
    seen = outside_literals(rf"\b(?:{'|'.join(map(re.escape, named.values()))})\b")
    left = {name for match in seen.finditer(text) if (name := match["found"])}
    return [flag for flag in flags if named.get(flag, "") not in left]


def parse(
    pre: Preprocessed, cflags: Sequence[str], cxx: str, more: str, before: str, inserted: Sequence[tuple[int, str, int]]
) -> tuple[ReadText, Any]:
    """(the text, its translation unit). Raises InputError with libclang's errors, at the user's lines.

    Text is ``inserted`` at places, ``before`` is the text of a header that stands in front of the user's text, and
    ``more`` text of our own behind it, in which errors do not count.
    """
    cindex = load()
    # It reads a unit on the thread that asks, whose stack has room for long expressions, and not on a small one.
    os.environ["LIBCLANG_NOTHREADS"] = "1"
    read = read_text(pre, inserted)
    flags = ["-x", "c++", "-nostdinc", "-nostdinc++", "-Wno-everything", "-ferror-limit=0"]
    flags.append("--no-default-config")  # a configuration file of clang's is no part of what the unit means
    flags.append("-fclang-abi-compat=17")  # libstdc++ cannot read newer symbols
    flags += [f"-D{macro}" for macro in _ASKED]
    own = without_seen_macros(language_flags(cflags), read.text)
    if not any(flag.startswith(("-std=", "--std=", "-ansi")) for flag in own):
        own.append("-std=gnu++17")
    newest = [flag for flag in own if (year := standard_of(flag))[:1] == "2" and year not in ("20", "2a")]
    if newest:
        flags.append("-D__cpp_concepts=202002")  # clang 18 has what <expected> asks for, but claims less
    flags += own
    for folder in _folders(cxx):
        flags += ["-isystem", folder]
    flags += ["-ferror-limit=0", *(["-fno-access-control"] if more else [])]
    name = os.path.join(os.path.dirname(pre.main_file) or ".", "rex_read.cpp")
    files = [(name, read.text + more)]
    if before:
        header = os.path.abspath(f"{name}.h")
        files.append((header, before))
        flags += ["-include", header]
    try:
        unit = cindex.Index.create().parse(name, flags, unsaved_files=files)
    except cindex.TranslationUnitLoadError as error:
        raise ToolError(f"libclang cannot read {pre.main_file}: {error}") from None
    notes = tuple(f"libclang, which reads C++ for rex-build, may not know all of {flag}" for flag in newest[-1:])
    if found := list(_errors(pre, read, unit, name, notes, is_longer=bool(more))):
        raise InputError(found)
    library = cindex.conf.lib
    library.clang_Location_isFromMainFile.argtypes = [cindex.SourceLocation]
    library.clang_Location_isFromMainFile.restype = c_int
    return read, unit


def _errors(
    pre: Preprocessed, read: ReadText, unit: Any, name: str, notes: tuple[str, ...], *, is_longer: bool
) -> Iterator[Diagnostic]:
    """What is wrong in the text of a translation unit, at the user's lines."""
    of_error = load().Diagnostic.Error
    for said in unit.diagnostics:
        if said.severity < of_error:
            continue
        at = said.location
        if at.file is None or at.file.name != name:
            if said.severity == of_error:
                continue  # such as an attribute of gcc's; the host compiler reads the header, too
            yield Diagnostic("error", f"libclang cannot read {at.file}:{at.line}: {said.spelling}")
            continue
        if is_longer and at.offset >= read.size:
            continue
        if _BUILTIN in said.spelling:  # gcc's own; the compilers of both sides read it, too
            continue
        place = read.place(at.offset)
        line = pre.line_at(place)
        span = pre.span_at(line, place - pre.line_starts[line - 1] + 1)
        said_of = said.spelling
        if (directive := _DIRECTIVE.match(pre.text, pre.line_starts[line - 1])) is not None:
            begin, word = directive.end(), _NAMED.search(said_of)
            locate = pre.pragma_locator(line, pre.text[begin : pre.line_end(line)].rstrip())
            span = locate(place - begin, place - begin + (len(word[1]) if word is not None else 1))
            said_of = f"'{word[1]}' is not declared" if word is not None else said_of
        yield Diagnostic("error", said_of, span, notes)


@cache
def _visitors() -> tuple[Any, Any]:
    """The functions that libclang calls for each node: one for children only, one for all that is below a node."""
    into_next, below = 1, 2  # CXChildVisit_Continue, CXChildVisit_Recurse

    def child(node: Any, _parent: object, found: list[Any]) -> int:
        found.append(node)
        return into_next

    def descendant(node: Any, _parent: object, found: list[Any]) -> int:
        found.append(node)
        return below

    kind = load().callbacks["cursor_visit"]
    return kind(child), kind(descendant)


def _visit(cursor: Any, visitor: Any) -> list[Any]:
    found: list[Any] = []
    _library().clang_visitChildren(cursor, visitor, found)
    unit = cursor._tu  # a node keeps its translation unit alive
    for node in found:
        node._tu = unit
    return found


def children(cursor: Any) -> list[Any]:
    """The nodes directly below a node. libclang's own function makes a callback for each, and takes twice as long."""
    return _visit(cursor, _visitors()[0])


def descendants(cursor: Any, *kinds: Any) -> list[Any]:
    """All nodes below a node, or those of some kinds, in the order of the text, in half the time again."""
    return _visit(cursor, _visitor_of(kinds) if kinds else _visitors()[1])


@cache
def _visitor_of(kinds: tuple[Any, ...]) -> Any:
    """The function that libclang calls for nodes of which some kinds are asked for."""
    numbers = frozenset(kind.value for kind in kinds)

    def descendant(node: Any, _parent: object, found: list[Any]) -> int:
        if node._kind_id in numbers:
            found.append(node)
        return 2  # CXChildVisit_Recurse

    return load().callbacks["cursor_visit"](descendant)


def offset_of(location: Any) -> int:
    """The offset of a location in its file. libclang's own property asks for the file and the line as well."""
    found = c_uint()
    _library().clang_getInstantiationLocation(location, None, None, None, byref(found))
    return found.value


def argument_kind(cursor: Any, number: int) -> str:
    """What a template argument is (``INTEGRAL``), or an empty text if libclang's Python module has no name for it."""
    try:
        return str(cursor.get_template_argument_kind(number)).rpartition(".")[2]
    except ValueError:
        return ""


def template_of(cursor: Any) -> Any:
    """The template that a declaration is an instantiation of, or None."""
    return _library().clang_getSpecializedCursorTemplate(cursor)


def has_default(members: Collection[Any]) -> bool:
    """Whether these members of a class have a default constructor that the compiler makes because the user says so."""
    made = (m for m in members if m.kind.name == "CONSTRUCTOR" and m.is_default_constructor())
    return any(m.is_default_method() for m in made)


def pattern(cursor: Any) -> Any:
    """The declaration whose text a declaration has: of an instantiation, the template's."""
    general = template_of(cursor)
    return cursor if general is None else general


_ARRAYS = frozenset((112, 114, 115, 116))  # CXType_ConstantArray and the others
_REFERENCES = frozenset((103, 104))
_LEADING = _REFERENCES | {101}  # CXType_Pointer


def innermost(kind: Any) -> Any:
    """A canonical type, and of an array that of its elements, which are no arrays."""
    kind = kind.get_canonical()
    while kind._kind_id in _ARRAYS:
        kind = kind.element_type.get_canonical()
    return kind


def is_reference(kind: Any) -> bool:
    return kind._kind_id in _REFERENCES


def referred(kind: Any) -> Any:
    """What a reference leads to, or a type that is none."""
    return kind.get_pointee() if kind.get_canonical()._kind_id in _REFERENCES else kind


def behind(kind: Any) -> Any:
    """The canonical type to which pointers and references lead, also through arrays of them."""
    kind = innermost(kind)
    while kind._kind_id in _LEADING:
        kind = innermost(kind.get_pointee())
    return kind


def is_users(cursor: Any) -> bool:
    """Whether a declaration stands in the user's text."""
    return bool(_library().clang_Location_isFromMainFile(cursor.location))


def host_class(function: Any) -> str:
    """The class of the standard library that a function is of, or gives, if its objects are of no use on the device."""
    if function.location.file is None or is_users(function):
        return ""
    text = function.semantic_parent.type.get_canonical().spelling + function.result_type.get_canonical().spelling
    match = _OF_THE_HOST.search(text)
    return match[1].removeprefix("basic_") if match else ""


def brought(using: Any) -> Iterator[Any]:
    """The variables that a using-declaration brings."""
    named = (child for child in children(using) if child.kind.name == "OVERLOADED_DECL_REF")
    return (one for child in named for one in overloads(child) if one.kind.name == "VAR_DECL")


def hidden(cursor: Any, name: str) -> Any:
    """The variable that the language declares for a loop over a range and that this declaration mentions, or None."""
    for node in descendants(cursor):
        target = node.referenced if node.kind.name == "DECL_REF_EXPR" else None
        if target is not None and target.kind.name == "VAR_DECL" and target.spelling.startswith(name):
            return target
    return None


def overloads(cursor: Any) -> Iterator[Any]:
    """The declarations that a name in a template may mean."""
    for number in range(_library().clang_getNumOverloadedDecls(cursor)):
        yield _library().clang_getOverloadedDecl(cursor, number)
