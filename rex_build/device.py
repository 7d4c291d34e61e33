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

from .diagnostics import Diagnostic, InputError, ToolError
from .paths import include_dir
from .toolchain import Compiler, Nvcc, arch_problem, find_cxx, need_nvcc, nvcc_archs, nvcc_from

_DEVICE_CODE = re.compile(rb"\b__(?:global|device|constant|managed)__\b")


def build_image(cu: Path, arch: str, out: Path, options: Sequence[str] = (), compiler: Compiler | None = None) -> None:
    """Compile ``cu`` for ``arch`` (``cpu`` or ``sm_<NN>``) into ``out``, which appears only when all went well.

    ``options`` go to the compiler at the end of its command line; ``compiler`` is nvcc or g++, None to search for it.
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
        elif arch == "cpu":
            _cpu_image(cu, image, options, compiler or find_cxx())
        else:
            _cubin(cu, arch, image, options, nvcc_from(compiler) if compiler else need_nvcc())
        os.replace(image, out)


def _cubin(cu: Path, arch: str, image: Path, options: Sequence[str], nvcc: Nvcc) -> None:
    # -c beside -cubin is for compiler launchers: without it ccache takes the call for a link.
    flags = ["-std=c++17", "-c", "-cubin", f"-arch={arch}", "-O3", f"-I{include_dir()}", *options]
    try:
        _run([*nvcc.command, *flags, "-o", str(image)], cu, arch)
    except ToolError:
        if arch.rstrip("af") not in nvcc_archs(nvcc):
            raise arch_problem(nvcc, [arch]).error() from None
        raise


def _cpu_image(cu: Path, image: Path, options: Sequence[str], cxx: Compiler) -> None:
    """Compiled with ``-fopenmp`` and linked without: its GOMP calls resolve to the libomp of the program that loads it.

    ``-Bsymbolic``: images of several units live in one process and must not see each other's symbols.
    """
    obj = image.with_name(image.name + ".o")
    flags = ["-std=c++17", "-DREX_DEVICE_CPU", f"-I{include_dir()}", "-include", "rex_cpu.h"]
    flags += ["-fopenmp", "-fPIC", "-O3", *options]
    _run([*cxx.command, *flags, "-x", "c++", "-c", "-o", str(obj)], cu, "cpu")
    _run([*cxx.command, "-shared", "-Wl,-Bsymbolic", "-o", str(image)], obj, "cpu", source=cu)


def _run(command: Sequence[str], file: Path, arch: str, source: Path | None = None) -> None:
    """Run a compiler on ``file`` from its own folder: the name it may record is then the same in every build tree."""
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
    if output:
        print(output, file=sys.stderr)


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
