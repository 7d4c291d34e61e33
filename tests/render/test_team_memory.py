"""What nested parallel regions change is where all threads of a team reach it. The cpu device cannot tell: lambdas have
variables by reference there, and copies of their values on GPUs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_VARIABLES = {
    "double v": ("", "firstprivate(v)", "private(v)", "map(tofrom: v)", "reduction(+: v)"),
    "int *v": ("", "firstprivate(v)", "private(v)", "map(to: v[0:4])", "map(to: v, v[0:4])", "is_device_ptr(v)"),
    "struct pair v": ("", "firstprivate(v)", "private(v)"),
}
_CONSTRUCTS = {
    "target": "#pragma omp target CLAUSE\n{ BODY }",
    "teams": "#pragma omp target teams CLAUSE\n{ BODY }",
    "split": "#pragma omp target\n#pragma omp teams CLAUSE\n{ BODY }",
    "distribute": "#pragma omp target teams distribute CLAUSE\nfor (int t = 0; t < 9; ++t) { BODY }",
    "local": "#pragma omp target\n{ VARIABLE; BODY }",
}


def _texts() -> list[tuple[str, str, str]]:
    found = []
    for variable, clauses in _VARIABLES.items():
        for clause in clauses:
            for name, construct in _CONSTRUCTS.items():
                on_target = clause.split("(")[0] in ("map", "is_device_ptr")
                if (name == "split" and on_target) or (name == "local" and clause):
                    continue
                if clause.startswith("reduction") and name == "target":
                    continue
                found.append((variable, clause, construct.replace("CLAUSE", clause).replace("VARIABLE", variable)))
    return found


@pytest.mark.parametrize(("variable", "clause", "construct"), _texts())
def test_what_parallel_regions_change_is_shared(variable: str, clause: str, construct: str, tmp_path: Path) -> None:
    element = "v.x" if "struct" in variable else "v"
    body = f"if (n) {element} = {element} - 1;\n#pragma omp parallel\n#pragma omp single\n{element} = {element} + 1;"
    source = tmp_path / "unit.c"
    text = f"struct pair {{ long x, y; }};\nvoid f(int n, {variable})\n{{\n{construct.replace('BODY', body)}\n}}\n"
    source.write_text(text)
    device = lower_text(LowerRequest(source=source, out_dir=tmp_path)).device
    match = re.search(r"^ *(\S+?)(?:\.x)? = \1(?:\.x)? \+ 1;$", device, re.MULTILINE)
    assert match is not None, device
    changed = match[1]
    closure = device[device.rindex("REX_REGION {", 0, match.start()) :] if "REX_REGION {" in device else device
    bound = re.search(rf"auto &{re.escape(changed)} = (?:REX_CHANGED\()?([^\s,;]+)", closure)
    place = bound[1] if bound is not None else changed
    assert place.startswith(("*", "(*")) or re.search(rf"REX_TEAM_SHARED [^;]*\b{place}\b", device), device


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_packed_structures_of_a_team_are_moved_whole(suffix: str, tmp_path: Path) -> None:
    """Their arrays begin where 16 bytes do. Without that nvcc moves single bytes. Others keep their own alignment."""
    structs = "struct loose { float v[4]; };\nstruct __attribute__((packed)) tight { char c; float v[4]; };\n"
    arrays = "struct tight t[64]; struct loose l[64]; char c[64]; struct tight *p[2];"
    uses = "t[i].v[1] = c[i] = i; l[i].v[0] = 2; p[i & 1] = t;"
    loop = f"#pragma omp parallel for\nfor (int i = 0; i < 64; ++i) {{ {uses} }}"
    region = f"#pragma omp target teams\n{{ {arrays}\n{loop}\n}}"
    source = tmp_path / f"unit.{suffix}"
    source.write_text(f"{structs}void f(void)\n{{\n{region}\n}}\n")
    device = lower_text(LowerRequest(source=source, out_dir=tmp_path)).device
    asked = {name: text for text, name in re.findall(r"REX_TEAM_SHARED ([^;]*?)\b(\w+)\[\d+\];", device)}
    assert {*asked} == {*"tlcp"}
    assert {name for name, text in asked.items() if "alignas(16)" in text} == {"t"}
