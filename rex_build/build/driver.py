"""``rex-build cc SRC...`` as a compiler's command line, which ``wrapper.py`` runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..base.command_words import expanded
from ..base.diagnostics import ToolError, UsageError, no_such_file
from ..base.paths import argument
from ..request import language_of
from .compilers import c_compiler, cxx_compiler
from .foreign_flags import translate

_NOT_A_PROGRAM = frozenset(("-c", "-S", "-E", "-M", "-MM"))
_LINK_SUFFIXES = frozenset((".o", ".a", ".so", ".lo"))


def command_for(files: Sequence[Path], output: Path, flags: Sequence[str]) -> list[str]:
    """The command that makes a program of C and C++ sources, and of objects and libraries, with the user's flags.

    The compiler for C++, if there is such a source, compiles those in C as C. Raises RexError.
    """
    sources = sources_of(files)
    _check(sources, output, flags)
    is_cxx = any(language_of(source) == "c++" for source in sources)
    words: list[str] = []
    for source in sources:
        as_c = is_cxx and language_of(source) == "c"
        words += ["-x", "c", argument(source), "-x", "none"] if as_c else [argument(source)]
    words += [argument(file) for file in files if file not in sources]
    return [*(cxx_compiler() if is_cxx else c_compiler()), "-fopenmp", *words, *flags, "-o", str(output)]


def sources_of(files: Sequence[Path]) -> list[Path]:
    """The files that are compiled."""
    return [file for file in files if file.suffix not in _LINK_SUFFIXES and ".so." not in file.name]


def base_dir(sources: Sequence[Path]) -> Path:
    """The folder below which messages and debug information name the files. As with gcc, this is the current one. If a
    source is elsewhere, it is the folder that all of them have in common."""
    here = Path.cwd()
    folders = [source.absolute().parent for source in sources]
    return here if all(folder.is_relative_to(here) for folder in folders) else Path(os.path.commonpath(folders))


def _check(sources: Sequence[Path], output: Path, flags: Sequence[str]) -> None:
    """Raise RexError for what a compiler would take for something else, or say worse."""
    if not sources:
        raise UsageError("no C or C++ source was given")
    for source in sources:
        if source.suffix != ".c" and language_of(source) == "c":
            raise UsageError(f"{source} is neither a C or C++ source (.c, .cpp) nor something to link (.o, .a, .so)")
        if not source.is_file():
            raise no_such_file(source)
    doubles = [path for path, count in Counter(source.resolve() for source in sources).items() if count > 1]
    if doubles:
        raise UsageError(f"{doubles[0]} was given more than once")
    if not output.absolute().parent.is_dir():
        raise ToolError(f"cannot write {output}: no such folder")
    if output.is_dir():
        raise ToolError(f"cannot write {output}: is a directory")
    for word in translate(tuple(expanded(flags))).words:
        if word in _NOT_A_PROGRAM or word.startswith("-o"):
            raise UsageError(f"{word} cannot stand after --: cc makes a program, whose name comes before it (-o PROG)")
