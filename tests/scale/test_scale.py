"""Large programs: what is nested deeply is lowered, or refused with its place, and work grows as the program does.

Work is counted in calls of Python functions, which are as many in every run.
"""

from __future__ import annotations

import cProfile
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shapes import DEEP, NESTED, UNITS, WIDE, unit

from rex_build.base.diagnostics import InputError
from rex_build.c.syntax.parser import ExpressionParser
from rex_build.directives import arguments
from rex_build.pipeline import lower_text
from rex_build.request import Lowered, LowerRequest
from rex_build.tree.points_to import WORLD, Constraints, reached

LEVELS = 2000
# Output of these has as many lines as levels, each of which every level around it copies.
COPIED = (
    "blocks", "ifs", "ifs with braces", "for loops", "while loops", "do loops", "switches", "statement expressions",
)  # fmt: skip


def lower(folder: Path, text: str, name: str = "unit.c") -> Lowered:
    source = folder / name
    source.write_text(text)
    compiler = "g++" if name.endswith(".cpp") else "gcc"
    return lower_text(LowerRequest(source, folder, ("-w", "-fopenmp"), cc=compiler))


def work(folder: Path, text: str, name: str) -> Counter[str]:
    """How often each Python function is called to lower a unit."""
    profiles: list[cProfile.Profile] = []
    arguments._tokens.cache_clear()  # texts that other tests had read would count as no work

    def count(*_event: object) -> None:
        """Have the calls of this thread, in which the passes run, counted without a call for each of them."""
        sys.setprofile(None)
        profiles.append(cProfile.Profile(builtins=False))
        profiles[-1].enable()

    threading.setprofile(count)
    try:
        lower(folder, text, name)
    finally:
        threading.setprofile(None)
    calls: Counter[str] = Counter()
    for entry in (entry for profile in profiles for entry in profile.getstats()):
        code = entry.code
        place = code if isinstance(code, str) else f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"
        calls[place] += entry.callcount
    return calls


def growth(
    folder: Path, make: Callable[[int], str], some: int, suffix: str = ".c"
) -> tuple[Counter[str], Counter[str]]:
    """The calls that a unit of some parts, and one of four times as many, take more than one of a single part."""
    lower(folder, make(1), f"first{suffix}")  # imports all modules
    none, few, many = (work(folder, make(count), f"{count}{suffix}") for count in (1, some, 4 * some))
    assert none.total() > 1000
    return few - none, many - none


def check_growth(few: Counter[str], many: Counter[str]) -> None:
    """Four times as many parts take four times as many calls, of all functions together and of each of ours.

    Python's own are called more often where its memory for patterns is full of what other tests asked for.
    """
    assert many.total() < 5 * few.total() + 2000
    ours = {place: count for place, count in many.items() if "rex_build" in place}
    steep = {place: (few[place], count) for place, count in ours.items() if count > 5 * few[place] + 500}
    assert steep == {}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("in_region", [False, True], ids=["host", "region"])
@pytest.mark.parametrize("shape", DEEP)
def test_deep_nesting_is_lowered(tmp_path: Path, shape: str, in_region: bool) -> None:
    levels = LEVELS // 10 if shape in COPIED or shape == "structures" else LEVELS
    lowered = lower(tmp_path, unit(DEEP[shape], levels, in_region))
    assert lowered.entries >= 1


@pytest.mark.parametrize("shape", ["parentheses", "blocks", "sums on the left"])
def test_nesting_that_is_too_deep_is_refused_with_its_place(tmp_path: Path, shape: str) -> None:
    text = unit(DEEP[shape], 30_000, in_region=True)
    with pytest.raises(InputError) as caught:
        lower(tmp_path, text)
    (error,) = caught.value.diagnostics
    assert error.message == "this is nested too deeply"
    assert error.span is not None
    assert error.span.file == str(tmp_path / "unit.c")
    assert 3 <= error.span.line < 9  # the region, or what is in it


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shape", NESTED)
def test_nested_directives_have_a_limit(tmp_path: Path, shape: str) -> None:
    make, most, message = NESTED[shape]
    lower(tmp_path, unit(make, most, in_region=True), "some.c")
    for more in (most + 1, LEVELS):
        with pytest.raises(InputError, match=message) as caught:
            lower(tmp_path, unit(make, more, in_region=True), f"{more}.c")
        assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize("declarator", ["int {}p;", "int p{};"])
def test_a_type_has_a_limit_of_levels(tmp_path: Path, declarator: str) -> None:
    mark = "*" if "{}p" in declarator else "[1]"

    def text(levels: int) -> str:
        return unit(lambda n: ("", declarator.format(mark * n) + " x = sizeof p;"), levels, in_region=True)

    lower(tmp_path, text(150), "some.c")
    with pytest.raises(InputError, match="more than 200 pointers, arrays and functions"):
        lower(tmp_path, text(LEVELS), "many.c")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", ["host", "region", "loop"])
@pytest.mark.parametrize("shape", WIDE)
def test_work_grows_as_programs_do(tmp_path: Path, shape: str, place: str) -> None:
    check_growth(*growth(tmp_path, lambda count: unit(WIDE[shape], count, place == "region", place == "loop"), 25))


@pytest.mark.parametrize("shape", ["subscripts", "members", "calls"])
def test_work_grows_as_expressions_do(tmp_path: Path, shape: str) -> None:
    check_growth(*growth(tmp_path, lambda levels: unit(DEEP[shape], levels, in_region=True), 40))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shape", ["tasks", "parallel loops", "atomics", "variables"])
def test_constructs_of_a_region_are_walked_alone(tmp_path: Path, shape: str) -> None:
    """No pass walks through the region again for each construct in it."""
    few, many = growth(tmp_path, lambda count: unit(WIDE[shape], count, in_region=True), 50)
    walks = [place for place in many if place.endswith(" walk") and few.get(place)]
    assert walks
    for walk in walks:
        assert 0 < many[walk] < 5 * few[walk], walk


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", ["statements", "parallel loops", "atomics", "functions", "cases", "metadirectives"])
def test_work_grows_as_cxx_units_do(tmp_path: Path, shape: str) -> None:
    check_growth(*growth(tmp_path, lambda count: unit(WIDE[shape], count, in_region=True), 50, ".cpp"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", ["regions", "regions in functions", "functions that call each other", "mappers", "variants"]
)
def test_work_grows_as_regions_of_cxx_units_do(tmp_path: Path, name: str) -> None:
    check_growth(*growth(tmp_path, UNITS[name], 50, ".cpp"))


@pytest.mark.parametrize(
    ("head", "item", "asked"),
    [
        (
            (
                "template <class T> struct Base { T *p; };\n"
                "template <class T> struct Box : Base<T> { int k = 0; ~Box() {\n#pragma omp target\n{ k++; }\n} };"
            ),
            "{ Box<Box<Box<int>>> box; }",
            ("instantiations.py", "_dependent_bases"),
        ),
        (
            (
                "static void work(int *y) {\n#pragma omp target teams distribute parallel for map(y[0:9])\n"
                "for (int i = 0; i < 9; i++) y[i]++;\n}\ntemplate <int n> int other(int k) { return k + n; }\n"
                "template <int n> void again(int *y) { work(y); }\nvoid h(int *y) { again<1>(y); }"
            ),
            "y[0] += other<{}>(y[1]);",
            ("reader.py", "_whole_body"),
        ),
    ],
    ids=["types", "callers"],
)
def test_host_code_of_templates_is_asked_for_what_matters(
    tmp_path: Path, head: str, item: str, asked: tuple[str, str]
) -> None:
    """A type of many expressions is looked at once, and functions that cannot call one with a region not at all."""

    def asks(count: int) -> int:
        items = "\n".join(item.replace("{}", str(number)) for number in range(count))
        calls = work(tmp_path, f"{head}\nvoid g(int *y)\n{{\n{items}\n}}\n", f"{count}.cpp")
        return sum(n for place, n in calls.items() if asked[0] in place and place.endswith(f" {asked[1]}"))

    assert 0 < asks(2) == asks(20)


@pytest.mark.parametrize("member", [".", "->", ".Base::"])
def test_a_call_of_a_template_on_a_line_of_its_own_is_no_explicit_instantiation(tmp_path: Path, member: str) -> None:
    """For those, libclang reads the unit once more."""
    head = "struct Base { template <int n> int at(int k) { return k + n; } };\nstruct Row : Base {};\n"
    body = f"Row row;\nRow {'*' if member == '->' else '&'}r = {'&' if member == '->' else ''}row;\nr{member}\n"
    text = f"{head}void g(int *y)\n{{\n{body}template at<2>(1);\n#pragma omp target map(y[0:1])\ny[0]++;\n}}\n"
    calls = work(tmp_path, text, "unit.cpp")
    assert sum(n for place, n in calls.items() if "libclang.py" in place and place.endswith(" parse")) == 1


def test_pointers_into_memory_that_all_threads_reach_are_followed_once() -> None:
    """Many variables whose addresses are in such memory, and many that get an address from there."""

    def calls(count: int) -> int:
        constraints = Constraints()
        for number in range(count):
            constraints.points.append((WORLD, f"variable {number}"))
            constraints.copies.append((WORLD, f"pointer {number}"))
            constraints.loads.append((f"pointer {number}", f"value {number}"))
            constraints.stores.append((f"value {number}", f"pointer {number}"))
        profile = cProfile.Profile()
        found = profile.runcall(reached, constraints, lambda _: None, True)
        assert len(found) == count
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(400) < 5 * calls(100)


def test_a_cxx_region_may_have_a_long_expression(tmp_path: Path) -> None:
    """libclang reads it by recursion, which must not end the process."""
    source = tmp_path / "unit.cpp"
    source.write_text(unit(WIDE["one sum"], 20_000, in_region=True))
    command = [sys.executable, "-m", "rex_build", "lower", str(source), "--out-dir", str(tmp_path), "-w"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_an_expression_of_a_clause_is_parsed_alone() -> None:
    """It takes a call for each token and each level of the grammar, and nothing is parsed around it."""
    parser = ExpressionParser()
    parser.parse_expression("n", frozenset())  # the first makes tables
    profile = cProfile.Profile(builtins=False)
    profile.runcall(parser.parse_expression, "n", frozenset())
    assert sum(entry.callcount for entry in profile.getstats()) < 60


def test_host_code_is_parsed_and_little_else(tmp_path: Path) -> None:
    """Where a function has no directive, no pass but the parser visits its statements. This one takes 154 calls."""
    _, many = growth(tmp_path, lambda count: unit(WIDE["statements"], count, in_region=False), 100)
    assert many.total() < 400 * 200


def test_host_code_may_have_an_expression_of_any_length(tmp_path: Path) -> None:
    assert lower(tmp_path, unit(WIDE["one sum"], 40_000, in_region=False)).entries >= 1


@pytest.mark.sampled(5)
@pytest.mark.parametrize("in_region", [False, True], ids=["host", "region"])
@pytest.mark.parametrize("shape", ["members", "addresses", "else ifs", "structures without names", "types of types"])
def test_work_grows_as_levels_do(tmp_path: Path, shape: str, in_region: bool) -> None:
    check_growth(*growth(tmp_path, lambda levels: unit(DEEP[shape], levels, in_region), 100))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", UNITS)
def test_work_grows_as_units_do(tmp_path: Path, name: str) -> None:
    check_growth(*growth(tmp_path, UNITS[name], 50))
