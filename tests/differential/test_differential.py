"""Random programs on the cpu device, against the same programs compiled without offloading.

``REX_EXAMPLES`` sets how many (12 where it is not set: about a minute);
``python tests/differential/test_differential.py SEED COUNT [NAME...]`` runs more, outside pytest, and prints those that
differ; the transformations of kernels with these names are left out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from execution import Program, build_offloaded, build_reference, run_offloaded, run_reference
from generate import programs

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "12"))


def difference(text: str, no_opt: tuple[str, ...] = ()) -> str | None:
    """What a program does differently on the device, None when nothing."""
    with tempfile.TemporaryDirectory(prefix="rex-differential-") as name:
        folder = Path(name)
        source = folder / "program.c"
        source.write_text(text)
        flags, reference = ("-std=gnu11", "-w"), ("-fopenmp", "-foffload=disable", "-DREFERENCE")
        program = Program("program", (source,), flags, reference, guarded=False)
        plain = build_reference(program, folder / "reference")
        assert plain.status == 0, plain.describe("the reference's compilation")
        expected = run_reference(folder / "reference")
        assert expected.status == 0, expected.describe("the reference")
        options = [word for name in no_opt for word in ("--no-opt", name)]
        built = build_offloaded(program, folder / "offloaded", "cpu", more=options)
        if built.status != 0:
            return built.describe("rex-build cc")
        for what, policy in (("the lowered program", "MANDATORY"), ("the host version", "DISABLED")):
            actual = run_offloaded(folder / "offloaded", folder, policy)
            if (actual.status, actual.stdout) != (expected.status, expected.stdout):
                return f"{actual.describe(what)}\n--- expected:\n{expected.stdout}"
    return None


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),  # shrinking takes longer than reading a program
)
@given(programs())
def test_same_on_the_device(text: str) -> None:
    found = difference(text)
    assert found is None, f"{found}\n{text}"


def main(arguments: list[str]) -> int:
    """Run COUNT programs from SEED on; those that differ are printed. Returns the exit status."""
    number, count = int(arguments[0]), int(arguments[1])
    failures = ran = 0

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    @given(programs())
    def many(text: str) -> None:
        nonlocal failures, ran
        ran += 1
        if ran % 50 == 0:
            print(f"{ran} programs, {failures} differ so far", flush=True)
        found = difference(text, tuple(arguments[2:]))
        if found is not None:
            failures += 1
            print(f"==== {number}/{ran}\n{found}\n{text}", flush=True)

    many()
    print(f"{ran} programs, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
