"""Runs a compiler command line unchanged, except that C files with target constructs are lowered on the way.

This is what ``rex-cc gcc ...`` and ``rex-build cc -- ...`` do. The build system gets everything that it asks gcc for.
The object of a lowered file also holds the images of its kernels and their registration.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..base.depfile import escape
from ..base.diagnostics import Diagnostic, InputError, ToolError, UsageError, report
from ..base.paths import include_dir
from ..base.records import dataclass
from ..c.source.scan import scan
from ..cache.tools import LAUNCHERS
from ..tools.toolchain import is_libgomp, link_flags, select_runtime
from .objects import ObjectSettings, lower_request, lower_unit, make_images, registration_object


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# With these options a command line neither compiles to objects nor links.
_OTHER_MODES = _words("-E -S -M -MM -fsyntax-only -### --version -dumpversion -dumpmachine")
_OTHER_MODE_PREFIXES = ("-print-", "--print-", "-dump", "--help", "-Q", "-save-temps", "-wrapper", "-fdump-")
# With these options a link has no place for an offload runtime.
_FREESTANDING = frozenset(("-r", "-nostdlib", "-nodefaultlibs", "-static", "-static-pie"))
# Options that take the next word as their value.
_WITH_VALUE = _words(
    """
    -o -I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot
    -MF -MT -MQ -x -L -l -T -u -z -e -Xlinker -Xassembler -Xpreprocessor -aux-info -B -specs --param -A
    -wrapper --sysroot -target
    """
)
_LINK_WORDS = frozenset(("-Xlinker", "-T", "-u", "-z", "-shared", "-pie", "-no-pie", "-rdynamic", "-s"))
_LINK_PREFIXES = ("-l", "-L", "-Wl,")

_EMPTY_REGISTRATION = """\
/* rex-build: libomptarget has to have seen a registration before the first omp_* call. Weak: a program that does not
   use it is not made to need it. */
struct rex_descriptor { int images; void *first, *begin, *end; };
extern void __tgt_register_lib(struct rex_descriptor *) __attribute__((weak));
static struct rex_descriptor rex_empty;
__attribute__((constructor(101))) static void rex_register_empty(void)
{
    if (__tgt_register_lib)
        __tgt_register_lib(&rex_empty);
}
"""


@dataclass(frozen=True)
class CommandLine:
    """The parts of a gcc command line.

    ``sources`` are its C files, and ``inputs`` all its files. ``flags`` are all other words in order, except ``-o``,
    ``-c`` and options about dependency files. ``words`` is the whole line with response files expanded.
    """

    words: tuple[str, ...]
    inputs: tuple[str, ...]
    sources: tuple[str, ...]
    flags: tuple[str, ...]
    output: str | None
    compiles_only: bool
    wants_depfile: bool
    depfile: str | None
    depfile_targets: tuple[str, ...]
    phony: bool
    passes_through: bool

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """The flags, except those that only a link understands."""
        kept: list[str] = []
        words = iter(self.flags)
        for word in words:
            if word in _LINK_WORDS or word.startswith(_LINK_PREFIXES):
                if word in _WITH_VALUE:
                    next(words, None)
            else:
                kept.append(word)
                if word in _WITH_VALUE:
                    kept.append(next(words, ""))
        return tuple(kept)

    @property
    def links(self) -> bool:
        return not self.compiles_only and bool(self.inputs)


def run_compiler(command: Sequence[str], settings: ObjectSettings, link: bool, colour: str = "auto") -> int:
    """Run ``command``, a compiler with its arguments. With ``link``, links get the offload runtime.

    Returns the compiler's exit status. Raises RexError for other failures.
    """
    compiler, arguments = split_command(command)
    line = read_command_line(arguments)
    lowered = [] if line.passes_through else [s for s in line.sources if _needs_lowering(s, line)]
    adds_runtime = link and line.links and not line.passes_through and not _FREESTANDING.intersection(line.words)
    if not lowered and not adds_runtime:
        return _call([*compiler, *arguments])
    if line.compiles_only and line.output and len(line.sources) > 1:
        return _call([*compiler, *arguments])  # gcc itself reports the error
    with _work_dir(line) as work:
        objects: dict[str, str] = {}
        for number, source in enumerate(line.sources):
            if source not in lowered and line.compiles_only:
                status = _call([*compiler, *_without(line, lowered)]) if number == _first_plain(line, lowered) else 0
            elif source in lowered:
                final = _object_name(source, line) if line.compiles_only else str(work / f"{number}.o")
                status = _compile_lowered(compiler, source, line, settings, work / str(number), final, colour)
                objects[source] = final
            elif adds_runtime:  # the link gets -fno-openmp, against libgomp: what it compiled would be without OpenMP
                objects[source] = str(work / f"{number}.o")
                status = _call([*compiler, *line.compile_flags, *_depfile_words(line, source), "-c", source,
                                "-o", objects[source]])  # fmt: skip
            else:
                status = 0  # compiled by the link itself
            if status:
                return status
        if line.compiles_only:
            return 0
        words = [objects.get(word, word) for word in line.words]
        runtime = _runtime_flags(compiler, settings, work) if adds_runtime else []
        kept = [word for word in words if not is_libgomp(word)] if runtime else words
        return _call([*compiler, *kept, *runtime])


def split_command(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the compiler with launchers in front, its arguments)."""
    for number, word in enumerate(command):
        if Path(word).name not in LAUNCHERS:
            return list(command[: number + 1]), list(command[number + 1 :])
    raise UsageError(f"{shlex.join(command)} names no compiler")


def underlying_compiler() -> tuple[str, ...]:
    """The compiler that ``rex-build cc`` runs: ``$REX_CC``, else ``$CC``, else gcc.

    ``make CC=...`` passes CC on to its commands, so a CC that names rex-build itself does not count. Raises ToolError
    when there is no compiler.
    """
    for variable in ("REX_CC", "CC"):
        words = shlex.split(os.environ.get(variable, ""))
        if words and not any(Path(word).name in ("rex-build", "rex-cc", "rex_build") for word in words):
            return tuple(words)
    found = shutil.which("gcc") or shutil.which("cc")
    if not found:
        note = "install gcc, or name a compiler in REX_CC"
        raise ToolError([Diagnostic("error", "no C compiler was found (looked for gcc, cc)", notes=(note,))])
    return (found,)


def read_command_line(arguments: Sequence[str]) -> CommandLine:
    """Take a gcc command line apart."""
    words = list(_expanded(arguments))
    inputs: list[str] = []
    flags: list[str] = []
    targets: list[str] = []
    output = depfile = None
    compiles_only = wants_depfile = phony = other = False
    stream = iter(words)
    for word in stream:
        if word in _OTHER_MODES or word.startswith(_OTHER_MODE_PREFIXES) or word == "-x" or word.startswith("-x"):
            other = True
        if word == "-c":
            compiles_only = True
        elif word == "-o":
            output = next(stream, None)
        elif word.startswith("-o"):
            output = word[2:]
        elif word in ("-MD", "-MMD"):
            wants_depfile = True
        elif word == "-MP":
            phony = True
        elif word in ("-MF", "-MT", "-MQ"):
            value = next(stream, "")
            if word == "-MF":
                depfile = value
            else:
                targets.append(value if word == "-MT" else escape(value))
        elif word.startswith("-MF"):
            depfile = word[3:]
        elif word.startswith(("-MT", "-MQ")):
            targets.append(word[3:] if word[2] == "T" else escape(word[3:]))
        elif word == "-":
            other = True
        elif word.startswith("-"):
            flags.append(word)
            if word in _WITH_VALUE:
                flags.append(next(stream, ""))
        else:
            inputs.append(word)
    sources = [word for word in inputs if word.endswith((".c", ".i"))]
    return CommandLine(
        words=tuple(words),
        inputs=tuple(inputs),
        sources=tuple(source for source in sources if source.endswith(".c")),
        flags=tuple(flags),
        output=output,
        compiles_only=compiles_only,
        wants_depfile=wants_depfile,
        depfile=depfile,
        depfile_targets=tuple(targets),
        phony=phony,
        passes_through=other or not inputs,
    )


def _expanded(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments with ``@file`` replaced by the words of the file. As in gcc, it stays if there is no such file."""
    for word in arguments:
        file = Path(word[1:])
        if word.startswith("@") and file.is_file():
            try:
                yield from _expanded(shlex.split(file.read_text(errors="surrogateescape")))
            except (OSError, ValueError) as error:
                raise UsageError(f"cannot read the response file {file}: {error}") from error
        else:
            yield word


def _needs_lowering(source: str, line: CommandLine) -> bool:
    try:
        return scan(Path(source), line.compile_flags).needs_lowering
    except InputError:
        return False  # gcc reports a file that cannot be read


def _object_name(source: str, line: CommandLine) -> str:
    return line.output or Path(source).with_suffix(".o").name


def _first_plain(line: CommandLine, lowered: Sequence[str]) -> int:
    return next(number for number, source in enumerate(line.sources) if source not in lowered)


def _without(line: CommandLine, lowered: Sequence[str]) -> list[str]:
    return [word for word in line.words if word not in lowered]


@contextmanager
def _work_dir(line: CommandLine) -> Iterator[Path]:
    """A temporary folder beside the output, for the files in between. Its file system has room for them."""
    where = Path(line.output or ".").absolute().parent
    try:
        with tempfile.TemporaryDirectory(prefix=".rex-", dir=where if where.is_dir() else None) as folder:
            yield Path(folder)
    except OSError as error:
        raise ToolError(f"cannot write {error.filename or where}: {error.strerror}") from error


def _compile_lowered(
    compiler: Sequence[str],
    source: str,
    line: CommandLine,
    settings: ObjectSettings,
    work: Path,
    final: str,
    colour: str,
) -> int:
    """Lower ``source``, and make the object ``final`` from both halves. Returns the compiler's exit status."""
    real = compiler[-1]
    work.mkdir()
    deps = work / "deps"
    request = lower_request(settings, Path(source), work, line.compile_flags, real, deps)
    result = lower_unit(request)
    report(result.diagnostics, colour)
    images = make_images(result, settings, work)
    # An object for link-time optimisation cannot be joined with an ordinary object.
    flags = [*line.compile_flags, *(["-fno-lto"] if any(f.startswith("-flto") for f in line.compile_flags) else [])]
    host = work / "host.o"
    folder = Path(source).absolute().parent
    own = ["-fopenmp", f"-I{include_dir()}", f"-iquote{folder}"]
    status = _call([*compiler, *flags, *own, "-c", str(result.host), "-o", str(host)])
    if status:
        return status
    glue = registration_object(result, images, None, [real], work)
    joined = work / "joined.o"
    status = _call([real, *_machine(flags), "-r", "-nostdlib", "-o", str(joined), str(host), str(glue)])
    if status:
        return status
    _localise(joined)
    try:
        shutil.move(str(joined), final)
    except OSError as error:
        raise ToolError(f"cannot write {final}: {error.strerror}") from error
    if line.wants_depfile:
        _write_depfile(line, final, deps)
    return 0


def _machine(flags: Sequence[str]) -> list[str]:
    return [flag for flag in flags if flag.startswith("-m") or flag in ("-pie", "-no-pie")]


def _localise(obj: Path) -> None:
    """Make the symbol that ties both halves local to the object, as another file may have the same name."""
    objcopy = shutil.which("objcopy")
    if objcopy is None:
        raise ToolError([Diagnostic("error", "objcopy was not found", notes=("on Debian: apt-get install binutils",))])
    command = [objcopy, "--wildcard", "--localize-symbol=__rex_offload_entries_*", "--localize-symbol=__rex_image_*"]
    _check(_call([*command, str(obj)]), "objcopy")


def _write_depfile(line: CommandLine, final: str, deps: Path) -> None:
    """Write the rule that gcc's -MD would write for the object, with every file that the lowering read."""
    _, _, rest = deps.read_text(encoding="utf-8", errors="surrogateescape").partition(":")
    files = [entry.strip() for entry in rest.split("\\\n") if entry.strip()]
    targets = line.depfile_targets or (escape(line.output or final),)
    text = f"{' '.join(targets)}:" + "".join(f" \\\n  {file}" for file in files) + "\n"
    if line.phony:
        text += "".join(f"\n{file}:\n" for file in files[1:])
    path = Path(line.depfile) if line.depfile else Path(final).with_suffix(".d")
    try:
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error.strerror}") from error


def _depfile_words(line: CommandLine, source: str) -> list[str]:
    """Options with which a compilation alone writes the same depfile as one that also links."""
    if not line.wants_depfile:
        return []
    depfile = line.depfile or f"{line.output or 'a'}-{Path(source).stem}.d"
    targets = [word for target in line.depfile_targets or (escape(line.output or "a.out"),) for word in ("-MT", target)]
    return ["-MD", *(["-MP"] if line.phony else []), "-MF", depfile, *targets]


def _runtime_flags(compiler: Sequence[str], settings: ObjectSettings, work: Path) -> list[str]:
    """The arguments that a link gets in addition: the runtime, of which only the parts in use are linked."""
    devices = dict.fromkeys("cpu" if image == "cpu" else "cuda" for image in settings.image_targets)
    runtime = select_runtime(devices, (), settings.llvm_root)
    source = work / "rex_empty_registration.c"
    source.write_text(_EMPTY_REGISTRATION)
    obj = source.with_suffix(".o")
    _check(_call([compiler[-1], "-fPIC", "-c", str(source), "-o", str(obj)]), compiler[-1])
    fno_openmp, *rest = link_flags(runtime)
    return [str(obj), fno_openmp, "-Wl,--push-state,--as-needed", *rest, "-Wl,--pop-state"]


def _check(status: int, program: str) -> None:
    if status:
        raise ToolError(f"{program} failed with status {status}")


def _call(command: Sequence[str]) -> int:
    """Run a command with this process's streams, so that its messages look as they would without rex-build."""
    try:
        return subprocess.run(command).returncode
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
