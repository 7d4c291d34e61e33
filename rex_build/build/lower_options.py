"""The options of ``lower`` in one table. Other commands that lower files take them too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..base.command_words import (
    FORMATS,
    LOWER,
    UNIT,
    WARNINGS,
    Options,
    Reader,
    UnusualError,
    add_rows,
    expanded,
    taken_out,
)
from ..request import REDUCTIONS, TRANSFORMATIONS, LowerRequest, language_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_lower_options(command: ArgumentParser | Reader) -> None:
    command.usage = "%(prog)s SRC [options] -- CFLAGS..."
    command.add_argument("source", metavar="SRC", type=Path, help="the C or C++ file")
    add_rows(command, UNIT)
    add_kernel_options(command)
    add_rows(command, WARNINGS)


def add_kernel_options(command: ArgumentParser | Reader) -> None:
    command.add_argument(
        "--no-opt",
        metavar="NAME",
        action="append",
        default=[],
        choices=[*TRANSFORMATIONS],
        help="leave out a transformation of kernels; explain --help names them",
    )
    command.add_argument(
        "--reduction",
        choices=REDUCTIONS,
        default="atomic",
        help="combine the partial results of reductions as they come, or in the same order in every run",
    )

    command.add_argument(
        "--claims",
        action="store_true",
        help="for the check device: run regions as they are written, and verify what transformations rely on",
    )


def add_lower(command: ArgumentParser | Reader) -> None:
    add_lower_options(command)
    add_rows(command, LOWER)
    command.add_argument(
        "--diagnostics-format", choices=FORMATS, default="text", help="how messages are given, in gcc's words"
    )
    command.add_argument("--dump", metavar="STAGE,...", help="print what these stages made instead of writing files")
    command.add_argument("--explain-key", action="store_true", help="print what the unit's cache key is made of")


def request_of(options: Options) -> LowerRequest:
    """The request for these parsed options. Raises UsageError."""
    from ..tools.toolchain import find_cc, find_cxx, given_compiler

    def get(name: str) -> Path | None:
        path: Path | None = getattr(options, name, None)
        return path

    find = find_cc if language_of(options.source) == "c" else find_cxx
    compiler = given_compiler(options.cc) if options.cc else find()
    cflags, warnings = taken_out((*compiler.options, *expanded(options.cflags)))
    return LowerRequest(
        source=options.source,
        out_dir=get("out_dir") or (get("host_output") or Path("rose.c")).parent,
        cflags=cflags,
        depfile=get("depfile"),
        anchor=getattr(options, "anchor", None),
        init=getattr(options, "init", "main"),
        separable=options.separable,
        cc=compiler.program,
        base_dir=options.base_dir,
        on_unsupported=options.on_unsupported,
        no_opt=tuple(sorted(set(options.no_opt))),
        reduction=options.reduction,
        claims=options.claims,
        host_output=get("host_output"),
        cu_output=get("cu_output"),
        warnings=(*options.warnings, *warnings),
    )


def lower_request_from(words: Sequence[str], cflags: Sequence[str]) -> LowerRequest:
    """The request for these arguments of ``lower``. Raises UsageError."""
    reader = Reader()
    add_lower(reader)
    try:
        options = reader.read(words)
    except UnusualError:
        from ..base.argument_parser import Parser

        parser = Parser(prog="rex-build lower", allow_abbrev=False)
        add_lower(parser)
        options = parser.parse_args(words, Options())
    options.cflags = tuple(cflags)
    return request_of(options)
