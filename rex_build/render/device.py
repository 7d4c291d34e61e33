"""Writes the device file: the CUDA kernels of all target regions, and everything that they need."""

from __future__ import annotations

from pycparser import c_ast

from .. import __version__
from ..base.line_directives import OWN_LINES, resolve_line_markers
from ..c.cuda.functions import definition, prototype, render_global
from ..c.cuda.printer import unit_scope
from ..c.cuda.records import render_types
from ..c.cuda.scope import Scope
from ..c.cuda.surroundings import PrintedUnit, Surroundings
from ..c.sema.ctype import Pointer, is_sizeless
from ..c.syntax.nodes import ParsedUnit
from ..plan.unit import TranslationUnitPlan
from .constructs import FunctionConstructs, team_function, variable_names
from .kernels import Kernel
from .registration import ready_kernel
from .templating import environment


def render_device(plan: TranslationUnitPlan, unit: ParsedUnit, own_name: str) -> str:
    """The text of ``rex_lib_<stem>.cu``."""
    code = plan.code
    names = variable_names(plan)
    printed = PrintedUnit(
        plan.sema, plan.code, unit.span_of, plan.wraps, plan.fuses, plan.shared, plan.kept_as_calls, plan.escaping
    )
    base = unit_scope(printed, names, Surroundings(FunctionConstructs(plan).render))
    variables = []
    for variable in plan.variables:
        if variable.link:
            pointer = base.declaration(Pointer(variable.symbol.type), variable.device_name)
            variables.append(f"{'' if variable.entry else 'extern '}__device__ {pointer};\n")
        elif is_sizeless(variable.symbol.type):  # every unit has one of its own
            if variable.symbol not in code.globals:
                variables.append(render_global(base, variable.symbol, variable.device_name))
        elif not variable.entry and variable.symbol in plan.shared:
            variables.append(f"extern __device__ {base.declaration(variable.symbol.type, variable.device_name)};\n")
    entries = {v.symbol for v in plan.variables if v.entry and not v.link}
    for symbol in code.globals:  # variables that initialisers name come first
        if symbol in entries:
            variables.append(render_global(base, symbol, names[symbol], ""))
        elif symbol not in names or is_sizeless(symbol.type):
            variables.append(render_global(base, symbol, base.symbol_text(symbol)))
    elsewhere = [f'extern "C" __device__ {base.declaration(s.type, base.symbol_text(s))}' for s in code.elsewhere]
    text = (
        environment()
        .get_template("rex_lib.cu.j2")
        .render(
            version=__version__,
            rounded=not plan.fuses,
            source=plan.source_name,
            own_settings=plan.makes_settings,
            headers=code.system_headers,
            types=render_types(unit, base, code),
            variables=variables,
            locks=plan.locks,
            indirect=plan.functions_table if plan.indirect else "",
            separable=plan.separable,
            indirect_functions=[base.symbol_text(s) for s in plan.indirect],
            prototypes=[*elsewhere, *(prototype(base, f) for f in plan.declared_early)],
            functions=[text + OWN_LINES for f in code.functions for text in _versions(plan, base, f)],
            kernels=[Kernel(plan, unit, region, base).render() for region in plan.regions],
            ready=ready_kernel(plan.unit) if plan.entries else "",
        )
    )
    return resolve_line_markers(text, own_name, unit.pre.main_file)


def _versions(plan: TranslationUnitPlan, base: Scope, function: c_ast.FuncDef) -> list[str]:
    """A function's definition, and its version for a team's sequential part if that calls it."""
    texts = [definition(base, function)]
    if any(symbol.name == function.decl.name for symbol in plan.team_functions):
        texts.append(team_function(plan, base, function))
    return texts
