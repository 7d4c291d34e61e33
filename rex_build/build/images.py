"""Makes device images: a cubin for one GPU architecture, or a shared object for the CPU, from a generated ``.cu``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ..base.diagnostics import Diagnostic, InputError, ToolError
from ..base.outputs import place
from ..base.patterns import regex
from ..base.work_folder import WorkFolder
from ..cache.image import ImageRequest
from ..cache.image_compile import image_through_cache
from ..cache.memo import Cache, opened_cache
from ..tools.backends import backend_of
from ..tools.toolchain import Compiler

_DEVICE_CODE = regex(rb"\b__(?:global|device|constant|managed)__\b")


def build_image(
    cu: Path,
    arch: str,
    out: Path,
    options: Sequence[str] = (),
    compiler: Compiler | None = None,
    separable: bool = False,
    launcher: Sequence[str] = (),
    cache: Cache | None = None,
) -> None:
    """Compile ``cu`` for ``arch`` (``cpu`` or ``sm_<NN>``) into ``out``, which appears only if everything succeeds.

    ``options`` stand at the end of the compiler's command line. ``compiler`` is nvcc or g++, or None to search for it.
    ``separable`` makes a device object for :func:`link_image` instead of an image. ``launcher``, such as ``ccache``, is
    put in front of the compiler but not of links. ``cache`` is that of the unit's other steps. For a file without
    device code, which sources without target constructs give, no compiler runs. The image is empty then, and
    registration skips it. Raises InputError if ``cu`` cannot be read, and ToolError, with the compiler's messages, if
    it fails.
    """
    try:
        text = cu.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {cu}: {error.strerror}") from error
    if not _DEVICE_CODE.search(text):
        place([(out, b"")], cu)
        return
    with _staged(out) as work:
        backend = backend_of(arch)
        command = (compiler or backend.find_compiler()).command
        request = ImageRequest(str(cu), text, arch, options, command, separable)

        def second_try(said: str, image: str) -> str | None:
            """Make the image in another way, where the compiler refused the file, as it ``said``.

            Returns what it says then, or None if there is no other way, or it fails, too.
            """
            ours = [*backend.header_options(text, options), *options]
            step = backend.second_step(arch, command, str(work.path), said, image, ours, separable)
            try:
                said = _run(step[0], step[1], arch, cu) if step is not None else ""
            except ToolError:
                return None
            return said if step is not None and not backend.silent_errors(os.path.dirname(step[1])) else None

        def compiled() -> tuple[str, str]:
            image = str(work.path / out.name)
            backend.check_compiler(Compiler(tuple(command)))
            ours = [*backend.header_options(text, options), *(keep := backend.keep_options(text, str(work.path)))]
            # A launcher that has the image already would leave nothing to check. CMake's are words of the command.
            named = Compiler(tuple(command))
            in_front, words = ((), (named.program, *named.options)) if keep else (launcher, command)
            ours += backend.separable_options(text, options) if separable else []
            launched = bool(in_front) or len(words) > 1
            flags = [*ours, *options, *backend.depfile_options(f"{image}.d", launched)]
            steps = backend.compile_steps(arch, words, str(cu), image, flags, separable)
            first = next(steps)
            try:
                said = _run([*in_front, *first[0]], first[1], arch, cu)
                if keep and (errors := backend.silent_errors(str(work.path))):
                    raise ToolError(errors)
            except ToolError as error:
                if keep and (again := second_try(str(error), image)) is not None:
                    return image, again
                if problem := backend.compile_problem(arch, command):
                    raise problem.error() from None
                raise
            return image, said + "".join(_run(step, file, arch, cu) for step, file in steps)

        cache = cache or opened_cache()
        if said := image_through_cache(request, cache, str(out), compiled):
            sys.stderr.write(said)


def link_image(
    objects: Sequence[Path], arch: str, out: Path, options: Sequence[str] = (), compiler: Compiler | None = None
) -> None:
    """Link device objects, which ``build_image(separable=True)`` has made, into the image ``out`` for ``arch``.

    Empty objects are skipped, and if all are empty, so is ``out``. Raises InputError if an object cannot be read, and
    ToolError, with the linker's messages, if it fails.
    """
    used = []
    for obj in objects:
        try:
            if obj.stat().st_size:
                used.append(str(obj.absolute()))
        except OSError as error:
            raise InputError(f"cannot read {obj}: {error.strerror}") from error
    with _staged(out) as work:
        stage = work.path
        image = stage / out.name
        if not used:
            image.touch()
        else:
            backend = backend_of(arch)
            linker = compiler or backend.find_compiler()
            backend.check_compiler(linker)
            from .foreign_objects import mentions

            if any(mentions(name, (b"__gcov_init",)) for name in used):
                options = (*options, "--coverage")
            if backend.object_suffix:
                used = [_linked_as(stage / f"{i}{backend.object_suffix}", name) for i, name in enumerate(used)]
            for command in backend.link_commands(arch, linker.command, used, str(image), options):
                _run_link(command, arch, out)
        os.replace(image, out)


def captured(command: Sequence[str]) -> tuple[int, str]:
    """(exit status, messages and output) of a command. Raises ToolError when it cannot be run."""
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
    return done.returncode, (done.stderr + done.stdout).rstrip()


def _run_link(command: Sequence[str], arch: str, out: Path) -> None:
    status, output = captured(command)
    if status:
        message = f"{Path(command[0]).name} could not link the {arch} image {out.name}\n{output}"
        note = "every declare target function and variable that is used has to be defined in a source of this target"
        raise ToolError([Diagnostic("error", message, notes=(note,))])
    if output:
        print(output, file=sys.stderr)


def _linked_as(link: Path, name: str) -> str:
    os.symlink(name, link)
    return str(link)


def _run(command: Sequence[str], file: str, arch: str, source: Path) -> str:
    """Run a compiler on ``file`` in the file's folder, so that a name that it records is the same in every build tree.

    Returns its messages as whole lines.
    """
    import subprocess

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
        # The generated text has #line directives, so the compiler itself names the user's file.
        message = f"{Path(command[0]).name} could not make the {arch} image of {source}"
        raise ToolError([Diagnostic("error", f"{message}\n{output}" if output else message)])
    return output + "\n" if output else ""


def _staged(out: Path) -> WorkFolder:
    """A temporary folder beside ``out``. Raises ToolError if the folder of ``out`` cannot be made."""
    try:
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(f"cannot write {out}: {error.strerror}") from error
    return WorkFolder(out)
