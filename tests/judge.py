"""The C programs that are valid C++, too: what the C++ front end makes of them is compared with the same text.

Many programs become one unit, each in a namespace of its own, since compilers spend most of their time on reading
headers. Nothing else is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from execution import PROGRAMS, Program, find_programs

# C programs that g++ refuses. A new program stands here only if that is so.
_NOT_CXX = """
address_tables attribute_directives bit_fields bit_fields_wide c/atomic_objects c/builtins c/c23 c/complex
c/complex_integers c/contraction c/corners c/gnu_c c/half_precision c/library c/overflow c/records c/tgmath
c/variables c/variadic c/vectors c/volatile_locals c11_features c_not_cpp data/allocators data/host_threads
data/kinds data/update_lengths declare_target_globals device_c firstprivate functions gnu_extensions
implicit_rules locks names_bound optimise_byvalue optimise_counts optimise_updates reduction_narrow
rodinia/literal_scalars sections_pointers sections_vla shared_pointers system_headers team_memory
thread_memory tile_names
"""
NOT_CXX = frozenset(_NOT_CXX.split())

# What C++ units refuse for a reason that is C++'s: it has no types or objects whose size only the run knows.
REFUSED = {
    "c/types_in_clauses": "the length of the array 'table' is not constant",
    "private_arrays": "the length of 'vla' is not constant",
    "sections_2d": "the length of the array 'vla' is not constant",
}

# What C++ units refuse although C units have it, with the words of the message. A program that passes is to be taken
# out, and none is to be added: a new program passes in both languages.
KNOWN_REFUSED = {
    "ancestor": "modifier 'ancestor' in 'device' clause is not supported",
    "data/declare_link": "clause 'link' on 'declare target' is not supported in C++",
    "data/generated_names": "the length of the array 'a' is not constant",
    "data/runtime_api": "was not declared in this scope",
    "data/update_shaped": "array shaping in 'from' clause is not supported in C++",
    "declare_variant": "redefinition of",
    "device_clause": "use of undeclared identifier 'omp_initial_device'",
    "directive_constants": "'permutation' takes the numbers of the loops",
    "dispatch": "clause 'adjust_args' on 'declare variant' is not supported",
    "host_directives": "clause 'link' on 'declare target' is not supported in C++",
    "host_nesting": "redefinition of",
    "host_teams": "a reduction over 'vla', an array of variable length, is not supported",
    "interop": "invalid conversion",
    "metadirective": "'target' inside a target region",
    "reduction_arrays": "a reduction over 'vla', an array of variable length, is not supported",
    "team_functions": "leads to a function of the host's",
}

# What C++ units get wrong, with the words that the failure has.
KNOWN_WRONG = {
    "loop_types": "invalid controlling predicate",
}

_HEADER = re.compile(r"^#include [<\"](?P<name>.*)[>\"]$", re.MULTILINE)
_MACRO = re.compile(r"^#\s*define\s+(\w+)", re.MULTILINE)
_REQUIRES = re.compile(r"^#\s*pragma\s+omp\s+requires\b", re.MULTILINE)
_APART = ("macro_names",)  # whose names are macros in headers of others
_BATCH_LINES = 1200


def judged() -> list[Program]:
    """The programs of one C file that are C++, too, and run on every device, as C++ programs."""
    found = (p for p in find_programs() if len(p.sources) == 1 and p.device is None and p.name not in NOT_CXX)
    return [_in_cxx(program) for program in found]


def _in_cxx(program: Program) -> Program:
    flags = tuple("-std=c++17" if flag.startswith("-std=") else flag for flag in program.cflags)
    return replace(program, cflags=(*flags, f"-I{PROGRAMS}"))


def batches(programs: Iterable[Program]) -> list[list[Program]]:
    """The programs, those with the same options together. A ``requires`` directive is for a whole unit."""
    groups: dict[object, list[Program]] = {}
    for program in programs:
        apart = program.name in _APART or _REQUIRES.search(program.sources[0].read_text()) is not None
        alone = program.name if apart else ""
        groups.setdefault((program.cflags, program.reference, program.guarded, alone), []).append(program)
    found: list[list[Program]] = []
    for group in groups.values():
        size = _BATCH_LINES
        for program in group:
            lines = program.sources[0].read_text().count("\n")
            if size + lines > _BATCH_LINES:
                found.append([])
                size = 0
            found[-1].append(program)
            size += lines
    return found


def as_one(programs: Sequence[Program], folder: Path) -> Program:
    """One C++ program that runs all of them, written into a folder. Before each it prints the program's name."""
    headers: dict[str, None] = dict.fromkeys(["#include <stdio.h>"])
    lines: list[str] = []
    for program in programs:
        source = program.sources[0]
        text = source.read_text("utf-8-sig")  # a byte order mark can only begin a file
        macros = dict.fromkeys(_MACRO.findall(text))
        for header in _HEADER.finditer(text):
            own = source.parent / header["name"]
            if not own.exists() or own.read_text().find("#ifndef") >= 0:  # it is read once in a unit
                headers[f'#include "{own.resolve()}"' if own.exists() else header[0]] = None
                text = text.replace(header[0], "", 1)
        lines += [f"namespace {scope_of(program)} {{", text, "}"]
        lines += [f"#undef {name}" for name in macros]
    lines = [*headers, *lines]
    lines += ["static int run(int (*program)()) { return program(); }"]
    lines += ["static int run(int (*program)(int, char **)) { char *none[] = {NULL}; return program(0, none); }"]
    calls = [f'    puts("{p.name}");\n    failed |= run({scope_of(p)}::main);' for p in programs]
    lines += ["int main()", "{", "    int failed = 0;", *calls, "    return failed;", "}", ""]
    source = folder / "judged.cpp"
    source.write_text("\n".join(lines))
    return replace(programs[0], name=" ".join(p.name for p in programs), sources=(source,))


def named_in(errors: str, batch: Program) -> dict[str, str]:
    """The messages about each program of a batch, by the namespace that it stands in."""
    lines = batch.sources[0].read_text().splitlines()
    found: dict[str, str] = {}
    for line, message in re.findall(r"^\S*judged\.cpp:(\d+):\d+: error: (.*)$", errors, re.MULTILINE):
        opened = (m for text in reversed(lines[: int(line)]) if (m := re.match(r"namespace (judged_\w+) \{$", text)))
        scope = next(opened)[1]
        found[scope] = f"{found.get(scope, '')}{message}\n"
    return found


def alone(program: Program, folder: Path) -> Program:
    """The program as a C++ program, without anything else. ``folder`` gets the copy of its text."""
    source = folder / program.sources[0].with_suffix(".cpp").name
    source.write_text(program.sources[0].read_text())
    return replace(program, sources=(source,), cflags=(*program.cflags, f"-I{program.sources[0].parent}"))


def scope_of(program: Program) -> str:
    return "judged_" + re.sub(r"\W", "_", program.name)
