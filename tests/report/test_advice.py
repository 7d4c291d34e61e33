"""What a page advises, and where it finds sources. No program is run."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from rex_build.profile.card import Card, Shape
from rex_build.profile.measured import (
    ALLOCATE,
    FROM_DEVICE,
    LAUNCH,
    TO_DEVICE,
    Event,
    Line,
    Place,
    Profile,
    Recorded,
    Total,
)
from rex_build.report.advice import advise
from rex_build.report.page import explain_page, profile_page, timeline
from rex_build.report.records import Explained
from rex_build.report.sources import find_sources, read_source, with_neighbours

MS = 1_000_000
LOOPS = """\
void f(int n, double *a)
{
    /* for (;;) { */
    for (int k = 0; k < 1000; k++) {
        const char *s = "}";
        if (n)
#pragma omp target map(tofrom: a[0:n])
            a[0]++;
        else
            a[1]++;
        puts(s);
    }
    do
        g(n); // while (1)
    while (n--);
    while (n)
        for (int i = 0; i < n; i++)
            g(i);
    g(0);
}
"""


def line(number: int = 7, **facts: object) -> Line:
    place = Place("loops.c", number, 9, "f")
    base = {"calls": 1, "time": 50 * MS, "operations": {}, "gpu": {}, "variables": {}}
    return Line(place, **{"what": "target", **base, **facts})  # type: ignore[arg-type]


def run(*lines: Line, multiprocessors: int = 132) -> Profile:
    card = Card("H100", multiprocessors, 3_350_000_000_000, 63_000_000_000, 2048, 65536, 233472, 1024, 32)
    return Profile("/bin/app", 100 * MS, 1, True, True, lines, (), 0, card, ())


def advised(tmp_path: Path, one: Line, *lines: str, multiprocessors: int = 132) -> list[str]:
    (tmp_path / "loops.c").write_text(LOOPS)
    known = {("loops.c", 7): Explained("loops.c", 7, 9, "f", "target", lines)}
    sources = {"loops.c": read_source(tmp_path / "loops.c")}
    profile = run(one, multiprocessors=multiprocessors)
    assert profile_page(profile, tuple(known.values()), sources)
    return [f"{advice.problem} {advice.remedy}" for advice in advise(profile, known, sources)]


def test_of_too_many_events_the_longest_are_drawn() -> None:
    place = Place("loops.c", 7, 9, "f")
    data = [(begin, 1 + begin % 5, 8, 3, 0, 1 if begin % 2 else -1) for begin in range(50_000)]
    recorded = Recorded(9, (place,), ("target",), b"".join(struct.pack("=qQQIHh", *event) for event in data))
    assert list(recorded)[:2] == [
        Event(9, 3, False, place, "target", 0, 1, 8),
        Event(9, 3, False, place, FROM_DEVICE, 1, 2, 8),
    ]
    drawn = timeline(replace(run(), recorded=(recorded,), dropped=7))
    assert drawn["left_out"] == 10_007
    shown = [event for track in drawn["tracks"] for event in track["events"]]
    assert len(shown) == 40_000
    assert min(time for _, time, *_ in shown) == 2
    for track in drawn["tracks"]:
        assert track["events"] == sorted(track["events"])


def test_loops_are_found_in_text(tmp_path: Path) -> None:
    (tmp_path / "loops.c").write_text(LOOPS)
    source = read_source(tmp_path / "loops.c")
    around = {number: source.loop_around(number) for number in range(1, len(source.lines) + 1)}
    assert {number: loop for number, loop in around.items() if loop} == (
        dict.fromkeys(range(5, 13), (4, 12)) | dict.fromkeys((14, 15), (13, 15)) | {17: (16, 18), 18: (17, 18)}
    )
    assert source.loop_that_calls("g") == (13, 15)
    assert source.loop_that_calls("f") is None


def test_lines_that_each_copy_a_little_again_are_one_advice(tmp_path: Path) -> None:
    each = {TO_DEVICE: Total(3, 10**8, 2 * MS), FROM_DEVICE: Total(3, 10**8, MS // 2)}
    lines = [line(n, calls=3, time=3 * MS, operations=each, variables={"a[0:n]": each}) for n in range(1, 21)]
    (advice,) = advise(run(*lines), {}, {})
    assert advice.stake == 50 * MS
    assert advice.problem.startswith("loops.c:1: a[0:n] is copied in each of the 3 calls: 100 MB to the device")
    assert advice.problem.endswith("17 more directives copy again, too."), "one target data serves a function"


def test_the_same_data_is_copied_often(tmp_path: Path) -> None:
    each = {TO_DEVICE: Total(1000, 8 * 10**9, 20 * MS), FROM_DEVICE: Total(1000, 8 * 10**9, 10 * MS)}
    (text,) = advised(tmp_path, line(calls=1000, operations=each, variables={"a[0:n]": each, "n": {}}))
    assert text == (
        "a[0:n] is copied in each of the 1000 calls: 8 GB to the device and 8 GB back. Enclose the loop in "
        "lines 4 to 12 of loops.c in target data map(tofrom: a[0:n]). Where the host uses the data in between, "
        "target update copies what is needed."
    )
    once = {TO_DEVICE: Total(1, 8 * 10**9, 20 * MS)}
    assert advised(tmp_path, line(operations=once, variables={"a[0:n]": once})) == []
    allocated = {ALLOCATE: Total(1000, 10**9, 20 * MS)}
    (text,) = advised(tmp_path, line(calls=1000, operations=allocated, variables={"a[0:n]": allocated}))
    assert "is allocated in each of the 1000 calls." in text
    assert "map(alloc: a[0:n])" in text


def test_a_loop_in_a_file_without_directives_is_found_beside_the_others(tmp_path: Path) -> None:
    """It calls functions of many units. A static function, and one of the same name elsewhere, are others."""
    each = {TO_DEVICE: Total(9, 10**8, MS)}
    for number in range(5):
        text = f"void work{number}(int n, double *a)\n{{\n#pragma omp target map(to: a[0:n])\n    a[0]++;\n}}\n"
        (tmp_path / f"unit{number}.c").write_text(("static " if number == 4 else "") + text)
    (tmp_path / "a.c").write_text("static void work3(int n) {}\nvoid f(void)\n{\n    for (;;)\n        work3(9);\n}\n")
    calls = "".join(f"        work{number}(8, x);\n" for number in range(5))
    (tmp_path / "main.c").write_text(f"int main(void)\n{{\n    for (int k = 0; k < 9; k++) {{\n{calls}    }}\n}}\n")
    lines = [
        replace(line(3, time=9 * MS, calls=9, operations=each, variables={"a[0:n]": each}),
                place=Place(f"unit{number}.c", 3, 9, f"work{number}"))
        for number in range(5)
    ]  # fmt: skip
    sources = with_neighbours(find_sources({f"unit{number}.c": [3] for number in range(5)}, [tmp_path]))
    joined, alone = advise(replace(run(*lines), time=20 * MS), {}, sources)
    assert joined.remedy.startswith("Enclose the loop in lines 3 to 9 of main.c in target data map(to: x[0:8]).")
    assert [place.file for place in joined.places] == [f"unit{number}.c" for number in range(4)]
    assert joined.problem.endswith("One more directive copies again, too.")
    assert alone.remedy.startswith("Enclose the calls of work4 in target data")
    page = profile_page(run(*lines), (), sources)
    assert page.count('href="#unit3-c-3"') == 1, "the list of advice names three directives at most"
    assert "for (int k = 0; k &lt; 9; k++)" in page


@pytest.mark.parametrize("on_cpu", [False, True], ids=["GPU", "CPU"])
def test_a_kernel_of_one_thread_is_said_to_be_one(tmp_path: Path, on_cpu: bool) -> None:
    facts = {"operations": {LAUNCH: Total(1, 0, 40 * MS)}, "gpu": {} if on_cpu else {LAUNCH: Total(1, 0, 40 * MS)}}
    one = line(teams=(1, 1), threads=(1, 1), on_cpu=on_cpu, **facts)
    idle = "left out: block: 'x[i - 1]' and 'x[i]' may be the same element"
    (text,) = advised(tmp_path, one, idle)
    assert text.startswith("One thread runs all of it. Put its loops under target teams distribute parallel for.")
    assert text.endswith("has not shared them out by itself: 'x[i - 1]' and 'x[i]' may be the same element.")
    (text,) = advised(tmp_path, one, "not applied: once, collapse: only for kernels that are one loop nest")
    assert text.endswith("for.")


def test_directives_that_one_target_data_would_help_have_one_advice(tmp_path: Path) -> None:
    """Its maps have the caller's names, and its lines are the outermost loop. A name that cannot be known is said."""
    text = """\
static void one(int n, double *a)
{
#pragma omp target map(tofrom: a[0:n])
    a[0]++;
}
static void two(int m, const double *b, double *c)
{
#pragma omp target map(to: b[0:m]) map(from: c[0:m])
    c[0] = b[0];
}
int main(void)
{
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < 9; i++)
            one(size, box->x);
        two(size, box->x, y + 1);
    }
}
"""
    (tmp_path / "l.c").write_text(text)
    sources = {"l.c": read_source(tmp_path / "l.c")}

    def copied(number: int, function: str, **variables: dict[str, Total]) -> Line:
        place = Place("l.c", number, 9, function)
        operations = {TO_DEVICE: Total(81, 8 * MS, 10 * MS), FROM_DEVICE: Total(81, 8 * MS, 10 * MS)}
        return Line(place, "target", 81, 20 * MS, operations, {}, variables)

    to, back = {TO_DEVICE: Total(81, 8 * MS, MS)}, {FROM_DEVICE: Total(81, 8 * MS, MS)}
    lines = [
        copied(3, "one", **{"a[0:n]": to | back}),
        copied(8, "two", **{"b[0:m]": to, "c[0:m]": back}),
    ]
    (advice,) = advise(run(*lines), {}, sources)
    assert [place.line for place in advice.places] == [3, 8]
    assert advice.stake == 40 * MS
    assert advice.remedy.startswith(
        "Enclose the loop in lines 13 to 17 of l.c in target data map(tofrom: box->x[0:size]) "
        "and that maps the memory of y + 1. If there is no name for it there, "
    )
    page = profile_page(run(*lines), (), sources)
    assert page.count("Enclose the loop in lines 13 to 17") == 1
    assert 'id="l-c-13"' in page


def test_lines_that_cost_little_count_together(tmp_path: Path) -> None:
    each = {TO_DEVICE: Total(1000, 8 * 10**9, MS)}
    lines = [
        replace(line(7 + k, calls=1000, time=2 * MS, operations=each, variables={"a": each}),
                place=Place("loops.c", 7 + k, 9, f"f{k}"))
        for k in range(5)
    ]  # fmt: skip
    (one,) = advise(run(*lines), {}, {})
    assert (one.stake, one.place.line) == (5 * MS, 7)
    assert one.problem.endswith("So it is in 5 lines, which take 5 ms together.")
    assert advise(run(*lines[:2]), {}, {}) == [], "together they do not cost much either"


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("left out: collapse: clauses say how many teams or threads there are", "Leave out num_teams"),
        ("not applied: tile, collapse: no loop ends an iteration", "no inner loop that could share them"),
        (
            "not applied: collapse: 'a[i]' and 'a[j]' may be the same",
            "has not done so: 'a[i]' and 'a[j]' may be the same.",
        ),
    ],
)
def test_few_teams(tmp_path: Path, reason: str, remedy: str) -> None:
    kernels = {LAUNCH: Total(10, 0, 40 * MS)}
    one = line(calls=10, gpu=kernels, operations=kernels, teams=(12, 12), threads=(256, 256))
    (text,) = advised(tmp_path, one, reason)
    assert text.startswith("12 teams on 132 multiprocessors: 120 of them do nothing. ")
    assert remedy in text
    assert advised(tmp_path, one, multiprocessors=0) == []
    assert advised(tmp_path, one, multiprocessors=12) == []


def test_launches_that_cost_more_than_their_kernels(tmp_path: Path) -> None:
    kernels = {LAUNCH: Total(4000, 0, 10 * MS)}
    (text,) = advised(tmp_path, line(calls=4000, gpu=kernels, teams=(1000, 1000), threads=(256, 256)))
    assert text.startswith("4000 launches take 50 ms, and their kernels only 10 ms of that. Do more in one region")


def test_regions_on_the_host(tmp_path: Path) -> None:
    (text,) = advised(tmp_path, line(calls=4, on_host=3))
    assert text.startswith("The region ran on the host in 3 of 4 calls.")


def test_of_two_sources_that_counts_which_has_the_directives(tmp_path: Path) -> None:
    for folder, text in (("a", "int x;\n" * 20), ("b", LOOPS), (".hidden", LOOPS), ("b/src", LOOPS)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "loops.c").write_text(text)
    found = find_sources({"loops.c": [7], "src/loops.c": [7], "none.c": [1]}, [tmp_path])
    assert {name: source.path.relative_to(tmp_path.resolve()) for name, source in found.items()} == {
        "loops.c": Path("b/loops.c"),
        "src/loops.c": Path("b/src/loops.c"),
    }


def test_a_page_says_what_it_lacks(tmp_path: Path) -> None:
    page = profile_page(run(line()), (), {})
    assert "loops.c was not found below the current folder" in page
    assert "The program says nothing about its directives" in page
    (tmp_path / "loops.c").write_text("int x;\n" * 20)
    page = profile_page(run(line()), (), {"loops.c": read_source(tmp_path / "loops.c")})
    assert "loops.c has changed since the program was built" in page


def test_text_of_the_users_is_text(tmp_path: Path) -> None:
    """Whatever stands in a source, or in the names of a program, is shown, and never taken for the page's own."""
    (tmp_path / "x.c").write_text('#pragma omp target\n{ puts("</code><script>alert(1)</script>"); }\n')
    source = read_source(tmp_path / "x.c")
    remark = Explained("x.c", 1, 1, "<i>", "target", ("copied to the device: a<b>",))
    page = explain_page("<x>", (remark,), {"x.c": source})
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "a&lt;b&gt;" in page
    odd = Place("</script>", 1, 1, "f")
    assert "</script>:1" not in profile_page(run(Line(odd, "target", 1, MS, {}, {}, {})), (), {})


def test_a_page_says_how_much_of_the_card_a_line_uses(tmp_path: Path) -> None:
    """Rates stand beside those of the card, and what is not known is not said."""
    shape = Shape(4096, 256, 128, 0)
    times = {LAUNCH: Total(2, 0, MS), TO_DEVICE: Total(1, 4_200_000, MS)}
    known = line(gpu=times, calls=2, mapped=Total(2, 670_000_000, 0), shape=shape)
    page = profile_page(run(known), (), {})
    assert "H100 with 132 multiprocessors (its memory moves up to 3.35 TB/s, PCIe up to 63 GB/s each way)" in page
    assert "670 GB/s of 3.35 TB/s (20.0 %), if its kernels touch each byte of their mapped variables once" in page
    assert "at most 25 % of the GPU&#39;s warps: a thread has 128 registers" in page
    assert "4.2 GB/s of 63 GB/s (6.7 %)" in page
    page = profile_page(run(replace(known, mapped=Total(1, 670_000_000, 0), shape=None)), (), {})
    assert "mapped variables once" not in page
    assert "of the GPU&#39;s warps" not in page
