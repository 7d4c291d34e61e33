"""Options choose what is reported, wherever a file is lowered, and do not change what is written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.base.command_words import nothing_is_reported, taken_out
from rex_build.base.diagnostics import SourceSpan, UsageError
from rex_build.base.findings import Chosen, Finding

CERTAIN = Finding("race", True, "m", SourceSpan("a.c", 1), "x", "a")
LIKELY = Finding("race", False, "m", SourceSpan("a.c", 1), "x", "a")
PROGRAM = """\
int sum(int n, int *x)
{
    int s = 0, found = 0;
#pragma omp target teams distribute parallel for map(tofrom: s, found) map(to: x[0:n])
    for (int i = 0; i < n; ++i) {
        s += x[i];
        if (x[i] == 0)
            found = 1;
    }
    return s + found;
}
"""


@pytest.mark.parametrize(
    ("words", "certain", "likely"),
    [
        ("", "warning", None),
        ("-Wrex-all", "warning", "warning"),
        ("-Wrex-race", "warning", "warning"),
        ("-Wrex-reduction", "warning", None),
        ("-Wno-rex-race", None, None),
        ("-Wno-rex-all", None, None),
        ("-Wno-rex-all -Wrex-race", "warning", "warning"),
        ("-Wrex-race -Wno-rex-all", "warning", "warning"),
        ("-Wrex-all -Wno-rex-race", None, None),
        ("-Wno-rex-race -Wrex-race", "warning", "warning"),
        ("-Werror", "error", None),
        ("-Werror -Wrex-all", "error", "error"),
        ("-Werror -Wno-error", "warning", None),
        ("-Werror -Wno-error=rex-race", "warning", None),
        ("-Werror=rex-race", "error", "error"),
        ("-Werror=rex-all", "error", "error"),
        ("-Werror=rex-reduction", "warning", None),
        ("-Werror=rex-race -w", None, None),
        ("-Wno-rex-nonsense", "warning", None),
    ],
)
def test_levels(words: str, certain: str | None, likely: str | None) -> None:
    chosen = Chosen(words.split())
    assert (chosen.severity(CERTAIN), chosen.severity(LIKELY)) == (certain, likely)
    if nothing_is_reported(words.split()):
        assert certain is None


def test_unknown_name() -> None:
    with pytest.raises(UsageError, match="unknown option '-Wrex-nonsense'"):
        Chosen(["-Wrex-nonsense"])


def test_the_host_compiler_does_not_see_them() -> None:
    flags = ("-O2", "-Wrex-all", "-Wall", "-Werror=rex-race", "-Wno-error=rex-race", "-Werror", "-w", "-Wno-rex-all")
    assert taken_out(flags) == (("-O2", "-Wall", "-Werror", "-w"), tuple(f for f in flags if f not in ("-O2", "-Wall")))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "sum.c"
    file.write_text(PROGRAM)
    os.utime(file, (1_000_000_000, 1_000_000_000))
    return file


@pytest.mark.compile
def test_a_hit_reports_what_this_run_asks_for(source: Path, tmp_path: Path) -> None:
    """The first run stores everything that was found, and later ones choose from it."""
    env = {"REX_BUILD_CACHE": "on", "REX_BUILD_CACHE_DIR": str(tmp_path / "cache")}

    def said(flags: Sequence[str], before: Sequence[str] = ()) -> tuple[int, list[str]]:
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        done = rex_build("lower", source, "--out-dir", tmp_path / "out", *before, "--", *flags, env=env)
        assert (tmp_path / "out" / "rose_sum.c").exists() == (done.status == 0)
        found = [line for line in done.stderr.splitlines() if "[-W" in line]
        return done.status, [line.rpartition(" [")[2].rstrip("]") for line in found]

    assert said([]) == (0, ["-Wrex-reduction"])
    assert said([]) == (0, ["-Wrex-reduction"])
    assert said(["-Wrex-all"]) == (0, ["-Wrex-reduction", "-Wrex-race"])
    assert said([], ["-Wrex-all"]) == (0, ["-Wrex-reduction", "-Wrex-race"])
    assert said(["-Wno-rex-reduction"]) == (0, [])
    assert said(["-Werror=rex-reduction"]) == (1, ["-Werror=rex-reduction"])
    assert said(["-Werror=rex-reduction"]) == (1, ["-Werror=rex-reduction"])
    assert said(["-Wrex-nonsense"])[0] == 2
    assert sum(json.loads(rex_build("cache", "stats", "--json", env=env).stdout)["misses"].values()) == 1
    assert said(["-w"]) == (0, [])
    assert said([]) == (0, ["-Wrex-reduction"])


@pytest.mark.compile
def test_a_hit_refuses_an_unknown_name(tmp_path: Path) -> None:
    plain = tmp_path / "plain.c"
    plain.write_text("void f(int *a)\n{\n#pragma omp target map(tofrom: a[0:1])\n    a[0] = 1;\n}\n")
    env = {"REX_BUILD_CACHE": "on", "REX_BUILD_CACHE_DIR": str(tmp_path / "cache")}
    assert rex_build("lower", plain, "--out-dir", tmp_path, env=env).status == 0
    done = rex_build("lower", plain, "--out-dir", tmp_path, "--", "-Wrex-nonsense", env=env)
    assert done.status == 2
    assert "unknown option '-Wrex-nonsense'" in done.stderr


def test_a_comment_silences_a_hit_too(source: Path, tmp_path: Path) -> None:
    """The comment changes nothing that the compiler sees, so the lowered text may come from the cache."""
    env = {"REX_BUILD_CACHE": "on", "REX_BUILD_CACHE_DIR": str(tmp_path / "cache")}
    words = ("lower", source, "--out-dir", tmp_path / "out", "--", "-O2")
    assert "[-Wrex-reduction]" in rex_build(*words, env=env).stderr
    source.write_text(PROGRAM.replace("s += x[i];", "s += x[i]; // rex-ignore: rex-reduction: on purpose"))
    assert rex_build(*words, env=env).stderr == ""
    source.write_text(PROGRAM.replace("        s += x", "        /* rex-ignore: race, reduction */\n        s += x"))
    assert rex_build(*words, env=env).stderr == ""
    for comment in ("/* It is\n rex-ignore: reduction\n*/", "// rex-ignore: reduction\n// as it is rough"):
        source.write_text(PROGRAM.replace("        s += x", f"        {comment}\n        s += x"))
        assert rex_build(*words, env=env).stderr == "", comment
    source.write_text(PROGRAM.replace("s += x[i];", "s += x[i]; // rex-ignore: race"))
    assert "[-Wrex-reduction]" in rex_build(*words, env=env).stderr


@pytest.mark.compile
def test_formats(source: Path, tmp_path: Path) -> None:
    words = ("lower", source, "--out-dir", tmp_path / "out", "-Wrex-all")
    messages = json.loads(rex_build(*words, "--diagnostics-format=json").stderr)
    assert [(m["kind"], m["option"], m["locations"][0]["caret"]["line"]) for m in messages] == [
        ("warning", "-Wrex-reduction", 6),
        ("warning", "-Wrex-race", 8),
    ]
    assert {child["kind"] for m in messages for child in m["children"]} == {"note"}
    done = rex_build(*words, "--diagnostics-format=sarif-file")
    assert (done.status, done.stderr) == (0, "")
    log = json.loads((tmp_path / "out" / "sum.c.sarif").read_text())
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["rex-race", "rex-reduction"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["name"] == {"rex-race": "RexRace", "rex-reduction": "RexReduction"}[rule["id"]]
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"])
        assert rule["help"]["text"].startswith(rule["fullDescription"]["text"])
        assert "helpUri" not in rule  # it would have to be absolute
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        places = [*result["locations"], *result["relatedLocations"]]
        for place in (one["physicalLocation"] for one in places):
            assert place["artifactLocation"] in [artifact["location"] for artifact in run["artifacts"]]
            assert place["region"]["startColumn"] < place["region"]["endColumn"]
        assert [one["id"] for one in result["relatedLocations"]] == [*range(1, len(places))]
    first = run["results"][0]
    assert (first["ruleId"], first["level"]) == ("rex-reduction", "warning")
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == 6
    assert first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 4
    source.write_text("#pragma omp target nonsense\n")
    failed = rex_build(*words, "--diagnostics-format=sarif-stderr")
    (run,) = json.loads(failed.stderr)["runs"]
    assert (failed.status, run["results"][0]["level"]) == (1, "error")


@pytest.mark.compile
def test_explain(source: Path) -> None:
    text = rex_build("explain", source).stdout
    assert "all threads update 's', which they share" in text
    facts = json.loads(rex_build("explain", source, "--json").stdout)
    assert [(f["name"], f["certain"], f["place"]["line"]) for f in facts["findings"]] == [
        ("rex-reduction", True, 6),
        ("rex-race", False, 8),
    ]


@pytest.mark.compile
def test_in_place_of_the_compiler(source: Path, tmp_path: Path) -> None:
    """gcc does not know the options: it gets neither them nor a file that they make an error of."""
    obj = tmp_path / "sum.o"
    words = ("cc", "--device", "cpu", "--", "-c", source, "-o", obj)
    assert "[-Wrex-reduction]" in rex_build(*words).stderr
    said = rex_build(*words, "-Wrex-all", "-Wno-rex-reduction")
    assert (said.status, said.stderr.count("[-W")) == (0, 1)
    obj.unlink()
    failed = rex_build(*words, "-Werror=rex-reduction")
    assert (failed.status, obj.exists()) == (1, False)
    plain = tmp_path / "plain.c"
    plain.write_text("int x;\n")
    done = rex_build("cc", "--", "-c", plain, "-o", obj, "-Wrex-all")
    assert (done.status, done.stderr, obj.exists()) == (0, "", True)


@pytest.mark.compile
def test_cxx(tmp_path: Path) -> None:
    """A C++ unit's findings are reported, come from the cache, are silenced and are listed as those of C."""
    source = tmp_path / "sum.cpp"
    source.write_text(PROGRAM.replace("found = 1;", "found = 1; // rex-ignore: all: a flag"))
    environment = {"REX_BUILD_CACHE": "on", "REX_BUILD_CACHE_DIR": str(tmp_path / "cache")}
    words = ("lower", source, "--out-dir", tmp_path)
    for _ in range(2):
        done = rex_build(*words, env=environment)
        assert done.status == 0, done.describe("lowering")
        assert done.stderr.count("[-Wrex-") == 1
        assert "sum.cpp:6:9: warning: all threads update 's'" in done.stderr
    assert "[-Wrex-" not in rex_build(*words, "-w", env=environment).stderr
    assert rex_build(*words, "-Werror=rex-reduction", env=environment).status == 1
    assert "[-Wrex-reduction]" in rex_build("explain", source, env=environment).stdout
