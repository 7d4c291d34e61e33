"""Prints the table of a unit's kernels and variables, which its registration passes to libomptarget."""

from __future__ import annotations

from ..plan.unit import REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY, DeclareTargetVariable, TranslationUnitPlan


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
        lines.append(f"static void *{table}[] = {{{functions}}}; /* declare target indirect */")
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
