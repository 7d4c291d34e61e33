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
from ..cache.image import ImageRequest
from ..cache.image_compile import image_through_cache
from ..tools.backends import backend_of
from ..tools.toolchain import Compiler

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
            backend = backend_of(arch)
            command = (compiler or backend.find_compiler()).command
            request = ImageRequest(str(cu), text, arch, options, command, separable)

            def compile_to(depfile: str) -> str:
                backend.check_compiler(Compiler(tuple(command)))
                flags = [*options, "-MD", "-MF", depfile]
                first, *links = backend.compile_steps(arch, command, str(cu), str(image), flags, separable)
                try:
                    said = _run([*launcher, *first[0]], first[1], arch, cu)
                except ToolError:
                    if problem := backend.compile_problem(arch, command):
                        raise problem.error() from None
                    raise
                return said + "".join(_run(words, file, arch, cu) for words, file in links)

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
        else:
            backend = backend_of(arch)
            linker = compiler or backend.find_compiler()
            backend.check_compiler(linker)
            if backend.object_suffix:
                used = [_linked_as(stage / f"{i}{backend.object_suffix}", name) for i, name in enumerate(used)]
            for command in backend.link_commands(arch, linker.command, used, str(image), options):
                _run_link(command, arch, out)
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


def _linked_as(link: Path, name: str) -> str:
    os.symlink(name, link)
    return str(link)


def _run(command: Sequence[str], file: str, arch: str, source: Path) -> str:
    """Run a compiler on ``file`` from its own folder: the name it may record is then the same in every build tree.

    Returns what it said, in whole lines.
    """
    try:
        done = subprocess.run(
            [*command, Path(file).name],
            cwd=Path(file).absolute().parent,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
    output = (done.stderr + done.stdout).rstrip()
    if done.returncode:
        # The generated text carries #line directives, so the compiler names the user's file by itself.
        message = f"{Path(command[0]).name} could not make the {arch} image of {source}"
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
