"""The command ``profile`` and its arguments."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..base.diagnostics import Diagnostic, ToolError, UsageError, report


def add_profile(command: argparse.ArgumentParser) -> None:
    command.usage = "%(prog)s [--json FILE] [--trace FILE] PROGRAM [ARGUMENTS...]"
    command.add_argument("--json", metavar="FILE", type=Path, help="write all numbers as JSON ('-': to stdout)")
    command.add_argument("--trace", metavar="FILE", type=Path, help="write a timeline in Chrome's trace format")
    command.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM", help="the program and its arguments")


def run_profile(options: argparse.Namespace) -> int:
    """Run the program, and print the table to stderr. The exit status is the program's."""
    from ..profile.measured import as_json
    from ..profile.run import run_profiled
    from ..profile.table import as_table
    from ..profile.trace import as_trace

    words = [*options.program, *(["--"] if options.program and options.separated else []), *options.cflags]
    if not words:
        raise UsageError("profile needs a program to run: rex-build profile ./app")
    status, profile = run_profiled(words)
    if profile is None:
        why = "it uses no libomptarget, or it did not end by itself"
        report([Diagnostic("warning", f"nothing was recorded of {words[0]}", notes=(why,))], options.color)
        return status
    print(as_table(profile), file=sys.stderr)
    if options.json is not None:
        _write(options.json, as_json(profile), indent=2)
    if options.trace is not None:
        _write(options.trace, as_trace(profile), indent=None)
        if profile.dropped:
            note = f"the timeline lacks the last {profile.dropped} events; sums have them"
            report([Diagnostic("warning", note)], options.color)
    return status


def _write(file: Path, value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    if str(file) == "-":
        print(text)
        return
    try:
        file.write_text(text + "\n")
    except OSError as error:
        raise ToolError(f"cannot write {file}: {error.strerror}") from error
