"""The host file: the user's text with launches, data calls and registration tables in place of target constructs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from .. import __version__
from ..base.comments import in_comment
from ..c.source.preprocess import Preprocessed
from ..plan.unit import TranslationUnitPlan
from .block_names import BlockNames
from .data_calls import data_part
from .explained import explained
from .host_edits import Part, nested_edits
from .host_text import host_text
from .host_versions import host_region_part
from .indentation import Indentation, indented
from .launches import region_part
from .locations import location_of
from .offload_table import entries_in_functions, linkage_of, table_text
from .shield import shielded


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
        head.append(f"static void *{plan.functions_table}[{len(plan.indirect)}];")
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
    for region in plan.regions:
        location = location_of(region.span, region.function, file_name)
        parts.append(region_part(location, names, region, indentation.at(region.start)))
    parts += [host_region_part(names, region, indentation.at(region.start)) for region in plan.host_regions]
    for data in plan.data:
        location = location_of(data.span, data.function, file_name)
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
