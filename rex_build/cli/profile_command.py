"""The command ``profile`` and its arguments."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.command_words import REMAINDER
from ..base.diagnostics import Diagnostic, ToolError, UsageError, report

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..base.command_words import Options, Reader
    from ..profile.measured import Profile


def add_profile(command: ArgumentParser | Reader) -> None:
    command.usage = (
        "%(prog)s [-o REPORT.html] [--json FILE] [--trace FILE] [--source DIR] PROGRAM [ARGUMENTS...]\n"
        "       %(prog)s --compare BEFORE.json AFTER.json"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write a page with sources, timeline, table and advice"
    )
    command.add_argument("--json", metavar="FILE", type=Path, help="write all numbers as JSON ('-': to stdout)")
    command.add_argument("--trace", metavar="FILE", type=Path, help="write a timeline in Chrome's trace format")
    command.add_argument(
        "--source", metavar="DIR", type=Path, action="append", default=[],
        help="where the page finds sources (besides the current folder and the program's)",
    )  # fmt: skip
    command.add_argument(
        "--compare",
        metavar="FILE",
        type=Path,
        nargs=2,
        help="run nothing, and compare two files that --json has written",
    )
    command.add_argument("program", nargs=REMAINDER, metavar="PROGRAM", help="the program and its arguments")


def run_profile(options: Options) -> int:
    """Run the program, and print the table to stderr. The exit status is the program's."""
    if options.compare is not None:
        from ..profile.compare import compared

        print(compared(*options.compare))
        return 0
    from ..profile.measured import as_json
    from ..profile.run import run_profiled
    from ..profile.table import as_table, as_trace

    words = [*options.program, *(["--"] if options.program and options.separated else []), *options.cflags]
    if not words:
        raise UsageError("profile needs a program to run: rex-build profile ./app")
    for folder in options.source:
        if not folder.is_dir():
            raise UsageError(f"--source {folder} is no folder")
    _check_outputs(words[0], {"-o": options.output, "--json": options.json, "--trace": options.trace})
    status, profile = run_profiled(words, with_events=bool(options.output or options.trace))
    ended = f"{words[0]} was ended by {_signal(-status)}" if status < 0 else ""
    status = status if status >= 0 else 128 - status  # as a shell says it
    if profile is None:
        why = ended or "it met no directive for devices, or it uses no libomptarget that can be replaced"
        report([Diagnostic("warning", f"nothing was recorded of {words[0]}", notes=(why,))], options.color)
        return status
    if options.output is not None:
        _write(options.output, [_page(profile, options.source)])
    if options.trace is not None:
        _write(options.trace, as_trace(profile))
    if options.json is not None:
        import json

        _write(options.json, [json.dumps(as_json(profile), indent=2)])
    print(as_table(profile), file=sys.stderr)  # last, because its reader may have gone
    if ended:
        report([Diagnostic("warning", f"{ended}; the profile has what it did before")], options.color)
    if options.trace is not None and profile.dropped:
        note = f"the timeline lacks the last {profile.dropped} events; sums have them"
        report([Diagnostic("warning", note)], options.color)
    return status


def _page(profile: Profile, folders: Sequence[Path]) -> str:
    from ..report.page import profile_page
    from ..report.records import explained_by
    from ..report.sources import find_sources, with_neighbours

    explained = explained_by(profile.objects)
    wanted: dict[str, list[int]] = {}
    places = [(line.place.file, line.place.line) for line in profile.lines]
    for file, line in (*places, *((one.file, one.line) for one in explained)):
        if line:
            wanted.setdefault(file, []).append(line)
    sources = find_sources(wanted, [*folders, Path(), Path(profile.program).parent])
    return profile_page(profile, explained, with_neighbours(sources))


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _check_outputs(program: str, outputs: Mapping[str, Path | None]) -> None:
    """Find out whether the files can be written before the program runs, which may take long."""
    taken = {Path(shutil.which(program) or program).resolve(): "the program"}
    for option, file in outputs.items():
        if file is None:
            continue
        if (other := taken.setdefault(file.resolve(), option)) != option and not file.is_char_device():
            what = other if other not in outputs else f"what {other} writes"
            raise UsageError(f"{option} {file} would write over {what}")
        _check_output(file)


def _check_output(file: Path) -> None:
    if str(file) == "-" or (file.exists() and not file.is_dir() and not file.is_file()):
        return
    is_new = not file.exists() and not file.is_symlink()
    try:
        file.open("ab").close()
    except OSError as error:
        raise ToolError(f"cannot write {file}: {error.strerror}") from error
    if is_new:
        file.unlink()


def _write(file: Path, parts: Iterable[str]) -> None:
    if str(file) == "-":
        sys.stdout.writelines([*parts, "\n"])
        return
    try:
        with file.open("w", encoding="utf-8", errors="surrogateescape") as output:
            output.writelines(parts)
            output.write("\n")
    except OSError as error:
        raise ToolError(f"cannot write {file}: {error.strerror}") from error
