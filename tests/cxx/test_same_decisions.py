"""``explain --json`` says the same of a program in C and, as the same text, in C++.

What differs yet is in a list that only shrinks: a difference that does not stand there fails, and so does one that
stands there and is gone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from execution import UNCACHED, Program, rex_build
from judge import KNOWN_REFUSED, REFUSED, judged

KERNELS = Path(__file__).resolve().parents[2] / "bench" / "kernels" / "src"
PROGRAMS = [p for p in judged() if p.name not in REFUSED and p.name not in KNOWN_REFUSED]
PROGRAMS += [
    Program(f"bench/{kernel.stem}", (kernel,), ("-std=c++17", f"-I{KERNELS}"), (), False)
    for kernel in sorted(KERNELS.glob("*.c"))
]

# The transformations, which both have.
SHARED = (
    "index32", "once", "tile", "walk", "unroll", "byvalue", "noalias", "readonly", "align", "spmd", "inorder",
    "collapse", "scalarise", "hoist", "batch", "wide", "share", "stage", "block", "banks",
)  # fmt: skip

# By what is said, the programs with regions of which it is not said in both languages.
DIFFERENT = {
    # pointers in structures, and elements of tables that C++ passes in other ways
    "align": """
        c/math_table tile
    """,
    # short arrays, complex numbers and const members are no obstacle in C++
    "byvalue": """
        launch_bounds map_struct
    """,
    # loops side by side whose variables have different names, and a construct's loops with bounds that depend on others
    "collapse": """
        collapse_moving collapse_shapes optimise_slanted
    """,
    # values that C++ passes by address
    "inorder": """
        loop_bounds
    """,
    # C++ passes structures, constants and what only clauses name in other ways
    "map": """
        c/printing data/attachment data/chains data/corners
        device_printf globals
        host_tasks if_clause launch_bounds loop_bounds loop_pointers loop_types map_pointer_members
        map_struct map_two_levels one_decision optimise_atomics optimise_block optimise_fronts
        optimise_hazards parallel_kernels sections_arrays shared_scalars simd_constructs static_tables
        target_data team_sizes tile
    """,
    # queries of OpenMP, which only C++'s proofs know
    "noalias": """
        omp_queries reduction_nested schedule
    """,
    # hosts of C++ units compute fewer trip counts before a launch
    "once": """
        bench/chemistry loop_pointers
    """,
    # pointers in structures are no parameters of C++ kernels, and parameters keep their types; queries of OpenMP
    "readonly": """
        optimise_collapse reduction_nested
    """,
    # C++ keeps what C proves to be a thread's own
    "team_shared": """
        clause_operators copies_and_pointers target_copies
    """,
    # hosts of C++ units compute other trip counts
    "teams": """
        loop_pointers
    """,
    # another kernel takes its place in C
    "walk": """
        optimise_slanted
    """,
}


def said(source: Path, flags: tuple[str, ...]) -> list[dict[str, Any]]:
    """What explain says of each region, but for texts and for what only one front end prints."""
    outcome = rex_build("explain", "--json", source, "--", "-O2", *flags, env=UNCACHED)
    assert outcome.status == 0, outcome.stderr
    found = []
    for region in json.loads(outcome.stdout)["regions"]:
        facts = {name: region[name] for name in ("directive", "path", "loop", "team_shared")}
        facts |= {name: region["launch"][name] for name in ("teams", "threads", "thread_cap")}
        rows = [row for row in region["map"] if "LITERAL" not in row["flags"] or " " not in row["item"]]
        facts["map"] = {(row["item"], *sorted(row["flags"])) for row in rows}
        made = {one["name"]: one["applied"] for one in region["optimisations"]}
        found.append(facts | {name: made.get(name) for name in SHARED})
    return found


@pytest.mark.sampled(20)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_same(program: Program, tmp_path: Path) -> None:
    (source,) = program.sources
    copy = tmp_path / f"{source.stem}.cpp"
    copy.write_text(source.read_text())
    flags = (*(flag for flag in program.cflags if not flag.startswith("-std=")), f"-I{source.parent}")
    of_c, of_cxx = said(source, ("-std=gnu11", *flags)), said(copy, ("-std=gnu++17", *flags))
    assert len(of_c) == len(of_cxx)
    different = {name for one, other in zip(of_c, of_cxx, strict=True) for name in one if one[name] != other[name]}
    assert different == {name for name, programs in DIFFERENT.items() if program.name in programs.split()}


def test_a_methods_parameters_are_those_of_its_definition(tmp_path: Path) -> None:
    """A method of a class template may be defined outside of it, with other names for its parameters."""
    source = tmp_path / "unit.cpp"
    source.write_text("""
template <class T> struct Scale { T factor; void run(T *to, const T *from, int n); };
template <class T> void Scale<T>::run(T *a, const T *b, int n) {
#pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
    for (int i = 0; i < n; ++i) { a[i] = 1; a[i] += b[i]; }
}
template struct Scale<float>;
void use(double *a, double *b) { Scale<double> s{2}; s.run(a, b, 4); }
""")
    (found,) = said(source, ())
    assert found["noalias"]
    assert found["readonly"]


@pytest.mark.parametrize("declared", ["T *a = p, *b = p + n;", "T *a = p; T *b = p + n;", "T *a(p), *const b{p + n};"])
def test_later_declarators_in_a_template(declared: str, tmp_path: Path) -> None:
    """The variables of an instantiation are those of the template, also where a declaration declares several."""
    source = tmp_path / "unit.cpp"
    source.write_text(f"""
template <class T> void run(T *p, int n) {{
    {declared}
#pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
    for (int i = 0; i < n; ++i) {{ a[i] = 1; a[i] += b[i]; }}
}}
void use(double *a) {{ run(a, 4); }}
""")
    (found,) = said(source, ())
    assert found["noalias"]
    assert found["readonly"]


# Statements of a loop over j in one over i, with the structure's elements n apart, and whether both share the grid.
LOADED = {
    "p->to[i * n + j] = p->from[i * n + j];": True,
    "(*p).to[i * n + j] = p[0].from[i * n + j];": True,
    "double *row = p->to + i * n; row[j] = p->from[j];": True,
    "p->to[i * n + j] = p->other[j];": True,  # constructs before may have mapped it
    "p->to[i * n + j] = p[1].other[j];": False,  # the region maps nothing behind it
    "p->to[i * n + j] = p[1].from[j];": False,
    "p->to[i * n + j] = 1; p->n = j;": False,  # perhaps a pointer is written
    "p->to[i * n + j] = 1; *(double **)&p->to = p->from;": False,
}


LOADING = """
void run{number}(S *p, int n) {{
#pragma omp target teams distribute parallel for map(tofrom: p[0:2], p->to[0:n*n]) map(to: p->from[0:n*n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {{
            {statements}
        }}
}}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_pointers_that_kernels_load(suffix: str, tmp_path: Path) -> None:
    """A pointer that is a member of a mapped structure leads to the section that the region maps behind it."""
    source = tmp_path / f"unit.{suffix}"
    functions = [LOADING.format(number=number, statements=text) for number, text in enumerate(LOADED)]
    source.write_text("typedef struct { int n; double *from, *to, *other; } S;\n" + "".join(functions))
    assert dict(zip(LOADED, (region["collapse"] for region in said(source, ())), strict=True)) == LOADED


def test_words_of_directives_are_no_variables(tmp_path: Path) -> None:
    """A private copy that only seems to be used keeps constructs from being one."""
    text = """void f(int n, int shared, int *a) {
#pragma omp target teams firstprivate(shared) map(tofrom: a[0:n])
#pragma omp distribute parallel for shared(a)
        for (int i = 0; i < n; i++) a[i] = 1;
}
"""
    for name in ("unit.c", "unit.cpp"):
        (tmp_path / name).write_text(text)
        outcome = rex_build("explain", tmp_path / name, "--json")
        assert outcome.status == 0, outcome.stderr
        assert '"directive": "target teams distribute parallel for"' in outcome.stdout
