"""What a program does differently on a device than where gcc compiled it without offloading."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "check")]

from execution import (
    IN_ANY_ORDER,
    Program,
    build_offloaded,
    build_reference,
    run,
    run_offloaded,
    run_reference,
    unlike_in_order,
)
from sweep import claims_in

from rex_build.request import TRANSFORMATIONS


def difference(
    text: str,
    no_opt: Sequence[str] = (),
    device: str = "cpu",
    keep: Path | None = None,
    suffix: str = ".c",
    image: str = "",
) -> str | None:
    """What a program does differently on the device, in any order of its threads, None when nothing. ``keep`` gets what
    was generated. The cpu device's ``image`` has more options of g++."""
    with tempfile.TemporaryDirectory(prefix="rex-differential-") as name:
        folder = Path(name)
        source = folder / f"program{suffix}"
        source.write_text(text)
        flags, reference = (
            ("-std=gnu11" if suffix == ".c" else "-std=gnu++17", "-w"),
            ("-fopenmp", "-foffload=disable", "-DREFERENCE"),
        )
        program = Program("program", (source,), flags, reference, guarded=False)
        plain = build_reference(program, folder / "reference")
        assert plain.status == 0, plain.describe("the reference's compilation")
        expected = run_reference(folder / "reference")
        assert expected.status == 0, expected.describe("the reference")
        options = [word for name in no_opt for word in ("--no-opt", name)]
        compiled = f"{IN_ANY_ORDER} {image}" if device == "cpu" else None
        built = build_offloaded(program, folder / "offloaded", device, keep=keep, more=options, image=compiled)
        if built.status != 0:
            return built.describe("rex-build cc")
        if compiled and (unlike := unlike_in_order(folder / "offloaded", folder, expected)):
            return unlike
        runs = (("the lowered program", "MANDATORY"), ("the host version", "DISABLED"))
        for what, policy in runs[1:] if compiled else runs:
            actual = run_offloaded(folder / "offloaded", folder, policy)
            if (actual.status, actual.stdout) != (expected.status, expected.stdout):
                return f"{actual.describe(what)}\n--- expected:\n{expected.stdout}"
    return None


def false_claim(text: str, suffix: str = ".c") -> tuple[str | None, Counter[str]]:
    """(what is wrong with a program whose claims the check device verifies, how many claims of each kind it has)"""
    with tempfile.TemporaryDirectory(prefix="rex-claims-") as name:
        folder = Path(name)
        source = folder / f"program{suffix}"
        source.write_text(text)
        reference = ("-fopenmp", "-foffload=disable", "-DREFERENCE")
        standard = "-std=gnu11" if suffix == ".c" else "-std=gnu++17"
        program = Program("program", (source,), (standard, "-w", "-g"), reference, guarded=False)
        plain = build_reference(program, folder / "reference")
        assert plain.status == 0, plain.describe("the reference's compilation")
        expected = run_reference(folder / "reference")
        built = build_offloaded(program, folder / "checked", "check", more=["--claims"])
        if built.status != 0:
            return built.describe("rex-build cc --claims"), Counter()
        done = run([folder / "checked"], 600, {**os.environ, "OMP_NUM_THREADS": "4", "KMP_BLOCKTIME": "0"})
        wrong = "[false-claim]" in done.stderr or done.stdout != expected.stdout
        return done.describe("the checked program") if wrong else None, claims_in(done.stderr)


def unlike_unoptimised(text: str, folder: Path, device: str) -> str | None:
    """What a program prints on the device and what it prints if all transformations are left out, None if these are the
    same."""
    source = folder / "program.c"
    source.write_text(text)
    program = Program("program", (source,), ("-std=gnu11", "-w"), (), guarded=False)
    printed: list[str] = []
    image = IN_ANY_ORDER if device == "cpu" else None
    for name, left_out in (("optimised", ()), ("plain", TRANSFORMATIONS)):
        options = [word for one in left_out for word in ("--no-opt", one)]
        built = build_offloaded(program, folder / name, device, more=options, image=image)
        if built.status != 0:
            return built.describe(f"rex-build cc, {name}")
        ran = run_offloaded(folder / name, folder, "MANDATORY")
        if ran.status != 0:
            return ran.describe(f"the {name} program")
        printed.append(ran.stdout)
    one, other = printed
    return None if one == other else f"{one}--- without transformations:\n{other}"
