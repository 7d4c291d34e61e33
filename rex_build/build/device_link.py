"""Links the device code of several units when a program or a library is linked (``rex-gcc``).

The object of a separable unit carries what this needs in a section of its own: the facts about the unit, and a device
object for each image. So it may lie in an archive, or be joined with others. A first link finds out which objects make
up the program. Their device objects are then linked into one image for each device, and the last link gets an object
that registers it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..base.diagnostics import Diagnostic, InputError, SourceSpan
from ..base.elf import read_elf, read_section
from ..base.paths import include_dir
from ..base.processes import tell
from ..base.records import dataclass
from ..render.registration import Unit, merged_units
from ..render.registration_text import render_apart, render_registration
from ..tools.backends import backend_of
from ..tools.toolchain import Compiler
from .foreign_objects import begins_with, is_shared, mentions
from .images import captured, link_image
from .objects import common_object, need_objcopy, run

Compilers = Mapping[str, Sequence[str]]

# The name says what is missing where another program links such an object.
ANCHOR = "rex_device_code_has_to_be_linked_by_rex_gcc"
_SECTION = ".rex_device_code"
_RECORD = struct.Struct("<8sQ")
_MAGIC = b"REXUNIT1"
_CARRIER = """\
/* rex-build: what links the device code of {source} with that of other units. C. */
__asm__(".pushsection {section}, \\"\\", @progbits\\n.incbin \\"{record}\\"\\n.popsection\\n");
extern __attribute__((visibility("hidden"))) const char {anchor};
/* A constructor is kept where a linker leaves out what nothing refers to. */
static __attribute__((constructor)) void rex_keep_registration(void) {{ __asm__ volatile("" : : "r"(&{anchor})); }}
"""


@dataclass(frozen=True)
class _Carried:
    """What one object brings: its unit, and the device objects by device (``cpu``, ``sm_<NN>``)."""

    unit: Unit
    objects: Mapping[str, bytes]


def carrier(unit: Unit, objects: Mapping[str, Path], cc: Sequence[str], folder: Path) -> Path:
    """The object with what the link of device code needs of one unit, to be joined with its host code.

    It is made in ``folder``, where it is the only one.
    """
    import json  # which most commands do without

    sizes = {target: path.stat().st_size for target, path in objects.items()}
    facts = {
        "source": unit.source, "identity": unit.identity, "entries": unit.entries, "statics": unit.statics,
        "recursive": unit.recursive, "objects": sizes,
        "needs": [(name, at.file, at.line, at.column) for name, at in unit.needs],
    }  # fmt: skip
    text = json.dumps(facts).encode("utf-8", "surrogateescape")
    folder.mkdir(exist_ok=True)
    record = folder / "device_code"
    parts = [_RECORD.pack(_MAGIC, len(text)), text, *(path.read_bytes() for path in objects.values())]
    record.write_bytes(b"".join(parts))
    source = folder / "carrier.c"
    source.write_text(_CARRIER.format(source=unit.identity, section=_SECTION, record=record.name, anchor=ANCHOR))
    made = folder / "carrier.o"
    # The assembler looks for the record in the folders of headers.
    run([*cc, "-x", "c", "-O1", "-fPIC", f"-I{folder}", "-c", str(source), "-o", str(made)])
    return made


def may_need_link(files: Iterable[str]) -> bool:
    """Whether files that are linked may have device code that has to be linked, which takes no time to find out.

    That of a shared library was linked when it was made.
    """
    own = (file for file in files if not is_shared(file))
    return any(mentions(file, (ANCHOR.encode(),)) or begins_with(file, b"!<thin>\n") for file in own)


def linked_registration(
    command: Sequence[str],
    runtime: Sequence[str],
    cc: Sequence[str],
    compilers: Compilers,
    folder: Path,
    kept: Path | None = None,
) -> list[str]:
    """The words that a link needs besides: the object that registers the linked device code, if there is any.

    It is made in ``folder``, and the images and the text that registers them in ``kept``, if that is given.
    ``compilers`` of images have the name of a backend as their key; those that are not there are looked for.
    ``command`` is the link without the words for the ``runtime``, in front of which these have to stand.
    Raises InputError for what no file of the link defines, and ToolError if a linker fails.
    """
    compiler = [*cc, "-x", "c", "-O1", "-fPIC", f"-I{include_dir()}", "-c"]
    # One without images stands in for the registration, and is compiled once for each compiler.
    stand_in = common_object(render_registration([], ANCHOR), compiler, folder)
    first = folder / "first"
    status, _ = captured([*command, str(stand_in), *runtime, "-o", str(first)])
    if status:
        return [str(stand_in)]  # the link itself says what is wrong
    carried = _records(read_section(first, _SECTION))
    first.unlink()
    if not carried:
        return []
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    images = _link(carried, compilers, folder, kept or folder)
    units = merged_units([one.unit for one in carried], images)
    common, own = render_apart(units, ANCHOR, merged=True)
    glue = (kept or folder) / "register_cubin.cpp"
    glue.write_text(own, encoding="utf-8", errors="surrogateescape")
    obj = folder / "register_cubin.o"
    run([*compiler, str(glue), "-o", str(obj)])
    return [str(obj), str(common_object(common, compiler, folder))]


def without_records(linked: Path) -> None:
    """Take what was only for this link out of a program or library."""
    if linked.is_file():
        run([need_objcopy(), f"--remove-section={_SECTION}", str(linked)])


def _records(data: bytes) -> list[_Carried]:
    """What the section says. Between the records of two objects there may be zeros."""
    import json

    found: list[_Carried] = []
    at = data.find(_MAGIC)
    while at >= 0:
        length = _RECORD.unpack_from(data, at)[1]
        at += _RECORD.size
        facts = json.loads(data[at : at + length].decode("utf-8", "surrogateescape"))
        at += length
        objects = {}
        for target, size in facts["objects"].items():
            objects[target] = data[at : at + size]
            at += size
        needs = tuple((name, SourceSpan(file, line, column, len(name))) for name, file, line, column in facts["needs"])
        entries, statics = tuple(facts["entries"]), tuple(facts["statics"])
        host = Path(facts["source"])
        unit = Unit(host, facts["source"], facts["identity"], entries, (), statics, facts["recursive"], True, needs)
        found.append(_Carried(unit, objects))
        at = data.find(_MAGIC, at)
    return found


def _link(carried: Sequence[_Carried], compilers: Compilers, folder: Path, into: Path) -> list[Path]:
    """One image for each device, of the device objects of all units."""
    targets = tuple(carried[0].objects)
    for one in carried:
        if set(one.objects) != set(targets):
            what = f"{one.unit.source} has device code for {', '.join(one.objects)}, and {carried[0].unit.source} for "
            raise InputError(f"{what}{', '.join(targets)}: device code that is linked has to be for the same devices")
    tell(f"rex-build: linking the device code of {len(carried)} files for {', '.join(targets)}")
    images = []
    for target in targets:
        objects = []
        for number, one in enumerate(carried):
            objects.append(folder / f"{number}_{Path(one.unit.source).stem}.{target}.o")
            objects[-1].write_bytes(one.objects[target])
        _check_all_defined(carried, [obj for obj in objects if obj.stat().st_size])
        backend = backend_of(target)
        words = compilers.get(backend.name)
        images.append(into / f"rex_lib{backend.image_suffix(target)}")
        link_image(objects, target, images[-1], compiler=Compiler(tuple(words)) if words else None)
    return [image for image in images if image.stat().st_size]


def _check_all_defined(carried: Sequence[_Carried], objects: Sequence[Path]) -> None:
    """Raise InputError for what device code uses and no device object defines."""
    read = [read_elf(obj) for obj in objects]
    missing = frozenset().union(*(elf.undefined for elf in read)) - {name for elf in read for name in elf.defined}
    needs = {name: at for one in carried for name, at in one.unit.needs if name in missing}
    if needs:
        what = "is used in device code, but no file of this link defines it for the device"
        note = "declare it between '#pragma omp declare target' and '#pragma omp end declare target' in a header that "
        note += "the file with its definition includes, too; "
        note += "functions that begin target regions are the host's, and the device code of a shared library is its own"
        raise InputError([Diagnostic("error", f"'{name}' {what}", at, (note,)) for name, at in needs.items()])
