"""Reads compile flags from the files that a build system writes. Each line is a letter or word, a blank and a value.

============  =====================================================================================
``I``         include directory
``X``         directory that the compiler searches anyway; it is dropped from the ``I`` lines
``D``         definition, ``NAME`` or ``NAME=VALUE``, verbatim; what CMake would drop is dropped here too
``O``         option; with ``SHELL:`` in front it is split as a shell would split it
``C``         string of options, which is split as a shell would split it
``P``         header to include first: an absolute path, ``<name>`` or ``"name"``
``F``         CMake compile feature; only ``c_std_<NN>`` and ``cxx_std_<NN>`` matter
``language``  ``C`` or ``CXX``, and C if there is no such line
``std``       standard of the language (``11``), empty for none; ``stddefault`` is the compiler's own default
``ext``       whether GNU extensions are on (``ON`` unless it is a false value of CMake's)
============  =====================================================================================

Source: the contents of CMake's target properties, and the command lines that CMake makes of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from .command_words import shell_words
from .diagnostics import UsageError

_KEYS = frozenset(("I", "X", "D", "O", "C", "P", "F", "language", "std", "stddefault", "ext"))
_FALSE = frozenset(("OFF", "0", "FALSE", "NO", "N"))
# Two-digit years, oldest first. They do not sort as numbers: C90 and C99 are older than C11.
_STANDARDS = {"C": ("90", "99", "11", "17", "23"), "CXX": ("98", "11", "14", "17", "20", "23", "26")}
_FLAGS = {"C": ("gnu", "c"), "CXX": ("gnu++", "c++")}  # with and without GNU extensions


def read_params(files: Sequence[Path]) -> tuple[str, ...]:
    """The flags in these files together, in the order in which CMake passes them to a compiler.

    Raises UsageError when a file cannot be read or has a malformed line.
    """
    values: dict[str, list[str]] = defaultdict(list)
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError as error:
            raise UsageError(f"cannot read {file}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            key, _, value = line.partition(" ")
            if key not in _KEYS:
                raise UsageError(f"{file}:{number}: expected one of {', '.join(sorted(_KEYS))}, got {line!r}")
            values[key].append(value)
    implicit = set(values["X"])
    flags = [f"-D{definition}" for definition in _unique(values["D"]) if _is_passed_on(definition)]
    flags += [f"-I{folder}" for folder in _unique(values["I"]) if folder and folder not in implicit]
    for words in values["C"]:
        flags += shell_words(words)
    flags += _standard(values)
    for option in _unique(values["O"]):
        flags += shell_words(option[len("SHELL:") :]) if option.startswith("SHELL:") else [option] if option else []
    for header in _unique(values["P"]):
        flags += ["-include", header.strip('<>"')]
    return tuple(flags)


def _is_passed_on(definition: str) -> bool:
    """Whether CMake passes a definition on. It leaves out macros with parameters and values with ``#``."""
    name = definition.partition("=")[0]
    return bool(definition) and "(" not in name and "#" not in definition


def _unique(items: Iterable[str]) -> Iterable[str]:
    """The items without repetitions. CMake drops repeated items before it splits any of them."""
    return dict.fromkeys(items)


def _standard(values: dict[str, list[str]]) -> list[str]:
    """The ``-std=`` flag that CMake would pass.

    CMake always passes a standard that is named, and one that a feature requires only above the compiler's default.
    """
    language = (values["language"] or ["C"])[-1]
    prefix = f"{language.lower()}_std_"
    named = [_age(value, language) for value in values["std"] if value]
    required = [_age(value.removeprefix(prefix), language) for value in values["F"] if value.startswith(prefix)]
    default = max((_age(value, language) for value in values["stddefault"] if value), default=-1)
    extensions = (values["ext"] or ["ON"])[-1].upper() not in _FALSE
    level = max(named + [age for age in required if named or age > default], default=-1)
    if level < 0 and not extensions:
        level = default
    word = _FLAGS[language][not extensions]
    return [f"-std={word}{_STANDARDS[language][level]}"] if level >= 0 else []


def _age(standard: str, language: str) -> int:
    known = _STANDARDS[language]
    if standard not in known:
        raise UsageError(f"unknown {language} standard {standard!r}: expected one of {', '.join(known)}")
    return known.index(standard)
