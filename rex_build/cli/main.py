"""The command line. Every command parses its arguments, makes one call and returns an exit status.

Commands import what they need when they run.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .. import __version__
from ..base.command_words import (
    COLOR,
    DEVICE,
    SUPPRESS,
    WARNINGS,
    Options,
    Reader,
    UnusualError,
    add_rows,
    shell_words,
    which,
)
from ..base.diagnostics import (
    Diagnostic,
    InputError,
    ToolError,
    UsageError,
    no_such_file,
    report,
    unknown_word,
)
from ..base.ending import raise_if_ended
from ..base.processes import as_rex_error
from ..build.lower_options import add_kernel_options, add_lower, add_lower_options, request_of
from ..request import TRANSFORMATIONS, LowerRequest
from . import build_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..base.argument_parser import Parser
    from .build_commands import AddOptions, Command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Returns the exit status: 0 done, 1 input at fault, 2 usage, 3 tool or environment at fault, 4 a bug in rex-build.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    colour = "auto"
    options: Options | None = None
    try:
        if words and words[0] in ("rex-gcc", "rex-g++"):
            return _in_place_of(words[0], words[1:])
        if len(words) > 1 and words[0] == "rex-cc" and _is_for_the_compiler(words[1]):
            return _in_place_of("rex-gcc", words[1:])
        if words[:1] == ["rex-cc"] and "".join(words[1:2]).startswith("--options-in="):
            from ..build.unit_options import run_unchanged, with_options_in

            given = with_options_in(words[1:])
            if given is None:
                return run_unchanged(words[1:])
            words = ["rex-cc", *given]
        split = words.index("--") if "--" in words else len(words)
        options = _parsed(words, split)
        options.cflags, options.separated = tuple(words[split + 1 :]), split < len(words)
        colour = options.color
        command: Command = options.command
        return command(options)
    except BrokenPipeError:
        # The reader of the output is gone. With /dev/null as stdout, the interpreter can flush it without an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 (a bug is reported, too)
        known = as_rex_error(error)
        if known is error and options is not None and getattr(options, "diagnostics_format", "text") != "text":
            _write_formatted(options, known.diagnostics)
        else:
            report(known.diagnostics, colour)
        return known.exit_code


def _parsed(words: Sequence[str], split: int) -> Options:
    """What the words in front of the ``--`` at ``split`` say. Raises UsageError."""
    name = words[0] if words else ""
    reader = Reader()
    if _is_told(reader, name):
        try:
            return reader.read(words[1:split])
        except UnusualError:
            pass
    from ..base.argument_parser import Parser

    parser = Parser(prog=f"rex-build {name}", allow_abbrev=False)
    if not _is_told(parser, name):
        return _parser().parse_args(words[:split], Options())  # which knows no such command, or prints something
    options, unknown = parser.parse_known_args(words[1:split], Options())
    if unknown:
        behind = ""
        if split == len(words) and hasattr(options, "on_unsupported"):
            behind = f"; the compiler's options stand behind '--', as in: -- {shlex.join(unknown)}"
        message = f"unrecognized arguments: {shlex.join(unknown)}{behind} (see rex-build --help)"
        word = unknown[0].partition("=")[0]
        commands = _commands_with(word)
        if commands:
            raise UsageError([Diagnostic("error", message, notes=(f"{word} is an option of {', '.join(commands)}",))])
        raise unknown_word(message, word, parser.options)
    return options


def _commands_with(option: str) -> list[str]:
    """The commands that have an option."""
    from ..base.argument_parser import Parser

    found: list[str] = []

    def add(name: str, run: Command, text: str, add_options: AddOptions) -> None:
        parser = Parser(description=text, allow_abbrev=False)
        _fill(parser, run, add_options)
        if option in parser.options:
            found.append(f"'rex-build {name}'")

    _add_commands(add)
    return found


# The options of ``rex-build cc`` that ``rex-gcc`` reads from the environment.
_IN_ENVIRONMENT = {
    "--check": "REX_DEVICES",
    "--device": "REX_DEVICES",
    "--arch": "REX_CUDA_ARCHITECTURES",
    "--on-unsupported": "REX_ON_UNSUPPORTED",
}


def _in_place_of(program: str, arguments: Sequence[str]) -> int:
    """``rex-gcc`` and ``rex-g++``: a compiler's command line. The environment has our options."""
    from ..build.compilers import c_compiler, cxx_compiler

    for at, word in enumerate(arguments):
        name, _, value = word.partition("=")
        if name in _IN_ENVIRONMENT:
            own = [word] if value or name == "--check" else [word, *arguments[at + 1 : at + 2]]
            rest = [*arguments[:at], *arguments[at + len(own) :]]
            text = "check" if name == "--check" else value or "".join(own[1:]) or "..."
            instead = f"{_IN_ENVIRONMENT[name]}={text} {shlex.join([program, *rest])}"
            notes = [f"write {instead}"]
            if program == "rex-gcc":
                notes.append(f"or rex-build cc {shlex.join([*own, '--', *rest])}")
            message = f"{program} takes the compiler's options, and {name} is one of 'rex-build cc'"
            raise UsageError([Diagnostic("error", message, notes=tuple(notes))])
    compiler = c_compiler() if program == "rex-gcc" else cxx_compiler()
    return main(["rex-cc", "--", *compiler, *arguments])


def _is_for_the_compiler(word: str) -> bool:
    """Whether the first word behind ``rex-cc`` is an argument of a compiler that is not named: CMake takes ``rex-cc``
    for the C compiler where it is told that ``rex-g++`` is the C++ compiler. Our own options are long."""
    if word.startswith("-"):
        return word == "--version" or not (word.startswith("--") or word == "-h")
    return os.path.isfile(word) and which(word) is None


def _print_path(option: str) -> None:
    from ..base import paths

    if option == "pkgconfig_dir":
        from ..build.pkgconfig import pkgconfig_dir

        print(pkgconfig_dir())
    elif option == "check_library":
        from ..tools.targets import check_library

        print(check_library())
    else:
        print(getattr(paths, option)())


def _is_told(parser: Parser | Reader, asked: str) -> bool:
    """Tell a parser the options of one command. Returns whether there is a command of that name.

    To make the parsers of all commands would take a fortieth of the time in which a short file is lowered.
    """
    found = False

    def add(name: str, run: Command, help_text: str, add_options: AddOptions) -> None:
        nonlocal found
        if name == asked:
            found = True
            parser.description = help_text
            _fill(parser, run, add_options)

    _add_commands(add)
    return found


def _fill(command: Parser | Reader, run: Command, add_options: AddOptions) -> None:
    command.set_defaults(command=run)
    add_rows(command, COLOR)
    add_options(command)


def _parser() -> Parser:
    """The parser of all commands."""
    import argparse

    from ..base.argument_parser import Parser

    class Print(argparse.Action):
        """An option that prints one path and ends the program."""

        def __call__(self, *_: object) -> None:
            _print_path(self.dest)
            sys.exit(0)

    parser = Parser(
        prog="rex-build",
        allow_abbrev=False,
        description="Lower OpenMP target constructs in C and C++ to libomptarget host code and CUDA kernels.",
        epilog="Exit status: 0 done, 1 input at fault, 2 usage, 3 tool or environment at fault, 4 a bug in rex-build.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    for option, function, what in (
        ("--cmakedir", "cmake_dir", "the folder with RexBuildConfig.cmake, for -DRexBuild_DIR="),
        ("--mesondir", "meson_dir", "the folder with the Meson wrap"),
        ("--pkgconfigdir", "pkgconfig_dir", "a folder with rex-build.pc, for PKG_CONFIG_PATH"),
        ("--includedir", "include_dir", "the folder with rex_kmp.h and the device helpers"),
        ("--checklib", "check_library", "the library that programs of the check device link first"),
    ):
        parser.add_argument(option, action=Print, dest=function, nargs=0, default=SUPPRESS, help=f"print {what}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    def add(name: str, run: Command, help_text: str, add_options: AddOptions) -> None:
        command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        _fill(command, run, add_options)

    _add_commands(add)
    return parser


def _add_commands(add: build_commands.Add) -> None:
    add("lower", _lower, "lower one file: writes rose_<stem>.c (or .cpp) and rex_lib_<stem>.cu", add_lower)
    add("explain", _explain, "say what would be done with every target region of a file, and why", _add_explain)
    add("device", _device, "make a device image from a rex_lib_<stem>.cu", _add_device)
    add("register", _register, "write the unit that registers the images of one program or library", _add_register)
    add("cc", build_commands.run_cc, "lower, compile and link a program in one go", _add_cc)
    build_commands.add_to(add)
    add("profile", _profile, "run a program, and say which of its lines cost how much", _add_profile)
    add("cache", _cache, "show and clean the cache of lowered units and device images", _add_cache)
    add("doctor", _doctor, "say which tools were found and whether they fit together", _add_doctor)


# profile, which has a module of its own, as no build calls it


def _add_profile(command: ArgumentParser | Reader) -> None:
    from .profile_command import add_profile

    add_profile(command)


def _profile(options: Options) -> int:
    from .profile_command import run_profile

    return run_profile(options)


# lower, explain


def _lower(options: Options) -> int:
    if options.dump is not None:
        from .. import pipeline

        request = _request_for(options, options.source)
        print("\n".join([pipeline.dump(request, stage.strip()) for stage in options.dump.split(",")]))
        return 0
    if options.explain_key:
        from .cache_commands import explain_key

        print(explain_key(request_of(options)))
        return 0
    if options.out_dir is None and not (options.host_output and options.cu_output):
        raise UsageError("lower needs --out-dir, or both --host-output and --cu-output")
    from .. import pipeline

    result = pipeline.lower(_request_for(options, options.source))
    if options.diagnostics_format == "text":
        report(result.diagnostics, options.color)
    else:
        _write_formatted(options, result.diagnostics)
    return 0


def _write_formatted(options: Options, diagnostics: Sequence[Diagnostic]) -> None:
    """Give the messages as JSON or SARIF, in a file or on stderr."""
    from ..base.diagnostic_formats import formatted

    text = formatted(options.diagnostics_format, diagnostics)
    if options.diagnostics_format.endswith("-file"):
        kind = options.diagnostics_format.removesuffix("-file")
        folder = options.out_dir or options.host_output.parent
        write_text(folder / f"{options.source.name}.{'gcc.json' if kind == 'json' else kind}", text)
    else:
        sys.stderr.write(text)


def _add_explain(command: ArgumentParser | Reader) -> None:
    add_lower_options(command)
    command.usage = "%(prog)s SRC... [options] -- CFLAGS..."
    if not isinstance(command, Reader):
        from argparse import RawDescriptionHelpFormatter

        command.formatter_class = RawDescriptionHelpFormatter
    meanings = (f"  {name:<10} {meaning}" for name, meaning in TRANSFORMATIONS.items())
    command.epilog = "\n".join(["transformations of kernels (--no-opt):", *meanings])
    command.add_argument("more", metavar="SRC", type=Path, nargs="*", default=[], help="more files")
    command.add_argument("-o", "--output", metavar="FILE", type=Path, help="write it into a file")
    command.add_argument("--details", action="store_true", help="print everything that was decided")
    command.add_argument("--json", action="store_true", help="print that as JSON")
    command.add_argument(
        "--html", action="store_true", help="print a page with the sources and what became of each line"
    )
    command.add_argument(
        "--image",
        metavar="IMAGE",
        type=Path,
        action="append",
        default=[],
        help="an image for a GPU that was made of this file: say what its kernels take of a multiprocessor",
    )


def _explain(options: Options) -> int:
    from .. import pipeline

    if options.image and (options.json or options.details):
        raise UsageError("--image goes with the listing and with --html, not with --json or --details")
    requests = [_request_for(options, source) for source in (options.source, *options.more)]
    if options.json:
        import json

        facts = [pipeline.explain(request) for request in requests]
        text = json.dumps(facts if options.more else facts[0], indent=2)
    elif options.details:
        from ..plan.dump import as_text

        text = "\n\n".join([as_text(pipeline.explain(request)) for request in requests])
    elif options.html:
        from ..report.page import explain_page
        from ..report.records import explained_from
        from ..report.sources import read_source

        remarks = [one for request in requests for one in pipeline.explain_remarks(request, options.image)]
        explained = explained_from(remarks)
        sources = {one.file: read_source(Path(one.file)) for one in explained}
        text = explain_page(", ".join(str(request.source) for request in requests), explained, sources)
    else:
        text = "\n\n".join([pipeline.explain_listing(request, options.image) for request in requests])
    if options.output is None:
        print(text)
    else:
        write_text(options.output, f"{text}\n")
    return 0


def _request_for(options: Options, source: Path) -> LowerRequest:
    """The request for one of several files. Raises InputError if there is no such file."""
    if source.is_dir():
        raise InputError([Diagnostic("error", f"{source} is a folder")])
    if not source.exists():
        raise no_such_file(source)
    return request_of(Options({**vars(options), "source": source}))


# device, register


def _add_device(command: ArgumentParser | Reader) -> None:
    command.usage = "%(prog)s REX_LIB.cu --arch ARCH -o IMAGE [-- COMPILER-OPTIONS...]"
    command.add_argument("cu", metavar="REX_LIB.cu", type=Path, help="a generated device file")
    add_rows(command, DEVICE)


def _device(options: Options) -> int:
    from ..build.images import build_image
    from ..tools.targets import normalise_arch
    from ..tools.toolchain import given_compiler

    compiler = given_compiler(options.compiler) if options.compiler else None
    arch = normalise_arch(options.arch)
    build_image(options.cu, arch, options.output, options.cflags, compiler, options.separable, options.launcher)
    return 0


def _add_register(command: ArgumentParser | Reader) -> None:
    command.usage = "%(prog)s --out FILE [--anchor SYMBOL] [ROSE_FILE.c IMAGE...]... [-- CFLAGS...]"
    command.add_argument("--out", required=True, metavar="FILE", type=Path, help="the C (and C++) file to write")
    command.add_argument("--anchor", metavar="SYMBOL", help="define SYMBOL, which the host files refer to")
    command.add_argument(
        "--merged", action="store_true", help="the images are of all host files together, as device-link makes them"
    )
    command.add_argument("files", nargs="*", metavar="FILE", type=Path, help="host files, each followed by its images")


def _register(options: Options) -> int:
    from ..c.source.user_names import macros_of_flags
    from ..render.registration import check_units, read_merged, read_unit
    from ..render.registration_text import render_registration
    from ..request import is_source

    files: list[Path] = options.files
    macros = macros_of_flags(options.cflags)
    if options.merged:
        merged = read_merged([f for f in files if is_source(f)], [f for f in files if not is_source(f)])
        write_text(options.out, render_registration(merged, options.anchor, merged=True, macros=macros))
        return 0
    groups: list[tuple[Path, list[Path]]] = []
    for file in files:
        if is_source(file):
            groups.append((file, []))
        elif groups:
            groups[-1][1].append(file)
        else:
            raise UsageError(f"{file} comes before any host file: give each host file, then its images")
    units = [read_unit(host, images) for host, images in groups]
    check_units(units)
    write_text(options.out, render_registration(units, options.anchor, macros=macros))
    return 0


def write_text(path: Path, text: str) -> None:
    """Write the whole file, or raise ToolError and write nothing."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", errors="surrogateescape")
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ToolError(f"cannot write {path}: {error.strerror}") from error


# cc, whose command line is read and run in build_commands, and doctor


def _add_cc(command: ArgumentParser | Reader) -> None:
    command.usage = (
        "%(prog)s [--device cuda|cpu|cuda,cpu] [--arch ARCH] [-o PROG] SRC... -- CFLAGS...\n"
        '       %(prog)s [options] -- ANY-GCC-COMMAND-LINE    (in place of gcc: CC="rex-build cc --")'
    )
    command.add_argument("files", nargs="*", metavar="SRC", type=Path, help="C and C++ files, objects and libraries")
    command.add_argument("-o", "--output", metavar="PROG", type=Path, help="default: a.out")
    devices = "cuda, cpu, cuda,cpu, or check (default: $REX_DEVICES, or cuda where nvcc is found)"
    command.add_argument("--device", metavar="KINDS", help=devices)
    checked = "the same as --device check"
    command.add_argument("--check", action="store_true", help=checked)
    command.add_argument("--arch", metavar="ARCH", help="sm_<NN>[,...] for cuda (default: the GPU here, else sm_90)")
    command.add_argument(
        "--launcher", metavar="COMMAND", type=shell_words, default=[], help="put in front of all compilers (ccache)"
    )
    command.add_argument("--keep-dir", metavar="DIR", type=Path, help="leave the generated files in DIR")
    command.add_argument("--llvm-root", metavar="DIR", help="take libomptarget from this LLVM")
    command.add_argument("-j", "--jobs", metavar="N", type=int, default=len(os.sched_getaffinity(0)), help="at a time")
    given = os.environ.get("REX_ON_UNSUPPORTED", "error")
    command.add_argument("--on-unsupported", choices=("error", "host"), default=given, help="as for lower")
    add_kernel_options(command)
    add_rows(command, WARNINGS)


def _add_doctor(command: ArgumentParser | Reader) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--llvm-root", metavar="DIR", help="take libomptarget from this LLVM")


def _doctor(options: Options) -> int:
    import json

    from ..tools.doctor import as_text, examine

    facts = examine(options.llvm_root)
    print(json.dumps(facts, indent=2) if options.json else as_text(facts))
    return 0 if facts["ok"] else 1


# cache


def _add_cache(command: ArgumentParser | Reader) -> None:
    command.add_argument("action", choices=("stats", "clear", "trim", "verify"))
    command.add_argument("--json", action="store_true", help="stats, verify: print JSON")
    command.add_argument("--zero", action="store_true", help="stats: set the counters to zero afterwards")
    command.add_argument("--size", metavar="SIZE", help="trim: to this size (default: the limit)")
    command.add_argument("--remove", action="store_true", help="verify: remove what is damaged")


def _cache(options: Options) -> int:
    from .cache_commands import run

    return run(options)


# -- how a process begins and ends that the cache does not serve ------------------------------------------------------


def run() -> int:
    """Run the command line of this process, and end it."""
    if "site" not in sys.modules:  # python -S, as builds call it
        import site

        site.main()
    return _end(main())


def open_streams() -> None:
    """Open the streams that the caller has closed. Messages would get into the next file that is opened otherwise."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def _end(status: int) -> int:
    """End the process without cleaning up, which would take a twentieth of what lowering a small unit takes.

    Returns the status if messages cannot be written. The interpreter says so when it ends.
    """
    raise_if_ended()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
