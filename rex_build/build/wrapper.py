"""Runs a compiler command line unchanged, except that C and C++ files with target constructs are lowered on the way.

This is what ``rex-gcc ...``, ``rex-cc gcc ...`` and ``rex-build cc -- ...`` do. The build system gets everything that
it asks gcc for. The object of a lowered file also holds the images of its kernels and their registration.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from ..base.command_words import compiler_at, expanded, taken_out
from ..base.diagnostics import InputError, RexError, ToolError, UsageError, report
from ..base.outputs import check_is_not_source, escape, place
from ..base.paths import include_dir
from ..base.processes import Part, at_a_time, exit_status, tell
from ..base.records import dataclass, replace
from ..base.work_folder import WorkFolder
from ..c.source.flags import for_preprocessor
from ..cache.memo import Cache, opened_cache
from ..cache.unit_object import ObjectRequest, UnitObject, unit_object
from ..render.registration import Unit, read_unit
from ..request import LowerResult, language_of
from ..tools.runtimes import with_one_runtime
from ..tools.targets import backends_of
from .calls import call, ended, running
from .command_line import CommandLine, Input, Language, auxiliary_name, read_command_line
from .compilers import default_language, only_once, split_command
from .coverage import as_user_lines, image_options, is_covered, without_headers
from .foreign_flags import translate
from .images import captured
from .launcher import prepare
from .objects import (
    ObjectSettings,
    join,
    lower_request,
    lower_unit,
    make_images,
    registration_objects,
    write_registration,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

_ImageMaker = Callable[[], dict[str, Path]]

# The languages that are lowered, as compilers call them.
_LOWERED = {Language.C: "c", Language.CXX: "c++"}
def run_compiler(command: Sequence[str], settings: ObjectSettings, link: bool, colour: str = "auto") -> int:
    """Run ``command``, a compiler with its arguments. With ``link``, links get the offload runtime.

    Returns the compiler's exit status. Raises RexError for other failures.
    """
    started_ns = time.time_ns()
    compiler, arguments = split_command(command, settings.compilers)
    with only_once(compiler), _dependency_variables() as variables, ExitStack() as stack:
        prepare(compiler[-1])
        given = tuple(expanded(arguments))
        own, warnings = taken_out(with_one_runtime(given))
        foreign = translate(own, has_targets="clang" in Path(compiler[-1]).name)
        if foreign.changed or own != given:
            arguments, settings = list(foreign.words), replace(settings, asked_for=foreign.asked_for)
        settings = replace(settings, lower_options=(*settings.lower_options, *warnings))
        line = read_command_line(arguments, default_language(compiler[-1]))
        if not line.passes_through and any(_is_stream(source.name) for source in line.sources):
            arguments = stack.enter_context(_streams_as_files(line))
            line = read_command_line(arguments, default_language(compiler[-1]))
        unchanged = [*compiler, *arguments]
        if line.passes_through:
            if "-S" in line.words:
                from .foreign import warn_of_assembly

                report(warn_of_assembly(compiler, line), colour)
            return call(unchanged, variables=variables)
        if any(source.name == "-" for source in line.sources):
            return _from_standard_input(unchanged, line, settings, colour, variables)
        lowered = [source for source in line.sources if _needs_lowering(compiler, source, line, settings.lower_all)]
        for source in line.sources:
            if source.language not in _LOWERED:
                from .foreign import check_foreign

                report(check_foreign(compiler, source, line, settings.on_unsupported), colour)
        adds_runtime = link and line.links and not line.option_without_runtime
        # gcc would put its own OpenMP library into an object that is made of several.
        without_openmp = adds_runtime or (link and line.links and "-r" in line.words and line.uses_openmp)
        if not lowered and not without_openmp:
            from .linking import Link

            with _work_folder(line) as work:
                as_it_is = Link(compiler, line, settings, colour, work, variables)
                return as_it_is.run_unchanged(unchanged, link and line.links)
        report(foreign.notes, colour)
        if lowered:  # what is wrong with the devices is told before anything is made
            settings = replace(settings, images=settings.image_targets)
        if line.compiles_only and line.output and (len(line.sources) > 1 or line.output == "-"):
            return call(unchanged)  # gcc itself reports the error
        with _work_folder(line) as work:
            compilation = _Compilation(compiler, line, settings, colour, work, variables, link, started_ns)
            return compilation.run(lowered, adds_runtime, without_openmp)


@dataclass(frozen=True)
class _Compilation:
    """One command line that lowers files or links.

    ``work`` is a temporary folder for the files in between. ``variables`` are those that tell gcc where to write what a
    source depends on. Only commands that read the user's own sources get them. ``links_device_code`` says that links
    come here, too, so device code of several units can be linked.
    """

    compiler: Sequence[str]
    line: CommandLine
    settings: ObjectSettings
    colour: str
    work: WorkFolder
    variables: Mapping[str, str]
    links_device_code: bool
    started_ns: int

    def run(self, lowered: Sequence[Input], adds_runtime: bool, without_openmp: bool) -> int:
        """Run all compilers. Returns their highest exit status: what is linked are all objects, or none.

        A link gets the runtime, or else what it links is linked ``without_openmp``, gcc's own.
        """
        if self.line.compiles_only:
            return self._compile_all(lowered)
        separately = bool(lowered) or self.line.uses_openmp  # else the link itself compiles the sources
        objects: dict[int, str] = {}
        parts: list[tuple[str, Part]] = []
        for source in self.line.sources:
            final = str(self.work.path / f"{source.position}.o")
            if source in lowered or separately:
                make = self._lower if source in lowered else self._compile
                parts.append((source.name, partial(make, source, final)))
                objects[source.position] = final
        if status := self._run_all(parts):
            return status
        from .linking import Link

        link = Link(self.compiler, self.line, self.settings, self.colour, self.work, self.variables)
        return link.link_objects(objects, bool(lowered), adds_runtime, without_openmp)

    def _compile_all(self, lowered: Sequence[Input]) -> int:
        """Compile to objects. Files that are not lowered are compiled by one unchanged command."""
        line = self.line
        parts: list[tuple[str, Part]] = []
        if len(lowered) < len(line.sources):
            without = {source.position for source in lowered}
            unchanged = [*self.compiler, *(w for at, w in enumerate(line.words) if at not in without)]
            parts.append(("files without regions", partial(call, unchanged, variables=self.variables)))
        parts += [(source.name, partial(self._lower, source, line.object_of(source))) for source in lowered]
        return self._run_all(parts)

    def _run_all(self, parts: Sequence[tuple[str, Part]]) -> int:
        """Run all that makes objects, also if one of them fails, as gcc does. Returns the highest exit status."""
        if self.settings.jobs is None or len(parts) < 2:
            return max([exit_status(part, self.colour) for _, part in parts], default=0)
        return at_a_time(self.settings.jobs, parts, self.colour)

    def _compile(self, source: Input, final: str) -> int:
        """Compile a file that is not lowered, as a command that only compiles it does."""
        flags = [*_aux_names(self.compiler, self.line, source), *self.line.compile_flags]
        depfile = _depfile_words(self.line, source)
        command = [*self.compiler, *flags, *depfile, "-c", "-o", final, *source.words]
        return call(command, variables=self.variables)

    def _lower(self, source: Input, final: str) -> int:
        """Lower ``source``, and make the object ``final`` from both halves. Returns the exit status."""
        settings = self.settings
        check_is_not_source(Path(source.name), [Path(final)])
        files = settings.folder_of(Path(source.name)) or self._work_of(source)
        # The flag says the language of a file whose suffix is another one's.
        language = _LOWERED[source.language]
        unusual = source.option or language_of(Path(source.name)) != language
        cflags = (*self.line.compile_flags, *(("-x", language) if unusual else ()))
        suffix = ".c" if language == "c" else ".cpp"
        more = ("--host-output", str(files / f"rose_{Path(source.name).stem}{suffix}")) if unusual else ()
        request = lower_request(settings, Path(source.name), files, cflags, self.compiler[-1], more)
        cache = opened_cache()
        result = lower_unit(replace(request, device_link=self.links_device_code), cache)
        report(result.diagnostics, self.colour)
        if result.unchanged and b"rex_offload_init" not in result.host.read_bytes():
            status = self._compile(source, final)
        else:
            status = self._compile_lowered(source, result, files, Path(final), cache)
        if not status and settings.depends_on and self.line.wants_depfile:
            _add_dependencies(*_depfile(self.line, source), settings.depends_on)
        return status

    def _compile_lowered(
        self, source: Input, result: LowerResult, files: Path, final: Path, cache: Cache | None
    ) -> int:
        """Make the object of a lowered unit. What is to be read stays in ``files``. Returns the exit status."""
        compiler, line, settings, real = self.compiler, self.line, self.settings, self.compiler[-1]
        # An object for link-time optimisation cannot be joined with an ordinary object.
        lto = ["-fno-lto"] if not result.unchanged and any(f.startswith("-flto") for f in line.compile_flags) else []
        own = ["-fopenmp", f"-I{include_dir()}", f"-iquote{Path(source.name).absolute().parent}"]
        own += [option for backend in backends_of(settings.image_targets) for option in backend.host_options]
        names = _aux_names(compiler, line, source)
        counted: tuple[str, ...] = ()
        compiled = result
        if is_covered(line.compile_flags) and not result.unchanged:
            compiled = as_user_lines(result, self._work_of(source) / "counted")
            if names:
                counted = image_options(auxiliary_name([*names, *line.compile_flags], source))
            own += without_headers()
        first = f"-iquote{include_dir()}"  # beside the source may be a rex_kmp.h of another release, or of REX itself
        flags = [first, *names, *line.compile_flags, *lto, *own]
        named = ("-x", _LOWERED[source.language]) if source.option else ()  # g++ takes any host file for C++
        words = [real, *flags, *named]
        if result.unchanged:  # but for what makes the device ready
            host = self._work_of(source) / "host.o"
            command = [*compiler[:-1], *words, *self._unnamed(result), "-c", str(result.host), "-o", str(host)]
            return call(command) or self._finish(source, host, final)
        tell(f"rex-build: {source.name}: device code for {', '.join(settings.image_targets)}")
        unit = read_unit(result.host, ())
        make = partial(make_images, compiled, settings, files, unit.separable, line.compile_flags, counted, cache)
        cached = self._cached_object(source, compiled, words, settings.keep_in is not None, cache)
        if cached is not None and cached.is_known:
            images = [*make().values()]
            depfile = Path(_depfile(line, source)[0]) if line.wants_depfile else None
            if (found := cached.found(images, depfile)) is not None:
                if not unit.separable:
                    write_registration(unit, images, None, files)  # to be read
                _put(found, final)
                return 0
        joined = self._work_of(source) / "joined.o"
        status = self._make_object(source, compiled, unit, words, make, files, joined, cached)
        if not status:
            _put(joined.read_bytes(), final)
        return status

    def _work_of(self, source: Input) -> Path:
        """The folder for what is made of a source in between."""
        work = self.work.path / str(source.position)
        work.mkdir(exist_ok=True)
        return work

    def _unnamed(self, result: LowerResult) -> list[str]:
        """The option that keeps the host file's folder out of what debuggers read, where it is a new one each time.

        They read the user's files. Without it, each object would be another one.
        """
        return [f"-fdebug-prefix-map={result.host.parent}=."] if self.settings.keep_in is None else []

    def _make_object(
        self, source: Input, result: LowerResult, unit: Unit, words: Sequence[str], make: _ImageMaker, files: Path,
        joined: Path, cached: UnitObject | None,
    ) -> int:  # fmt: skip
        """Make the object ``joined`` of a unit and its dependency file, and keep both.

        ``words`` compile the host's code, and ``make`` makes the images. Returns the exit status.
        """
        real, work, host = words[:1], joined.parent, joined.with_name("host.o")
        listed = host.with_suffix(".d")
        told = ["-MD", "-MF", str(listed), *_coloured(words)] if cached is not None else []
        command = [*self.compiler[:-1], *words, *self._unnamed(result), *told, "-c", str(result.host), "-o", str(host)]
        # The compilers of images run beside that of the host.
        with running(command, is_heard=cached is not None) as compiling:
            try:
                made = make()
                if unit.separable:
                    from .device_link import carrier

                    glue = [carrier(unit, made, real, work)]
                else:
                    glue = registration_objects(unit, [*made.values()], None, real, work, files)
            except RexError:
                if status := ended(compiling)[0]:
                    return status  # the user's compiler has said what is wrong
                raise
            status, is_silent = ended(compiling)
            if status:
                return status
        if self.settings.on_unsupported == "error":
            from .foreign_objects import check_objects

            check_objects({str(host): source})
        # The symbols tie both halves, and another file may have the same ones.
        local = () if unit.separable else ("__rex_offload_entries_*", "__rex_image_*")
        join([host, *glue], [*real, *_machine(words)], joined, local)
        status = self._write_dependencies(source)
        if not status and cached is not None and is_silent:
            depfile = Path(_depfile(self.line, source)[0]) if self.line.wants_depfile else None
            cached.keep([*made.values()], depfile, joined, listed)
        return status

    def _cached_object(
        self, source: Input, result: LowerResult, command: Sequence[str], stays: bool, cache: Cache | None
    ) -> UnitObject | None:
        """The object on its way through the cache. None if it is not cached.

        It is not behind programs that may do more than to find the same object sooner.
        """
        if self.variables or compiler_at(self.compiler) != len(self.compiler) - 1:
            return None
        settings, folder = self.settings, os.path.abspath(result.host.parent)
        told = [word for word in _depfile_words(self.line, source) if word != _depfile(self.line, source)[0]]
        more = (*told, *settings.image_targets, str(settings.image_options), settings.on_unsupported)
        folders = (os.getcwd(), os.environ.get("PWD", ""), folder)
        language, files = _LOWERED[source.language], (str(result.host), str(result.cu), *result.inputs)
        asked = ObjectRequest(command, language, source.name, files, more, folders, stays, self.started_ns)
        return unit_object(asked, cache)

    def _finish(self, source: Input, made: Path, final: Path) -> int:
        """Put an object in its place once its dependencies are written: without these, make never builds it again."""
        status = self._write_dependencies(source)
        if not status:
            _put(made.read_bytes(), final)
        return status

    def _write_dependencies(self, source: Input) -> int:
        """Let the compiler write what a source that is lowered depends on, as it does when it compiles the source.

        Makefiles have rules for headers under the names by which the compiler finds them.
        """
        words = _depfile_words(self.line, source)
        if not words and not self.variables:
            return 0
        flags = [*for_preprocessor(self.line.compile_flags), "-fopenmp", "-w", "-E", "-o", os.devnull]
        return call([self.compiler[-1], *flags, *words, *source.words], variables=self.variables)


def _needs_lowering(compiler: Sequence[str], source: Input, line: CommandLine, lower_all: bool) -> bool:
    """Whether a file has something to lower. The compiler itself reports a file that it cannot preprocess."""
    if source.language not in _LOWERED:
        return False
    if lower_all:
        return True
    if "-include-pch" in line.words and line.uses_openmp:
        raise UsageError("-include-pch hides a header's text from rex-build, and regions in it: write -include")
    from ..c.source.preprocess import preprocess
    from ..c.source.scan import concerns_device, has_target_directive

    try:
        if has_target_directive(Path(source.name).read_bytes()):
            return True
    except OSError:
        return False
    for undefined in ((), ("-fno-openmp",)):  # a file may refuse to be compiled with OpenMP
        try:
            flags = (*line.compile_flags, *undefined)
            pre = preprocess(Path(source.name), flags, compiler[-1], language=_LOWERED[source.language])
        except InputError:
            continue
        return concerns_device(pre)
    return False


def _is_stream(name: str) -> bool:
    """Whether a source is a pipe, as that of ``<(command)`` is, which can be read only once."""
    return name != "-" and (Path(name).is_fifo() or Path(name).is_socket())


@contextmanager
def _streams_as_files(line: CommandLine) -> Iterator[list[str]]:
    """The words of a command line with files in place of sources that are streams."""
    words = list(line.words)
    folders: dict[str, None] = {}
    import tempfile

    with tempfile.TemporaryDirectory(prefix="rex-build-") as folder:
        for source in line.sources:
            if not _is_stream(source.name):
                continue
            stream, copy = Path(source.name), Path(folder, str(source.position), Path(source.name).name)
            copy.parent.mkdir()
            copy.write_bytes(stream.read_bytes())
            words[source.position] = str(copy)
            folders[f"-iquote{stream.absolute().parent}"] = None
        yield [*words, *folders]


def _from_standard_input(
    command: Sequence[str], line: CommandLine, settings: ObjectSettings, colour: str, variables: Mapping[str, str]
) -> int:
    """Run a compiler that reads a source from the standard input, which is not lowered."""
    from .foreign import check_foreign

    data = sys.stdin.buffer.read()
    for source in line.sources:
        found = check_foreign(split_command(command)[0], source, line, settings.on_unsupported, data)
        report(found, colour)
    return call(command, data, variables)


_DEPENDENCY_VARIABLES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")


@contextmanager
def _dependency_variables() -> Iterator[dict[str, str]]:
    """Take the variables with which every run of gcc adds to a dependency file out of the environment for a while."""
    found = {name: os.environ.pop(name) for name in _DEPENDENCY_VARIABLES if name in os.environ}
    try:
        yield found
    finally:
        os.environ.update(found)


def _work_folder(line: CommandLine) -> WorkFolder:
    """A temporary folder beside the output, for the files in between. Its file system has room for them."""
    output = Path(line.output or "a.out").absolute()
    special = not os.access(output.parent, os.W_OK) or (output.exists() and not output.is_file())  # such as /dev/null
    if special:
        import tempfile

        output = Path(tempfile.gettempdir(), output.name)
    return WorkFolder(output)


def _aux_names(compiler: Sequence[str], line: CommandLine, source: Input) -> list[str]:
    """Options with which a compilation under other names names its auxiliary files as the user's command would."""
    if not line.writes_aux_files:
        return []
    version = captured([compiler[-1], "-dumpfullversion"])[1].partition(".")[0]  # only gcc knows this option
    return line.aux_names(source) if version.isdigit() and int(version) >= 11 else []


def _machine(flags: Sequence[str]) -> list[str]:
    return [flag for flag in flags if flag.startswith("-m") or flag in ("-pie", "-no-pie")]


def _put(data: bytes, final: Path) -> None:
    """Write an object to where the command line wants it.

    What is there is written to, as assemblers do: it may be /dev/null, a link, or have another name as well.
    """
    try:
        if final.exists() or final.is_symlink() or not final.parent.is_dir():
            final.write_bytes(data)
        else:
            place([(final, data)])
    except OSError as error:
        raise ToolError(f"cannot write {final}: {error.strerror}") from error


def _depfile(line: CommandLine, source: Input) -> tuple[str, tuple[str, ...]]:
    """(the dependency file that gcc's -MD writes for a source, the targets in it)."""
    stem = Path(source.name).stem
    own = f"{stem}.o"
    if line.output:
        name, target = str(Path(line.output).with_suffix(".d")), line.output
    elif line.compiles_only:
        name, target = f"{auxiliary_name(line.flags, source)}.d", own
    else:
        name, target = f"{stem}.d" if stem == "a" else f"a-{stem}.d", own
    return line.depfile or name, line.depfile_targets or (escape(target),)


def _depfile_words(line: CommandLine, source: Input) -> list[str]:
    """Options with which another command writes the depfile that the user's command would write for a source."""
    if not line.wants_depfile:
        return []
    name, targets = _depfile(line, source)
    words = [line.wants_depfile, *(["-MP"] if line.phony else []), "-MF", name]
    return [*words, *(word for target in targets for word in ("-MT", target))]


def _add_dependencies(depfile: str, targets: Sequence[str], more: Sequence[Path]) -> None:
    """Add files to a depfile that a compiler has written for these targets, behind the first colon."""
    file = Path(depfile)
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    front = " ".join(targets) + ":"
    names = "".join(f" \\\n {escape(str(name))}" for name in more)
    if text.startswith(front):
        file.write_text(front + names + text[len(front) :], encoding="utf-8", errors="surrogateescape")


def _coloured(flags: Sequence[str]) -> list[str]:
    """The option with which a compiler whose messages are read first writes as it would for a terminal."""
    chosen = any("diagnostics-color" in flag for flag in flags)
    is_terminal = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return ["-fdiagnostics-color=always"] if is_terminal and not chosen else []
