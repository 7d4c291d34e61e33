"""Writes the registration unit of a program or library, which gives its device images to libomptarget.

The text compiles as C and as C++, so that a C-only project can build ``register_cubin.cpp``. It is one text, or two for
an object of a unit: what many units have in common, and what only this one has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..tools.backends import CUDA, backend_of
from .registration import Image, Unit
from .shield import header_texts, used_names

_COMMON = "/* rex-build: what the registrations of many units have in common. C. */\n"
_OWN = """\
/* rex-build: registers the device images of one program or library with libomptarget. C and C++.
   Each image's digest stands in its assembler text because neither compilers nor their caches look behind .incbin. */
"""
_HEAD = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "rex_part.h"

#define REX_HIDDEN __attribute__((visibility("hidden")))
"""
_OF_COMMON = """\
extern REX_HIDDEN void rex_register_part(struct rex_part *part, void (*unregister)(void));
extern REX_HIDDEN void rex_unregister_part(struct rex_part *part);
"""
_BEGIN_C = '\n#ifdef __cplusplus\nextern "C" {\n#endif\n'
_END_C = "\n#ifdef __cplusplus\n}\n#endif\n"
_DESCRIPTORS = """
/* One descriptor per translation unit. Without any, an empty one still brings the runtime up: before the first
   registration every omp_* and __tgt_* call of libomptarget crashes. */
"""
_REGISTER = """\
    rex_register_part(&rex_part, rex_unregister);
}

/* Called ahead of the program's own constructors, which may already call the runtime and have regions. Theirs of the
   first priority, 101, are called in the order of the link. gcc warns of constructors with a priority below. */
__attribute__((section(".init_array.00100"), used)) static void (*rex_register_first)(void) = rex_register;
"""


def render_registration(
    units: Sequence[Unit], anchor: str | None = None, merged: bool = False, macros: Iterable[str] = ()
) -> str:
    """The text of the registration unit. ``anchor`` is the symbol by which lowered host files pull in this unit.

    ``merged`` units share their images, and have one table with all their entries. ``macros`` are those of the command
    line that compiles it: none of this text is the user's, so those with a name that it uses are taken away.
    """
    with_entries = [unit for unit in units if unit.entries]
    text = _OWN + _HEAD + _common(with_entries, "static") + _own(with_entries, anchor, merged)
    used = used_names([text, *header_texts(text)], macros)
    return "".join(f"#undef {name}\n" for name in used) + text


def render_apart(units: Sequence[Unit], anchor: str | None, merged: bool = False) -> tuple[str, str]:
    """(what many registrations have in common, the rest of the one of these units): C, for one object each.

    The first object defines ``rex_register_part`` and ``rex_unregister_part``, which are hidden. Every registration has
    to be joined with one of its own, and these names made local, unless it is linked at once.
    """
    with_entries = [unit for unit in units if unit.entries]
    own = _OWN + _HEAD + _OF_COMMON + _own(with_entries, anchor, merged)
    return _COMMON + _HEAD + _common(with_entries, "REX_HIDDEN"), own


def _common(units: Sequence[Unit], linkage: str) -> str:
    """rex_registration.h, with what it is told."""
    images = [image for unit in units for image in unit.images]
    gpu_images = [image for image in images if not backend_of(image.arch).in_process]
    gpus = sorted({capability for image in gpu_images if (capability := CUDA.capability(image.arch))})
    told = {
        "LINKAGE": linkage,
        "REGISTERED_CPU": "1" if len(gpu_images) < len(images) else None,
        "REGISTERED_GPUS": ", ".join(map(str, gpus)) or None,
        "REGISTERED_RECURSIVE": "1" if gpu_images and any(unit.recursive for unit in units) else None,
        "REGISTERED_ALLOCATES": "1" if any(image.allocates for image in gpu_images) else None,
        "REGISTERED_READY": "1" if _ready(units) else None,
        "REGISTERED_NOTHING": None if units else "1",
    }
    lines = [f"#define REX_{name} {value}\n" for name, value in told.items() if value is not None]
    return '#include "rex_kmp.h"\n' + "".join(lines) + '#include "rex_registration.h"\n'


def _ready(units: Sequence[Unit]) -> Unit | None:
    """A unit whose images have an empty kernel."""
    return next((unit for unit in units if all(unit.ready in image.defined for image in unit.images)), None)


def _own(units: Sequence[Unit], anchor: str | None, merged: bool) -> str:
    """The images of units with their entries. ``merged`` units share images, and have one table for all entries."""
    ready = _ready(units)
    merged = merged and bool(units)
    copied = [*units] if merged else [ready] if ready else []
    count = sum(len(unit.entries) for unit in copied) + (1 if ready else 0)
    tables = [
        (unit, "rex_entries", count)
        if unit in copied
        else (unit, f"__rex_offload_entries_{unit.identity}", len(unit.entries))
        for unit in (units[:1] if merged else units)
    ]
    text = _declared(units, merged) + _copies(ready, merged)
    if ready:
        text += f'static char rex_ready[] = "{ready.ready}";\n'
    if copied:
        text += f"static struct __tgt_offload_entry rex_entries[{count}];\n"
    text += "".join(_images(*table) for table in tables)
    text += "\n" if merged else _DESCRIPTORS
    rows = [_descriptor(*table) for table in tables] or ["    {0, 0, 0, 0},\n"]
    text += "static struct __tgt_bin_desc rex_units[] = {\n" + "".join(rows) + "};\n"
    text += _registered(units, copied, ready)
    return text + (_anchor(anchor) if anchor else "")


def _declared(units: Sequence[Unit], merged: bool) -> str:
    """The units' tables, and their images."""
    if not units:
        return ""
    text = _BEGIN_C
    for unit in units:
        text += f"\n/* {unit.source} */\n" + _entries("__rex_offload_entries", unit, unit.entries)
        if unit.statics:
            text += _entries("__start_rex_statics", unit, unit.statics)
        if not merged:
            text += "".join(_embedded(unit, number, image) for number, image in enumerate(unit.images))
    if merged:
        text += "".join("\n" + _embedded(units[0], number, image) for number, image in enumerate(units[0].images))
    return text + _END_C


def _copies(ready: Unit | None, merged: bool) -> str:
    """The comment on entries that are copied."""
    if merged:
        more = ", and the kernel that rex_offload_init() launches" if ready else ""
        return f"""
/* The units' device code was linked into one image, which goes with one table: their entries, copied before that is
   registered{more}. */
"""
    if ready:
        return f"""
/* The entries of {ready.source}, copied before this is registered, and the kernel that rex_offload_init() launches. */
"""
    return ""


def _registered(units: Sequence[Unit], copied: Sequence[Unit], ready: Unit | None) -> str:
    """The functions that register the units, ahead of the program's constructors."""
    kernel = "rex_ready" if ready else 0
    text = f"""
static struct rex_part rex_part = {{rex_units, sizeof rex_units / sizeof rex_units[0], {kernel}, 0}};

static void rex_unregister(void)
{{
    rex_unregister_part(&rex_part);
}}

static void rex_register(void)
{{
"""
    if copied:
        text += "    struct __tgt_offload_entry *to = rex_entries;\n"
    if copied or any(unit.statics for unit in units):
        text += "    rex_size i;\n\n"
    for unit in units:
        if unit.statics:
            first = f"__rex_offload_entries_{unit.identity}[{unit.first_static} + i]"
            text += _loop(len(unit.statics), f"{first} = __start_rex_statics_{unit.identity}[i];")
    for unit in copied:
        text += _loop(len(unit.entries), f"*to++ = __rex_offload_entries_{unit.identity}[i];")
    if ready:
        text += "    to->addr = to->name = rex_ready;\n"
    return text + _REGISTER


def _entries(name: str, unit: Unit, entries: Sequence[str]) -> str:
    return f"extern REX_HIDDEN struct __tgt_offload_entry {name}_{unit.identity}[{len(entries)}];\n"


def _symbol(unit: Unit, number: int) -> str:
    return f"__rex_image_{unit.identity}_{number}"


def _embedded(unit: Unit, number: int, image: Image) -> str:
    symbol = _symbol(unit, number)
    return f"""\
__asm__("# {image.arch} sha256 {image.digest}\\n"
        ".pushsection .rodata, \\"a\\", @progbits\\n"
        ".balign 16\\n"
        ".globl {symbol}\\n.hidden {symbol}\\n"
        ".globl {symbol}_end\\n.hidden {symbol}_end\\n"
        "{symbol}:\\n"
        ".incbin \\"{_quoted(image.path)}\\"\\n"
        "{symbol}_end:\\n"
        ".popsection\\n");
extern REX_HIDDEN char {symbol}[], {symbol}_end[];
"""


def _images(unit: Unit, table: str, count: int) -> str:
    symbols = [_symbol(unit, number) for number in range(len(unit.images))]
    rows = "".join(f"    {{ {symbol}, {symbol}_end, {table}, {table} + {count} }},\n" for symbol in symbols)
    return f"\nstatic struct __tgt_device_image rex_images_{unit.identity}[] = {{\n{rows}}};\n"


def _descriptor(unit: Unit, table: str, count: int) -> str:
    return f"    {{ {len(unit.images)}, rex_images_{unit.identity}, {table}, {table} + {count} }},\n"


def _loop(count: int, statement: str) -> str:
    return f"    for (i = 0; i < {count}; ++i)\n        {statement}\n"


def _anchor(name: str) -> str:
    return f"""
/* Host files refer to this symbol, so that a linker which takes this unit from an archive takes it at all. */
#ifdef __cplusplus
extern "C" {{
#endif
extern REX_HIDDEN const char {name};
const char {name} = 0;
#ifdef __cplusplus
}}
#endif
"""


def _quoted(path: Path) -> str:
    """The path inside an assembler string inside a C string. Both need backslashes of their own."""
    text = str(path)
    for _ in range(2):
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text
