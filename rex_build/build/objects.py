"""Makes one object from one source file, with the host code, the device images and their registration in it.

The compiler launcher, ``cc`` in place of gcc, and Meson's generator share this. A build system that knows only objects
can put these into archives and link them like any other.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..base.command_words import which
from ..base.diagnostics import Diagnostic, InputError, ToolError, UsageError
from ..base.paths import argument, include_dir
from ..base.patterns import regex
from ..base.records import dataclass
from ..cache.memo import Cache
from ..pipeline import lower
from ..render.registration import Unit, check_units, with_images
from ..render.registration_text import render_apart
from ..render.shield import header_texts
from ..request import TRANSFORMATIONS, LowerRequest, LowerResult
from ..tools.backends import CHECK, backend_of
from ..tools.built_library import compiled, is_ours, kept_file
from ..tools.toolchain import Compiler
from .coverage import is_covered
from .foreign_flags import AskedFor
from .images import build_image, captured
from .lower_options import lower_request_from


@dataclass(frozen=True)
class ObjectSettings:
    """How units are lowered, and which images they get.

    ``images`` (``cpu``, ``sm_<NN>``) are what the build asks for. If there are none, ``choose_images`` finds them. It
    may search for nvcc, so it is called only when there is something to lower. ``lower_options`` are options of
    ``rex-build lower``. ``image_options`` and ``image_compilers`` have the name of a backend as their key; a compiler
    that is not named is looked for. ``launcher`` is put in front of the compilers of images. ``asked_for`` is what
    options for other compilers ask for. With ``link_device_code``, links that name the runtime link device code, too.
    What stands in front of one of the ``compilers`` in a command is a launcher, whatever its name is. If ``jobs`` is
    given, so many units are made at a time; otherwise they follow each other. With ``starts_devices``, a program that
    is linked without regions knows the devices of the machine, too.

    The rest is for build systems that name the units to lower: with ``lower_all``, every unit of C or C++ is lowered,
    and what is made of it stays in a folder below ``keep_in``, named after the source's path from one of the folders
    ``keep_from``. With ``device_debug``, device code is compiled for debugging as the flags of its unit say. A unit is
    made again when a file in ``depends_on`` changes.
    """

    images: tuple[str, ...]
    choose_images: Callable[[AskedFor], tuple[str, ...]]
    base_dir: Path | None
    on_unsupported: str
    lower_options: tuple[str, ...]
    image_options: Mapping[str, tuple[str, ...]]
    image_compilers: Mapping[str, tuple[str, ...]]
    llvm_root: str | None
    launcher: tuple[str, ...]
    asked_for: AskedFor = AskedFor()
    link_device_code: bool = False
    compilers: tuple[str, ...] = ()
    jobs: int | None = None
    starts_devices: bool = False
    lower_all: bool = False
    keep_in: Path | None = None
    keep_from: tuple[Path, ...] = ()
    device_debug: bool = False
    depends_on: tuple[Path, ...] = ()

    @property
    def image_targets(self) -> tuple[str, ...]:
        """The images that every unit gets. Raises UsageError where what is asked for does not go together."""
        targets = self.images or self.choose_images(self.asked_for)
        if "--claims" in self.lower_options and CHECK not in map(backend_of, targets):
            raise UsageError("--claims is for the check device, which verifies them: ask for --device check as well")
        return targets

    def folder_of(self, source: Path) -> Path | None:
        """The folder in which what is made of a source stays, or None if nothing stays."""
        if self.keep_in is None:
            return None
        path = source.absolute()
        within = [folder for folder in self.keep_from if path.is_relative_to(folder)]
        # A build folder is often below the folder of the sources. The longest path is its.
        base = max(within, key=lambda folder: len(folder.parts), default=self.keep_from[0])
        return self.keep_in / os.path.relpath(path, base).replace("..", "__")


def lower_request(
    settings: ObjectSettings,
    source: Path,
    out_dir: Path,
    cflags: Sequence[str],
    cc: str,
    more: Sequence[str] = (),
) -> LowerRequest:
    """The request with these settings and arguments. Raises UsageError for wrong options."""
    words = [argument(source), "--out-dir", str(out_dir), "--cc", shlex.quote(cc)]
    words += ["--on-unsupported", settings.on_unsupported, *settings.lower_options, *more]
    if is_covered(cflags):  # transformed regions have lines that are nobody's, and some of the user's twice
        words += [word for name in TRANSFORMATIONS for word in ("--no-opt", name)]
    if settings.base_dir is not None:
        words += ["--base-dir", str(settings.base_dir)]
    return lower_request_from(words, cflags)


def make_images(
    result: LowerResult,
    settings: ObjectSettings,
    folder: Path,
    separable: bool = False,
    flags: Sequence[str] = (),
    counted: Sequence[str] = (),
    cache: Cache | None = None,
) -> dict[str, Path]:
    """The device images of a lowered unit by device, or of a ``separable`` unit what is linked into images.

    ``flags`` are those of its host code, and ``counted`` are options of a cpu device's code that is counted. There are
    no images if it has no device code.
    """
    if not result.entries and not separable:
        return {}
    made = {}
    for target in settings.image_targets:
        backend = backend_of(target)
        image = folder / (result.cu.stem + backend.image_suffix(target))
        words = settings.image_compilers.get(backend.name)
        options = settings.image_options.get(backend.name, ())
        if settings.device_debug:
            options = (*debug_options(flags, backend.in_process), *options)
        if backend.in_process:
            options = (*counted, *options)
        compiler = Compiler(words) if words else None
        if compiler is not None:
            backend.check_compiler(compiler)
        build_image(result.cu, target, image, options, compiler, separable, settings.launcher, cache)
        made[target] = image
    return made


_DEBUG = regex(r"-g(?:[0-3]|gdb.*|dwarf.*)?")
_OPTIMISES = regex(r"-O(?:[1-3sz]|fast)?")


def debug_options(flags: Sequence[str], on_cpu: bool) -> tuple[str, ...]:
    """The options with which device code can be debugged as its unit's host code with these flags can."""
    debug = [flag for flag in flags if flag.startswith("-g") and _DEBUG.fullmatch(flag)][-1:]
    level = [flag for flag in flags if flag.startswith("-O")][-1:]
    if not debug or debug == ["-g0"]:
        return ()
    if level and _OPTIMISES.fullmatch(level[0]):
        return ("-g",) if on_cpu else ("-lineinfo",)
    return ("-g", "-O0") if on_cpu else ("-g", "-G")


def write_registration(unit: Unit, images: Sequence[Path], anchor: str | None, folder: Path) -> tuple[Path, str]:
    """(the text with the registration of one unit's images, in the folder; what it has in common with others')."""
    unit = with_images(unit, images)
    check_units([unit])
    common, own = render_apart([unit], anchor)
    glue = folder / "register_cubin.cpp"  # in the subset of C and C++
    glue.write_text(own, encoding="utf-8", errors="surrogateescape")
    return glue, common


def registration_objects(
    unit: Unit, images: Sequence[Path], anchor: str | None, cc: Sequence[str], folder: Path, kept: Path | None = None
) -> list[Path]:
    """The objects with the registration of one unit's images, to be joined. They may go into a shared library.

    They are made in ``folder``, and their text in ``kept``, if it is given.
    One of them does not depend on the unit, and is compiled once for each compiler and version of its text.
    """
    glue, common = write_registration(unit, images, anchor, kept or folder)
    obj = folder / "register_cubin.o"
    compiler = [*cc, "-x", "c", "-O1", "-fPIC", f"-I{include_dir()}", "-c"]
    run([*compiler, str(glue), "-o", str(obj)])
    return [obj, common_object(common, compiler, folder)]


def common_object(text: str, compiler: Sequence[str], folder: Path) -> Path:
    """The object of a text of ours, which is compiled in the folder if it is not known."""
    program = which(compiler[0]) or compiler[0]
    state = os.stat(program) if os.path.exists(program) else None
    words = [os.path.realpath(program), *compiler, *([str(state.st_size), str(state.st_mtime_ns)] if state else [])]
    texts = [text, *header_texts(text), shlex.join(words)]
    kept = kept_file("registration", [os.fsencode(part) for part in texts], ".o")
    if kept is not None and is_ours(kept):
        return kept
    source = folder / "registration.c"
    source.write_text(text, encoding="utf-8")
    return compiled([*compiler, str(source)], kept or source.with_suffix(".o"))


def join(objects: Sequence[Path], cc: Sequence[str], joined: Path, local: Sequence[str] = ()) -> None:
    """Make one object of several. ``local`` are patterns of symbols that other objects may have as well.

    Those that tie a unit's registration to what it has in common with others are local, too.
    """
    run([*cc, "-r", "-nostdlib", "-fno-lto", "-o", str(joined), *map(str, objects)])
    names = (*local, "rex_register_part", "rex_unregister_part")
    run([need_objcopy(), "--wildcard", *(f"--localize-symbol={name}" for name in names), str(joined)])


def need_objcopy() -> str:
    """The path of objcopy. Raises ToolError if there is none."""
    objcopy = which("objcopy")
    if objcopy is None:
        raise ToolError([Diagnostic("error", "objcopy was not found", notes=("on Debian: apt-get install binutils",))])
    return objcopy


def lower_unit(request: LowerRequest, cache: Cache | None) -> LowerResult:
    """Lower one unit into its folder."""
    request.out_dir.mkdir(parents=True, exist_ok=True)
    return lower(request, cache)


def run(command: Sequence[str]) -> None:
    """Run a compiler. Its warnings go to stderr.

    Raises InputError with the compiler's messages when it fails, as nearly always the user's code is at fault. Raises
    ToolError when it cannot be run.
    """
    status, output = captured(command)
    if status:
        raise InputError(f"{shlex.join(command)} failed\n{output}")
    if output:
        print(output, file=sys.stderr)
