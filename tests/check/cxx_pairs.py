"""C++ programs with mistakes: each mistake of MISTAKES in each place of PLACES, and the right twin behind it.

``// rex-expect: NAME`` stands on the lines that are to be reported. In the texts, ``@`` is what a place calls its
pointer to N numbers, which the function ``fresh`` allocates and sets. Tests run each mistake in four places.
``python tests/check/cxx_pairs.py race`` prints the program with the mistake ``race`` in all places.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

_HEAD = """#include <omp.h>

#include <cstdlib>
#include <memory>
#include <vector>

constexpr int N = 48;
static volatile int seen;

static int *fresh()
{
    int *made = static_cast<int *>(std::malloc(N * sizeof(int)));
    for (int i = 0; i < N; ++i)
        made[i] = i;
    return made;
}

struct Leave {
    void operator()(int *) const {}
};
struct Owner {
    int *values = fresh();
};
struct Base {
    int *values = fresh();
    virtual void run() = 0;
    virtual ~Base() = default;
};
namespace shared {
static int *values;
}
"""

# (what code calls the pointer, the code around the statements $, how main runs them). % makes names unique.
PLACES = {
    "method": (
        "values",
        "struct Field% {\n    int *values = fresh();\n    void run()\n    {\n$    }\n};",
        "Field%().run();",
    ),
    "this": ("this->values", "struct Grid% : Owner {\n    void run()\n    {\n$    }\n};", "Grid%().run();"),
    "function_template": (
        "data",
        "template <class T>\nstatic void update%(T *data)\n{\n$}",
        "update%(fresh());",
    ),
    "class_template": (
        "cells",
        "template <class T, int Count>\nstruct Block% {\n    T *cells = fresh();\n    void run()\n    {\n$    }\n};",
        "Block%<int, N>().run();",
    ),
    "vector": (
        "p",
        "static void vector%()\n{\n    std::vector<int *> rows(2, fresh());\n    int *p = rows.back();\n$}",
        "vector%();",
    ),
    "unique_pointer": (
        "p",
        "static void owned%()\n{\n    std::unique_ptr<int, Leave> owner(fresh());\n    int *p = owner.get();\n$}",
        "owned%();",
    ),
    "virtual_method": (
        "values",
        "struct Derived% : Base {\n    void run() override\n    {\n$    }\n};",
        "Derived%().run();",
    ),
    "lambda": (
        "q",
        "static void closure%()\n{\n    auto work = [](int *q) {\n$    };\n    work(fresh());\n}",
        "closure%();",
    ),
    "reference": ("o.values", "static void by_reference%(Owner &o)\n{\n$}", "{ Owner o; by_reference%(o); }"),
    "pointer": ("o->values", "static void by_pointer%(Owner *o)\n{\n$}", "{ Owner o; by_pointer%(&o); }"),
    "reference_to_pointer": (
        "r",
        "static void changes%(int *&r)\n{\n$}",
        "{ int *p = fresh(); changes%(p); }",
    ),
    "namespace": (
        "values",
        "namespace shared {\nstatic void run%()\n{\n    values = fresh();\n$}\n}",
        "shared::run%();",
    ),
    "function_object": (
        "q",
        "struct Apply% {\n    void operator()(int *q) const\n    {\n$    }\n};",
        "Apply%()(fresh());",
    ),
    "constructor": ("q", "struct Runs% {\n    explicit Runs%(int *q)\n    {\n$    }\n};", "Runs% run%(fresh());"),
    "destructor": ("values", "struct Ends% : Owner {\n    ~Ends%()\n    {\n$    }\n};", "{ Ends% ends; }"),
    "static_method": (
        "p",
        "struct Tools% {\n    static void run(int *const p)\n    {\n$    }\n};",
        "Tools%::run(fresh());",
    ),
}

# For each finding: the wrong statements, and right ones that run behind them with the same memory.
MISTAKES = {
    "race": (
        """
#pragma omp target teams distribute parallel for map(tofrom: @[0:N])
for (int i = 1; i < N; ++i)
    @[i] = @[i - 1] + 1; // rex-expect: race
""",
        """
#pragma omp target teams distribute parallel for map(tofrom: @[0:N])
for (int i = 1; i < N; i += 2)
    @[i] = @[i - 1] + 1;
""",
    ),
    "barrier": (
        """
#pragma omp target parallel num_threads(2) map(tofrom: @[0:N])
{
    @[omp_get_thread_num()] = 1;
    if (omp_get_thread_num() == 0) {
#pragma omp barrier // rex-expect: barrier
        @[2] = 1;
    }
}
""",
        """
#pragma omp target parallel num_threads(2) map(tofrom: @[0:N])
{
    @[omp_get_thread_num()] = 1;
#pragma omp barrier
    if (omp_get_thread_num() == 0)
        @[2] = @[1];
}
""",
    ),
    "nowait": (
        """
#pragma omp target map(tofrom: @[0:N]) nowait
@[0] = 1;
seen = @[0]; // rex-expect: nowait
#pragma omp taskwait
""",
        """
#pragma omp target map(tofrom: @[0:N]) nowait
@[0] = 1;
#pragma omp taskwait
seen = @[0];
""",
    ),
    "unmapped-access": (
        """
int result = 0;
#pragma omp target map(from: result)
result = @[3]; // rex-expect: unmapped-access
seen = result;
""",
        """
#pragma omp target map(from: result) map(to: @[0:N])
result = @[3];
seen = result;
""",
    ),
    "outside-section": (
        """
#pragma omp target map(tofrom: @[0:N - 1])
for (int i = 0; i < N; ++i)
    @[i] = i; // rex-expect: outside-section
""",
        """
#pragma omp target map(tofrom: @[1:N - 1])
for (int i = 1; i < N; ++i)
    @[i] = i;
""",
    ),
    "section-too-long": (
        """
#pragma omp target map(tofrom: @[0:N + 1]) // rex-expect: section-too-long
@[0] = 1;
""",
        """
#pragma omp target map(tofrom: @[0:N])
@[0] = 1;
""",
    ),
    "released-access": (
        """
int result = 0, *same = @, *device;
#pragma omp target data map(to: @[0:N]) use_device_ptr(same)
device = same;
#pragma omp target is_device_ptr(device) map(from: result)
result = device[3]; // rex-expect: released-access
seen = result;
""",
        """
#pragma omp target data map(to: @[0:N]) use_device_ptr(same)
{
#pragma omp target is_device_ptr(same) map(from: result)
    result = same[3];
}
seen = result;
""",
    ),
    "device-memory-on-host": (
        """
int *same = @;
#pragma omp target data map(to: @[0:N]) use_device_ptr(same)
{
    seen = same[3]; // rex-expect: device-memory-on-host
}
""",
        """
#pragma omp target data map(to: @[0:N]) use_device_ptr(same)
{
    seen = @[3];
}
""",
    ),
    "uninitialised-read": (
        """
#pragma omp target map(from: @[0:N])
for (int i = 0; i < N; ++i)
    @[i] += 1; // rex-expect: uninitialised-read
""",
        """
#pragma omp target map(from: @[0:N])
for (int i = 0; i < N; ++i)
    @[i] = 1;
seen = @[4];
""",
    ),
    "stale-read-on-device": (
        """
#pragma omp target data map(to: @[0:N])
{
    @[3] = 40;
#pragma omp target
    @[4] = @[3]; // rex-expect: stale-read-on-device
}
""",
        """
#pragma omp target data map(tofrom: @[0:N])
{
    @[3] = 40;
#pragma omp target update to(@[3:1])
#pragma omp target
    @[4] = @[3];
}
""",
    ),
    "stale-read-on-host": (
        """
#pragma omp target data map(tofrom: @[0:N])
{
#pragma omp target
    @[3] = 30;
    seen = @[3]; // rex-expect: stale-read-on-host
}
""",
        """
#pragma omp target data map(tofrom: @[0:N])
{
#pragma omp target
    @[3] = 31;
#pragma omp target update from(@[3:1])
    seen = @[3];
}
""",
    ),
    "dropped-result": (
        """
#pragma omp target map(to: @[0:N])
@[5] = 7;
seen = @[5]; // rex-expect: dropped-result
""",
        """
#pragma omp target map(tofrom: @[0:N])
@[5] = 8;
seen = @[5];
""",
    ),
    "lost-host-write": (
        """
#pragma omp target data map(tofrom: @[0:N])
{
#pragma omp target
    @[1] = 1;
    @[2] = 20;
}
seen = @[2]; // rex-expect: lost-host-write
""",
        """
#pragma omp target data map(tofrom: @[0:N])
{
#pragma omp target
    @[1] = 1;
    @[2] = 20;
#pragma omp target update to(@[2:1])
}
seen = @[2];
""",
    ),
    "double-release": (
        """
#pragma omp target enter data map(to: @[0:N])
#pragma omp target exit data map(delete: @[0:N])
#pragma omp target exit data map(delete: @[0:N]) // rex-expect: double-release
""",
        """
#pragma omp target enter data map(to: @[0:N])
#pragma omp target enter data map(to: @[0:N])
#pragma omp target exit data map(release: @[0:N])
#pragma omp target exit data map(release: @[0:N])
""",
    ),
    "never-released": (
        """
#pragma omp target enter data map(to: @[0:N]) // rex-expect: never-released
int *const other = fresh();
""",
        """
#pragma omp target enter data map(to: other[0:N])
#pragma omp target exit data map(release: other[0:N])
""",
    ),
    "freed-while-mapped": (
        """
int *const other = fresh();
#pragma omp target enter data map(to: @[0:N])
std::free(@); // rex-expect: freed-while-mapped
""",
        """
#pragma omp target enter data map(to: other[0:N])
#pragma omp target exit data map(release: other[0:N])
std::free(other);
""",
    ),
}


def program(pairs: Iterable[tuple[str, str]]) -> str:
    """A program with some mistakes, each in a place."""
    text, calls = _HEAD, ""
    for number, (mistake, place) in enumerate(pairs):
        pointer, around, call = PLACES[place]
        wrong, right = (part.replace("@", pointer) for part in MISTAKES[mistake])
        indent = " " * 4 * (around[: around.index("$")].count("{") - around[: around.index("$")].count("}"))
        lines = (wrong + right).replace("\n\n", "\n").strip().splitlines()
        body = "".join((line if line.startswith("#") else indent + line) + "\n" for line in lines)
        text += around.replace("%", str(number)).replace("$", body) + "\n"
        calls += f"    {call.replace('%', str(number))}\n"
    return f"{text}int main()\n{{\n{calls}    return 0;\n}}\n"


def dealt(turn: int) -> list[tuple[str, str]]:
    """Each mistake in one place, another one in each turn."""
    places = list(PLACES)
    return [(mistake, places[(number + turn) % len(places)]) for number, mistake in enumerate(MISTAKES)]


if __name__ == "__main__":
    print(program((sys.argv[1], place) for place in PLACES))
