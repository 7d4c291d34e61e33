"""What a finding advises, written into the program as it stands there, takes the finding away and makes it right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    build = [sys.executable, "-m", "rex_build", "cc", "--device", "cpu", "-o", "cures", str(_PROGRAM)]
    subprocess.run([*build, "--", "-O1", "-DCURED"], cwd=tmp_path, check=True, capture_output=True)
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
