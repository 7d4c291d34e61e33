"""The page of ``rex-build profile -o`` in a real browser, as a person uses it."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rex_build.profile.measured import Place, Profile, Recorded
from rex_build.report.page import profile_page

try:
    from playwright import sync_api
except ImportError:
    sync_api = None  # type: ignore[assignment]
BROWSER = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(sync_api is None or not BROWSER, reason="no playwright, or no chromium"),
]

SOLVER = """\
/*
 * A solver. Of these lines nobody needs to see anything,
 * because what costs time begins below them, so they are
 * folded.
 */

#include <stdio.h>
#include <stdlib.h>
#define N 400000

static void relax(int n, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += 0.5 * x[i]; /* <b>&amp;</b> */
}

static double norm(int n, const double *y)
{
    double sum = 0;
#pragma omp target teams distribute parallel for \\
    reduction(+: sum) map(to: y[0:n])
    for (int i = 0; i < n; i++)
        sum += y[i];
    return sum;
}

int square(int n)
{
    return n * n;
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), s = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1, y[i] = 0;
    for (int k = 0; k < 60; k++) /* twice */
        relax(N, x, y);
#pragma omp target data map(to: y[0:N])
    for (int k = 0; k < 3; k++)
        s += norm(N, y);
    if (s < 0)
        relax(1, x, y);
    printf("%g\\n", s);
    return 0;
}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a real run. The program is built and run elsewhere than its source is."""
    folder = tmp_path_factory.mktemp("a report")
    source, build = folder / "src", folder / "build"
    source.mkdir()
    build.mkdir()
    (source / "solver.c").write_text(SOLVER)
    for command in (
        ("cc", "--device", "cpu", "-o", "solver", "../src/solver.c", "--", "-O2"),
        ("profile", "-o", "report.html", "--source", "../src", "./solver"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "rex_build", *command], cwd=build, env=os.environ, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    return build / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        sync_api.expect.set_options(timeout=30_000)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: sync_api.Browser, report: Path) -> Iterator[sync_api.Page]:
    """The page as it opens. At the end it must have asked for nothing else, and no script may have failed."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page, asked, failed = context.new_page(), [], []
    page.set_default_timeout(30_000)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.on("console", lambda message: failed.append(message.text))
    page.goto(report.as_uri())
    yield page
    assert [url for url in asked if not url.startswith("data:")] == [report.as_uri()]
    assert failed == []
    context.close()


def rows(page: sync_api.Page) -> list[str]:
    return page.locator("#lines tbody th").all_inner_texts()


def numbers(page: sync_api.Page, column: int) -> list[float]:
    cells = page.locator(f"#lines tbody tr > :nth-child({column})")
    return [float(cell.get_attribute("data-sort") or 0) for cell in cells.all()]


def test_the_most_expensive_region_and_why_are_seen_first(page: sync_api.Page) -> None:
    assert rows(page)[0] == "solver.c:13: target in relax"
    first = page.locator("#advice li").first
    assert first.inner_text().startswith("solver.c:13, lines 38 to 39: ")
    assert "are copied in each of the 60 calls: 384 MB to the device and 192 MB back" in first.inner_text()
    assert "Enclose the loop in lines 38 to 39 of solver.c in this target data:" in first.inner_text()
    assert {"map(to: x[0:N])", "map(tofrom: y[0:N])"} <= set(re.findall(r"map\([^)]*\)", first.inner_text()))
    assert re.search(r"at stake: .* for copies and allocations, .* of the run\.", first.inner_text())
    sync_api.expect(page.get_by_text("relax(N, x, y);").first).to_be_visible()
    first.get_by_role("link", name="lines 38 to 39").click()
    called = page.locator(".source tr:focus")
    assert called.locator("code").first.inner_text() == SOLVER.splitlines()[37]
    sync_api.expect(called).to_be_in_viewport()
    first.get_by_role("link", name="solver.c:13").click()
    line = page.locator("tr.directive:focus")
    assert line.locator("code").first.inner_text() == SOLVER.splitlines()[12]
    sync_api.expect(line).to_be_in_viewport()
    panel = page.locator("tr.directive").first.locator("details.panel")
    assert page.get_by_text("Enclose the loop in lines 38 to 39").count() == 1
    panel.get_by_role("link", name="What would help, number 1").click()
    sync_api.expect(first).to_be_in_viewport()
    for text in ("launch: as many teams", "copied to the device and back: y[0:n]", "applied: once"):
        sync_api.expect(panel.get_by_text(text)).to_be_visible()
    assert not [text for text in page.locator(".remark .applied").all_inner_texts() if re.search(r"\b0 of", text)]
    why = panel.get_by_text("collapse: no loop ends an iteration")
    sync_api.expect(why).to_be_hidden()
    panel.get_by_text("transformations that have nothing to do here").click()
    sync_api.expect(why).to_be_visible()


def test_the_table_is_sorted_by_mouse_and_keyboard(page: sync_api.Page) -> None:
    assert numbers(page, 2) == sorted(numbers(page, 2), reverse=True)
    heads = page.locator("#lines thead button").all_inner_texts()
    assert len(set(heads)) == len(heads), "no two columns have the same name"
    page.get_by_role("button", name="calls", exact=True).click()
    assert numbers(page, 4) == sorted(numbers(page, 4), reverse=True)
    assert page.locator("#lines [aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="line", exact=True).focus()
    page.keyboard.press("Enter")
    lines = [text for text in rows(page) if text.startswith("solver.c:")]
    assert [text.split(":")[1] for text in lines] == ["13", "21", "40"]
    page.keyboard.press("Enter")
    assert [text for text in rows(page) if text.startswith("solver.c:")] == lines[::-1]


def test_the_timeline_is_read_by_mouse_and_keyboard(page: sync_api.Page) -> None:
    canvas, event = page.locator("#timeline"), page.locator("#event")
    canvas.scroll_into_view_if_needed()

    def seen() -> int:
        return int(canvas.get_attribute("data-end") or 0) - int(canvas.get_attribute("data-begin") or 0)

    def longest(track: int) -> float:
        """Where on the canvas the middle of the longest event is."""
        data = json.loads(page.locator("#events").text_content() or "")
        begin, time, *_ = max(data["tracks"][track]["events"], key=lambda event: event[1] * (event[3] == place))
        return box["x"] + (begin + time / 2) / data["end"] * box["width"]

    whole, box = seen(), canvas.bounding_box()
    assert box
    names = json.loads(page.locator("#events").text_content() or "")["places"]
    place = next(number for number, (name, _) in enumerate(names) if name == "solver.c:13")
    page.mouse.move(longest(0), box["y"] + 48)
    sync_api.expect(event).to_contain_text("solver.c:13 in relax")
    page.mouse.move(longest(1), box["y"] + 84)
    sync_api.expect(event).to_contain_text("operations: solver.c:13 in relax, ")
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(
        f"() => {{ const c = document.getElementById('timeline').dataset; return c.end - c.begin < {whole} }}"
    )
    before = canvas.get_attribute("data-begin")
    page.mouse.down()
    page.mouse.move(longest(1) + 100, box["y"] + 84, steps=3)
    page.mouse.up()
    assert int(canvas.get_attribute("data-begin") or 0) < int(before or 0), "a drag to the right shows what was before"
    canvas.focus()
    page.keyboard.press("Home")
    assert seen() == whole
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert abs(seen() - whole / 4) <= 2
    page.get_by_role("button", name="everything").click()
    assert seen() == whole
    canvas.focus()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    sync_api.expect(page.locator("tr.directive:focus")).to_have_count(1)


CONTRASTS = """() => {
    const numbers = text => text.match(/[\\d.]+/g).map(Number);
    const linear = one => one <= 10 ? one / 3294.6 : ((one / 255 + .055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) => .2126 * linear(red) + .7152 * linear(green) + .0722 * linear(blue);
    const behind = part => {
        for (; part; part = part.parentElement) {
            const color = numbers(getComputedStyle(part).backgroundColor);
            if (color.length < 4 || color[3] === 1)
                return color;
        }
    };
    const found = {}, texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const part = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || part.closest("script, style"))
            continue;
        const [less, more] = [numbers(getComputedStyle(part).color), behind(part)].map(light).sort((a, b) => a - b);
        found[part.tagName + "." + part.className] = (more + .05) / (less + .05);
    }
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_and_the_timelines_labels_can_be_read(browser: sync_api.Browser, report: Path, scheme: str) -> None:
    """All text has the contrast that WCAG asks for (AA).

    A label's strip has only the page's color, the text's, and what lies between them: no bar.
    """
    page = browser.new_context(color_scheme=scheme).new_page()  # type: ignore[arg-type]
    page.goto(report.as_uri())
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 15
    assert {what: ratio for what, ratio in contrasts.items() if ratio < 4.5} == {}
    page.wait_for_function("document.getElementById('timeline').width > 300")
    drawn = page.evaluate(
        """() => {
            const canvas = document.getElementById("timeline"), pen = canvas.getContext("2d");
            const bars = at => [...pen.getImageData(0, at, canvas.width, 1).data].filter((value, i) =>
                i % 4 === 3 && value === 255).length;
            return [[25, 37, 61, 73].map(bars), [45, 80].map(bars), canvas.width];
        }"""
    )
    labels, tracks, width = drawn
    assert all(count < width / 4 for count in labels), drawn
    assert all(count > 0 for count in tracks), drawn
    page.context.close()


def test_short_events_are_as_strong_as_they_fill_their_pixel(browser: sync_api.Browser, tmp_path: Path) -> None:
    """In a second, one event of 1 us in 10 ms is pale, and one of 9 us in 10 us nearly solid. The start is named."""
    ms, us = 10**6, 10**3
    events = [(at, us) for at in range(300 * ms, 600 * ms, 10 * ms)]
    events += [(at, 9 * us) for at in range(700 * ms, 900 * ms, 10 * us)] + [(1000 * ms - us, us)]
    data = b"".join(struct.pack("=qQQIHh", begin, time, 0, 3, 0, -1) for begin, time in events)
    recorded = Recorded(9, (Place("a.c", 7, 9, "f"),), ("target",), data)
    profile = Profile("/bin/app", 1000 * ms, 1, True, True, (), (recorded,), 0, None, ())
    (tmp_path / "page.html").write_text(profile_page(profile, (), {}))
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("document.getElementById('timeline').width > 300")
    alphas = page.evaluate(
        """() => {
            const canvas = document.getElementById("timeline"), pen = canvas.getContext("2d");
            return [...pen.getImageData(0, 45, canvas.width, 1).data].filter((value, i) => i % 4 === 3);
        }"""
    )
    second = len(alphas)
    pale = sorted(alpha for alpha in alphas[int(0.31 * second) : int(0.59 * second)] if alpha)
    assert pale[len(pale) // 2] < 140  # lines of the scale are solid
    assert min(alphas[int(0.72 * second) : int(0.88 * second)]) > 200
    sync_api.expect(page.get_by_text("Until 300 ms the program is in no directive.")).to_be_visible()
    page.close()


def test_the_listing_has_the_whole_source(page: sync_api.Page) -> None:
    assert "\n".join(page.locator(".source .text > code").all_text_contents()) == SOLVER.rstrip("\n")
    hidden = page.locator(".source .text > code", has_text="return n * n;")
    sync_api.expect(hidden).to_be_hidden()
    page.get_by_role("button", name="lines 28 to").click()
    sync_api.expect(hidden).to_be_visible()
    idle = page.locator("tr.directive")
    assert idle.count() == 3
    widths = [
        page.locator("tr.directive .cost .bar").nth(i).evaluate("bar => bar.textContent + bar.children.length")
        for i in (0, 1)
    ]
    assert widths == ["4", "2"], "time has four parts, and bytes have two"


def test_it_is_laid_out_once_and_fits(browser: sync_api.Browser, report: Path, page: sync_api.Page) -> None:
    moved = """() => new Promise(done => {
        let sum = 0;
        new PerformanceObserver(list => list.getEntries().forEach(one => sum += one.value))
            .observe({type: "layout-shift", buffered: true});
        setTimeout(() => done(sum), 100);
    })"""
    page.locator("#timeline").hover()
    assert page.evaluate(moved) == 0
    controls = page.get_by_role("button").or_(page.get_by_role("application")).or_(page.get_by_role("table"))
    names = [control.aria_snapshot().splitlines()[0] for control in controls.all()]
    assert len(names) > 20
    assert [name for name in names if not re.search('"..+"', name)] == [], (
        "all have names for those who do not see them"
    )
    for width in (360, 768, 1366, 2560):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        line = page.locator(".source .text").last.bounding_box()
        assert line is not None
        assert line["width"] > 0.6 * min(width, 1350) - 40, "most of the page is the source's"
    with_dark = browser.new_context(color_scheme="dark").new_page()
    with_dark.goto(report.as_uri())
    light, dark = (
        one.evaluate("getComputedStyle(document.documentElement).backgroundColor") for one in (page, with_dark)
    )
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(21, 24, 28)")
    with_dark.context.close()


def test_on_paper_everything_is_open(page: sync_api.Page) -> None:
    closed = page.locator("details:not([open])").count()
    assert closed
    page.evaluate(
        "addEventListener('beforeprint', () => window.left = document.querySelectorAll('details:not([open])').length)"
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.evaluate("window.left") == 0
    page.wait_for_function(f"document.querySelectorAll('details:not([open])').length == {closed}")
    page.emulate_media(media="print")
    sync_api.expect(page.locator(".tools")).to_be_hidden()
    sync_api.expect(page.locator("#timeline")).to_be_visible()


def test_it_can_be_read_without_scripts(browser: sync_api.Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert rows(page)[0] == "solver.c:13: target in relax"
    sync_api.expect(page.locator("#timeline")).to_be_hidden()
    assert all(code.is_visible() for code in page.locator(".source .text > code").all())
    context.close()


def test_the_page_says_what_ran_and_what_a_call_takes(page: sync_api.Page) -> None:
    head = page.locator("header").inner_text()
    assert re.search(r"\./solver · \d{4}-\d\d-\d\d \d\d:\d\d .* · the cpu device · .*(GCC|clang).* · rex-build ", head)
    assert "its times are not a GPU's" in head
    directive = page.locator("#advice li").first.locator("pre")
    assert directive.inner_text().startswith("#pragma omp target data map(")
    cells = page.locator("#lines tbody tr").first.locator("td")
    assert re.fullmatch(r"[\d.]+ \S+ \([\d.]+ \S+ to [\d.]+ \S+\)", cells.nth(3).inner_text())
    assert cells.nth(1).locator(".bar i").count() == 4


def test_a_range_of_the_timeline_is_added_up(page: sync_api.Page) -> None:
    canvas = page.locator("#timeline")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    data = json.loads(page.locator("#events").inner_text())
    low, high = data["end"] * 0.25, data["end"] * 0.75
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 40)
    page.keyboard.down("Shift")
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 40)
    page.mouse.up()
    page.keyboard.up("Shift")
    kind = data["kinds"].index("launch")
    events = [(at, at + lasts) for track in data["tracks"] for at, lasts, what, *_ in track["events"] if what == kind]
    expected = sum(max(0, min(high, end) - max(low, at)) for at, end in events)
    said = re.search(r"kernel ([\d.]+) (s|ms|µs)", page.locator("#event").inner_text())
    assert said is not None, page.locator("#event").inner_text()
    assert float(said[1]) * {"s": 1e9, "ms": 1e6, "µs": 1e3}[said[2]] == pytest.approx(expected, rel=0.02)
    assert canvas.get_attribute("data-begin") == "0", "the picture stays where it is"


def test_events_are_found_by_a_word(page: sync_api.Page) -> None:
    said, word = page.locator("#event"), page.get_by_role("searchbox")
    data = json.loads(page.locator("#events").inner_text())
    place = next(number for number, (_, name) in enumerate(data["places"]) if name == "norm")
    expected = sum(event[3] == place for track in data["tracks"] for event in track["events"])
    word.fill("NORM")
    for number in (1, 2):
        word.press("Enter")
        sync_api.expect(said).to_contain_text(f"{number} of {expected}: ")
        sync_api.expect(said).to_contain_text(" in norm")
    word.fill("no such function")
    page.get_by_role("button", name="find next").click()
    sync_api.expect(said).to_have_text('No event has "no such function" in its line, function or kind.')
