"""C++ units as trees that know no language: regions and what they reach are understood, and nothing is left unsaid."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tree"))

from well_formed import problems

from rex_build.base.diagnostics import InputError
from rex_build.base.stack import on_deep_stack
from rex_build.cxx import libclang
from rex_build.cxx.reading.reader import Reader
from rex_build.cxx.unit import Unit
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest
from rex_build.tree import nodes as tree
from rex_build.tree.nodes import walk
from rex_build.tree.symbols import Function
from rex_build.tree.types import Pointer, Record

pytestmark = pytest.mark.compile
TESTS = Path(__file__).resolve().parents[1]
PROGRAMS = sorted((TESTS / "programs" / "cxx").glob("*.cpp"))
# What is not understood in the users' code of regions, and how often in all programs. These numbers only get smaller.
NOT_UNDERSTOOD = Counter(
    {
        "a destructor that nobody has written": 59,
        "a member or a base class that a constructor makes by itself": 19,
        "an argument of a class with a destructor": 17,
        "an iterator's operator that libclang does not show": 18,
        "CXX_NEW_EXPR": 12,
        "a structured binding of an unusual kind": 77,  # and objects that are arguments of templates
        "the end of a range that libclang does not show": 10,
        "CXX_DELETE_EXPR": 8,
        "an array of variable length": 6,
        "a base class whose place is not known": 6,
        "a base class with a constructor, in an implicit constructor": 6,
        "a member with a constructor, in an implicit constructor": 6,
        "a std::initializer_list": 5,
        "the destructor of an instantiation": 4,
        "UNEXPOSED_STMT": 3,
        "objects with constructors, of which a list in braces has no values": 2,
        "a base or derived class whose place is not known": 3,
        "a default argument that libclang does not show": 5,
        "an array of objects that a constructor makes": 3,
        "the operator '.*'": 3,
        "CXX_THROW_EXPR": 2,
        "a call of an unknown type": 2,
        "a constructor of a class with a base class whose place is not known": 3,
        "a directive that stands in no statement": 2,
        "a type that is not understood": 5,  # pointers to members
        "'this' outside of a method": 2,  # in default initialisers of members
        "the operator '<=>'": 2,
        "a cast to a derived class": 1,
        "a call of an unusual form": 1,  # T(), with which a class template initialises a member
        "an expression that libclang does not name": 1,
    }
)


def unit_of(source: Path, *flags: str) -> Unit:
    text = source.read_text()
    standard = "c++20" if "c++20" in text or "concept" in text else "gnu++17"
    request = LowerRequest(
        source, source.parent, cflags=(f"-std={standard}", f"-I{TESTS / 'programs'}", *flags), cc="g++"
    )
    return on_deep_stack(lambda: Unit(preprocessed(request), request.cflags, "g++"))


def trees(reader: Reader) -> list[tuple[tree.Node, bool]]:
    """The regions of a unit, and the functions that they reach, with whether they are the user's."""
    found: list[tuple[tree.Node, bool]] = []
    for construct in reader.unit.constructs:
        if construct.directive.is_target and construct.body_start < construct.end:
            found += [(region, True) for region in reader.region(construct)]
    seen: set[Function] = set()
    for node, _ in found:
        for inner in walk(node):
            if isinstance(inner, tree.FunctionAddress) and inner.function not in seen:
                seen.add(inner.function)
                body = reader.body(inner.function)
                if body is not None:
                    users = libclang.is_users(reader.symbols.cursors[inner.function])
                    found.append((body.statement, users))
    return found


@pytest.mark.sampled(16)
@pytest.mark.parametrize("part", range(16))
def test_all_regions_are_understood(part: int) -> None:
    reasons: Counter[str] = Counter()
    for source in PROGRAMS[part::16]:
        try:
            reader = Reader(unit_of(source))
        except InputError:
            continue  # what is only read after headers and templates were made plainer
        for node, users in on_deep_stack(lambda reader=reader: trees(reader)):
            assert not list(problems(node)), source
            reasons.update(n.why for n in walk(node) if users and isinstance(n, tree.Opaque))
    assert not {why: count for why, count in reasons.items() if count > NOT_UNDERSTOOD[why]}


def region(tmp_path: Path, text: str, flags: tuple[str, ...] = ()) -> tuple[tree.Construct, list[tree.Node]]:
    """The only region of a unit, and all nodes of it and of what it reaches that is the user's."""
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    reader = Reader(unit_of(source, *flags))
    found = trees(reader)
    first = found[0][0]
    assert isinstance(first, tree.Construct)
    return first, [inner for node, users in found if users for inner in walk(node)]


def opaque(nodes: list[tree.Node]) -> list[str]:
    return [n.why for n in nodes if isinstance(n, tree.Opaque)]


VIEW = """
template <class T> struct View {
  T *data; int n;
  View(T *p, int count) : data(p), n(count) {}
  T &operator()(int i, int j) const { return data[i * n + j]; }
  T &operator[](long i) { return data[i]; }
};
"""


def test_the_operators_of_a_view_are_read(tmp_path: Path) -> None:
    text = VIEW + """
    void f(double *a, int n) {
      View<double> v(a, n);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
      for (int i = 0; i < n; ++i) { v(i, 1) = 2 * v(i, 0); v[i] += 1; }
    }
    """  # fmt: skip
    construct, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    names = {n.function.name for n in nodes if isinstance(n, tree.FunctionAddress)}
    assert names == {"View::operator()", "View::operator[]"}
    ((_, length),) = [(e, value) for e, value in construct.expressions if e.text == "n * n"]
    assert isinstance(length, tree.Binary)
    assert [v.name for v in construct.variables] == ["a"]
    # The body of the operator reads an element through the member of *this, and returns its address.
    (returned,) = {n.value for n in nodes if isinstance(n, tree.Return) and isinstance(n.value, tree.Offset)
                   and isinstance(n.value.index, tree.Binary)}  # fmt: skip
    (part,) = [n for n in walk(returned.pointer) if isinstance(n, tree.Part)]
    assert part.member.name == "data"
    assert isinstance(part.whole, tree.Pointee)


def test_closures_hold_what_they_capture(tmp_path: Path) -> None:
    text = """
    template <class F> void for_each(int n, F body) { for (int i = 0; i < n; ++i) body(i); }
    struct Sum { double scale; double *to;
      void run(const double *from, int n) {
    #pragma omp target
        { int shift = 2;
          for_each(n, [=, &shift](int i) { to[i] += scale * from[i] + shift; });
          for_each(n, [&](auto i) { to[i] += shift; }); }
      } };
    """
    _, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    closures = [
        n for n in nodes if isinstance(n, tree.Aggregate) and isinstance(n.type, Record) and "lambda" in repr(n.type)
    ]
    assert [len(c.parts) for c in closures] == [3, 2]
    # Inside, members are reached through the captured 'this', and 'shift' through a reference.
    members = [n.member for n in nodes if isinstance(n, tree.Part)]
    assert {"scale", "to"} <= {m.name for m in members}
    assert any(isinstance(m.type, Pointer) and m.type.reference for m in members)


def test_which_member_of_a_closure_holds_what_is_told_by_its_place(tmp_path: Path) -> None:
    text = """
    struct Node { double own; Node *next;
      double run() {
        double sum = 0; Node *other = next, copy = *this;
    #pragma omp target map(sum)
        { auto by_place = [=, same = copy, &sum] { sum += own + other->own + same.own; };
          auto all = [&] { auto inner = [=] { return other->own + this->own; }; return inner() + copy.own; };
          auto whole = [self = *this, *this] { return own + self.next->own; };
          by_place(); sum += all() + whole(); }
        return sum;
      } };
    """
    _, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    closures = [n for n in nodes if isinstance(n, tree.Aggregate) and "lambda" in repr(n.type)]
    values = ([value for _, value in closure.parts] for closure in closures)
    held = [[n.variable.name for one in own for n in walk(one) if isinstance(n, tree.Named)] for own in values]
    assert held == [["copy", "sum", "this", "other"], ["other", "this", "copy"], ["this", "this"], ["this", "this"]]


def test_the_library_is_read_as_it_is(tmp_path: Path) -> None:
    text = """
    #include <algorithm>
    #include <array>
    #include <vector>
    void f(std::vector<double> &v, int n) {
      double *a = v.data();
      std::array<int, 3> weights{1, 2, 3};
    #pragma omp target map(tofrom: a[0:n])
      for (int i = 0; i < n; ++i) { a[i] = std::max(a[i], 2.0 * weights[i % 3]); for (int w : weights) a[i] += w; }
    }
    """
    _, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    assert "std::max" in {n.function.name for n in nodes if isinstance(n, tree.FunctionAddress)}


def test_each_instantiation_is_read(tmp_path: Path) -> None:
    text = """
    template <class T, int N> void f(T *p) {
    #pragma omp target map(tofrom: p[0:N])
      for (int i = 0; i < N; ++i) if constexpr (sizeof(T) > 4) p[i] *= N; else p[i] += 1;
    }
    void g(float *x, double *y) { f<float, 3>(x); f<double, 4>(y); }
    """
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    reader = Reader(unit_of(source))
    (construct,) = [c for c in reader.unit.constructs if c.directive.is_target]
    found = {}
    for one in reader.region(construct):
        assert not [
            n for n in walk(one) if isinstance(n, tree.Opaque) and n.why != "a name in a clause that is no variable"
        ]
        (update,) = [n for n in walk(one) if isinstance(n, tree.Update) and n.operator in "*+" and not n.old
                     and isinstance(n.place, tree.Pointee)]  # fmt: skip
        found[update.type.size] = update.operator
    assert found == {4: "+", 8: "*"}


def test_what_is_not_understood_mentions_its_variables(tmp_path: Path) -> None:
    text = """
    struct Point { int x, y; };
    void f(int Point::*which, Point *p, int n) {
    #pragma omp target map(tofrom: p[0:n])
      for (int i = 0; i < n; ++i) p[i].*which = i;
    }
    """
    _, nodes = region(tmp_path, text)
    found = next(n for n in nodes if isinstance(n, tree.Opaque))
    assert found.inside
    assert [n.variable.name for n in walk(found) if isinstance(n, tree.Named)] == ["p", "i", "which"]


def test_what_is_not_understood_mentions_its_functions(tmp_path: Path) -> None:
    text = """
    struct Point { int x, y; };
    int next(int i) { return i + 1; }
    void f(int Point::*which, Point *p, int n) {
    #pragma omp target map(tofrom: p[0:n])
      for (int i = 0; i < n; ++i) p[next(i)].*which = i;
    }
    """
    _, nodes = region(tmp_path, text)
    found = next(n for n in nodes if isinstance(n, tree.Opaque))
    assert [n.function.name for n in walk(found) if isinstance(n, tree.FunctionAddress)] == ["next"]
    assert any(isinstance(n, tree.Return) for n in nodes), "its body is read, too"


def test_temporaries_and_objects_end(tmp_path: Path) -> None:
    text = """
    struct Guard { int *p; Guard(int *q) : p(q) { ++*p; } ~Guard() { --*p; } int get() const { return *p; } };
    void f(int *a) {
    #pragma omp target map(tofrom: a[0:2])
      { Guard g(a); a[1] = Guard(a).get(); }
    }
    """
    _, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    (declared,) = [n for n in nodes if isinstance(n, tree.Declare)]
    assert isinstance(declared.end, tree.Call)
    (ending,) = [n for n in nodes if isinstance(n, tree.Ending)]
    assert len(ending.ends) == 1


def test_directives_inside_stand_where_they_are_written(tmp_path: Path) -> None:
    text = """
    void f(double *a, int n) {
    #pragma omp target teams
      {
        double s = 0;
    #pragma omp parallel num_threads(n + 1) reduction(+: s)
        { s += a[0];
    #pragma omp barrier
    #pragma omp for
          for (int i = 0; i < n; ++i)
    #pragma omp atomic
            a[i] += s; }
      }
    }
    """
    _, nodes = region(tmp_path, text)
    inner = [n for n in nodes if isinstance(n, tree.Construct)]
    assert [n.directive.name for n in inner] == ["target teams", "parallel", "barrier", "for", "atomic"]
    assert [v.name for v in inner[1].variables] == ["s"]
    assert isinstance(inner[1].expressions[0][1], tree.Binary)


def test_jumps_lead_to_their_labels(tmp_path: Path) -> None:
    text = """
    template <class T> int f(T n) {
      int r = 0;
    #pragma omp target map(tofrom: r)
      { again: if (r < n) { ++r; goto again; } if (r > 7) goto out; r = -r; out:; }
      return r;
    }
    int g() { return f(3) + f(4L); }
    """
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    reader = Reader(unit_of(source))
    (construct,) = [c for c in reader.unit.constructs if c.directive.is_target]
    regions = reader.region(construct)
    labels = [{n.label for n in walk(one) if isinstance(n, tree.Target)} for one in regions]
    assert [len(one) for one in labels] == [2, 2]
    assert not labels[0] & labels[1]
    assert labels == [{n.label for n in walk(one) if isinstance(n, tree.Goto)} for one in regions]


def test_what_is_not_written_is_zero_or_nothing(tmp_path: Path) -> None:
    text = """
    struct Pair { int x, y; };
    struct Set { int x = 3, y; };
    void f(int *a) {
    #pragma omp target map(tofrom: a[0:2])
      { Pair nothing; Pair zero = Pair(); Pair braces{}; Pair one{1}; Set set; int n{};
        a[0] = zero.x + braces.y + one.y + set.x + n; nothing.x = 1; }
    }
    """
    _, nodes = region(tmp_path, text)
    assert not opaque(nodes)
    made = {n.variable.name: n.initialiser for n in nodes if isinstance(n, tree.Declare)}
    assert made["nothing"] is None
    assert {name: (len(m.parts), m.rest) for name, m in made.items() if isinstance(m, tree.Aggregate)} == {
        "zero": (0, True), "braces": (0, True), "one": (1, True), "set": (1, False),
    }  # fmt: skip
    assert isinstance(made["n"], tree.Constant)
