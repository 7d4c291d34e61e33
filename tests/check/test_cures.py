"""What a finding advises, written into the program as it stands there, takes the finding away and makes it right."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.base.findings import NAMES
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_PROGRAM = Path(__file__).parent / "cures" / "cures.c"
_CURE = re.compile(r"// ([\w-]+): (.*)\nstatic int (\w+)\(void\)")


@pytest.mark.compile
@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_cures(suffix: str, tmp_path: Path) -> None:
    """Each finding advises its cure, and nothing is found where it is followed."""
    text = _PROGRAM.read_text()
    file = tmp_path / f"cures.{suffix}"
    file.write_text(text)
    cures = [(text[: m.start()].count("\n") + 1, m[3], m[1], m[2]) for m in _CURE.finditer(text)]
    assert {name for _, _, name, _ in cures} == set(NAMES)

    def findings(*flags: str) -> dict[str, dict[str, str]]:
        """What the findings in each function advise, by their names."""
        found: dict[str, dict[str, str]] = {}
        compiler = "gcc" if suffix == "c" else "g++"
        for one in lower_text(LowerRequest(file, tmp_path, flags, cc=compiler)).findings:
            function = next(function for line, function, *_ in reversed(cures) if line < one.span.line)
            found.setdefault(function, {})[one.name] = one.advice
        return found

    wrong = findings()
    said = {function: wrong.get(function, {}).get(name, "") for _, function, name, _ in cures}
    assert {function: advice for _, function, _, advice in cures if advice not in said[function]} == {}
    assert findings("-DCURED") == {}


@pytest.mark.compile
def test_programs_with_cures_are_right(tmp_path: Path) -> None:
    words = ("--device", "cpu", "-o", "cures", _PROGRAM, "--", "-O1", "-DCURED")
    done = rex_build("cc", *words, cwd=tmp_path)
    assert done.status == 0, done.stderr
    wrong = subprocess.run(["./cures"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60).stdout
    assert wrong == ""


_OF_A_VECTOR = """#include <vector>
int main()
{
    std::vector<int> v(30, 4);
    int *p = v.data(), sum = 0;
#pragma omp target map(to: %s) map(tofrom: sum)
    for (int i = 0; i < 30; ++i)
        sum += %s[i];
    return sum - 120;
}
"""


@pytest.mark.compile
def test_cures_of_containers(tmp_path: Path) -> None:
    """A list item cannot begin with a call: the advice names a pointer, which is one."""
    file = tmp_path / "vector.cpp"
    file.write_text(_OF_A_VECTOR % ("v", "v"))
    (found,) = lower_text(LowerRequest(file, tmp_path, cc="g++")).findings
    assert (found.name, found.advice) == (
        "unmapped-pointer",
        "map it: map(tofrom: p[0:n]) with the number of its elements, with p = v.data() in the region as well",
    )
    file.write_text(_OF_A_VECTOR % ("p[0:30]", "p"))
    assert lower_text(LowerRequest(file, tmp_path, cc="g++")).findings == ()


# A unit that maps rows anywhere may map those of any array, so these are units of their own.
_OF_ROWS = """#include <stdlib.h>
int main(void)
{
    int **rows = malloc(4 * sizeof *rows);
    for (int i = 0; i < 4; i++)
        rows[i] = calloc(8, sizeof **rows);
#pragma omp target data map(to: rows[0:4])
    {@
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4; i++)
        rows[i][3] = i;@
    }
    return rows[2][3] - 2;
}
"""
_OF_A_MAPPER = """#include <stdlib.h>
struct two { int n, *a, *b; };
#pragma omp declare mapper(struct two t) map(t, t.a[0:t.n]@)
int main(void)
{
    struct two t = {8, calloc(8, sizeof(int)), calloc(8, sizeof(int))};
#pragma omp target map(tofrom: t)
    t.b[3] = t.a[3] + 4;
    return t.b[3] - 4;
}
"""
_ROWS = [f"\nfor (int i = 0; i < 4; i++) {{\n#pragma omp target {how}: rows[i][0:8])\n}}" for how in (
    "enter data map(to", "exit data map(from")]  # fmt: skip
_ROWS_STAY = _OF_ROWS.replace("@", _ROWS[0], 1).replace("= i;@", "= 0;@").replace("- 2", "")


@pytest.mark.compile
@pytest.mark.parametrize(
    ("text", "cures", "name", "advice"),
    [
        (_OF_ROWS, _ROWS, "unmapped-pointer",
         "map each row of it: map(tofrom: rows[i][0:n]), or use one array for all rows"),
        (_ROWS_STAY, [_ROWS[1].replace("from", "release")], "leak",
         "add '#pragma omp target exit data map(release: rows[i][0:8])' where it is no longer needed"),
        (_OF_A_MAPPER, [", t.b[0:t.n]"], "unmapped-pointer",
         "let the mapper map it as well: a section of 'b' with the number of its elements"),
    ],
)  # fmt: skip
def test_cures_of_units(text: str, cures: list[str], name: str, advice: str, tmp_path: Path) -> None:
    cured = text
    for cure in cures:
        cured = cured.replace("@", cure, 1)
    _is_cured(tmp_path, "c", text.replace("@", ""), cured, name, advice)


def _is_cured(folder: Path, suffix: str, wrong: str, cured: str, name: str, advice: str) -> None:
    """One thing is found in a program, with this advice, and nothing in one that follows it, which ends with 0."""
    wrong_file, cured_file = folder / f"wrong.{suffix}", folder / f"cured.{suffix}"
    wrong_file.write_text(wrong)
    cured_file.write_text(cured)
    compiler = "gcc" if suffix == "c" else "g++"
    (found,) = lower_text(LowerRequest(wrong_file, folder, cc=compiler)).findings
    assert (found.name, found.advice) == (name, advice)
    assert lower_text(LowerRequest(cured_file, folder, cc=compiler)).findings == ()
    done = rex_build("cc", "--device", "cpu", "-o", "cured", cured_file.name, cwd=folder)
    assert done.status == 0, done.stderr
    subprocess.run(["./cured"], cwd=folder, check=True, timeout=60)


# What is written instead stands behind what is wrong, between marks: [[wrong|right]].
_REPLACED = re.compile(r"\[\[(.*?)\|(.*?)\]\]", re.DOTALL)
_OF_A_GROWING_VECTOR = """#include <vector>
int main()
{
    std::vector<int> v(30, 4);
    [[|v.resize(5000, 4);]]
    int *p = v.data();
#pragma omp target enter data map(to: p[0:30])
    [[v.resize(5000, 4);|]]
#pragma omp target exit data map(delete: p[0:30])
    return v[4999] - 4;
}
"""
_OF_A_CLOSURE = """struct series { int n, *x; };
template <class F> void each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}
int main()
{
    series s = {8, new int[8]()};
    int *all = s.x;
#pragma omp target data map(tofrom: all[0:8])
    each(8, [ [[s|x = s.x]] ](int i) { [[s.x|x]][i] = i; });
    return all[5] - 5;
}
"""
_OF_A_NAMED_MAPPER = """#include <stdlib.h>
struct two { int n, *a; };
#pragma omp declare mapper(whole: struct two t) map(t, t.a[0:t.n])
int main(void)
{
    struct two t = {8, calloc(8, sizeof(int))};
#pragma omp target map([[|mapper(whole), ]]tofrom: t)
    t.a[3] = 4;
    return t.a[3] - 4;
}
"""
_OF_A_SECTION = """#include <stdlib.h>
int later(int k, int n)
{
    int *x = calloc(n, sizeof *x);
#pragma omp target map(tofrom: x[k:[[n|n - k]]])
    x[k] = 4;
    return x[k] - 4;
}
int main(int count, char **words) { return later(words[0] != 0 ? count + 2 : 1, 8); }
"""
_OF_A_LIST = """struct list { int *x; };
static void point(struct list *l, int *x) { l->x = x; }
int main(void)
{
    int x[8] = {0};
    struct list l;
    point(&l, x);
#pragma omp target data map(tofrom: x)
    {
#pragma omp target map(to: l) [[|map(tofrom: l.x[0:8])]]
        l.x[3] = 4;
    }
    return x[3] - 4;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize(
    ("suffix", "text", "name", "advice"),
    [
        ("cpp", _OF_A_GROWING_VECTOR, "leak", "let the vector grow before its elements are mapped"),
        ("cpp", _OF_A_CLOSURE, "unmapped-pointer",
         "capture the pointer by itself, as in [x = object.x]: that one is translated"),
        ("c", _OF_A_NAMED_MAPPER, "unmapped-pointer", "name the mapper: map(mapper(whole), tofrom: t)"),
        ("c", _OF_A_SECTION, "bounds", "what stands behind ':' is the number of elements, not the end"),
        ("c", _OF_A_LIST, "unmapped-pointer", "map it by this pointer, map(tofrom: l.x[0:n])"),
    ],
    ids=["vector", "closure", "mapper", "section", "list"],
)  # fmt: skip
def test_cures_that_replace(suffix: str, text: str, name: str, advice: str, tmp_path: Path) -> None:
    wrong, cured = (_REPLACED.sub(rf"\{number}", text) for number in (1, 2))
    _is_cured(tmp_path, suffix, wrong, cured, name, advice)
