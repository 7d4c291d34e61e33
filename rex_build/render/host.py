"""The host file: the user's text with launches, data calls and registration tables in place of target constructs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from .. import __version__
from ..base.diagnostics import Stretches
from ..base.names import in_comment
from ..c.source.preprocess import Preprocessed
from ..plan.listing import Remark, remarks
from ..plan.unit import REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY, DeclareTargetVariable, TranslationUnitPlan
from .host_edits import Part, host_region_part, nested_edits
from .host_text import host_text
from .launches import data_part, region_part
from .lines import BlockNames, Indentation, indented, location_of
from .shield import shielded

# Prints what became of each directive into a section of the object, where a profile of the program finds it.
#
# A record is a line ``@file;line;column;function;directive`` and the lines of its remark. The section is not loaded
# when the program runs.

SECTION = ".rex_explained"


def explained(plan: TranslationUnitPlan, file_name: Callable[[str], str]) -> str:
    """The records of a unit. For ``file_name`` see :class:`.lines.Location`."""
    records = [_record(remark, file_name) for remark in remarks(plan)]
    return "\n".join(["REX_GENERATED_BEGIN", *records, "REX_GENERATED_END"]) if records else ""


def _record(remark: Remark, file_name: Callable[[str], str]) -> str:
    at = location_of(remark.span, remark.function, file_name)
    place = (at.file, str(at.line), str(at.column), at.function, remark.directive)
    lines = ["@" + ";".join(part.replace(";", ",") for part in place), *remark.lines]
    return "REX_EXPLAINED(\n" + "\n".join(f'    "{_escaped(line)}\\\\n"' for line in lines) + ");"


def _escaped(line: str) -> str:
    """The content of a C string literal for an assembler's string: both have backslashes and quotation marks."""
    for _ in ("assembler", "C"):
        line = line.replace("\\", "\\\\").replace('"', '\\"')
    return " ".join(line.split()).replace("??", '?""?')  # no trigraphs


# Prints the table of a unit's kernels and variables, which its registration passes to libomptarget.

def entries_in_functions(plan: TranslationUnitPlan) -> dict[int, tuple[str, ...]]:
    """The entries of functions' static variables, by the offset of the directive that they replace."""
    found: dict[int, tuple[str, ...]] = {}
    for number, variable in enumerate(v for v in plan.variables if v.place is not None):
        name = variable.symbol.name
        entry = plan.names.fresh(f"__rex_static_{number}")
        text = (
            f'static struct __tgt_offload_entry {entry} REX_STATICS("{plan.unit}") =\n'
            f'    {{(void *)&{name}, (char *)"{variable.device_name}", sizeof({name}), 0, 0}};'
        )
        text = f"REX_GENERATED_BEGIN\n{text}\nREX_GENERATED_END"
        assert variable.place is not None
        found[variable.place] = (*found.get(variable.place, ()), text)
    return found


def linkage_of(plan: TranslationUnitPlan, variable: DeclareTargetVariable) -> str:
    """How the pointer of a ``link`` variable is declared, which the units of a separable device link share."""
    return 'extern __attribute__((__visibility__("hidden")))' if variable.symbol in plan.shared else "static"


def table_text(plan: TranslationUnitPlan, anchor: str | None) -> str:
    """The offload table, and the symbols that make the linker add its registration to the program."""
    lines = list(plan.definitions)
    for variable in plan.variables:
        if variable.link and variable.entry:
            linkage = linkage_of(plan, variable).removeprefix("extern ")
            lines.append(f"{linkage} void *{variable.device_name} = (void *)&{variable.symbol.name};")
    table = plan.functions_table
    if plan.indirect:
        functions = ", ".join(f"(void *){symbol.name}" for symbol in plan.indirect)
        lines.append(f"REX_TABLE void *{table}[] = {{{functions}}}; /* declare target indirect */")
    if plan.entries:
        lines.append(f"REX_TABLE struct __tgt_offload_entry __rex_offload_entries_{plan.unit}[] = {{")
        for region in plan.regions:
            for kernel, identity in region.kernels:
                lines.append(f'    {{(void *)&{identity}, (char *)"{kernel}", 0, 0, 0}},')
        for variable in plan.variables:
            if variable.entry and variable.place is None:
                name = variable.symbol.name
                if variable.link:
                    pointer = variable.device_name
                    lines.append(
                        f'    {{(void *)&{pointer}, (char *)"{pointer}", sizeof({pointer}), REX_ENTRY_LINK, 0}},'
                    )
                    continue
                lines.append(f'    {{(void *)&{name}, (char *)"{variable.device_name}", sizeof({name}), 0, 0}},')
        if plan.indirect:
            lines.append(f'    {{(void *)&{table}, (char *)"{table}", sizeof({table}), 0, 0}},')
        for variable in plan.variables:
            if variable.place is not None:
                lines.append(f'    {{REX_STATIC, (char *)"{variable.device_name}", 0, 0, 0}},')
        if REQUIRES_ENTRY in plan.entries:
            lines.append(f'    {{(void *)0, (char *)"{REQUIRES_ENTRY}", 0, 0x10, {REQUIRES_SHARED_MEMORY}}},')
        lines.append("};")
    placed = (v.static_function for v in plan.variables if v.place is not None and v.static_function)
    for function in dict.fromkeys(placed):  # a compiler leaves out what nothing calls
        keep = f"*const {plan.names.fresh(f'__rex_keep_{function}')} = {function}"
        lines.append(f"__attribute__((__used__)) static __typeof__({function}) {keep};")
    lines = ["REX_GENERATED_BEGIN", *lines, "REX_GENERATED_END"] if lines else []
    if anchor is not None:
        lines.append(f'__attribute__((__visibility__("hidden"))) extern const char {anchor};')
        keep = plan.names.fresh(f"__rex_keep_{anchor}")
        lines.append(f"__attribute__((__used__)) static const char *const {keep} = &{anchor};")
    return "\n".join(lines)


def render_host(
    plan: TranslationUnitPlan,
    pre: Preprocessed,
    own_name: str,
    anchor: str | None,
    definitions: Callable[[], Preprocessed],
    file_name: Callable[[str], str],
    macros: frozenset[str] = frozenset(),
) -> str:
    """The text of ``rose_<stem>.c``.

    ``anchor`` names a symbol of the registration unit that must be linked in. ``file_name`` gives the name of a file
    that does not depend on where the unit is built. ``macros`` are those that there are before the first line.
    """
    names = BlockNames(plan.names)
    head = [header_line(plan), *_needed_of_others(plan, file_name)]
    head += shielded(['#include "rex_kmp.h"', *plan.declarations], macros)
    plain = [region for region in plan.regions if region.instances is None]
    head += [f"static char {identity};" for region in plain for _, identity in region.kernels]
    head += [f"{linkage_of(plan, v)} void *{v.device_name};" for v in plan.variables if v.link]
    if plan.indirect:
        head.append(f"extern REX_TABLE void *{plan.functions_table}[{len(plan.indirect)}];")
    return host_text(
        pre,
        nested_edits(_parts(plan, names, pre, file_name)),
        own_name,
        "\n".join(head),
        "\n".join(filter(None, (table_text(plan, anchor), explained(plan, file_name)))),
        definitions,
        macros,
    )


def _parts(
    plan: TranslationUnitPlan, names: BlockNames, pre: Preprocessed, file_name: Callable[[str], str]
) -> list[Part]:
    """Every stretch of the user's text that is replaced, or that gets text around it."""
    indentation = Indentation(pre)
    parts: list[Part] = []
    if plan.main_body is not None:
        # In C, the rest of main gets a block of its own, so that its declarations still stand first in a block.
        start, end = plan.main_body
        if end is None:
            parts.append(Part(start, start, start, ("    rex_offload_init();",)))
        else:
            parts.append(Part(start, start, end, ("    rex_offload_init();\n    {",), ("    }",)))
    parts += [Part(start, start, end, ("{",), ("    rex_wait_for_launches();\n}",)) for start, end in plan.waits]
    for run in plan.calling_runs:
        calls = ("rex_begin_run()", "rex_end_run()")
        opened, closed = (f"REX_UNLESS_SHARED({call})" if run.external else call for call in calls)
        before, after = ("{",) * run.is_block, ("}",) * run.is_block
        parts.append(Part(run.start, run.start, run.end, (*before, f"    {opened};"), (f"    {closed};", *after)))
    shared = Stretches(plan.shared_code)
    for region in plan.regions:
        location = location_of(region.span, region.function, file_name, region.start in shared)
        parts.append(region_part(location, names, region, indentation.at(region.start)))
    parts += [host_region_part(names, region, indentation.at(region.start)) for region in plan.host_regions]
    for data in plan.data:
        location = location_of(data.span, data.function, file_name, data.start in shared)
        parts.append(data_part(location, names, data, indentation.at(data.start)))
    statics = entries_in_functions(plan)
    versions = [*(region.host for region in plan.regions), *(region.host for region in plan.host_regions)]
    for placed in (*plan.host_forms, *(form for version in versions for form in version.forms)):
        pad = indentation.at(placed.start) if placed.before else ""
        before = (*indented(placed.before, pad), *statics.get(placed.start, ()))
        parts.append(Part(placed.start, placed.pragma_end, placed.end, before, indented(placed.after, pad)))
    replacements = dict.fromkeys((*plan.replacements, *(word for data in plan.data for word in data.renames)))
    parts += [Part(r.start, r.end, r.end, (r.text,) if r.text else ()) for r in replacements]
    return [*_rewritten(pre, parts), *parts]


def _rewritten(pre: Preprocessed, parts: Sequence[Part]) -> Iterator[Part]:
    """The lines that an earlier stage rewrote. A construct may begin or end within such a line."""
    starts = [start for start, _ in pre.rewritten]
    cuts: dict[int, set[int]] = {}  # of each stretch, by its start
    for part in parts:
        for at in (part.start, part.end):
            start, end = pre.rewritten[max(0, bisect_left(starts, at) - 1)] if starts else (0, 0)
            if start < at < end and not (start <= part.start and part.end <= end):
                cuts.setdefault(start, set()).add(at)
    for start, end in pre.rewritten:
        within = sorted(cuts.get(start, ()))
        for low, high in zip([start, *within], [*within, end], strict=True):
            yield Part(low, low, high, kept_whole=True)


def header_line(plan: TranslationUnitPlan) -> str:
    """The comment that the registration step reads."""
    more = ("; separable" if plan.separable else "") + ("; recursive" if plan.recursive else "")
    return (
        f"/* rex-build {__version__}: lowered from {in_comment(plan.source_name)}; unit {plan.unit}; "
        f"entries {len(plan.entries)}{more} */"
    )


def _needed_of_others(plan: TranslationUnitPlan, file_name: Callable[[str], str]) -> list[str]:
    """Comments that say what other units have to define for the device, which the link of device code reads."""
    return [
        f"/* rex-build: needs {name} {span.line}:{span.column} {in_comment(file_name(span.file))} */"
        for name, span in plan.elsewhere
    ]
