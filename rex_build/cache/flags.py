"""Which files flags and variables may make a compiler read. What reads files that are not checked is not cached.

A flag is understood if it names no file, or if the lookups in ``discover`` know what it names: folders of headers, and
headers that every unit includes. Any other word that may name a file is refused, whatever the option before it does.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class NotCachedError(Exception):
    """This unit or image is not cached. ``str()`` says why."""


# The variables are those for which the programs ask the C library, found by answering it, and those of their manuals.
# Where a driver looks for its programs, headers and configuration files:
DRIVER_VARIABLES = (
    "GCC_EXEC_PREFIX", "COMPILER_PATH", "GCC_ROOT", "G++_ROOT", "BINUTILS_ROOT", "CLANG_NO_DEFAULT_CONFIG",
)  # fmt: skip
# What changes preprocessed text, and what changes compiled and linked code.
PREPROCESSING = (*DRIVER_VARIABLES, "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH")
COMPILING = (
    *PREPROCESSING, "LIBRARY_PATH", "LPATH", "LD_RUN_PATH", "GNUTARGET", "LDEMULATION", "GCC_COMPARE_DEBUG",
    "LLVM_OVERRIDE_PRODUCER",
)  # fmt: skip
# These let clang read flags that the command line does not show, or make gcc and clang write files or more messages.
_UNCHECKED_VARIABLES = (
    "CCC_OVERRIDE_OPTIONS", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CC_PRINT_HEADERS", "CC_PRINT_HEADERS_FILE",
    "CC_PRINT_OPTIONS", "CC_LOG_DIAGNOSTICS", "CC_PRINT_INTERNAL_STAT", "CC_PRINT_PROC_STAT",
)  # fmt: skip

FORCED = ("-include", "-imacros")
# Options that name a folder or a header, in this word or in the next one. The longest name counts.
SEARCHED = (
    *FORCED, "-I", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore",
)  # fmt: skip
PREFIX_MAPS = ("-fmacro-prefix-map=", "-ffile-prefix-map=", "-fdebug-prefix-map=", "-fcoverage-prefix-map=")
_MACROS = ("-D", "-U", "-A")
# These flags have side effects that a hit would not have, read files that they do not name, or hide other flags.
_NOT_CACHED = (
    "-M", "-save-temps", "--save-temps", "-specs", "--specs", "-wrapper", "-B", "--prefix", "-dump", "-fdump",
    "-fplugin", "-fpch", "-fmodule", "-fimplicit-module", "-fprebuilt-module", "-fbuiltin-module", "-fpass-plugin",
    "-include-pch", "-Xclang", "-cc1", "-mllvm", "-load", "-ivfsoverlay", "-vfsoverlay", "--config", "-remap", "@",
)  # fmt: skip
# The other spellings of gcc, clang and nvcc for options above. Their value follows behind "=", or as the next word.
_LONG = {
    "--include": "-include", "--imacros": "-imacros", "--include-directory": "-I",
    "--include-directory-after": "-idirafter", "--include-prefix": "-iprefix", "--include-with-prefix": "-iwithprefix",
    "--include-with-prefix-after": "-iwithprefix", "--include-with-prefix-before": "-iwithprefixbefore",
    "--include-path": "-I", "--system-include": "-isystem", "--pre-include": "-include", "--define-macro": "-D",
    "--undefine-macro": "-U", "--assert": "-A", "--sysroot": "--sysroot",
}  # fmt: skip


def told(names: Iterable[str]) -> list[tuple[str, str]]:
    """Those of these variables that are set, with their values. Raises NotCachedError for one that is not checked."""
    for name in _UNCHECKED_VARIABLES:
        if os.getenv(name) is not None:
            raise NotCachedError(f"environment {name}")
    return [(name, value) for name in names if (value := os.getenv(name)) is not None]


def short_options(words: Iterable[str]) -> Iterator[str]:
    """The words with the short spelling of each option that has two: ``--include=a.h`` as ``-include a.h``."""
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        short = _LONG.get(name)
        if short is None:
            yield word
        elif equals:
            yield short
            yield value
        else:
            yield short


def searched(word: str) -> str:
    """The option of ``SEARCHED`` that a word is or begins with, or an empty text."""
    return max((name for name in SEARCHED if word.startswith(name)), key=len) if word.startswith(SEARCHED) else ""


def check_flags(words: Sequence[str], harmless: tuple[str, ...] = (), refused: tuple[str, ...] = ()) -> None:
    """Raise NotCachedError for a word that has side effects, or that may name a file whose content is not checked.

    ``words`` have short options and no response files. Words that begin with one of ``harmless`` read nothing here, nor
    does the word after such an option. Words that begin with one of ``refused`` are refused beside the usual ones.
    """
    rest = iter(words)
    for word in rest:
        if word.startswith(_NOT_CACHED) or word.startswith(refused) or word == "-":
            raise NotCachedError(f"flag {word}")
        if word.startswith(SEARCHED):
            if word in SEARCHED:
                next(rest, None)
        elif word.startswith(_MACROS):
            if word in _MACROS:
                next(rest, None)
        elif word.startswith(harmless):
            if word in harmless:
                next(rest, None)
        elif not word.startswith(PREFIX_MAPS) and _may_name_file(word):
            raise NotCachedError(f"flag {word}")


def _may_name_file(word: str) -> bool:
    if "/" in word:
        return True
    if not word.startswith("-"):
        return ("." in word and not _is_number(word)) or os.path.lexists(word)
    value = word.partition("=")[2]
    if value and os.path.lexists(value):
        return True
    return "." in word and not word.startswith("-m") and not _is_number(value)  # -msse4.2


def _is_number(word: str) -> bool:
    return word.replace(".", "").isalnum() and word[:1].isdigit()
