"""What is registered: the lowered units of a program or library, and their device images.

Every lowered translation unit has its own descriptor, with its entry table, which is in its host file, and its images.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base.diagnostics import InputError, SourceSpan
from ..base.digests import sha256
from ..base.names import ready_kernel
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..tools.backends import identify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.elf import ElfFile

_FIRST_LINE = regex(
    r"/\* rex-build \S+: lowered from (?P<source>.*); unit (?P<unit>[0-9a-f]{16}); "
    r"entries (?P<count>\d+)(?P<separable>; separable)?(?P<recursive>; recursive)? \*/"
)
_NEEDS = regex(r"/\* rex-build: needs (?P<name>\S+) (?P<line>\d+):(?P<column>\d+) (?P<file>.*) \*/")
_STATIC = regex(r'\{REX_STATIC, \(char \*\)"(?P<name>[^"]+)"')
_ENTRY = regex(r'\(char \*\)\s*"(?P<name>[^"]+)"\s*,\s*(?P<size>[^,]+),')


@dataclass(frozen=True)
class Image:
    """One device image: its absolute path, its device (``cpu``, ``sm_90``) and the SHA-256 of its content.

    ``allocates`` is true if its kernels take memory from the device's heap.
    """

    path: Path
    arch: str
    digest: str
    defined: frozenset[str]
    allocates: bool = False


@dataclass(frozen=True)
class Unit:
    """One lowered translation unit: its identity, and the device names of its offload entries in table order.

    ``statics`` are consecutive entries that are filled in from a section of the host file. ``recursive`` is true if
    functions of its device code may call themselves. The device code of a ``separable`` unit has to be linked with that
    of others, and ``needs`` are the symbols that these have to define, with their first use.
    """

    host: Path
    source: str
    identity: str
    entries: tuple[str, ...]
    images: tuple[Image, ...]
    statics: tuple[str, ...] = ()
    recursive: bool = False
    separable: bool = False
    needs: tuple[tuple[str, SourceSpan], ...] = ()

    @property
    def first_static(self) -> int:
        return self.entries.index(self.statics[0])

    @property
    def ready(self) -> str:
        """The empty kernel that the unit's device code has for rex_offload_init()."""
        return ready_kernel(self.identity)


def read_unit(host: Path, images: Sequence[Path]) -> Unit:
    """The unit whose host file is ``host``. A unit without entries gets no images. Raises InputError."""
    try:
        text = host.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"cannot read {host}: {error.strerror}") from error
    first = _FIRST_LINE.match(text)
    if not first:
        raise InputError(f"{host} is not a host file that rex-build wrote")
    identity, count = first["unit"], int(first["count"])
    table = text.rpartition(f"__rex_offload_entries_{identity}[")[2] if count else ""
    entries = tuple(match["name"] for match in _ENTRY.finditer(table))
    if len(entries) != count:
        raise InputError(f"{host} is damaged: its first line speaks of {count} entries, its table has {len(entries)}")
    statics = tuple(match["name"] for match in _STATIC.finditer(table)) if "{REX_STATIC" in table else ()
    uses = _NEEDS.finditer(text) if "/* rex-build: needs " in text else ()
    needs = [(m["name"], SourceSpan(m["file"], int(m["line"]), int(m["column"]))) for m in uses]
    recursive, separable = first["recursive"] is not None, first["separable"] is not None
    unit = Unit(host, first["source"], identity, entries, (), statics, recursive, separable, tuple(needs))
    return with_images(unit, images)


def with_images(unit: Unit, images: Sequence[Path]) -> Unit:
    """A unit with its images, which one without entries does not get. Raises InputError."""
    return replace(unit, images=tuple(map(read_image, images))) if unit.entries else unit


def read_merged(hosts: Sequence[Path], images: Sequence[Path]) -> list[Unit]:
    """The units of host files whose device code was linked into one image per device. Raises InputError."""
    return merged_units([read_unit(host, ()) for host in hosts], images)


def merged_units(units: Sequence[Unit], images: Sequence[Path]) -> list[Unit]:
    """Those of the units that have entries, with the images that have the device code of all. Raises InputError."""
    with_entries = [unit for unit in units if unit.entries]
    if not with_entries:
        return []
    if not images:
        raise InputError(f"{with_entries[0].host} has entries to register, but no image was given")
    linked = tuple(map(read_image, images))
    by_identity = {unit.identity: unit for unit in with_entries}  # an inline variable may be in the tables of several
    if doubles := [unit for unit in with_entries if by_identity[unit.identity] is not unit]:
        raise InputError(f"{doubles[0].entries[0]} stands in the tables of two units: give each host file once")
    # Every image must have all entries, because one table is registered for all images.
    names = tuple(dict.fromkeys(name for unit in with_entries for name in unit.entries))
    whole = Unit(with_entries[0].host, "", "", names, linked)
    check_units([whole])
    recursive = any(unit.recursive for unit in units)  # a unit without entries counts too
    return [replace(unit, images=linked, recursive=recursive) for unit in with_entries]


def read_image(path: Path) -> Image:
    """Read a device image. Raises InputError if it is no image."""
    from ..base.elf import ElfError, read_elf

    try:
        elf = read_elf(path)
        digest = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except ElfError as error:
        raise InputError(f"{path} is not a device image: it is neither a cubin nor an x86-64 shared object") from error
    return Image(path.absolute(), _image_arch(path, elf), digest, frozenset(elf.defined), "malloc" in elf.undefined)


def _image_arch(path: Path, elf: ElfFile) -> str:
    arch = identify(elf)
    if arch is None or elf.type == 1:
        raise InputError(f"{path} cannot be loaded as a device image (relocatable, or for an unknown machine)")
    return arch


def check_units(units: Sequence[Unit]) -> None:
    """Raise InputError for units with which libomptarget would fail only at run time.

    - Two units of the same identity would share an entry table and lose kernels.
    - A kernel that is missing in an image is only reported when the image is loaded, and a launch of it crashes.
    - A unit without an image for a device that another unit uses ends the program at its first target call.
    """
    seen: dict[str, Unit] = {}
    for unit in units:
        other = seen.setdefault(unit.identity, unit) if unit.entries else unit  # others have no identity
        if other is not unit:
            raise InputError(f"{other.host} and {unit.host} are the same unit, {unit.identity}: give one of them")
        for image in unit.images:
            if missing := [n for n in unit.entries if n not in image.defined and n != ".requires"]:
                raise InputError(
                    f"{image.path} does not define {', '.join(missing)}, which {unit.host} launches: "
                    "make the image from the .cu that was lowered with it"
                )
    with_entries = [unit for unit in units if unit.entries]
    for unit in with_entries:
        if not unit.images:
            raise InputError(f"{unit.host} has {len(unit.entries)} entries to register, but no image was given with it")
        if lacking := sorted(_archs(with_entries) - _archs([unit])):
            raise InputError(
                f"{unit.host} has no image for {', '.join(lacking)}, which other units of this program have: "
                "every unit needs an image for every device"
            )


def _archs(units: Iterable[Unit]) -> set[str]:
    return {image.arch for unit in units for image in unit.images}
