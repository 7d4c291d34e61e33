"""The commands that build systems call: device-link, rex-cc, meson and meson-wrap, and their arguments."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ..base.command_words import REMAINDER, listed, shell_words
from ..base.diagnostics import Diagnostic, UsageError, report, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..base.command_words import Options, Reader
    from ..build.foreign_flags import AskedFor
    from ..build.objects import ObjectSettings

    Command = Callable[[Options], int]
    AddOptions = Callable[[ArgumentParser | Reader], None]
    Add = Callable[[str, Command, str, AddOptions], None]


def add_to(add: Add) -> None:
    """Add the commands. ``add`` makes the parser of one command, and the function at the end gives it its options."""
    add("device-link", _device_link, "link device objects of several units to one image", _add_device_link)
    add("rex-cc", _rex_cc, "run a compiler, lowering the files it is given", _add_rex_cc)
    add("meson", _meson, "what Meson's generator calls for one source", _add_meson)
    add("meson-wrap", _meson_wrap, "put the Meson wrap into a project's subprojects folder", _add_meson_wrap)


# device-link


def _add_device_link(command: ArgumentParser | Reader) -> None:
    command.usage = "%(prog)s --arch ARCH -o IMAGE OBJECT... [-- LINKER-OPTIONS...]"
    command.add_argument("objects", nargs="+", metavar="OBJECT", type=Path, help="what device --separable made")
    command.add_argument("--arch", required=True, metavar="ARCH", help="sm_<NN>, or cpu")
    command.add_argument("-o", "--output", required=True, metavar="IMAGE", type=Path, help="the image to write")
    command.add_argument("--compiler", metavar="COMMAND", help="nvcc, or g++ for cpu (default: as doctor shows)")


def _device_link(options: Options) -> int:
    from ..build.images import link_image
    from ..tools.targets import normalise_arch
    from ..tools.toolchain import given_compiler

    compiler = given_compiler(options.compiler) if options.compiler else None
    link_image(options.objects, normalise_arch(options.arch), options.output, options.cflags, compiler)
    return 0


# rex-cc, and cc in place of gcc


def _add_device_options(command: ArgumentParser | Reader) -> None:
    command.add_argument("--device", metavar="KINDS", help="cuda, cpu, both, or check (or $REX_DEVICES)")
    command.add_argument("--arch", metavar="ARCH", help="sm_<NN>[,...] for cuda (default: $REX_CUDA_ARCHITECTURES)")
    for name, what in (
        ("lower-option", "an option of lower"),
        ("nvcc-option", "an option for nvcc"),
        ("host-device-option", "an option for the compiler of cpu images"),
    ):
        command.add_argument(f"--{name}", metavar="OPTION", action="append", default=[], help=f"{what}; repeatable")
    command.add_argument(
        "--on-unsupported",
        choices=("error", "host"),
        default=os.environ.get("REX_ON_UNSUPPORTED", "error"),
        help="as for lower (default: $REX_ON_UNSUPPORTED, else error)",
    )
    command.add_argument(
        "--launcher", metavar="COMMAND", type=shell_words, default=[], help="put in front of compilers of images"
    )


def _add_rex_cc(command: ArgumentParser | Reader) -> None:
    command.usage = "%(prog)s [options] [--] CC ARGUMENTS..."
    _add_device_options(command)
    command.add_argument("--image", metavar="ARCH", action="append", default=[], help="cpu or sm_<NN>; repeatable")
    command.add_argument("--base-dir", metavar="DIR", type=Path, help="as for lower")
    command.add_argument("--llvm-root", metavar="DIR", help="take libomptarget from this LLVM")
    command.add_argument("--cuda-compiler", metavar="COMMAND", help="nvcc (default: as doctor shows)")
    command.add_argument("--cpu-compiler", metavar="COMMAND", help="g++ for cpu images (default: as doctor shows)")
    command.add_argument("--no-link", action="store_true", help="leave links alone: the build names the runtime itself")
    command.add_argument(
        "--link-device-code", action="store_true", help="link device code in links that name the runtime themselves"
    )
    command.add_argument(
        "--options-in",
        metavar="DIR",
        help="the first option: -DREX_OPTIONS=NAME behind the compiler says that all others are in DIR/NAME, one per "
        "line; without it, the command runs, but for options of other compilers",
    )
    command.add_argument(
        "--compiler", metavar="CC", action="append", default=[], help="the compiler; launchers are in front of it"
    )
    command.add_argument("--lower-all", action="store_true", help="lower units that have nothing for a device, too")
    command.add_argument("--keep-in", metavar="DIR", type=Path, help="leave what is made of a source in a folder there")
    command.add_argument(
        "--keep-from", metavar="DIR", type=Path, action="append", default=[], help="name it after the path from DIR"
    )
    command.add_argument(
        "--device-debug", action="store_true", help="compile device code for debugging where the command has -g"
    )
    command.add_argument(
        "--depends-on", metavar="FILE", type=Path, action="append", default=[], help="put FILE into depfiles"
    )
    command.add_argument(
        "words", metavar="ARGUMENTS", nargs=REMAINDER, help="the compiler and what it is called with"
    )


def _rex_cc(options: Options) -> int:
    from ..build.wrapper import run_compiler

    command = [*options.words, *options.cflags]
    if not command:
        raise UsageError("rex-cc needs a compiler to run: rex-cc gcc -c file.c")
    return run_compiler(command, _settings(options), link=not options.no_link, colour=options.color)


def run_cc(options: Options) -> int:
    """Run ``rex-build cc SRC...``, or ``rex-build cc -- ARGUMENTS`` with the arguments of any command line of gcc."""
    from ..base.records import replace
    from ..build.compilers import c_compiler
    from ..build.driver import base_dir, command_for, sources_of
    from ..build.wrapper import run_compiler
    from ..tools.targets import check_devices

    if options.check and options.device not in (None, "check"):
        raise UsageError(f"--check is short for --device check, so --device {options.device} says something else")
    options.device = "check" if options.check else options.device
    check_devices(listed(options.device or os.environ.get("REX_DEVICES")))
    kernels = [f"--no-opt={name}" for name in options.no_opt] + [f"--reduction={options.reduction}"]
    kernels += ["--claims"] * options.claims
    settings = _settings(options)
    settings = replace(settings, lower_options=(*settings.lower_options, *kernels), jobs=max(1, options.jobs))
    if options.keep_dir is not None:
        settings = replace(settings, keep_in=options.keep_dir, keep_from=(Path.cwd(),))
    if options.files or not options.cflags:
        command = command_for(options.files, options.output or Path("a.out"), options.cflags)
        settings = replace(settings, base_dir=base_dir(sources_of(options.files)), starts_devices=True)
    elif options.output is not None:
        raise UsageError(f"-o {options.output} has to stand behind --, as the files do")
    else:
        command = [*c_compiler(), *options.cflags]
    return run_compiler([*options.launcher, *command], settings, link=True, colour=options.color)


# The variables of the environment that choose what a build makes, behind REX_.
_VARIABLES = (
    "BUILD_CACHE", "BUILD_CACHE_DIR", "BUILD_CACHE_REMOTE", "BUILD_CACHE_SIZE", "CC", "CUDA_ARCHITECTURES", "CXX",
    "DEVICES", "LLVM_ROOT", "NVCC_OPTIONS", "ON_UNSUPPORTED",
)  # fmt: skip


def _tell_of_misspelt_variables() -> None:
    """Warn of each variable whose name is like one that is read, or like a part of it: ``REX_DEVICE``, ``REX_ARCH``."""
    for variable in os.environ:
        name = variable.removeprefix("REX_")
        if name == variable or name in (*_VARIABLES, "BUILD_CHAIN", "BUILD_TRACEBACK"):
            continue
        longer = [known for known in _VARIABLES if any(part.startswith(name) for part in known.split("_"))]
        notes = suggestion(name, _VARIABLES) if len(name) < 4 or not longer else (f"did you mean '{longer[0]}'?",)
        if notes:
            notes = tuple(note.replace("'", "'REX_", 1) for note in notes)
            report([Diagnostic("warning", f"{variable} in the environment is not read", notes=notes)])


def _settings(options: Options) -> ObjectSettings:
    from ..build.objects import ObjectSettings
    from ..tools.backends import BACKENDS, CHECK, CPU, CUDA
    from ..tools.targets import image_targets, normalise_arch
    from ..tools.toolchain import given_compiler

    _tell_of_misspelt_variables()
    nvcc_options = (*getattr(options, "nvcc_option", ()), *shell_words(os.environ.get("REX_NVCC_OPTIONS", "")))
    host_options = tuple(getattr(options, "host_device_option", ()))
    named = {name: getattr(options, f"{name}_compiler", None) for name in BACKENDS}
    named[CHECK.name] = named[CPU.name]
    images = tuple(dict.fromkeys(normalise_arch(image) for image in getattr(options, "image", ())))

    def choose(asked_for: AskedFor) -> tuple[str, ...]:
        given = options.device or os.environ.get("REX_DEVICES")
        if not given:
            asked_for.check()
        devices = listed(given) or asked_for.devices
        archs = listed(options.arch)
        if not archs and (not devices or CUDA.name in devices):  # who chooses the cpu device has chosen no architecture
            archs = listed(os.environ.get("REX_CUDA_ARCHITECTURES")) or asked_for.archs
        return image_targets(devices or None, archs)

    return ObjectSettings(
        images=images,
        choose_images=choose,
        base_dir=getattr(options, "base_dir", None),
        on_unsupported=options.on_unsupported,
        lower_options=(*getattr(options, "lower_option", ()), *getattr(options, "warnings", ())),
        image_options={CUDA.name: nvcc_options, CPU.name: host_options, CHECK.name: host_options},
        image_compilers={name: given_compiler(text).command for name, text in named.items() if text},
        llvm_root=options.llvm_root,
        launcher=tuple(options.launcher),
        link_device_code=getattr(options, "link_device_code", False),
        compilers=tuple(getattr(options, "compiler", ())),
        lower_all=getattr(options, "lower_all", False),
        keep_in=getattr(options, "keep_in", None),
        keep_from=tuple(getattr(options, "keep_from", ())),
        device_debug=getattr(options, "device_debug", False),
        depends_on=tuple(getattr(options, "depends_on", ())),
    )


# meson, meson-wrap


def _add_meson(command: ArgumentParser | Reader) -> None:
    command.usage = (
        "%(prog)s BUILD-ROOT PRIVATE-DIR SOURCE ROSE_FILE.c OBJECT.o DEPFILE [options]\n"
        "       %(prog)s --link-args | --compile-args"
    )
    command.add_argument("paths", nargs="*", metavar="PATH", type=Path, help="as the generator's arguments have them")
    command.add_argument("--link-args", action="store_true", help="print what programs link, one argument per line")
    command.add_argument("--compile-args", action="store_true", help="print what host files are compiled with")
    command.add_argument("--covered", action="store_true", help="with --compile-args: in builds that gcov reports on")
    command.add_argument("--unity", action="store_true", help="write OBJECT.h, too, for unity files")
    command.add_argument("--choose-devices", action="store_true", help="print the images of a build that is set up")
    command.add_argument("--image", metavar="ARCH", action="append", default=[], help="cpu or sm_<NN>; repeatable")
    command.add_argument("--llvm-root", metavar="DIR", help="take libomptarget from this LLVM")
    _add_device_options(command)


def _meson(options: Options) -> int:
    from ..build import meson

    asked = listed(options.device), listed(options.arch)
    if options.choose_devices:
        print("\n".join(meson.devices_of(Path(os.environ["MESON_BUILD_ROOT"]), *asked)))
        return 0
    if options.link_args:
        print("\n".join(meson.link_arguments(options.llvm_root, devices=",".join(options.image) or options.device)))
        return 0
    if options.compile_args:
        print("\n".join(meson.compile_arguments(",".join(options.image) or options.device, options.covered)))
        return 0
    if len(options.paths) != 6:
        raise UsageError(
            "meson takes six paths: the generator's arguments are 'meson', meson.global_build_root(), '@BUILD_DIR@', "
            "'@INPUT@', '@OUTPUT0@', '@OUTPUT1@', '@DEPFILE@', '@EXTRA_ARGS@'"
        )
    root, private, source, host, obj, depfile = options.paths
    if any(asked) or not options.image:
        options.image = meson.devices_of(root, *asked)
    meson.build_unit(root, private, source, host, obj, depfile, _settings(options), options.color, options.unity)
    return 0


def _add_meson_wrap(command: ArgumentParser | Reader) -> None:
    command.add_argument(
        "project", nargs="?", type=Path, default=Path(), metavar="DIR", help="the project's folder (default: here)"
    )


def _meson_wrap(options: Options) -> int:
    from ..build.meson import put_wrap

    for path in put_wrap(options.project):
        print(path)
    return 0
