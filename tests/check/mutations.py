"""The check device against itself: random correct programs are silent, and with one mutation it speaks.

``python tests/check/mutations.py SEED COUNT [KIND...]`` makes COUNT mutants of each kind from the programs of
tests/differential, no program twice for a kind, and prints how many of them are found. A mutant may be a correct
program again, for example if no region uses what a section has lost. So a mutant of a map or an update in which nothing
is found counts only if the cpu device computes something else with it than with the program that it was made from.
Mutants with missing reductions and atomics and with shifted indices always count. What is missed is written to the
folder that MUTANTS names.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "differential")]

from execution import rex_build, run  # noqa: E402
from generate import FORMS, of_one_form  # noqa: E402

# What is replaced. An index is shifted only in a distributed loop over all of an array, so that it leaves the array.
MUTATIONS = {
    "section shortened": (r"(#pragma omp target[^\n]* map\([^()]*\[[\w *]* ?: ?)(\w+)\]", r"\g<1>(\2) - 1]"),
    "array shortened": (r"(#pragma omp target[^\n]* map\((?:to|from|tofrom): )(a\d)\)", r"\1\2[0:47])"),
    "map type changed": (r"(#pragma omp target[^\n]* map\()tofrom: ", r"\1to: "),
    "copy to removed": (r"(#pragma omp target[^\n]* map\()to: ", r"\1alloc: "),
    "update removed": (r"\n *#pragma omp target update [^\n]*", "\n"),
    "index shifted": (
        r"(#pragma omp target[^\n]* map\(tofrom: (a\d)\)[^\n]*\n +for \(int i = 0; i < 48; \+\+i\) *\n +\2\[i)(\] )",
        r"\g<1> + 1\3",
    ),
    "atomic removed": (r"\n *#pragma omp atomic(?! read)[^\n]*(?=\n[^{]*\n)", "\n"),
    "reduction removed": (r"(#pragma omp target[^\n]*) reduction\([^()]*\)", r"\1"),
    "barrier removed": (r"\n *#pragma omp barrier[^\n]*", "\n"),
}
ALWAYS_WRONG = ("index shifted", "atomic removed", "reduction removed")
# Forms with a place that no other thread uses at the same time, or that gcc demands to be as it is.
UNSUITED = {"atomic removed": ("exchanged", "team"), "reduction removed": ("scanned", "limits_of_types")}


def mutated(text: str, kind: str, seed: int) -> str | None:
    pattern, replacement = MUTATIONS[kind]
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    place = random.Random(seed).choice(places)
    return text[: place.start()] + place.expand(replacement) + text[place.end() :]


def verdict(text: str) -> str:
    """``silent``, ``found``, or why nothing can be said."""
    with tempfile.TemporaryDirectory() as folder:
        done = result(text, "check", Path(folder))
        if done is None:
            return "not built"
        if done[0] == 66:
            return "found"
        return "silent" if "rex-build check: 0 findings; " in done[2] else "ended early"


def result(text: str, device: str, folder: Path) -> tuple[int, str, str] | None:
    """Exit status, output and messages of a program, or None if it cannot be built."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    flags = ("-std=gnu11", "-w", "-g", "-O1", "-lm")
    built = rex_build("cc", "--device", device, "--jobs", "1", "-o", program, source, "--", *flags)
    if built.status != 0:
        return None
    done = run([program], 60, {**os.environ, "OMP_NUM_THREADS": "4", "KMP_BLOCKTIME": "0"}, folder)
    return done.status, done.stdout, done.stderr


def is_wrong(text: str, changed: str) -> bool:
    """Whether the cpu device shows that a mutant is another program."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        before, after = result(text, "cpu", Path(one)), result(changed, "cpu", Path(other))
    return before is None or after is None or before[:2] != after[:2]


def mutants(kind: str, seed: int) -> Iterator[tuple[str, str, str]]:
    """A name, a program and its mutant, from all forms in turn."""
    for number in count(seed):
        for form in sorted(set(FORMS).difference(UNSUITED.get(kind, ()))):
            text = of_one_form(number, form, 3)
            changed = mutated(text, kind, number)
            if changed is not None:
                yield f"{kind} {form} {number}".replace(" ", "_"), text, changed


def outcome(kind: str, mutant: tuple[str, str, str]) -> str:
    name, text, changed = mutant
    said = verdict(changed)
    if said == "silent" and kind not in ALWAYS_WRONG and not is_wrong(text, changed):
        said = "correct again"
    if said != "found" and "MUTANTS" in os.environ:
        (Path(os.environ["MUTANTS"]) / f"{name}.c").write_text(f"/* {said} */\n{changed}")
    return said


def main() -> None:
    seed, number = int(sys.argv[1]), int(sys.argv[2])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        correct = Counter(pool.map(verdict, [of_one_form(seed, form, 3) for form in sorted(FORMS)]))
        print(f"correct programs: {dict(correct)}", flush=True)
        for kind in sys.argv[3:] or MUTATIONS:
            seen = Counter(pool.map(partial(outcome, kind), islice(mutants(kind, seed), number)))
            wrong = seen.total() - seen["correct again"]
            print(f"{kind}: {seen['found']} of {wrong} found: {dict(seen)}", flush=True)


if __name__ == "__main__":
    main()
