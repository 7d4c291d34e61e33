"""Device images: a generated ``.cu`` becomes a cubin for one GPU architecture, or a shared object for the CPU."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..base.diagnostics import Diagnostic, InputError, ToolError
from ..base.outputs import put_image
from ..base.paths import include_dir
from ..cache.image import ImageRequest
from ..cache.image_compile import image_through_cache
from .toolchain import Compiler, Nvcc, arch_problem, find_cxx, need_nvcc, nvcc_archs, nvcc_from

_DEVICE_CODE = re.compile(rb"\b__(?:global|device|constant|managed)__\b")


def build_image(
    cu: Path,
    arch: str,
    out: Path,
    options: Sequence[str] = (),
    compiler: Compiler | None = None,
    separable: bool = False,
    launcher: Sequence[str] = (),
) -> None:
    """Compile ``cu`` for ``arch`` (``cpu`` or ``sm_<NN>``) into ``out``, which appears only when all went well.

    ``options`` go to the compiler at the end of its command line; ``compiler`` is nvcc or g++, None to search for it.
    ``separable`` makes a device object for :func:`link_image` instead of an image. ``launcher``, such as ``ccache``,
    stands in front of the compiler, not of links.
    A file without device code, as a source without target constructs gives, makes an empty image, which registration
    passes over: no compiler runs.
    Raises InputError when ``cu`` cannot be read and ToolError, with the compiler's own words, when it fails.
    """
    try:
        text = cu.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {cu}: {error.strerror}") from error
    with _staged(out) as stage:
        image = stage / out.name
        if not _DEVICE_CODE.search(text):
            image.touch()
        else:
            command = compiler.command if compiler else find_cxx().command if arch == "cpu" else need_nvcc().command
            request = ImageRequest(str(cu), text, arch, options, command, separable)

            def compile_to(depfile: str) -> str:
                flags = [*options, "-MD", "-MF", depfile]
                if arch == "cpu":
                    return _cpu_image(cu, image, flags, command, separable, launcher)
                return _cubin(cu, arch, image, flags, nvcc_from(Compiler(tuple(command))), separable, launcher)

            if said := image_through_cache(request, str(image), compile_to):
                sys.stderr.write(said)
        put_image(str(image), str(out), str(cu))


def link_image(
    objects: Sequence[Path], arch: str, out: Path, options: Sequence[str] = (), compiler: Compiler | None = None
) -> None:
    """Link device objects, which ``build_image(separable=True)`` made, into the one image ``out`` for ``arch``.

    Empty ones are passed over; when all are, so is ``out``. Raises InputError when an object cannot be read and
    ToolError, with the linker's own words, when it fails.
    """
    used = []
    for obj in objects:
        try:
            if obj.stat().st_size:
                used.append(str(obj.absolute()))
        except OSError as error:
            raise InputError(f"cannot read {obj}: {error.strerror}") from error
    with _staged(out) as stage:
        image = stage / out.name
        if not used:
            image.touch()
        elif arch == "cpu":
            cxx = compiler or find_cxx()
            # A function that no unit defines would only be missed when the image is loaded: a first link, with an
            # OpenMP library that the image itself gets from its program, looks for that.
            check = [*cxx.command, "-shared", "-fopenmp", "-Wl,-z,defs", *options, *used, "-o", str(stage / "check.so")]
            _run_link(check, arch, out)
            _run_link([*cxx.command, "-shared", "-Wl,-Bsymbolic", *options, *used, "-o", str(image)], arch, out)
        else:
            nvcc = nvcc_from(compiler) if compiler else need_nvcc()
            # ccache takes no part in links; nvlink reads what -cubin -rdc=true wrote only by that ending.
            for i, name in enumerate(used):
                used[i] = str(stage / f"{i}.cubin")
                os.symlink(name, used[i])
            flags = ["-dlink", "-cubin", f"-arch={arch}", *options]
            _run_link([*nvcc.command, *flags, *used, "-o", str(image)], arch, out)
        os.replace(image, out)


def _run_link(command: Sequence[str], arch: str, out: Path) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
    output = (done.stderr + done.stdout).rstrip()
    if done.returncode:
        message = f"{Path(command[0]).name} could not link the {arch} image {out.name}\n{output}"
        note = "every declare target function and variable that is used has to be defined in a source of this target"
        raise ToolError([Diagnostic("error", message, notes=(note,))])
    if output:
        print(output, file=sys.stderr)


def _cubin(
    cu: Path, arch: str, image: Path, options: Sequence[str], nvcc: Nvcc, separable: bool, launcher: Sequence[str]
) -> str:
    # -c beside -cubin is for compiler launchers: without it ccache takes the call for a link.
    flags = ["-std=c++17", "-c", "-cubin", f"-arch={arch}", f"-I{include_dir()}"]
    flags += [*_optimise(options), *(["-rdc=true", "-DREX_SEPARABLE"] if separable else []), *options]
    try:
        return _run([*launcher, *nvcc.command, *flags, "-o", str(image)], cu, arch)
    except ToolError:
        if arch.rstrip("af") not in nvcc_archs(nvcc):
            raise arch_problem(nvcc, [arch]).error() from None
        raise


def _optimise(options: Sequence[str]) -> list[str]:
    """The default level, unless the options have their own or ask for code to debug: nvcc warns of two."""
    return [] if any(option.startswith("-O") or option in ("-G", "--device-debug") for option in options) else ["-O3"]


def _cpu_image(
    cu: Path, image: Path, options: Sequence[str], cxx: Sequence[str], separable: bool, launcher: Sequence[str]
) -> str:
    """Compiled with ``-fopenmp`` and linked without: its GOMP calls resolve to the libomp of the program that loads it.

    ``-Bsymbolic``: images of several units live in one process and must not see each other's symbols.
    ``-fno-strict-aliasing``: what may alias what is said by attributes and options that only the host's text has.
    """
    obj = image.with_name(image.name + ".o")
    flags = ["-std=c++17", "-DREX_DEVICE_CPU", f"-I{include_dir()}", "-include", "rex_cpu.h"]
    # No other compiler's code is called with wide vectors as arguments.
    flags += ["-fopenmp", "-fPIC", "-fno-strict-aliasing", "-Wno-psabi", *_optimise(options), *options]
    if separable:
        # -fno-gnu-unique: what units share they share within their image, not with other images of the process.
        flags += ["-DREX_SEPARABLE", "-fno-gnu-unique"]
        obj = image
    said = _run([*launcher, *cxx, *flags, "-x", "c++", "-c", "-o", str(obj)], cu, "cpu")
    if not separable:
        said += _run([*cxx, "-shared", "-Wl,-Bsymbolic", "-o", str(image)], obj, "cpu", source=cu)
    return said


def _run(command: Sequence[str], file: Path, arch: str, source: Path | None = None) -> str:
    """Run a compiler on ``file`` from its own folder: the name it may record is then the same in every build tree.

    Returns what it said, in whole lines.
    """
    try:
        done = subprocess.run(
            [*command, file.name], cwd=file.absolute().parent, capture_output=True, text=True, errors="replace"
        )
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
    output = (done.stderr + done.stdout).rstrip()
    if done.returncode:
        # The generated text carries #line directives, so the compiler names the user's file by itself.
        message = f"{Path(command[0]).name} could not make the {arch} image of {source or file}"
        raise ToolError([Diagnostic("error", f"{message}\n{output}" if output else message)])
    return output + "\n" if output else ""


@contextmanager
def _staged(out: Path) -> Iterator[Path]:
    """A private folder beside ``out``, gone afterwards. Raises ToolError when ``out``'s folder cannot be written."""
    try:
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".rex-", dir=out.absolute().parent))
    except OSError as error:
        raise ToolError(f"cannot write {out}: {error.strerror}") from error
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)
