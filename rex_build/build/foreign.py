"""Finds target constructs in languages that are not lowered, so that no region runs on the host unnoticed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..base.diagnostics import Diagnostic, InputError, SourceSpan
from ..base.patterns import regex
from ..c.source.flags import for_preprocessor
from .command_line import CommandLine, Input, Language

NOT_LOWERED = "a target construct in {} is not lowered: rex-build lowers C and C++"
MOVE = "move the region into such a file, or leave it to the host with --on-unsupported=host (REX_ON_UNSUPPORTED)"
# The beginning of a construct that moves data or work to a device: 'target' is the directive's first word, or that of a
# variant of a metadirective. 'declare target' and the like do nothing alone, and a variable may have that name.
_TARGET = regex(
    r"(?:^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+|\[\s*\[[^][;]*?\b(?:omp|__omp__)\s*:[^][;]*?\bdirective(?:__)?\s*\(\s*)"
    r"(?:metadirective\b[^\n]*?(?::|(?:otherwise|default)[ \t]*\()[ \t]*)?(target)\b",
    re.MULTILINE,
)
_FORTRAN_LINE = regex(r"^[ \t]*[!c*]\$omp(.*)$", re.IGNORECASE | re.MULTILINE)
# Blanks say nothing in fixed form, and are taken out.
_FORTRAN_TARGET = regex(r"target|(?:begin)?metadirective.*[:(]target")
_PREPROCESSED = {Language.PREPROCESSED_C: "c", Language.PREPROCESSED_CXX: "c++"}
_MARKER = regex(r'^# (\d+) "((?:[^"\\]|\\.)*)"', re.MULTILINE)


def check_foreign(
    compiler: Sequence[str], source: Input, line: CommandLine, on_unsupported: str, data: bytes | None = None
) -> list[Diagnostic]:
    """Warnings about target constructs in a source that is not lowered, if ``on_unsupported`` is ``host``.

    ``data`` is the text of the standard input. Otherwise raises InputError for such constructs. The compiler itself
    reports a file that it cannot preprocess.
    """
    found = _target_construct(compiler, source, line, data)
    if found is None:
        return []
    where = source.language.value + " from the standard input" * (data is not None and source.name == "-")
    what = NOT_LOWERED.format(where) + " files" * (data is not None)
    if on_unsupported == "host":
        return [Diagnostic("warning", f"{what}; the region runs on the host", found)]
    raise InputError([Diagnostic("error", what, found, (MOVE,))])


def warn_of_assembly(compiler: Sequence[str], line: CommandLine) -> list[Diagnostic]:
    """Warnings about target constructs in sources that become assembly, which can hold no device images."""
    found = [_target_construct(compiler, source, line) for source in line.sources if source.name != "-"]
    what = "with -S, a target construct is not lowered: the region in this assembly runs on the host"
    return [Diagnostic("warning", what, place) for place in found if place is not None]


def _target_construct(
    compiler: Sequence[str], source: Input, line: CommandLine, data: bytes | None = None
) -> SourceSpan | None:
    """The place of the first target construct of a source that is not lowered."""
    text = (data or b"").decode("utf-8", "surrogateescape") if source.name == "-" else _text(source)
    if source.language is Language.FORTRAN:
        return _fortran_target(text, source.name)
    if source.language not in (Language.C, Language.CXX, *_PREPROCESSED):
        return None
    words = source.words
    if source.language in _PREPROCESSED:  # compilers print nothing for such a file
        words = ("-x", _PREPROCESSED[source.language], source.name)
    # Macros, included files and conditions decide which constructs exist. Some compilers know _Pragma in any text.
    command = [*compiler, *for_preprocessor(line.compile_flags), "-fopenmp", "-E", *words]
    done = subprocess.run(command, input=data, capture_output=True)
    return None if done.returncode else _place(done.stdout.decode("utf-8", "surrogateescape"), source.name)


def _fortran_target(text: str, name: str) -> SourceSpan | None:
    """The first target construct of a Fortran file. Directives go on behind ``&``, or behind a mark in column 6."""
    directive = ""
    for match in _FORTRAN_LINE.finditer(text):
        words = match[1].strip()
        marked = match[1][:1] not in ("", " ", "\t") or (words.startswith("&") and words != "&")
        goes_on = directive.endswith("&") or marked
        directive = directive.rstrip("&") + words[marked:] if goes_on else words
        if _FORTRAN_TARGET.match("".join(directive.split()).lower()):
            return _span(text, match.start(1) + match[1].lower().find("target"), len("target"), name)
    return None


def _text(source: Input) -> str:
    """The text of a file. It is empty if the file cannot be read, which the compiler reports."""
    try:
        return Path(source.name).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _place(preprocessed: str, name: str) -> SourceSpan | None:
    """The place in the user's files of the first target construct in a preprocessed text."""
    match = _TARGET.search(preprocessed)
    if match is None:
        return None
    markers = list(_MARKER.finditer(preprocessed, 0, match.start()))
    if not markers:
        return _span(preprocessed, match.start(1), len(match[1]), name)
    number = int(markers[-1][1]) + preprocessed.count("\n", markers[-1].end(), match.start(1)) - 1
    column = match.start(1) - preprocessed.rfind("\n", 0, match.start(1))
    return SourceSpan(markers[-1][2].replace('\\"', '"'), number, column, len(match[1]))


def _span(text: str, start: int, length: int, name: str) -> SourceSpan:
    return SourceSpan(name, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), length)
