"""``rex-build cc`` makes a program from C sources in one go, for small programs and plain Makefiles."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from ..base.command_words import expanded, taken_out
from ..base.diagnostics import Diagnostic, InputError, RexError, ToolError, UsageError
from ..base.paths import argument, include_dir
from ..base.progress import Progress
from ..base.records import dataclass, replace
from ..base.work_folder import work_folder
from ..pipeline import lower
from ..render.registration import check_units, read_unit, render_registration, with_images
from ..request import LowerRequest, LowerResult, language_of
from ..tools.backends import backend_of
from ..tools.check_library import check_link_flags
from ..tools.runtimes import link_flags, without_openmp_runtimes
from ..tools.targets import backends_of, image_targets, select_runtime
from ..tools.toolchain import Compiler, find_cc, find_cxx
from .command_line import read_command_line
from .device_link import carrier, linked_registration, may_need_link, without_records
from .foreign_objects import check_linked, check_output, explain_failed_link, linked_files
from .images import build_image
from .objects import run as run_compiler

_NOT_A_PROGRAM = frozenset(("-c", "-S", "-E", "-M", "-MM"))
_LINK_SUFFIXES = frozenset((".o", ".a", ".so", ".lo"))


@dataclass(frozen=True)
class CcRequest:
    """One call. ``files`` are C sources and things to link. All sources are lowered with what ``lowering`` asks for.

    ``devices`` None means cuda where nvcc is found, else cpu. ``flags`` are the user's flags for the compiler,
    libraries included. ``launcher`` is put in front of every compiler, but not in front of links. At most ``jobs``
    commands run at a time.
    """

    files: tuple[Path, ...]
    output: Path
    devices: tuple[str, ...] | None
    archs: tuple[str, ...]
    launcher: tuple[str, ...]
    keep_dir: Path | None
    llvm_root: str | None
    jobs: int
    lowering: LowerRequest
    flags: tuple[str, ...]


@dataclass(frozen=True)
class _Flags:
    """The user's flags: those for compiling, which links get too, those that only a link understands, and those that
    choose our warnings."""

    compile: tuple[str, ...]
    link: tuple[str, ...]
    warnings: tuple[str, ...]


def build_program(request: CcRequest) -> tuple[Diagnostic, ...]:
    """Lower, compile and link. Returns the warnings of the lowering. Raises RexError and leaves no program then."""
    sources = [file for file in request.files if not _is_linked(file)]
    _check_sources(sources)
    if not request.output.absolute().parent.is_dir():
        raise ToolError(f"cannot write {request.output}: no such folder")
    if request.output.is_dir():
        raise ToolError(f"cannot write {request.output}: is a directory")
    flags = _split_flags(request.flags)
    targets = image_targets(request.devices, request.archs)
    backends = backends_of(targets)
    runtime = select_runtime(backends, targets, request.llvm_root)
    checking = check_link_flags(backends)
    cc = find_cc()
    cxx = find_cxx() if any(language_of(source) == "c++" for source in sources) else None
    compilers = {source: cxx if cxx is not None and language_of(source) == "c++" else cc for source in sources}
    steps = len(sources) * (2 + len(targets)) + 2
    with (
        Progress(steps) as progress,
        _work_dir(request.keep_dir, request.output) as work,
        ThreadPoolExecutor(request.jobs) as pool,
    ):
        common = Path(os.path.commonpath([source.absolute().parent for source in sources]))
        folders = _folders(sources, common, work)
        lowered = _lower_all(request, compilers, flags, folders, _base_dir(sources, common), progress)
        images = {
            result.cu: {target: result.cu.with_suffix(backend_of(target).image_suffix(target)) for target in targets}
            for result in lowered
        }
        read = {result.cu: read_unit(result.host, ()) for result in lowered}
        image_job = partial(build_image, launcher=request.launcher)
        jobs: list[tuple[str, Callable[[], None]]] = [
            (f"{cu.name} for {target}", partial(image_job, cu, target, image, separable=read[cu].separable))
            for cu, made in images.items()
            for target, image in made.items()
        ]
        objects = [result.host.with_suffix(".o") for result in lowered]
        for source, result, obj in zip(sources, lowered, objects, strict=True):
            own = [*flags.compile, f"-iquote{source.absolute().parent}"]
            own += [option for backend in backends for option in backend.host_options]
            job = _compile_job([*request.launcher, *compilers[source].command], result.host, obj, own)
            jobs.append((result.host.name, job))
        _run_all(pool, jobs, progress)
        linked = [(cu, unit) for cu, unit in read.items() if unit.separable]
        units = [with_images(unit, [*images[cu].values()]) for cu, unit in read.items() if not unit.separable]
        check_units(units)
        objects += [
            carrier(unit, images[cu], cc.command, unit.host.with_suffix(".link")) for cu, unit in linked
        ]
        progress.begin("register_cubin.cpp, which registers the images")
        if units or not linked:  # a registration without images makes the runtime start all kinds of devices
            glue = work / "register_cubin.cpp"
            glue.write_text(render_registration(units), encoding="utf-8", errors="surrogateescape")
            objects.append(work / "register_cubin.o")
            # This runs without a launcher, because the images that it embeds are on this machine only.
            _compile_job(cc.command, glue, objects[-1], ["-x", "c", "-fPIC"])()
        progress.end()
        progress.begin(f"linking {request.output.name}")
        inputs = [*objects, *(file for file in request.files if _is_linked(file))]
        more = [*checking, *flags.compile, *flags.link]
        warnings = _link(cxx or cc, inputs, more, link_flags(runtime), request, work)
    return (*(diagnostic for result in lowered for diagnostic in result.diagnostics), *warnings)


# What was asked for


def _is_linked(file: Path) -> bool:
    return file.suffix in _LINK_SUFFIXES or ".so." in file.name


def _check_sources(sources: Sequence[Path]) -> None:
    if not sources:
        raise UsageError("no C or C++ source was given")
    for source in sources:
        if source.suffix != ".c" and language_of(source) == "c":
            raise UsageError(f"{source} is neither a C or C++ source (.c, .cpp) nor something to link (.o, .a, .so)")
        if not source.is_file():
            raise InputError(f"{source}: no such file")
    doubles = [path for path, count in Counter(source.resolve() for source in sources).items() if count > 1]
    if doubles:
        raise UsageError(f"{doubles[0]} was given more than once")


def _split_flags(flags: Sequence[str]) -> _Flags:
    compile_flags: list[str] = []
    link: list[str] = []
    own, warnings = taken_out(expanded(flags))
    words = iter(without_openmp_runtimes(own))  # libomp takes their place; a program cannot have both
    for word in words:
        if word in _NOT_A_PROGRAM or word.startswith("-o"):
            raise UsageError(f"{word} cannot stand after --: cc makes a program, whose name comes before it (-o PROG)")
        if word in ("-L", "-l", "-Xlinker", "-T", "-u"):
            link += [word, next(words, "")]
        elif word.startswith(("-l", "-L", "-Wl,")) or (word[:1] != "-" and _is_linked(Path(word))):
            link.append(word)
        else:
            compile_flags.append(word)
    return _Flags(tuple(compile_flags), tuple(link), warnings)


@contextmanager
def _work_dir(keep: Path | None, output: Path) -> Iterator[Path]:
    try:
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            yield keep.absolute()
        else:
            with work_folder(output) as folder:
                yield folder
    except OSError as error:
        raise ToolError(f"cannot write {error.filename or keep}: {error.strerror}") from error


def _base_dir(sources: Sequence[Path], common: Path) -> Path:
    """The folder below which messages and debug information name the files. As with gcc, this is the current one. If a
    source is elsewhere, it is the folder that all of them have in common."""
    here = Path.cwd()
    return here if all(source.absolute().is_relative_to(here) for source in sources) else common


def _folders(sources: Sequence[Path], common: Path, work: Path) -> dict[Path, Path]:
    """The folder for each source's files: ``work`` itself, or one folder each if two sources have the same name."""
    stems = Counter(source.stem for source in sources)
    return {
        source: work / source.absolute().parent.relative_to(common) if stems[source.stem] > 1 else work
        for source in sources
    }


# Doing it


def _lower_all(
    request: CcRequest,
    compilers: Mapping[Path, Compiler],
    flags: _Flags,
    folders: dict[Path, Path],
    base_dir: Path,
    progress: Progress,
) -> list[LowerResult]:
    requests = [
        replace(
            request.lowering,
            source=source,
            out_dir=folder,
            cflags=(*compilers[source].options, *flags.compile),
            cc=compilers[source].program,
            base_dir=base_dir,
            warnings=(*request.lowering.warnings, *flags.warnings),
        )
        for source, folder in folders.items()
    ]
    for folder in set(folders.values()):
        folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        run = map
        if len(requests) > 1 and request.jobs > 1:
            run = stack.enter_context(ProcessPoolExecutor(min(request.jobs, len(requests)))).map  # type: ignore[assignment]
        outcomes = []
        progress.begin(f"lowering {requests[0].source.name}")
        for outcome, following in zip(run(_lower_one, requests), [*requests[1:], None], strict=True):
            outcomes.append(outcome)
            progress.end()
            if following is not None:
                progress.begin(f"lowering {following.source.name}")
    failed = [outcome for outcome in outcomes if not isinstance(outcome, LowerResult)]
    if failed:
        raise _merge(failed)
    return [outcome for outcome in outcomes if isinstance(outcome, LowerResult)]


def _lower_one(request: LowerRequest) -> LowerResult | tuple[type[RexError], tuple[Diagnostic, ...]]:
    """Lower one unit in another process. An exception would lose its diagnostics there, so errors are returned."""
    try:
        return lower(request)
    except RexError as error:
        return type(error), error.diagnostics


def _merge(failed: Sequence[tuple[type[RexError], tuple[Diagnostic, ...]]]) -> RexError:
    worst = max((kind for kind, _ in failed), key=lambda kind: kind.exit_code)
    return worst([diagnostic for _, diagnostics in failed for diagnostic in diagnostics])


def _compile_job(cc: Sequence[str], source: Path, obj: Path, flags: Sequence[str]) -> Callable[[], None]:
    command = [*cc, "-fopenmp", f"-I{include_dir()}", *flags, "-c", argument(source), "-o", str(obj)]
    return partial(run_compiler, command)


def _run_all(pool: ThreadPoolExecutor, jobs: Sequence[tuple[str, Callable[[], None]]], progress: Progress) -> None:
    """Run every job, of which each has a name, and afterwards raise all errors together."""

    def shown(name: str, job: Callable[[], None]) -> None:
        progress.begin(name)
        job()
        progress.end()

    futures: list[Future[None]] = [pool.submit(shown, name, job) for name, job in jobs]
    try:
        errors = [error for future in futures if (error := future.exception())]
    except BaseException:  # a signal: what has not begun is not begun any more
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    for error in errors:
        if not isinstance(error, RexError):
            raise error
    failed = [(type(error), error.diagnostics) for error in errors if isinstance(error, RexError)]
    if failed:
        raise _merge(failed)


def _link(
    cc: Compiler, inputs: Sequence[Path], flags: Sequence[str], runtime: Sequence[str], request: CcRequest, work: Path
) -> list[Diagnostic]:
    """Link the program. Returns warnings about what is linked."""
    with work_folder(request.output) as folder:
        part = folder / request.output.name
        users = [*map(str, inputs), *flags]
        command = [*cc.command, *users, *runtime, "-o", str(part)]
        line = read_command_line([*users, "-o", str(part)])
        warnings = check_linked(command, line, request.lowering.on_unsupported)
        if with_records := may_need_link(linked_files(line)[0]):
            more = linked_registration([*cc.command, *users], runtime, cc.command, {}, work)
            command = [*cc.command, *users, *more, *runtime, "-o", str(part)]
        try:
            run_compiler(command)
            if with_records:
                without_records(part)
            warnings += check_output(command, line, {}, request.lowering.on_unsupported, warnings)
            os.replace(part, request.output)
        except InputError as error:
            raise InputError([*error.diagnostics, *explain_failed_link(command, line, {})]) from error
        except OSError as error:
            raise ToolError(f"cannot write {request.output}: {error.strerror}") from error
    return warnings
