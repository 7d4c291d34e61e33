"""Finds out whether a unit has anything to lower, by reading files and without running the compiler."""

from __future__ import annotations

import codecs
import os
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ...base.diagnostics import InputError
from ...base.records import dataclass

# Words of directives that concern the device, or that the host compiler may not know.
_WORDS = (
    *(b"target", b"declare", b"metadirective", b"requires", b"inscan", b"error", b"assume", b"assumes", b"tile"),
    *(b"unroll", b"reverse", b"interchange", b"dispatch", b"interop", b"allocate", b"detach", b"doacross", b"scope"),
    *(b"inoutset", b"omp_all_memory", b"destroy", b"linear", b"conditional"),
)
_HINTS = (*_WORDS, b"_Pragma")
# Words with which the names of other directives begin. Any other word is a macro, or an unknown directive.
_HOST_DIRECTIVES = (
    *(b"atomic", b"barrier", b"begin", b"cancel", b"cancellation", b"critical", b"depobj", b"distribute", b"end"),
    *(b"flush", b"for", b"loop", b"masked", b"master", b"nothing", b"ordered", b"parallel", b"scan", b"section"),
    *(b"sections", b"simd", b"single", b"task", b"taskgroup", b"taskloop", b"taskwait", b"taskyield", b"teams"),
    b"threadprivate",
)
# Such a pragma, in text without continued lines. A comment in it may continue in the next line.
_GAP = rb"(?:[ \t\f\v]|/\*(?:[^*]|\*(?!/))*\*/)"
_HASH = rb"(?:#|%:|\?\?=)"  # and its digraph and trigraph
_PRAGMA = re.compile(
    rb"(?:" + _HASH + _GAP + rb"*pragma" + _GAP + rb"+omp|_Pragma)\b"
    rb"[^\n]*?(?:\b(?:" + b"|".join(_WORDS) + rb")\b|/\*)"
    rb"|_Pragma\s*\(\s*[^\"\s]"
)
_DIRECTIVE = re.compile(
    rb"(?:" + _HASH + _GAP + rb"*pragma" + _GAP + rb"+|_Pragma\s*\(\s*\"\s*)omp\b[ \t\f\v]*([^\n]*)"
)
_DEFINITION = re.compile(rb"^[ \t]*" + _HASH + rb"[ \t]*define[ \t]+(\w+)([^\n]*)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_CONTINUATION = re.compile(rb"\\[ \t\r]*\n")
# Functions that omp.h may lack, or declare differently from LLVM's (see c/analysis/runtime_api.py).
_FUNCTION = re.compile(
    rb"\bomp_(?:control_tool|get_mapped_ptr|get_(?:num_)?interop_\w+|in_explicit_task|target_(?:is_accessible|memset|\w+_async)"
    rb"|\w+_affinity(?:_format)?)[ \t\n]*\(|\bomp_(?:initial|invalid)_device\b"
)
_ATTRIBUTE = re.compile(rb"\bomp[ \t\n]*:")  # a directive written as an attribute
_INCLUDE = re.compile(
    rb"^[ \t]*" + _HASH + rb"[ \t]*(?:include|include_next|import)[ \t]*(?:\"([^\"\n]*)\"|<([^>\n]*)>|(.))",
    re.MULTILINE,
)
# The beginning of main, up to where its first statement can stand.
_MAIN = re.compile(rb"^[^\n#\"'/]*\bmain[ \t\n]*\([^;{}()]*\)[ \t\n]*\{(?:[ \t\n]*__label__[^;]*;)*", re.MULTILINE)


@dataclass(frozen=True)
class Scan:
    """``needs_lowering`` is true if there may be a directive. ``includes`` are the user's headers that were read."""

    text: bytes
    needs_lowering: bool
    includes: tuple[Path, ...]


def scan(source: Path, cflags: Sequence[str]) -> Scan:
    """Read a unit and the user's headers that it may include, and look for directives that concern the device.

    Conditionals are not evaluated, so this may read more than is compiled. A header that is not found in the user's
    directories counts as a system header. Raises InputError if the source cannot be read.
    """
    try:
        text = source.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise InputError(f"{source}: {error.strerror or 'cannot be read'}") from None
    directories, forced = _include_flags(cflags)
    found: dict[Path, None] = {}
    needs = may_concern_device(text)
    queue = [(text, source.parent)]
    for header in forced:
        path = _locate(header, Path(), [Path(), *directories])
        if path is not None:
            header_text = path.read_bytes()
            needs = needs or may_concern_device(header_text)
            queue.append((header_text, path.parent))
            found[path] = None
    texts: list[bytes] = []
    while queue and not needs:
        content, folder = queue.pop()
        texts.append(content)
        for match in _INCLUDE.finditer(content):
            if match[3]:
                needs = True  # only the preprocessor knows what a computed include includes
                break
            name = (match[1] or match[2]).decode("utf-8", "surrogateescape")
            path = _locate(name, folder if match[1] else None, directories)
            if path is None or path in found:
                continue
            found[path] = None
            header_text = path.read_bytes()
            if may_concern_device(header_text):
                needs = True
                break
            queue.append((header_text, path.parent))
    return Scan(text, needs or _macros_concern_device(texts, cflags), tuple(found))


def _macros_concern_device(texts: Sequence[bytes], cflags: Sequence[str]) -> bool:
    """Whether macros of the texts or the flags may put such a word into one of the texts' directives."""
    words = {word for text in texts for written in _directives(text) for word in _WORD.findall(written)}
    if not words:
        return False
    macros: dict[bytes, set[bytes]] = {}
    definitions = [match.groups() for text in texts for match in _DEFINITION.finditer(_CONTINUATION.sub(b" ", text))]
    for flag, following in pairwise([*map(os.fsencode, cflags), b""]):
        if flag.startswith(b"-D"):
            name, _, body = (flag[2:] or following).partition(b"=")
            definitions.append((name, body))
    for name, body in definitions:
        macros.setdefault(name, set()).update(_WORD.findall(body))
    waiting = list(words)
    while waiting:
        new = macros.get(waiting.pop(), set()) - words
        words |= new
        waiting += new
    return not words.isdisjoint(_WORDS)


def _directives(text: bytes) -> list[bytes]:
    """The directives of OpenMP in a text, without ``omp``, each to the end of its line."""
    return _DIRECTIVE.findall(_CONTINUATION.sub(b" ", text)) if b"omp" in text else []


def may_concern_device(text: bytes) -> bool:
    """Whether the text may have a directive about devices, or a call that matters here. "No" is always right."""
    if (b"omp_" in text and _FUNCTION.search(text)) or (b"[[" in text and _ATTRIBUTE.search(text)):
        return True
    if any(hint in text for hint in _HINTS) and _PRAGMA.search(_CONTINUATION.sub(b" ", text)):
        return True
    first = (_WORD.match(written) for written in _directives(text))
    return any(word is not None and word[0] not in _HOST_DIRECTIVES for word in first)


def _include_flags(cflags: Sequence[str]) -> tuple[list[Path], list[str]]:
    """(the user's include directories, headers included by -include)."""
    directories = [Path(d) for name in ("CPATH", "C_INCLUDE_PATH") for d in os.environ.get(name, "").split(":") if d]
    forced: list[str] = []
    words = iter(cflags)
    for word in words:
        if word in ("-I", "-iquote", "-isystem", "-idirafter"):
            directories.append(Path(next(words, "")))
        elif word.startswith("-I"):
            directories.append(Path(word[2:]))
        elif word.startswith(("-iquote", "-isystem", "-idirafter")):
            directories.append(Path(re.sub("^-(iquote|isystem|idirafter)", "", word)))
        elif word in ("-include", "-imacros"):
            forced.append(next(words, ""))
        elif word.startswith("@"):
            try:
                nested, more = _include_flags(shlex.split(Path(word[1:]).read_text()))
            except OSError:
                continue
            directories += nested
            forced += more
    return directories, forced


def _locate(name: str, folder: Path | None, directories: Sequence[Path]) -> Path | None:
    for directory in ([folder] if folder is not None else []) + list(directories):
        path = directory / name
        try:
            if path.is_file():
                return path
        except OSError:
            continue
    return None


def main_body(text: bytes) -> int | None:
    """The offset at which the first statement of ``main`` can stand, or None if ``main`` is not found."""
    match = _MAIN.search(text)
    return match.end() if match else None
