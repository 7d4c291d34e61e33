"""Random programs on the cpu device, against the same programs compiled without offloading.

``REX_EXAMPLES`` sets how many for each of five seeds (4 where it is not set);
``python tests/differential/test_differential.py SEED COUNT`` runs more, outside pytest, and prints those that differ.
With ``--forms FORM...``, or ``--forms all``, there are COUNT statements of each form, ``--together`` of them in one
program. ``--no-opt NAME...`` leaves transformations of kernels out.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).resolve().parent))

from compare import difference
from generate import FORMS, of_one_form, programs

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "4"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", range(5))
def test_same_on_the_device(number: int) -> None:
    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=False,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),  # shrinking takes longer than reading a program
    )
    @given(programs())
    def same(text: str) -> None:
        found = difference(text)
        assert found is None, f"{found}\n{text}"

    same()


def of_forms(options: argparse.Namespace) -> tuple[int, int]:
    """Run programs of single forms. Returns how many statements ran, and in how many programs something differs."""
    ran = failures = 0
    for form in sorted(FORMS) if options.forms == ["all"] else options.forms:
        for number in range(0, options.count, options.together):
            statements = min(options.together, options.count - number)
            text = of_one_form(options.seed + number, form, statements)
            found = difference(text, options.no_opt)
            ran += statements
            if found is not None:
                failures += 1
                print(f"==== {form} {options.seed + number}\n{found}\n{text}", flush=True)
        print(f"{form}: {options.count} statements, {failures} programs differ so far", flush=True)
    return ran, failures


def of_everything(options: argparse.Namespace) -> tuple[int, int]:
    """Run programs of all forms. Returns how many ran, and how many differ."""
    failures = ran = 0

    @seed(options.seed)
    @settings(
        max_examples=options.count,
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
        found = difference(text, options.no_opt)
        if found is not None:
            failures += 1
            print(f"==== {options.seed}/{ran}\n{found}\n{text}", flush=True)

    many()
    return ran, failures


def main() -> int:
    parser = argparse.ArgumentParser(description="Run random programs on the cpu device.")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--forms", nargs="+", choices=(*FORMS, "all"), help="programs of these forms alone")
    parser.add_argument("--together", type=int, default=10, help="how many statements a program of one form has")
    parser.add_argument("--no-opt", nargs="+", default=(), metavar="NAME", help="transformations to leave out")
    options = parser.parse_args()
    ran, failures = of_forms(options) if options.forms else of_everything(options)
    print(f"{ran} {'statements' if options.forms else 'programs'}, {failures} programs differ")
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
