"""A program whose lines say how often each has to be counted, for reports of coverage."""

from __future__ import annotations

import json
from pathlib import Path

from build_tool import Tool

COUNTED = """\
EXTERN int counted(int n, int *x);
#pragma omp begin declare target
static int twice(int x)
{
    if (x > 1000)
        return 0; // never
    return 2 * x; // 8
}
#pragma omp end declare target
EXTERN int counted(int n, int *x)
{
    int sum = 0;
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            x[i] = twice(i); // 8

        if (n > 1000)
        {
#pragma omp target
            x[0] = 1; // never
        }
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
        for (int i = 0; i < n; i++)
            if (i % 2)
                sum += x[i]; // 4
            else if (i > 1000)
                sum--; // never
    }
#pragma omp parallel
    {
        sum += 0;
    }
#pragma omp target map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
    {
        if (x[i] > 1000)
            x[i] = 0; // never
        x[i]++; // 8
    }
    sum += 0; // 1
    return sum; // 1
}
"""


def write_counted(folder: Path) -> None:
    """Write one.c, two.cpp, and main.c, which calls both."""
    calls = ""
    for name in ("one.c", "two.cpp"):
        extern = 'extern "C"' if name == "two.cpp" else ""
        text = COUNTED.replace("EXTERN", extern).replace("counted", f"counted_{name[:3]}")
        (folder / name).write_text(text)
        calls += f"counted_{name[:3]}(8, x) + "
    declared = "int counted_one(int, int *), counted_two(int, int *);"
    (folder / "main.c").write_text(f"{declared}\nint main(void) {{ int x[8]; return {calls} 0 != 64; }}\n")


def check_counts(tool: Tool, source: Path, build: Path) -> None:
    """Run the program, and check what gcov says of the user's files, and that it speaks of no others."""
    tool.run(build / "app")
    found = sorted(build.rglob("*.gcda"))
    assert len(found) == 5
    counts: dict[tuple[Path, int], int] = {}
    for path in found:
        said = json.loads(tool.run("gcov", "--stdout", "--json-format", path, cwd=build))
        for file in said["files"]:
            name = (build / file["file"]).resolve()
            for line in file["lines"]:
                at = name, line["line_number"]
                counts[at] = counts.get(at, 0) + line["count"]
    assert {name for name, _ in counts} == {source / name for name in ("main.c", "one.c", "two.cpp")}
    for name in ("one.c", "two.cpp"):
        for number, text in enumerate((source / name).read_text().splitlines(), 1):
            if "// " in text:
                wanted = text.partition("// ")[2]
                assert counts[source / name, number] == (0 if wanted == "never" else int(wanted)), (name, number, text)
