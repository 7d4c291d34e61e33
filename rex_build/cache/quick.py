"""Answers command lines from the store, before any module that lowers or compiles is imported.

This module handles only the usual command lines. It leaves everything unusual, wrong or not in the store to the full
command line.
"""

from __future__ import annotations

import os
import sys

from ..base.command_words import (
    COLOR,
    DEVICE,
    LOWER,
    UNIT,
    chooses_more,
    compiler_at,
    nothing_is_reported,
    taken_out,
    which,
)
from ..base.ending import raise_if_ended
from ..base.outputs import place, write_depfile
from .flags import NotCachedError
from .memo import Memo, read_file
from .store import Store, read_settings
from .unit import UnitKey, UnitRequest, find_direct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..base.command_words import Rows
    from ..base.diagnostics import Diagnostic
    from .unit import UnitResult

LOWERED = {**UNIT, **LOWER, **COLOR}


class _UnusualError(Exception):
    """The command line is left to the full parser."""


class Options:
    """Parsed words: ``values`` by option, ``others`` that belong to no option, and the ``flags`` after ``--``.

    ``warnings`` are options for warnings that stand before ``--``.
    """

    __slots__ = ("flags", "others", "values", "warnings")

    def __init__(self, words: Sequence[str], rows: Rows) -> None:
        self.values: dict[str, list[str]] = {}
        self.others: list[str] = []
        self.warnings: list[str] = []
        self.flags: tuple[str, ...] = ()
        known = {name: row for names, row in rows.items() for name in names.split()}
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "--":
                self.flags = tuple(words[at:])
                break
            if not word.startswith("-") or word == "-":
                self.others.append(word)
                continue
            if rows is LOWERED and (word == "-w" or word.startswith("-W")):
                self.warnings.append(word)
                continue
            name, equals, value = word.partition("=")
            row = known.get(name)
            if row is None:
                raise _UnusualError
            takes_value = row.get("action") != "store_true"
            if equals and not takes_value:
                raise _UnusualError
            if takes_value and not equals:
                if at == len(words) or words[at].startswith("-"):
                    raise _UnusualError
                value = words[at]
                at += 1
            if value not in row.get("choices", (value,)):
                raise _UnusualError
            self.values.setdefault(name, []).append(value)

    def last(self, name: str) -> str:
        return self.values.get(name, [""])[-1]


def served(words: Sequence[str]) -> bool:
    """Answer the command line from the store if possible. Returns whether it was.

    Raises ToolError when an output cannot be written.
    """
    answer = _COMMANDS.get(words[0]) if words else None
    if answer is None:
        return False
    settings = read_settings()
    if settings.mode == "off":
        return False
    store = Store(settings)
    try:
        return answer(words[1:], store)
    except (_UnusualError, NotCachedError):
        return False


def _lower(words: Sequence[str], store: Store) -> bool:
    options = Options(words, LOWERED)
    memo = Memo(store)
    request = unit_request(options)
    key = UnitKey(request, memo)
    result, record, _ = find_direct(store, key, memo)
    if result is None or record is None:
        return False
    messages = None
    if result.usual or chooses_more(request.warnings):
        messages = _messages(result, key, request.warnings)
        if any(message.severity == "error" for message in messages):
            return False
    files: list[tuple[str, str | bytes]] = [(request.host, result.files["host"]), (request.cu, result.files["device"])]
    if request.depfile:
        names = [key.base.restore(name) for name, _ in record.files]
        files.append((request.depfile, write_depfile(request.host, names)))
    place(files, request.source)
    store.count("direct hit", result.cost)
    if messages:
        from ..base.diagnostics import report

        report(messages, options.last("--color") or "auto")
    return True


def _messages(result: UnitResult, key: UnitKey, warnings: Sequence[str]) -> tuple[Diagnostic, ...]:
    """What is said of a unit. Raises UsageError for a warning's name that there is not."""
    from ..base.findings import reported

    if not result.warnings:
        return tuple(reported((), warnings))
    from .step import unpack_messages

    diagnostics, findings = unpack_messages(result.warnings, key.base)
    return (*diagnostics, *reported(findings, warnings))


def unit_request(options: Options) -> UnitRequest:
    """The request that the full command line would make of these words."""
    if len(options.others) != 1:
        raise _UnusualError
    source = normal_path(options.others[0])
    name = source.rpartition("/")[2]
    dot = name.rfind(".")
    stem = name[:dot] if 0 < dot < len(name) - 1 else name
    out = options.last("--out-dir")
    host = options.last("--host-output") or (f"{out}/rose_{name}" if out else "")
    cu = options.last("--cu-output") or (f"{out}/rex_lib_{stem}.cu" if out else "")
    if not (host and cu):
        raise _UnusualError
    changed = {}
    for option in ("--anchor", "--on-unsupported", "--init"):
        given = options.values.get(option)
        if given and given[-1] != LOWERED[option].get("default"):
            changed[option[2:].replace("-", "_")] = given[-1]
    if "--separable" in options.values:
        changed["separable"] = "True"
    program, compiler_flags = _c_compiler(options.last("--cc"))
    flags, chosen = taken_out((*compiler_flags, *options.flags))
    if nothing_is_reported(warnings := (*options.warnings, *chosen)):
        changed["unchecked"] = "True"
    return UnitRequest(
        source, normal_path(host), normal_path(cu), flags, program, normal_path(options.last("--base-dir")), changed,
        options.last("--depfile"), warnings,
    )  # fmt: skip


def normal_path(path: str) -> str:
    """The path as pathlib would print it."""
    if "//" not in path and "/." not in path and not path.startswith("./") and not path.endswith("/"):
        return path
    if path.startswith("//"):
        raise _UnusualError
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/" * path.startswith("/") + "/".join(parts)


def split_words(command: str) -> list[str]:
    """The words of a command, split as ``shlex`` does. Every word must be unquoted or completely in single quotes."""
    if {'"', "\\", "#"} & set(command):
        raise _UnusualError
    words: list[str] = []
    pieces = command.split("'")
    if not len(pieces) % 2:
        raise _UnusualError
    for at, piece in enumerate(pieces):
        if at % 2:
            words.append(piece)
        elif (
            (at and piece[:1] not in ("", " "))
            or (at < len(pieces) - 1 and piece[-1:] not in ("", " "))
            or (not piece and 0 < at < len(pieces) - 1)
        ):
            raise _UnusualError
        else:
            words += piece.split()
    return words


def _c_compiler(given: str) -> tuple[str, tuple[str, ...]]:
    """(the compiler, the words after it), found as ``toolchain.find_cc`` and ``given_compiler`` find them."""
    command = given or os.getenv("CC", "")
    words = split_words(command)
    if not words:
        if found := which("gcc") or which("cc"):
            return found, ()
        raise _UnusualError
    at = compiler_at(words)
    if at is None:
        raise _UnusualError
    return words[at], tuple(words[at + 1 :])


def _device(words: Sequence[str], store: Store) -> bool:
    from ..tools.backends import parse_arch
    from .image import ImageKeys, ImageRequest, base_of, find_image

    options = Options(words, {**DEVICE, **COLOR})
    out = options.last("--output") or options.last("-o")
    arch = parse_arch(options.last("--arch"))
    command = split_words(options.last("--compiler"))
    if len(options.others) != 1 or not out or arch is None or not command:
        raise _UnusualError
    cu = normal_path(options.others[0])
    memo = Memo(store)
    try:
        text = read_file(cu)
    except OSError:
        return False
    request = ImageRequest(cu, text, arch, options.flags, command, "--separable" in options.values)
    image, said, cost, reason = find_image(store, ImageKeys(request, memo), base_of(request), memo)
    if reason:
        return False
    place([(out, image)], cu)
    store.count("image hit", cost)
    sys.stderr.write(said)
    return True


_COMMANDS: dict[str, Callable[[Sequence[str], Store], bool]] = {"lower": _lower, "device": _device}


def main() -> None:
    """Answer the command line of this process and end it, or return if the full command line is needed."""
    try:
        if served(sys.argv[1:]):
            sys.stderr.flush()
            # The interpreter's clean-up would take a tenth of a hit's time.
            os._exit(0)
    except Exception:
        raise_if_ended()
        # The full command line reports what is wrong, or works without the cache.
        if os.getenv("REX_BUILD_TRACEBACK"):
            raise
