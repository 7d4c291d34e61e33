"""What `explain --image` says of machine code: what nvcc says, and how many threads then run at a time."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.tools.resources import Resources

SOURCE = """\
void both(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = x[i] * 2 + 1;
#pragma omp target teams distribute thread_limit(64) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        double row[512];
#pragma omp parallel for
        for (int j = 0; j < 512; ++j)
            row[j] = x[i] * j;
#pragma omp parallel for
        for (int j = 0; j < 512; ++j)
            x[i] += row[511 - j] > 3;
    }
}
"""


@pytest.mark.parametrize(
    ("resources", "threads", "said"),
    [
        (Resources("sm_90", 32, 0, 0), 256, "32 registers; a multiprocessor runs 2,048 of at most 2,048 threads"),
        # 33 registers take the room of 40: 6 blocks of 8 warps.
        (Resources("sm_90", 33, 0, 0), 256, "runs 1,536 of at most 2,048 threads at a time, as there are no more reg"),
        (Resources("sm_90", 255, 0, 8), 1024, "255 registers, 8 bytes of stack; a multiprocessor runs 0 of"),
        (Resources("sm_90", 32, 40960, 0), 128, "runs 640 of at most 2,048 threads at a time, as there is no more sh"),
        (Resources("sm_90", 16, 0, 0), 32, "runs 1,024 of at most 2,048 threads at a time"),
        (Resources("sm_90", 16, 0, 0), 100, "runs 1,600 of at most 2,048 threads at a time"),
        (Resources("sm_89", 48, 0, 0), 256, "runs 1,280 of at most 1,536 threads at a time, as there are no more reg"),
        (Resources("sm_60", 48, 0, 0), 256, "48 registers"),
    ],
)  # fmt: skip
def test_threads_that_run_at_a_time(resources: Resources, threads: int, said: str) -> None:
    text = resources.text(threads)
    assert said in text
    assert ("as there" in text) == ("as there" in said or "runs 0" in said)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_kernels_say_what_nvcc_says(tmp_path: Path) -> None:
    source, image = tmp_path / "unit.c", tmp_path / "unit.cubin"
    source.write_text(SOURCE)
    assert rex_build("lower", source, "--out-dir", tmp_path, "--", "-O2").status == 0
    device = ("device", tmp_path / "rex_lib_unit.cu", "--arch", "sm_90", "-o", image)
    outcome = rex_build(*device, "--", "--resource-usage")
    assert outcome.status == 0, outcome.stderr
    reports = [" ".join(part.split()) for part in outcome.stderr.split("Compiling entry function ")]
    pattern = r"'\w+__both__(\d+)__(\w+?)__'.*? Used (\d+) registers(?:.*? (\d+) bytes smem)?"
    used = [found.groups() for report in reports if (found := re.match(pattern, report))]
    assert len(used) == 4
    listed = rex_build("explain", source, "--image", image, "--", "-O2").stdout
    blocks = dict(zip(("3", "6"), re.split(r"\n\n", listed), strict=False))
    for line, kind, registers, shared in used:
        what = "direct kernel" if kind == "direct" else "kernel"
        memory = f", {int(shared) + 1024:,} bytes of shared memory" if shared else ""
        assert f"\n    {what} for sm_90: {registers} registers{memory}; a multiprocessor runs" in blocks[line]


def test_images_of_other_units_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    for image, why in ((tmp_path / "none", "cannot read"), (source, "not a 64-bit"), (Path("/bin/sh"), "no image")):
        outcome = rex_build("explain", source, "--image", image, "--", "-O2")
        assert outcome.status == 1
        assert why in outcome.stderr
    assert rex_build("explain", source, "--image", source, "--json", "--", "-O2").status == 2


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
def test_fast_math_is_for_devices_too(name: str, tmp_path: Path) -> None:
    """A quotient that need not be the nearest number takes no call and fewer instructions. The last flag counts."""
    (tmp_path / name).write_text(
        "void f(float *x, int n) {\n#pragma omp target teams distribute parallel for map(tofrom: x[0:n])\n"
        "for (int i = 0; i < n; i++) x[i] = x[i] / (x[i] + 1);\n}\n"
    )
    made = {}
    for flags in ("-O2", "-ffast-math", "-Ofast", "-Ofast -O2", "-ffast-math -fno-fast-math"):
        folder = tmp_path / flags.replace(" ", "")
        assert rex_build("lower", tmp_path / name, "--out-dir", folder, "--", *flags.split()).status == 0
        device = ("device", folder / "rex_lib_unit.cu", "--arch", "sm_90", "-o", folder / "unit.cubin")
        assert rex_build(*device).status == 0
        made[flags] = (folder / "unit.cubin").stat().st_size
    exact = made.pop("-O2")
    assert {flags for flags, size in made.items() if size < exact} == {"-ffast-math", "-Ofast"}, (exact, made)
