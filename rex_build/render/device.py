"""Writes the device file: the CUDA kernels of all target regions, and everything that they need."""

from __future__ import annotations

from .. import __version__
from ..base.line_directives import OWN_LINES, resolve_line_markers
from ..base.names import in_comment
from ..plan.printer import FilePrinter
from ..plan.unit import DeviceFunction, TranslationUnitPlan
from .constructs import FunctionConstructs, of_all_threads, team_function, variable_names
from .frames import device_file, last_lines
from .kernels import Kernel


def render_device(plan: TranslationUnitPlan, printer: FilePrinter, own_name: str, main_file: str) -> str:
    """The text of ``rex_lib_<stem>.cu``. ``printer`` is the front end's, and ``main_file`` the user's file."""
    code = plan.code
    names = variable_names(plan)
    base = printer.with_names(names, construct=FunctionConstructs(plan).render)
    variables = []
    for variable in plan.variables:
        if variable.link:
            pointer = base.pointer(variable.symbol.type, variable.device_name)
            variables.append(f"{'' if variable.entry else 'extern '}__device__ {pointer};\n")
        elif base.facts(variable.symbol.type).is_sizeless:  # every unit has one of its own
            if variable.symbol not in code.globals:
                variables.append(base.global_variable(variable.symbol, variable.device_name))
        elif not variable.entry and variable.symbol in plan.shared:
            variables.append(f"extern __device__ {base.declaration(variable.symbol.type, variable.device_name)};\n")
    entries = {v.symbol for v in plan.variables if v.entry and not v.link}
    for symbol in code.globals:  # variables that initialisers name come first
        if symbol in entries:
            variables.append(base.global_variable(symbol, names[symbol], ""))
        elif symbol not in names or base.facts(symbol.type).is_sizeless:
            variables.append(base.global_variable(symbol, base.symbol_text(symbol)))
    elsewhere = [f'extern "C" __device__ {base.declaration(s.type, base.symbol_text(s))}' for s in code.elsewhere]
    macros = ["REX_OWN_SETTINGS /* of tasks, which change them */"] if plan.makes_settings else []
    macros += [] if plan.fuses else ["REX_ROUNDED_PRODUCTS"]
    macros += [] if plan.rounds else ["REX_INEXACT_QUOTIENTS"]
    text = device_file(
        version=__version__,
        source=in_comment(plan.source_name),
        macros=macros,
        headers=code.system_headers,
        types=base.type_definitions(),
        prototypes=[*elsewhere, *(base.prototype(f) for f in code.declared_early)],
        variables=variables,
        indirect=(plan.functions_table, [base.symbol_text(s) for s in plan.indirect]) if plan.indirect else None,
        separable=plan.separable,
        locks=plan.locks,
        functions=[text + OWN_LINES for f in code.functions for text in _versions(plan, base, f)],
        kernels=[Kernel(plan, region, base).text() for region in plan.regions],
        last=last_lines(plan) if plan.entries else [],
    )
    return resolve_line_markers(text, own_name, main_file)


def _versions(plan: TranslationUnitPlan, base: FilePrinter, function: DeviceFunction) -> list[str]:
    """A function's definition, and its version for a team's sequential part if that calls it."""
    printer = base.with_names({}, **of_all_threads(plan)) if function.code in plan.in_regions else base
    texts = [printer.definition(function)]
    if function.team is not None:
        texts.append(team_function(plan, base, function, function.team))
    return texts
