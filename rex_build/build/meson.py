"""Lowers one source for Meson's ``generator()``, and writes the wrap, with which a project needs no such generator.

Meson gives a generator no compile flags, but it gives the folder of the target that uses the generator. The target's
flags are in ``meson-info/intro-targets.json``, in the order in which Meson passes them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.command_words import listed
from ..base.diagnostics import Diagnostic, InputError, ToolError, report
from ..base.outputs import escape, place
from ..base.paths import HOST_HEADERS, include_dir, meson_dir
from ..base.patterns import regex
from ..base.work_folder import work_folder
from ..cache.memo import opened_cache
from ..render.registration import read_unit
from ..request import language_of
from ..tools.backends import CHECK, Backend
from ..tools.runtimes import link_flags
from ..tools.targets import backends_of, check_link_flags, image_targets, select_runtime
from .coverage import as_user_lines, image_options, is_covered, without_headers
from .objects import ObjectSettings, join, lower_request, lower_unit, make_images, registration_objects

_SUFFIX = {"c": "c", "c++": "cpp"}  # of host files, and Meson's name of the language
_INCLUDE = regex(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]*)"', re.MULTILINE)


def devices_of(build_root: Path, devices: Sequence[str], archs: Sequence[str]) -> tuple[str, ...]:
    """The images of a build: those that are asked for, else those for which it was set up.

    What the environment asked for, or what this machine had, when nothing else did for the first time, is recorded in
    the build folder. So files that are lowered later, in another shell, are lowered for the same devices.
    """
    record = build_root / "meson-private" / "rex-build-devices"
    if devices or archs:
        return image_targets(devices or None, archs)
    with suppress(OSError):
        return tuple(record.read_text().split())
    targets = image_targets(*(listed(os.environ.get(name)) for name in ("REX_DEVICES", "REX_CUDA_ARCHITECTURES")))
    with suppress(OSError):  # several files may be lowered at the same time, for the same devices
        place([(record, " ".join(targets) + "\n")])
    return targets


def compile_arguments(devices: str | None = None, covered: bool = False) -> tuple[str, ...]:
    """The flags with which every target with host files is compiled, in builds for reports of coverage too."""
    options = (option for backend in _asked_for(devices) for option in backend.host_options)
    return ("-fopenmp", f"-I{include_dir()}", *options, *(without_headers() if covered else ()))


def link_arguments(
    llvm_root: str | None = None, folder: Path | None = None, devices: str | None = None
) -> tuple[str, ...]:
    """The flags with which every program and library with host files is linked. Raises ToolError without a runtime.

    What they name besides the runtime is kept in ``folder``, or in the build folder if Meson asks.
    """
    if folder is None and "MESON_BUILD_ROOT" in os.environ:
        folder = Path(os.environ["MESON_BUILD_ROOT"], "meson-private")
    backends = _asked_for(devices)
    kept = folder / "libomptarget.so" if folder else None
    return (*check_link_flags(backends), *link_flags(select_runtime(backends, (), llvm_root), kept))


def _asked_for(devices: str | None) -> list[Backend]:
    """The check device if ``devices``, or else ``$REX_DEVICES``, name it. Others need no flags for host files."""
    return [CHECK] if (devices or os.environ.get("REX_DEVICES")) == CHECK.name else []


def build_unit(
    build_root: Path,
    private_dir: Path,
    source: Path,
    host: Path,
    obj: Path,
    depfile: Path,
    settings: ObjectSettings,
    colour: str = "auto",
    unity: bool = False,
) -> None:
    """Lower ``source`` for the target whose private folder is ``private_dir``.

    Writes the host file, which the target compiles, and the object with the device images and their registration,
    which it links. With ``unity``, there is a header, too, which the host file includes: a unity file names the host
    file by its full path, by which Ninja does not know that it is made of the source. Raises RexError.
    """
    _check_suffix(source, host)
    facts = build_root / "meson-info" / "intro-targets.json"
    target = _target_of(private_dir, build_root, facts)
    compiler, flags, source_root = _flags(target, language_of(source), build_root)
    anchor = _anchor(target, source, source_root)
    _make(obj.absolute().parent)
    with work_folder(obj) as work:
        request = lower_request(
            settings,
            source,
            work,
            [*flags, f"-I{include_dir()}"],
            compiler,
            ("--depfile", str(work / "deps"), "--anchor", anchor, "--init", "always", "--base-dir", str(source_root)),
        )
        cache = opened_cache()
        result = lower_unit(request, cache)
        report(result.diagnostics, colour)
        if result.entries:
            _check_host_options(settings, flags, target)
        compiled = result
        counted: tuple[str, ...] = ()
        if is_covered(flags) and result.entries:
            compiled = as_user_lines(result, work / "counted")
            counted = image_options(str(build_root / obj.parent / source.name))
        images = make_images(compiled, settings, work, counted=counted, cache=cache)
        registration = work / "registration.o"
        unit = read_unit(result.host, ())
        glue = registration_objects(unit, [*images.values()], anchor, [compiler], work)
        join(glue, [compiler], registration)
        text = compiled.host.read_text(encoding="utf-8", errors="surrogateescape")
        deps = (work / "deps").read_text(encoding="utf-8", errors="surrogateescape")
        _, _, names = deps.partition(":")
        # Only the file from which the flags are read shows that a flag has changed.
        names = f" \\\n  {escape(str(facts.absolute()))}" + names
        shutil.move(str(registration), obj)
        text, header = _freed(text, source), obj.with_suffix(".h")
        if unity:
            name = os.path.relpath(header, private_dir)  # which is among the folders for headers by its relative name
            text += f"\n#if __has_include(<{name}>)\n#include <{name}>\n#endif\n"
            changed = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
            place([(header, f"/* {changed} of the host file */\n")])  # the same text would not change its time
        place([(host, text), (depfile, f"{escape(str(host))}:{names}")], source)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(f"cannot write {folder}: {error.strerror}") from error


def _target_of(private_dir: Path, build_root: Path, facts: Path) -> dict[str, Any]:
    """The target with this private folder, which is the target's file name with ``.p`` behind it. Raises InputError."""
    try:
        targets: list[dict[str, Any]] = json.loads(facts.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        message = f"{facts} cannot be read: {error}"
        note = "the second argument of the generator has to be meson.global_build_root(), and Meson 1.0 or newer"
        raise InputError([Diagnostic("error", message, notes=(note,))]) from error
    wanted = os.path.realpath(build_root / private_dir)
    for target in targets:
        if any(os.path.realpath(name) + ".p" == wanted for name in target["filename"]):
            return target
    message = f"no target of this build keeps its files in {private_dir}"
    note = "the third argument of the generator has to be '@BUILD_DIR@'"
    raise InputError([Diagnostic("error", message, notes=(note,))])


def _check_suffix(source: Path, host: Path) -> None:
    """Raise InputError if Meson would compile the host file in another language than its source's."""
    language = language_of(source)
    if language_of(host) != language:
        note = "give it to the wrap's 'offload', or to a generator with the output 'rose_@PLAINNAME@'"
        name = "C++" if language == "c++" else "C"
        message = f"{source} is {name}, but the generator's first output, {host.name}, is not"
        raise InputError([Diagnostic("error", message, notes=(note,))])


def _check_host_options(settings: ObjectSettings, flags: Sequence[str], target: dict[str, Any]) -> None:
    """Raise InputError if only the host files or only the images are for the check device. The target's flags come from
    ``dependency('rex-build')``, which does not know what the generator is asked for."""
    is_checked = set(CHECK.host_options) <= set(flags)
    if is_checked != (CHECK in backends_of(settings.image_targets)):
        one, other = ("the host files", "the images") if is_checked else ("the images", "the host files")
        message = f"{one} of '{target['name']}' are for the check device, and {other} are not"
        note = f"set REX_DEVICES={CHECK.name} for 'meson setup' and 'meson compile', and no '--device' in extra_args"
        note += "; without the wrap, also for 'rex-build --pkgconfigdir'"
        raise InputError([Diagnostic("error", message, notes=(note,))])


def _flags(target: dict[str, Any], language: str, build_root: Path) -> tuple[str, list[str], Path]:
    """(the compiler, the target's flags with absolute folders, the project's source folder) for a language."""
    info = json.loads((build_root / "meson-info" / "meson-info.json").read_text(encoding="utf-8"))
    source_root = Path(info["directories"]["source"])
    for group in target["target_sources"]:
        if group.get("language") == _SUFFIX[language] and group.get("compiler"):
            flags = [_absolute(flag, build_root) for flag in group["parameters"]]
            words = [word for word in group["compiler"] if Path(word).name not in ("ccache", "sccache")]
            return words[0], [*words[1:], *flags], source_root
    message = f"the target '{target['name']}' has no {language.upper()} sources"
    note = f"add '{_SUFFIX[language]}' to the languages of project()"
    raise InputError([Diagnostic("error", message, notes=(note,))])


def _absolute(flag: str, build_root: Path) -> str:
    """A flag with absolute folders. Meson's are relative to the build folder, where it runs the compiler."""
    for option in ("-I", "-isystem", "-iquote", "-idirafter"):
        if flag.startswith(option):
            folder = flag[len(option) :]
            return option + str(build_root.absolute() / folder) if folder else flag
    return flag


def _anchor(target: dict[str, Any], source: Path, source_root: Path) -> str:
    """The symbol that ties a host file to its registration. A linker that takes one from an archive takes the other."""
    relative = os.path.relpath(source.resolve(), source_root.resolve())
    digest = hashlib.sha256(f"{target['id']}\0{relative}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"rex_anchor_{re.sub(r'[^0-9A-Za-z_]', '_', source.stem)}_{digest[:8]}"


def _freed(text: str, source: Path) -> str:
    """The host file, with full paths of headers beside the original. No flag finds them from another folder."""
    folder = source.absolute().parent

    def found(match: re.Match[str]) -> str:
        path = include_dir() / match[2] if match[2] in HOST_HEADERS else folder / match[2]
        if not path.is_file():
            return match[0]
        name = str(path)
        return f'{match[1]}"{name}"'

    return _INCLUDE.sub(found, text)


def put_wrap(project: Path) -> Sequence[Path]:
    """Put the wrap into ``project``. Returns the files written. Raises InputError if there is no meson.build."""
    if not (project / "meson.build").is_file():
        message = f"{project / 'meson.build'}: no such file"
        raise InputError([Diagnostic("error", message, notes=("run meson-wrap in the project's top folder",))])
    written = []
    try:
        for name in ("rex-build.wrap", "rex-build/meson.build", "rex-build/meson_options.txt"):
            path = project / "subprojects" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(meson_dir() / name, path)
            written.append(path)
    except OSError as error:
        raise ToolError(f"cannot write {error.filename}: {error.strerror}") from error
    return written
