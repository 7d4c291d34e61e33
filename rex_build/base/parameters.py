"""Compile flags as a build system hands them over: a file of lines, each one letter or word and its value.

=======  ==========================================================================================
``I``    include directory
``X``    directory the compiler searches anyway: dropped from the ``I`` lines
``D``    definition, ``NAME`` or ``NAME=VALUE``, verbatim; those that CMake drops are dropped here
``O``    option; ``SHELL:`` in front asks for splitting as a shell would
``C``    string of options, to be split as a shell would
``P``    header to include first: an absolute path, ``<name>`` or ``"name"``
``F``    CMake compile feature; ``c_std_<NN>`` counts
``std``  C standard (``11``), empty for none; ``stddefault`` the one the compiler has by itself
``ext``  whether GNU extensions are on (``ON`` unless a CMake false value)
=======  ==========================================================================================

Source: what CMake's target properties contain, and what CMake makes of them on the compiler's command line.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from .diagnostics import UsageError

_KEYS = frozenset(("I", "X", "D", "O", "C", "P", "F", "std", "stddefault", "ext"))
_FALSE = frozenset(("OFF", "0", "FALSE", "NO", "N"))
# Two-digit years in the order of time: C90 is older than C99, C11 newer.
_STANDARDS = ("90", "99", "11", "17", "23")


def read_params(files: Sequence[Path]) -> tuple[str, ...]:
    """The flags that the files together stand for, in the order a compiler gets them from CMake.

    Raises UsageError when a file cannot be read or has a line of another form.
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
        flags += shlex.split(words)
    flags += _standard(values)
    for option in _unique(values["O"]):
        flags += shlex.split(option[len("SHELL:") :]) if option.startswith("SHELL:") else [option] if option else []
    for header in _unique(values["P"]):
        flags += ["-include", header.strip('<>"')]
    return tuple(flags)


def _is_passed_on(definition: str) -> bool:
    """CMake warns about macros with parameters and about values with ``#``, and leaves them out."""
    name = definition.partition("=")[0]
    return bool(definition) and "(" not in name and "#" not in definition


def _unique(items: Iterable[str]) -> Iterable[str]:
    """CMake drops repeated items whole, before it splits any of them."""
    return dict.fromkeys(items)


def _standard(values: dict[str, list[str]]) -> list[str]:
    """``-std=`` as CMake chooses it: a named standard always, a required feature only above the compiler's default."""
    named = [_age(value) for value in values["std"] if value]
    required = [_age(value.removeprefix("c_std_")) for value in values["F"] if value.startswith("c_std_")]
    default = max((_age(value) for value in values["stddefault"] if value), default=-1)
    extensions = (values["ext"] or ["ON"])[-1].upper() not in _FALSE
    level = max(named + [age for age in required if named or age > default], default=-1)
    if level < 0 and not extensions:
        level = default
    return [f"-std={'gnu' if extensions else 'c'}{_STANDARDS[level]}"] if level >= 0 else []


def _age(standard: str) -> int:
    if standard not in _STANDARDS:
        raise UsageError(f"unknown C standard {standard!r}: expected one of {', '.join(_STANDARDS)}")
    return _STANDARDS.index(standard)
