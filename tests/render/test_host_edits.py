"""Parts of the host file: nested as they are meant, whatever begins or ends in one place."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from rex_build.base.diagnostics import InternalError
from rex_build.render.host_edits import Part, nested_edits
from rex_build.render.host_text import Edit, Original


def applied(text: str, edits: Sequence[Edit], start: int, end: int) -> str:
    """What ``edits`` make of a stretch of ``text``; they are in order and do not overlap."""
    out, at = "", start
    for edit in edits:
        assert at <= edit.start <= edit.end <= end
        out += text[at : edit.start]
        for piece in edit.pieces:
            if isinstance(piece, Original):
                out += applied(text, piece.edits, piece.start, piece.end)
            else:
                out += piece
        at = edit.end
    return out + text[at:end]


class Nest:
    """Random parts that nest, the text they stand in, and what is to become of it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = (f"{number}" for number in itertools.count())
        self.letters = itertools.cycle("abcdefghijklmnopqrstuvwxyz")
        self.text, self.parts = "", list[Part]()

    def below(self, depth: int) -> str:
        """Add what stands in one part. Some of it is only other parts, which then end where it ends."""
        out = ""
        for _ in range(self.random.randrange(3 if depth else 1)):
            if self.random.random() < 0.5:
                out += self.letter()
            out += self.part(depth - 1)
        return out + (self.letter() if self.random.random() < 0.3 or not out else "")

    def letter(self) -> str:
        self.text += next(self.letters)
        return self.text[-1]

    def part(self, depth: int) -> str:
        name, start, whole = next(self.names), len(self.text), self.random.random() < 0.3
        if not whole:
            self.text += "#" * self.random.randint(1, 3)  # a directive, in whose place something stands
            if self.random.random() < 0.2:  # what lies in it goes with it
                self.parts.append(Part(start, start + 1, start + 1, ("never",)))
        at = len(self.parts)
        head, inner = len(self.text), self.below(depth)
        after = (f">{name} ",) if self.random.random() < 0.7 else ()
        self.parts.insert(at, Part(start, head, len(self.text), (f"{name}<",), after, whole))
        return f"{name}<{inner}{''.join(after)}"


@pytest.mark.parametrize("seed", range(300))
def test_random_nests(seed: int) -> None:
    nest = Nest(seed)
    expected = nest.below(5)
    edits = nested_edits(nest.parts)
    assert applied(nest.text, edits, 0, len(nest.text)) == expected


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_parts_matters_only_where_they_are_equal(seed: int) -> None:
    nest = Nest(seed)
    expected = nest.below(4)
    stretches = [(part.start, part.end) for part in nest.parts]
    if len(set(stretches)) == len(stretches):
        random.Random(seed).shuffle(nest.parts)
        assert applied(nest.text, nested_edits(nest.parts), 0, len(nest.text)) == expected


CROSSING = [
    (Part(2, 4, 8), Part(6, 7, 10)),
    (Part(0, 0, 6, kept_whole=True), Part(3, 4, 9)),
    (Part(0, 4, 9), Part(2, 3, 6)),
]


@pytest.mark.parametrize("parts", CROSSING)
def test_parts_that_cross_are_refused(parts: tuple[Part, Part]) -> None:
    with pytest.raises(InternalError):
        nested_edits(parts)


def test_what_goes_in_stands_before_what_begins_there() -> None:
    parts = [Part(3, 4, 4, ("call",)), Part(3, 3, 3, ("(",)), Part(10, 10, 10, (")",))]
    assert applied("f, g(x, y), z", nested_edits(parts), 0, 13) == "f, (call(x, y)), z"
