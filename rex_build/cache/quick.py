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
    WARNINGS,
    Reader,
    UnusualError,
    add_rows,
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

    from ..base.command_words import Options, Rows
    from ..base.diagnostics import Diagnostic
    from .unit import UnitResult

LOWERED = {**UNIT, **LOWER, **COLOR, **WARNINGS}


def options_of(words: Sequence[str], rows: Rows) -> Options:
    """What the words of a command with one file say. ``cflags`` are those after ``--``. Raises UnusualError."""
    reader = Reader()
    reader.add_argument("source")
    add_rows(reader, rows, str)
    split = words.index("--") if "--" in words else len(words)
    options = reader.read(words[:split])
    options.cflags = tuple(words[split + 1 :])
    return options


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
    except (UnusualError, NotCachedError):
        return False


def _lower(words: Sequence[str], store: Store) -> bool:
    options = options_of(words, LOWERED)
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

        report(messages, options.color)
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
    source = normal_path(options.source)
    name = source.rpartition("/")[2]
    dot = name.rfind(".")
    stem = name[:dot] if 0 < dot < len(name) - 1 else name
    out = options.out_dir
    host = options.host_output or (f"{out}/rose_{name}" if out else "")
    cu = options.cu_output or (f"{out}/rex_lib_{stem}.cu" if out else "")
    if not (host and cu):
        raise UnusualError
    changed = {}
    for option in ("--anchor", "--on-unsupported", "--init"):
        dest = option[2:].replace("-", "_")
        if (given := getattr(options, dest)) != LOWERED[option].get("default"):
            changed[dest] = given
    if options.separable:
        changed["separable"] = "True"
    program, compiler_flags = _c_compiler(options.cc or "")
    flags, chosen = taken_out((*compiler_flags, *options.cflags))
    if nothing_is_reported(warnings := (*options.warnings, *chosen)):
        changed["unchecked"] = "True"
    return UnitRequest(
        source, normal_path(host), normal_path(cu), flags, program, normal_path(options.base_dir or ""), changed,
        options.depfile or "", warnings,
    )  # fmt: skip


def normal_path(path: str) -> str:
    """The path as pathlib would print it."""
    if "//" not in path and "/." not in path and not path.startswith("./") and not path.endswith("/"):
        return path
    if path.startswith("//"):
        raise UnusualError
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/" * path.startswith("/") + "/".join(parts)


def split_words(command: str) -> list[str]:
    """The words of a command, split as ``shlex`` does. Every word must be unquoted or completely in single quotes."""
    if {'"', "\\", "#"} & set(command):
        raise UnusualError
    words: list[str] = []
    pieces = command.split("'")
    if not len(pieces) % 2:
        raise UnusualError
    for at, piece in enumerate(pieces):
        if at % 2:
            words.append(piece)
        elif (
            (at and piece[:1] not in ("", " "))
            or (at < len(pieces) - 1 and piece[-1:] not in ("", " "))
            or (not piece and 0 < at < len(pieces) - 1)
        ):
            raise UnusualError
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
        raise UnusualError
    at = compiler_at(words)
    if at is None:
        raise UnusualError
    return words[at], tuple(words[at + 1 :])


def _device(words: Sequence[str], store: Store) -> bool:
    from ..tools.backends import parse_arch
    from .image import ImageKeys, ImageRequest, base_of, find_image

    options = options_of(words, {**DEVICE, **COLOR})
    arch = parse_arch(options.arch)
    command = split_words(options.compiler or "")
    if arch is None or not command:
        raise UnusualError
    cu = normal_path(options.source)
    memo = Memo(store)
    try:
        text = read_file(cu)
    except OSError:
        return False
    request = ImageRequest(cu, text, arch, options.cflags, command, options.separable)
    image, said, cost, reason = find_image(store, ImageKeys(request, memo), base_of(request), memo)
    if reason:
        return False
    place([(options.output, image)], cu)
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
