"""C programs that are C++, too, become the same tree by both readers, which judge one another.

C units are rewritten before they are read (metadirectives, loop transformations, variants, user reductions), and C++
units here are not: such functions stand in ``REWRITTEN``. Where the languages themselves differ, the function stands in
``DIFFERENT``, with the reason.
"""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tree"))

from judge import judged
from normal_form import lines
from pycparser import c_ast

from rex_build.base.diagnostics import InputError
from rex_build.base.stack import on_deep_stack
from rex_build.c.front_end import read_unit
from rex_build.c.reading.statements import Reader as CReader
from rex_build.c.sema.layout import sema_of
from rex_build.cxx.reading.reader import Reader as CxxReader
from rex_build.cxx.unit import Unit
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest
from rex_build.tree import nodes as tree

pytestmark = pytest.mark.compile
SOURCES = [program.sources[0] for program in judged()]

REWRITTEN = frozenset(
    """
    advice.main cancel.main constructs_inside.combined constructs_inside.sent declare_spellings.in_block
    declare_spellings.main directive_constants.in_scope
    directive_constants.main dispatch.objects dispatch.main host_versions.main line_numbers.main mapper.local
    masked_scope.main ordered_scan.main sections.main tasks.main types_in_clauses.main
    """.split()  # noqa: SIM905
)
REWRITTEN_UNITS = frozenset(("metadirective", "metadirective_dynamic", "tile"))
_ARRAYS = "arrays of variable length are Opaque in C++"
_CHOSEN = "C promotes the operands of ?: to int, and C++ does not if both have one type"
_LIBRARY = "<cmath> has a function for each type"
DIFFERENT = {
    "math_table.compute": _LIBRARY,
    "math_table.near": _LIBRARY,
    "math_functions.main": _LIBRARY,
    "device_printf.main": "<stdio.h> of C++ has no inline functions",
    "attachment.variables": "omp.h does not declare a function, which C takes for one that returns an int",
    "data_types.main": "a character literal is a char in C++, and an int in C",
    "generated_names.made_from_names": _ARRAYS,
    "in_reduction.main": _ARRAYS,
    "host_tasks.undeferred": _ARRAYS,
    "host_teams.reductions": _ARRAYS,
    "private_arrays.run": _ARRAYS,
    "private_arrays.whole": _ARRAYS,
    "reduction_arrays.variable_lengths": _ARRAYS,
    "reduction_arrays.lengths": "clang converts an integer to a complex number in two steps",
    "reduction_types.of_char": _CHOSEN,
    "reduction_types.of_signed_char": _CHOSEN,
    "reduction_types.of_unsigned_char": _CHOSEN,
    "reduction_types.of_short": _CHOSEN,
    "reduction_types.of_unsigned_short": _CHOSEN,
    "sections_2d.whole_at_run_time": _ARRAYS,
    "static_tables.main": _CHOSEN,
}


def of_c(source: Path) -> dict[str, tree.Body]:
    unit = read_unit(preprocessed(LowerRequest(source, source.parent)), True)
    sema = sema_of(unit)
    reader = CReader(sema)
    found: dict[str, tree.Body] = {}
    for function in unit.every_function.ext:
        if isinstance(function, c_ast.FuncDef):
            sema.analyse(function, True)
            body = reader.body(function)
            found[body.function.name] = body
    return found


def of_cxx(source: Path) -> dict[str, tree.Body]:
    request = LowerRequest(source, source.parent, cflags=("-x", "c++"), cc="g++")
    unit = Unit(preprocessed(request), request.cflags, "g++")
    reader = CxxReader(unit)
    bodies = (reader.body(reader.function(f.cursor)) for f in unit.functions if not f.is_template)
    return {body.function.name: body for body in bodies if body is not None}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("part", range(6))
def test_both_readers_make_the_same_tree(part: int) -> None:
    compared = 0
    different: dict[str, str] = {}
    for source in SOURCES[part::6]:
        if source.stem in REWRITTEN_UNITS:
            continue
        try:
            mine = on_deep_stack(lambda source=source: of_cxx(source))
        except InputError:
            continue  # what only the text that other stages make can be read as
        for name, body in on_deep_stack(lambda source=source: of_c(source)).items():
            if name in mine and f"{source.stem}.{name}" not in REWRITTEN:
                compared += 1
                c, cxx = list(lines(body.statement)), list(lines(mine[name].statement))
                if c != cxx:
                    different[f"{source.stem}.{name}"] = "\n".join(list(unified_diff(c, cxx, "C", "C++", n=2))[:30])
    unexpected = {name: text for name, text in different.items() if name not in DIFFERENT}
    assert not unexpected, "\n".join(f"{name}:\n{text}" for name, text in unexpected.items())
    listed = {name for name in DIFFERENT if name.partition(".")[0] in {source.stem for source in SOURCES[part::6]}}
    assert listed == different.keys(), f"not different any more: {listed - different.keys()}"
    assert compared > 40
