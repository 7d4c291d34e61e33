"""The check device against itself: random correct programs are silent, and with one mutation it speaks.

``python tests/check/mutations.py SEED COUNT [FORM...]`` makes COUNT programs of each form of tests/differential. For
each kind of mutation it prints in how many of the programs that have a place for it something was found. A mutation may
leave a program correct, for example if no region uses what a section has lost, so not all can be found.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "differential")]

from execution import rex_build, run  # noqa: E402
from generate import FORMS, of_one_form  # noqa: E402

# What is replaced, on lines with a pragma for devices, or anywhere if the pattern begins with a newline.
MUTATIONS = {
    "section shortened": (r"(map\([^()]*\[\w* ?: ?)(\w+)\]", r"\g<1>(\2) - 1]"),
    "map type changed": (r"map\(tofrom: ", "map(to: "),
    "copy to removed": (r"map\(to: ", "map(alloc: "),
    "update removed": (r"\n *#pragma omp target update [^\n]*", "\n"),
    "index shifted": (r"(\n +\w+\[)(\w+)(\] [-+|^&]?= )", r"\g<1>\2 + 1\3"),
    "atomic removed": (r"\n *#pragma omp atomic[^\n]*", "\n"),
    "reduction removed": (r"(#pragma omp target[^\n]*) reduction\([^()]*\)", r"\1"),
}


def mutated(text: str, kind: str, seed: int) -> str | None:
    pattern, replacement = MUTATIONS[kind]
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    place = random.Random(seed).choice(places)
    return text[: place.start()] + place.expand(replacement) + text[place.end() :]


def verdict(text: str) -> str:
    """``silent``, ``found``, or why nothing can be said."""
    with tempfile.TemporaryDirectory() as name:
        source, program = Path(name) / "program.c", Path(name) / "program"
        source.write_text(text)
        flags = ("-std=gnu11", "-w", "-g", "-O1", "-lm")
        built = rex_build("cc", "--device", "check", "--jobs", "1", "-o", program, source, "--", *flags)
        if built.status != 0:
            return "not built"
        done = run([program], 60, {**os.environ, "OMP_NUM_THREADS": "4", "KMP_BLOCKTIME": "0"}, Path(name))
        if done.status == 66:
            return "found"
        return "silent" if "rex-build check: 0 findings; " in done.stderr else "ended early"


def main() -> None:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    seen: Counter[tuple[str, str]] = Counter()
    for form in sys.argv[3:] or sorted(FORMS):
        for number in range(seed, seed + count):
            text = of_one_form(number, form, 3)
            correct = verdict(text)
            seen["correct", correct] += 1
            if correct != "silent":
                print(f"{form} {number}: {correct}", flush=True)
                continue
            for kind in MUTATIONS:
                changed = mutated(text, kind, number)
                if changed is not None:
                    seen[kind, verdict(changed)] += 1
    for kind in ("correct", *MUTATIONS):
        print(kind + ": " + ", ".join(f"{seen[key]} {key[1]}" for key in sorted(seen) if key[0] == kind))


if __name__ == "__main__":
    main()
