"""Programs keep what became of their directives, and pages find it there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.cli.main import main
from rex_build.report.records import Explained, explained_by

pytestmark = pytest.mark.compile

UNIT = """\
int main(void)
{
    char s[4] = {0}; int é[2] = {0};
#pragma omp target data map(tofrom: s[0:'\\\\'-'"'-54], é[0:2]) map(to: s[3:'?'?1:0])
    {
#pragma omp target teams distribute parallel for num_teams(2)
        for (int i = 0; i < 2; i++)
            é[i] = s[i];
    }
    return 0;
}
"""


WRONG = """\
int f(int n)
{
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: s)
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
"""


@pytest.mark.parametrize(
    "flags",
    [
        ("-std=c99", "-pedantic-errors", "-Wall", "-Werror", "-Woverlength-strings"),
        ("-O2", "-flto", "-s", "-ffunction-sections", "-Wl,--gc-sections"),
        ("-fPIC", "-shared", "-masm=intel"),
    ],
)
def test_a_program_says_what_became_of_its_directives(
    tmp_path: Path, flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    assert main(["cc", "--device", "cpu", "-o", str(tmp_path / "app"), str(source), "--", *flags]) == 0
    data, region = explained_by([str(tmp_path / "app"), str(tmp_path / "app"), "/no/such/file", str(source)])
    assert data == Explained(
        "unit.c", 4, 13, "main", "target data",
        ("copied to the device and back: s[0:'\\\\' - '\"' - 54] (4 bytes), é[0:2] (8 bytes)",
         "copied to the device: s[3:'?' ? 1 : 0] (1 byte)"),
    )  # fmt: skip
    assert (region.line, region.function, region.directive) == (6, "main", "target teams distribute parallel for")
    assert main(["explain", str(source), "--", *flags]) == 0
    listed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    said = [line for line in (*data.lines, *region.lines) if not line.startswith("not applied: ")]
    assert len(said) > 5
    assert [line for line in said if line not in listed] == []
    assert region.why_not("tile") == "no collapsed loops"
    assert region.why_not("index32") is None


def test_explain_makes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    assert main(["explain", "--html", str(source)]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!DOCTYPE html>")
    assert 'id="timeline"' not in page
    assert "becomes a kernel: the threads share the iterations of the loop" in page
    assert "é[i] = s[i];" in page
    led_to = {*re.findall(r'<a href="#(means-\w+)">', page)}
    assert led_to
    assert led_to <= {*re.findall(r'<dt id="(means-\w+)">', page)}
    source.write_text(WRONG)
    assert main(["explain", "--html", str(source)]) == 0
    page = capsys.readouterr().out
    assert "has changed" not in page
    said = re.search(r'id="[^"]*-6".*\n?.*<summary>warning: (all threads update.*) \[-Wrex-reduction\]', page)
    assert said, "what is wrong in the program stands below its line"
    source.write_text("int main(void) { return 0; }\n")
    assert main(["explain", "--html", str(source)]) == 0
    assert "No directive for devices." in capsys.readouterr().out
