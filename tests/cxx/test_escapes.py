"""Variables of threads that other threads may reach are on the device's heap, in C++ as in C."""

import json
import re
from pathlib import Path

import pytest
from escapes import FUNCTION, HELPERS, IN_BOTH
from execution import UNCACHED, rex_build

_CLASSES = """
template <class T> struct Keeper { T *kept; void keep(T &what) { kept = &what; } void forget() { kept = nullptr; } };
struct Link {
    Link *next = nullptr; int value;
    Link(int v) : value(v) {}
    Link(int v, Link *&front) : next(front), value(v) { front = this; }
    void join(Link *&front) { next = front; front = this; }
    ~Link() { value = 0; }
};
struct View { int *data; int &operator()(int k) { return data[k]; } View &along(int by) { data += by; return *this; } };
Keeper<int> keeper;
Link *front;
int *const *leading;
#pragma omp declare target to(keeper, front, leading)
template <class F> static void call(F f) { f(); }
template <class T> static T *lead(T &to) { return &to; }
static int &bigger(int &a, int &b) { return a > b ? a : b; }
static void publish(int i, int held) { table[i] = &held; }
"""
_IN_CXX: list[tuple[str, set[str]]] = [
    ("Keeper<int> own{nullptr}; own.keep(x); *own.kept += 1;", set()),
    ("Keeper<int> own{nullptr}; own.keep(x); keeper.keep(*out);", set()),
    ("Keeper<int> one{nullptr}, two{nullptr}; one.keep(x); keeper = two;", set()),
    ("View view{buffer}; view(1) = 2; view.along(1)(0) = 3; View{out}(i) = view(0);", set()),
    ("Link own(1); Link *first = nullptr; Link other(2, first); own.join(first); x += first->value;", set()),
    ("auto add = [&](int by) { x += by; }; add(2); call([&] { y++; });", set()),
    ("int &alias = bigger(x, y); alias++;", set()),
    ("keeper.keep(x);", {"x"}),
    ("keeper.keep(*lead(y));", {"y"}),
    ("Link own(1); own.join(front);", {"own"}),
    ("Link own(1, front);", {"own"}),
    ("Link own = Link(1); Link other(2); own.next = &other; front = &own;", {"own", "other"}),
    ("int &alias = bigger(x, y); table[i] = &alias;", {"x", "y"}),
    ("auto leak = [&, i] { table[i] = &x; }; leak();", {"x"}),
    ("Keeper<Keeper<int>> two{}; Keeper<int> one{}; two.keep(one); two.kept->keep(y); keeper = one;", {"y"}),
    ("auto *lead = &x; leading = &lead;", {"lead", "x"}),
    ("publish(i, 3);", {"held"}),
    ("Keeper<int> one{nullptr}; one.keep(x); keeper = one;", {"x"}),
]  # fmt: skip


def test_variables_of_threads_whose_addresses_reach_memory_of_all_are_on_the_heap(tmp_path: Path) -> None:
    """Each statement stands in a function of its own, and the names in it end in its number."""
    statements = [*IN_BOTH, *_IN_CXX]
    own = r"(?<![.>])\b(x|y|own|other|buffer|copy|i|sum|sums|lasting|lead|one|two)\b(?!\(\*?[xy])"
    text = HELPERS + _CLASSES
    for number, (statement, _) in enumerate(statements):
        again = "struct box" if re.search(r"Link|Keeper", statement) else "no such line"
        lines = FUNCTION.splitlines(keepends=True)
        function = "".join(line for line in lines if not line.lstrip().startswith(again)).replace("%s", statement)
        function = function.replace(" f(", f" f_{number}(")
        text += re.sub(own, rf"\1_{number}", function)
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    outcome = rex_build("lower", source, "--dump=plan", "--", "-O2", env=UNCACHED)
    assert outcome.status == 0, outcome.stderr
    expected = [f"{name}_{n}" if name in own else name for n, (_, names) in enumerate(statements) for name in names]
    assert sorted(json.loads(outcome.stdout)["heap_variables"]) == sorted(expected)


_REGION = """
struct Link { Link *next; int v; Link(int n, Link **front) : next(*front), v(n) { *front = this; } };
int main() {
    int out = 0;
#pragma omp target teams num_teams(1) map(from: out)
    {
        int *shared = nullptr; Link *front = nullptr;
#pragma omp parallel num_threads(4)
        {
            %s
#pragma omp barrier
            out = *shared + front->v;
        }
    }
}
"""


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("for (int k = 0; k < 3; k++) shared = &k;", "'k'"),
        ("const Link &kept = Link(4, &front); out = kept.v;", "an object without a name"),
        ("if (int seen = out) shared = &seen;", "'seen'"),
    ],
)
def test_what_cannot_be_moved_is_refused(statement: str, name: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text(_REGION % statement)
    outcome = rex_build("lower", source, "--out-dir", tmp_path, "--", "-O2", env=UNCACHED)
    assert outcome.status == 1
    assert f"{source}:10:" in outcome.stderr
    assert f"other threads may reach {name}" in outcome.stderr
