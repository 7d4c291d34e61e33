"""No name of a user's program changes what generated code does.

Programs of tests/programs get names that generated code has, for their variables, functions and types or as macros, and
declare variables of clauses again inside of bodies. They are to do on the device, and as host versions, what they do
without offloading, or to be refused by the name, with its place.

``REX_EXAMPLES`` sets how many programs, which their names draw (8 where it is not set);
``python tests/hygiene/test_hygiene.py [--jobs N] [--rounds N] [--kinds KIND...] -- [NAME...]`` goes through all names
with every program, or with those whose names contain one of the NAMEs, and prints failures with the names they take.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rename
from execution import Program, find_programs, lot, rex_build, verify

pytestmark = pytest.mark.compile

KINDS = ("names", "macros", "bodies")
PROGRAMS = [program for program in find_programs() if program.device in (None, "cpu")]
EXAMPLES = int(os.environ.get("REX_EXAMPLES", "8"))


class NotAProgramError(Exception):
    """The variant is not C, or does not run: it has a name of the C library's for something else, say."""


@dataclass(frozen=True)
class Variant:
    """What a program is changed in: names that it gets for its own, names that are macros, and variables that bodies
    declare again, as (number of the text, place in it, name)."""

    names: tuple[tuple[str, str], ...] = ()
    macros: tuple[str, ...] = ()
    bodies: tuple[tuple[int, int, str], ...] = ()

    def __len__(self) -> int:
        return len(self.names) + len(self.macros) + len(self.bodies)

    def part(self, first: int, last: int) -> Variant:
        """The changes with these numbers, as Python slices have them."""
        wanted = range(len(self))[first:last]
        kinds = [[], [], []]  # type: list[list[object]]
        for number, (kind, change) in enumerate((k, c) for k, changes in enumerate(self._kinds()) for c in changes):
            if number in wanted:
                kinds[kind].append(change)
        return Variant(*map(tuple, kinds))  # type: ignore[arg-type]

    def _kinds(self) -> tuple[Sequence[object], ...]:
        return self.names, self.macros, self.bodies

    def without_names(self, taken: Collection[str]) -> Variant:
        """The changes that have nothing to do with these new names."""
        names = tuple((own, new) for own, new in self.names if new not in taken)
        return replace(self, names=names, macros=tuple(name for name in self.macros if name not in taken))

    def without(self, other: Variant) -> Variant:
        kinds = zip(self._kinds(), other._kinds(), strict=True)
        return Variant(*(tuple(c for c in mine if c not in others) for mine, others in kinds))  # type: ignore[arg-type]

    def new_names(self) -> set[str]:
        return {new for _, new in self.names} | set(self.macros)

    def __str__(self) -> str:
        changes = [f"{own} is named {new}" for own, new in self.names]
        changes += [f"{name} is a macro" for name in self.macros]
        changes += [f"{name} is declared again at {place}" for _, place, name in self.bodies]
        return ", ".join(changes)


class Case:
    """A program with everything that its variants are made of; ``folder`` is its own."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.folder = folder
        quoted = dict.fromkeys(f"-iquote{source.parent}" for source in program.sources)
        self.program = replace(program, cflags=(*program.cflags, *quoted))
        self.texts = [source.read_text() for source in program.sources]
        vocabulary = rename.Vocabulary(program.sources, self.program.cflags, program.reference)
        self.own = vocabulary.own
        made = rename.generated_names(self._lowered(), vocabulary.known)
        more = sorted(rename.header_names("*") - vocabulary.known - set(made))
        random.Random(program.name).shuffle(made)
        random.Random(program.name).shuffle(more)
        self.names = [*made, *more]

    def _lowered(self) -> list[str]:
        texts = []
        for source in self.program.sources:
            out = self.folder / "original" / source.stem
            done = rex_build("lower", source, "--out-dir", out, "--", *self.program.cflags)
            assert done.status == 0, done.describe("rex-build lower")
            texts += [path.read_text(errors="replace") for path in (*out.glob("rose_*"), *out.glob("rex_lib_*"))]
        return texts

    def rounds(self) -> int:
        """How many variants it takes until each name has had its turn."""
        return 2 * -(-len(self.names) // max(1, len(self.own) // 2))

    def variant(self, number: int, kinds: Collection[str] = KINDS) -> Variant:
        """One of many. Every other name of the program gets a new one, so that generated names that are made from the
        program's stay; what is left of the new names become macros; every body declares one variable again."""
        chosen = self.own[number % 2 :: 2] or self.own
        first = number // 2 * len(chosen)
        new = [self.names[(first + at) % len(self.names)] for at in range(min(len(chosen), len(self.names)))]
        names = tuple(zip(chosen, new, strict=False)) if "names" in kinds else ()
        macros: tuple[str, ...] = ()
        if "macros" in kinds:  # those of the host file's header are refused one by one: test_names_of_the_header
            macros = tuple(n for n in self.names if n not in new[: len(names)] and n not in rename.host_header_names())
        return Variant(names, macros, self._redeclarations(number) if "bodies" in kinds else ())

    def _redeclarations(self, number: int) -> tuple[tuple[int, int, str], ...]:
        chosen = [
            (at, place, names[number % len(names)])
            for at, text in enumerate(self.texts)
            for place, names in rename.places_for_redeclarations(text)
        ]
        return tuple(_accepted(chosen, lambda some: self._is_c(Variant(bodies=tuple(some)))))

    def _is_c(self, variant: Variant) -> bool:
        files = self._written(variant, "syntax")
        command = ["gcc", *self.program.cflags, *self.program.reference, "-w", "-fsyntax-only"]
        return all(subprocess.run([*command, file], capture_output=True).returncode == 0 for file in files)

    def _written(self, variant: Variant, folder: str) -> tuple[Path, ...]:
        files = []
        for number, (source, text) in enumerate(zip(self.program.sources, self.texts, strict=True)):
            again = [(place, name) for which, place, name in variant.bodies if which == number]
            changed = rename.renamed(rename.redeclared(text, again), dict(variant.names))
            files.append(self.folder / folder / source.name)
            files[-1].parent.mkdir(parents=True, exist_ok=True)
            files[-1].write_text(rename.with_macros(changed, variant.macros))
        return tuple(files)

    def problem(self, variant: Variant) -> str | None:
        """What a variant does wrong, None when nothing. Names by which it is refused are left out of it."""
        while True:
            shutil.rmtree(self.folder / "variant", ignore_errors=True)
            program = replace(self.program, sources=self._written(variant, "variant"))
            found = verify(program, self.folder / "variant", "cpu")
            if found and found.startswith(("building the reference", "the reference")):
                raise NotAProgramError(found)
            taken = refused(found, variant.new_names()) if found else set()
            if not taken:
                return found
            variant = variant.without_names(taken)

    def failures(self, variant: Variant, most: int = 5) -> list[str]:
        """What is wrong with a variant, with the changes that it takes; then with what is left without these."""
        found: list[str] = []
        while len(found) < most and self.problem(variant) is not None:
            needed = self.smallest(variant)
            found.append(f"==== {self.program.name}: {needed}\n{self.problem(needed)}")
            print(found[-1], flush=True)
            variant = variant.without(needed)
        return found

    def smallest(self, variant: Variant) -> Variant:
        """The fewest changes that bisecting finds to fail as well."""
        size = len(variant)
        while size > 1:
            size = -(-size // 2)
            for first in range(0, len(variant), size):
                part = variant.part(first, first + size)
                if len(part) < len(variant) and self._fails(part):
                    variant = part
                    break
        return variant

    def _fails(self, variant: Variant) -> bool:
        try:
            return self.problem(variant) is not None
        except NotAProgramError:
            return False


def _accepted(
    items: list[tuple[int, int, str]], accepts: Callable[[list[tuple[int, int, str]]], bool]
) -> list[tuple[int, int, str]]:
    """Those of the items that are accepted, alone or with others."""
    if not items or accepts(items):
        return items
    half = len(items) // 2
    return _accepted(items[:half], accepts) + _accepted(items[half:], accepts) if half else []


def refused(problem: str, names: Collection[str]) -> set[str]:
    """The names by which rex-build refuses a program, at their places; empty where it does anything else."""
    if not problem.startswith("rex-build cc ended with status 1\n"):
        return set()
    messages = re.findall(r"^\S+:\d+:\d+: error: (.*)$", problem, re.MULTILINE)
    return {name for message in messages for name in re.findall(r"'(\w+)'", message) if name in names}


SAMPLE = sorted(PROGRAMS, key=lot)[:EXAMPLES]


@pytest.mark.parametrize("program", SAMPLE, ids=[program.name for program in SAMPLE])
def test_names_change_nothing(program: Program, tmp_path: Path) -> None:
    case = Case(program, tmp_path)
    for attempt in range(4):
        variant = case.variant(lot(program) + attempt)
        try:
            problem = case.problem(variant)
        except NotAProgramError:
            continue
        if problem:
            pytest.fail(f"{case.smallest(variant)}\n{problem}", pytrace=False)
        return
    pytest.fail("no variant is a program")


def all_variants(program: Program, kinds: Sequence[str], rounds: int | None) -> list[str]:
    """The kinds of variants of one program, each alone; returns what is wrong."""
    failures = []
    with tempfile.TemporaryDirectory(prefix="rex-hygiene-") as folder:
        case = Case(program, Path(folder))
        for kind in kinds:
            count = {"names": case.rounds(), "macros": 1, "bodies": 3}[kind]
            for number in range(min(count, rounds or count)):
                try:
                    failures += case.failures(case.variant(number, (kind,)))
                except NotAProgramError as error:
                    print(f"---- {program.name}, {kind} {number}: no program\n{str(error)[:400]}", flush=True)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description="Give the test programs names that generated code has.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only programs whose name contains one of these")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, help="so many variants of each kind (default: until all names were used)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="what to change (default: all three)")
    options = parser.parse_args()
    chosen = [p for p in PROGRAMS if not options.names or any(name in p.name for name in options.names)]
    with ThreadPoolExecutor(options.jobs) as pool:
        failures = [
            f for some in pool.map(lambda p: all_variants(p, options.kinds, options.rounds), chosen) for f in some
        ]
    print(f"{len(chosen)} programs, {len(failures)} failures")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
