"""Words of commands: launchers in front of compilers, response files, options for warnings, and options of our own.

Launchers run a compiler, under their own name or a compiler's. That compiler can change while they do not.

The options for warnings about the user's program are taken out of a command line. The host compiler has others:

=========================  ==============================================================================
``-Wrex-NAME``             report all findings of this name, likely ones too
``-Wno-rex-NAME``          report none of them
``-Wrex-all``              report every finding, likely ones too; ``-Wno-rex-all`` reports none
``-Werror=rex-NAME``       ``-Wrex-NAME``, and such a finding is an error; ``-Wno-error=rex-NAME`` says it is none
``-Werror``, ``-w``        as the host compiler has them, which gets them too: all are errors, or nothing is reported
=========================  ==============================================================================

As in gcc, an option with a name counts more than one for all, and of two equal ones the last. A cache hit reads this
module, so it imports nothing that Python has not imported yet.

``Reader`` reads the usual command lines of rex-build's own commands in place of ``argparse``.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    Row = dict[str, Any]
    Rows = dict[str, Row]

LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "buildcache", "colorgcc")
_OURS = ("-Wrex-", "-Wno-rex-", "-Werror=rex-", "-Wno-error=rex-")
_SHARED = ("-Werror", "-Wno-error", "-w")


def compiler_at(command: Sequence[str]) -> int | None:
    """The position in a command of the compiler itself, after its launchers, or None if there is none."""
    return next((at for at, word in enumerate(command) if os.path.basename(word) not in LAUNCHERS), None)


def which(program: str, path: str | None = None) -> str | None:
    """The path of a program, which may have folders in its name, or None if it is not there. ``path`` is as PATH.

    ``shutil`` does that, too, but loads libraries of compression first.
    """
    folders = [""] if "/" in program else (os.getenv("PATH", os.defpath) if path is None else path).split(os.pathsep)
    for folder in folders:
        found = program if "/" in program else f"{folder or '.'}/{program}"
        if os.access(found, os.X_OK) and os.path.isfile(found):
            return found
    return None


def taken_out(flags: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the flags that the host compiler gets, those that choose our warnings). Shared ones are in both."""
    words = tuple(flags)
    chosen = tuple([word for word in words if word in _SHARED or word.startswith(_OURS)])
    if not chosen:
        return words, ()
    return tuple([word for word in words if not word.startswith(_OURS)]), chosen


def chooses_more(chosen: Sequence[str]) -> bool:
    """Whether findings may be reported that are not reported without these words."""
    return any(word.startswith(_OURS) for word in chosen)


def nothing_is_reported(chosen: Sequence[str]) -> bool:
    """Whether no finding can be reported, so that none has to be looked for."""
    if "-w" in chosen:
        return True
    groups = [word for word in chosen if word in ("-Wrex-all", "-Wno-rex-all", "-Werror=rex-all")]
    named = any(word.startswith(("-Wrex-", "-Werror=rex-")) and word not in groups for word in chosen)
    return bool(groups) and groups[-1] == "-Wno-rex-all" and not named


def listed(given: str | None) -> tuple[str, ...]:
    """The words of an option's or an environment variable's list, which has commas or, from CMake, semicolons."""
    return tuple(given.replace(";", ",").split(",")) if given else ()


def shell_words(text: str) -> list[str]:
    """The words of a command, split as a shell does. Raises UsageError where a quote is not closed."""
    import shlex

    try:
        return shlex.split(text)
    except ValueError as error:
        from .diagnostics import UsageError

        raise UsageError(f"the command {text!r} cannot be split into words: {str(error).lower()}") from None


# Response files


def split_response(text: str) -> list[str]:
    """The words of a response file as gcc and nvcc split it: a backslash quotes any character, quotes may enclose."""
    if not {"'", '"', "\\"} & set(text):
        return text.split()
    words: list[str] = []
    word: list[str] | None = None
    quote = ""
    characters = iter(text)
    for character in characters:
        if character == "\\":
            word = [*(word or ()), next(characters, "")]
        elif quote:
            if character == quote:
                quote = ""
            else:
                word = [*(word or ()), character]
        elif character in "'\"":
            quote = character
            word = word or []
        elif character.isspace():
            if word is not None:
                words.append("".join(word))
            word = None
        else:
            word = [*(word or ()), character]
    return words if word is None else [*words, "".join(word)]


def expanded(arguments: Iterable[str], level: int = 0) -> Iterator[str]:
    """The arguments with ``@file`` replaced by the words of the file. As in gcc, it stays if there is no such file."""
    for word in arguments:
        if not word.startswith("@") or not os.path.isfile(word[1:]):
            yield word
            continue
        from .diagnostics import UsageError

        if level == _NESTED_FILES:
            raise UsageError("response files are nested too deeply: one of them names itself")
        try:
            with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        except OSError as error:
            raise UsageError(f"cannot read the response file {word[1:]}: {error.strerror}") from error
        yield from expanded(split_response(text), level + 1)


_NESTED_FILES = 50


def response_file(words: Iterable[str]) -> str:
    """The text of a response file with these words."""
    return "".join("".join(f"\\{letter}" if letter in _PROTECTED else letter for letter in w) + "\n" for w in words)


_PROTECTED = frozenset("\\'\" \t\n\v\f\r")


# Our own command lines. A row has an option's names, and what ``argparse`` is told of it. What is called a file or a
# folder is a path. A hit (``cache/quick.py``) needs these rows alone.

REMAINDER = "..."  # argparse.REMAINDER: a command's own options end with its first other word
SUPPRESS = "==SUPPRESS=="  # argparse.SUPPRESS

FORMATS = ("text", "json", "json-stderr", "json-file", "sarif-stderr", "sarif-file")
COLOR: Rows = {
    "--color": {"choices": ("always", "never", "auto"), "default": "auto", "help": "colour of messages"},
}
# Of explain, too.
UNIT: Rows = {
    "--cc": {"metavar": "COMMAND", "help": "the compiler (default: $CC, else gcc; for C++ $CXX or g++)"},
    "--base-dir": {"metavar": "DIR", "help": "names made from paths see them relative to DIR"},
    "--on-unsupported": {
        "choices": ("error", "host"),
        "default": "error",
        "help": "refuse a region that cannot be lowered, or leave it to the host with a warning",
    },
    "--separable": {
        "action": "store_true",
        "help": "declare target functions and variables may be defined in other units, linked by device-link",
    },
}
LOWER: Rows = {
    "--out-dir": {"metavar": "DIR", "help": "where both files go"},
    "--host-output": {"metavar": "FILE", "help": "the host file, instead of DIR/rose_<stem>.c"},
    "--cu-output": {"metavar": "FILE", "help": "the .cu, instead of DIR/rex_lib_<stem>.cu"},
    "--depfile": {"metavar": "FILE", "help": "write a make rule for the host file that names every file read"},
    "--anchor": {"metavar": "SYMBOL", "help": "refer to SYMBOL of the registration unit"},
    "--init": {
        "choices": ("main", "always", "lazy"),
        "default": "main",
        "help": "make the device ready at the head of main if the unit has device code, or always there, or at the "
        "first target construct",
    },
}
DEVICE: Rows = {
    "--arch": {"required": True, "metavar": "ARCH", "help": "sm_<NN>, or cpu"},
    "-o --output": {"required": True, "metavar": "FILE", "help": "the image to write"},
    "--compiler": {"metavar": "COMMAND", "help": "nvcc, or g++ for cpu (default: as doctor shows)"},
    "--launcher": {
        "metavar": "COMMAND",
        "type": shell_words,
        "default": [],
        "help": "put in front of the compiler: ccache, distcc",
    },
    "--separable": {"action": "store_true", "help": "make a device object, for device-link"},
}
WARNINGS: Rows = {
    "-W": {
        "metavar": "[no-]rex-NAME",
        "dest": "warnings",
        "type": "-W{}".format,
        "action": "append",
        "default": [],
        "help": "report findings of one name, or of all names with rex-all; error=rex-NAME makes them errors",
    },
    "-w": {"dest": "warnings", "action": "append_const", "const": "-w", "help": "report no findings"},
}


def add_rows(command: ArgumentParser | Reader, rows: Rows, path: type | None = None) -> None:
    """Give the rows to a parser. ``path`` is the type of paths: ``pathlib.Path``, if there is none."""
    if path is None:
        from pathlib import Path as path  # noqa: N813
    for names, row in rows.items():
        kind: Row = {"type": path} if row.get("metavar") in ("DIR", "FILE") else {}
        command.add_argument(*names.split(), **kind, **row)


class Options:
    """What a command line says, by the names that ``argparse`` gives to it."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.__dict__.update(values or {})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...


class UnusualError(Exception):
    """It is for ``argparse`` to say what a command line means, or what is wrong with it."""


class Reader:
    """Reads the usual command lines of one command. It is told of options as ``argparse`` is, and says the same.

    To import ``argparse``, and to tell it the options of one command, takes longer than a cache hit.
    """

    usage: str | None  # what only help says
    description: str | None
    epilog: str | None

    def __init__(self) -> None:
        self._options: Rows = {}
        self._others: list[tuple[str, Row]] = []
        self._values: dict[str, Any] = {}

    def add_argument(self, *names: str, **row: Any) -> None:
        if not names[0].startswith("-"):
            self._others.append((names[0], row))
            return
        long = [name for name in names if name.startswith("--")]
        row.setdefault("dest", (*long, *names)[0].lstrip("-").replace("-", "_"))
        self._options.update(dict.fromkeys(names, row))
        default = False if row.get("action") == "store_true" else None
        self._values.setdefault(row["dest"], row.get("default", default))

    def set_defaults(self, **values: Any) -> None:
        self._values.update(values)

    def read(self, words: Sequence[str]) -> Options:
        """What the words say. Raises UnusualError."""
        values, given = dict(self._values), set()
        takes_rest = [row.get("nargs") for _, row in self._others] == [REMAINDER]
        others: list[str] = []
        at = end = 0
        while at < len(words):
            word = words[at]
            at += 1
            if not word.startswith("-") or word == "-":
                if takes_rest:
                    others = list(words[at - 1 :])
                    break
                if others and end != at - 1:
                    raise UnusualError  # argparse may not take others behind options
                others.append(word)
                end = at
                continue
            row, value = self._option(word)
            if value is None and row.get("action") in _WITH_VALUE and at < len(words) and not words[at].startswith("-"):
                value = words[at]
                at += 1
            given.add(dest := row["dest"])
            found = _taken(row, value)
            values[dest] = [*(values[dest] or ()), found] if "append" in row.get("action", "") else found
        if any(row.get("required") and row["dest"] not in given for row in self._options.values()):
            raise UnusualError
        return Options(values | self._shared_out(others))

    def _option(self, word: str) -> tuple[Row, str | None]:
        """(the row of an option, the value that is in the same word)."""
        name, equals, value = word.partition("=")
        if not word.startswith("--") and word not in self._options:
            name, equals, value = word[:2], "=", word[2:]
            if value.startswith("="):
                raise UnusualError
        if name not in self._options:
            raise UnusualError
        return self._options[name], value if equals else None

    def _shared_out(self, words: Sequence[str]) -> dict[str, Any]:
        """The words that belong to no option, by the names of what takes them."""
        found: dict[str, Any] = {}
        left = list(words)
        for name, row in self._others:
            nargs = row.get("nargs")
            if nargs is None and left:
                found[name] = _converted(row, left.pop(0))
            elif nargs in ("*", REMAINDER) or (nargs == "+" and left):
                found[name] = [_converted(row, word) for word in left] or row.get("default", [])
                left = []
            else:
                raise UnusualError
        if left:
            raise UnusualError
        return found


_WITH_VALUE = (None, "store", "append")


def _taken(row: Row, value: str | None) -> Any:
    """What an option says with this value, or without one."""
    if row.get("action") in _WITH_VALUE and value is not None and "nargs" not in row:
        return _converted(row, value)
    if row.get("action") in ("store_true", "append_const") and value is None:
        return row.get("const", True)
    raise UnusualError


def _converted(row: Row, text: str) -> Any:
    try:
        value = row.get("type", str)(text)
    except (TypeError, ValueError):
        raise UnusualError from None
    if value not in row.get("choices", (value,)):
        raise UnusualError
    return value
