"""Programs with needless transfers of each kind, of variables of many kinds, each followed by its right twin.

A line that advice is expected at ends with ``// rex-advice: NAME...``.
"""

from __future__ import annotations

# (where it is declared, the declaration, what is mapped, element number `i`, what is done at the end)
VARIABLES = {
    "static": ("", "static int a[1000];", "a", "a[{i}]", ""),
    "local": ("", "double a[300] = {0};", "a", "a[{i}]", ""),
    "heap": ("", "int *a = calloc(1000, sizeof *a);", "a[0:1000]", "a[{i}]", "free(a);"),
    "part": ("", "int *a = calloc(1000, sizeof *a);", "a[100:600]", "a[100 + {i}]", "free(a);"),
    "length": ("", "double a[n + 300]; memset(a, 0, sizeof a);", "a", "a[{i}]", ""),
    "rows": ("", "static float a[20][30];", "a", "a[{i} + 1][2]", ""),
    "rows_on_heap": ("", "float (*a)[30] = calloc(20, sizeof *a);", "a[0:20]", "a[{i}][3]", "free(a);"),
    "cubes": ("", "static short a[10][10][10];", "a[0:9]", "a[{i}][3][4]", ""),
    "structures": ("", "static struct { double x, y; } a[100];", "a", "a[{i}].y", ""),
    "structure": ("", "struct { int v[500]; } a = {{0}};", "a", "a.v[{i}]", ""),
    "member": ("", "struct { int n, v[500]; } a = {0};", "a.v", "a.v[{i}]", ""),
    "behind": ("", "struct values a = {500, calloc(500, sizeof *a.v)};", "a.v[0:500]", "a.v[{i}]", "free(a.v);"),
    "pointed": (
        *("", "struct values b = {500, calloc(500, sizeof *b.v)}, *a = &b;"),
        *("a->v[0:500]", "a->v[{i}]", "free(b.v);"),
    ),
    "bytes": ("", "char a[4000] = {0};", "a", "a[{i}]", ""),
    "complex": ("", "double _Complex a[100] = {0};", "a", "a[{i}]", ""),
    "of_file": ("static unsigned global[700];", "", "global", "global[{i}]", ""),
    "aligned": ("", "long *a = aligned_alloc(64, 4096); memset(a, 0, 4096);", "a[0:512]", "a[{i}]", "free(a);"),
}

# Wrong and right lines. ITEM is what is mapped, E(i) an element.
KINDS = {
    "unchanged": (
        """for (int k = 0; k < 4; ++k) {
#pragma omp target map(to: ITEM) map(tofrom: sum) // rex-advice: needless-transfer
sum += E(k);
}""",
        """#pragma omp target data map(to: ITEM)
for (int k = 0; k < 4; ++k) {
#pragma omp target map(tofrom: sum)
sum += E(k);
}""",
    ),
    "unread": (
        """#pragma omp target map(tofrom: ITEM) map(tofrom: sum) // rex-advice: unread-result
sum += E(1) += 3;""",
        """#pragma omp target map(to: ITEM) map(tofrom: sum)
sum += E(1) += 3;""",
    ),
    "round_trip": (
        """for (int k = 0; k < 4; ++k) {
#pragma omp target map(tofrom: ITEM) // rex-advice: needless-transfer unread-result
E(k) += 1;
}
sum += E(2);""",
        """#pragma omp target data map(tofrom: ITEM)
for (int k = 0; k < 4; ++k) {
#pragma omp target
E(k) += 1;
}
sum += E(2);""",
    ),
    "allocated": (
        """for (int k = 0; k < 4; ++k) {
#pragma omp target map(alloc: ITEM) map(tofrom: sum) // rex-advice: repeated-allocation
sum += E(1) = k;
}""",
        """#pragma omp target data map(alloc: ITEM)
for (int k = 0; k < 4; ++k) {
#pragma omp target map(tofrom: sum)
sum += E(1) = k;
}""",
    ),
    "unused": (
        """#pragma omp target map(to: ITEM) map(tofrom: sum) // rex-advice: unused-mapping
sum += n;""",
        """#pragma omp target map(to: ITEM) map(tofrom: sum)
sum += n + E(2);""",
    ),
}


def program(kind: str) -> str:
    """One C program with the wrong and the right form for each variable."""
    wrong, right = KINDS[kind]
    text = "#include <stdlib.h>\n#include <string.h>\n\nstruct values { int n; int *v; };\nstatic double sum;\n"
    calls = []
    for name, (outside, declared, item, element, end) in VARIABLES.items():
        if (name, kind) == ("length", "unread"):  # the stack below the function is used by other code at once
            continue
        for number, body in enumerate((wrong, right)):
            text += (
                outside.replace("global", f"global_{number}")
                + f"\nstatic void {name}_{number}(int n)\n{{\n{declared}\n"
            )
            for form in body.split("\n"):
                line = form
                for index in ("k", "1", "2"):
                    line = line.replace(f"E({index})", element.replace("{i}", index))
                text += line.replace("ITEM", item).replace("global", f"global_{number}") + "\n"
            text += f"{end}\n}}\n"
            calls.append(f"    {name}_{number}(1);\n")
    return f"{text}\nint main(void)\n{{\n{''.join(calls)}    return sum == 1;\n}}\n"
