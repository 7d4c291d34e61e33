"""Checks where control leaves, or enters, the statements of constructs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from ..base.diagnostics import Diagnostic, InputError, SourceSpan, error_at
from ..base.records import dataclass

_RULE = "OpenMP 5.2, section 1.2.2: a structured block has one exit, at its end"
_JUMPS = ("return", "break", "continue", "throw")

N = TypeVar("N")


@dataclass(frozen=True)
class Jump:
    """A statement that goes elsewhere: where it stands, and the stretch that it stays in."""

    word: str
    what: str
    place: tuple[int, int]
    stays_in: tuple[int, int]


@dataclass(frozen=True)
class Block:
    """What control may not leave: the statement of a construct, or, from ``start``, the body of its innermost ``loop``,
    whose next iteration it may begin."""

    construct: str
    start: int
    loop: int
    end: int


class Statements(Protocol[N]):
    """The statements of a function, in the order of its text.

    The ``word`` of a statement is its keyword, or ``label``, ``computed`` for a computed ``goto``, ``loop`` and
    ``function``; of others it is empty. The ``label`` is that which a statement is or goes to.
    """

    def word(self, node: N) -> str: ...

    def label(self, node: N) -> str: ...

    def extent(self, node: N) -> tuple[int, int]: ...

    def parts(self, node: N) -> Sequence[N]: ...


def jumps_of(function: N, code: Statements[N]) -> Iterator[Jump]:
    """All statements of a function that go elsewhere."""
    labels: dict[str, int] = {}
    gotos: list[tuple[tuple[int, int], str]] = []
    whole = code.extent(function)
    # What a statement may go out of: by return, break, continue and throw.
    stack = [(function, dict.fromkeys(_JUMPS, whole))]
    while stack:
        node, around = stack.pop()
        word, parts = code.word(node), code.parts(node)
        if word in _JUMPS:
            yield Jump(word, f"'{word}'", code.extent(node), around[word])
        elif word == "label":
            labels[code.label(node)] = code.extent(node)[0]
        elif word == "goto":
            gotos.append((code.extent(node), code.label(node)))
        elif word == "computed":
            yield Jump("goto", "a computed 'goto'", code.extent(node), whole)
        elif word == "function" and node != function:
            around = dict.fromkeys(_JUMPS, code.extent(node))
        elif word in ("loop", "switch"):
            ends = ("break", "continue") if word == "loop" else ("break",)
            around = {**around, **dict.fromkeys(ends, code.extent(node))}
        elif word == "try":
            stack.append((parts[0], {**around, "throw": code.extent(parts[0])}))
            parts = parts[1:]
        stack += [(part, around) for part in parts]
    for place, name in gotos:
        start = labels.get(name, place[0])
        yield Jump("goto", f"'goto {name}'", place, (start, start + 1))


def check_jumps(jumps: Iterable[Jump], blocks: Sequence[Block], span: Callable[[int], SourceSpan | None]) -> None:
    """Raise InputError where control can leave a block before its end, or come in by ``goto``.

    The blocks stand in the order of the text. What is said of a jump names the innermost one.
    """
    errors: list[Diagnostic] = []
    for jump in jumps:
        crossed: dict[bool, str] = {}  # the innermost construct that it leaves, and that which it enters
        for block in blocks:
            if jump.word == "throw" and block.construct != "target data":
                continue  # the host compiler sees the construct, and device code throws nothing
            start = block.loop if jump.word == "continue" else block.start
            inside, stays = (start <= low and high <= block.end for low, high in (jump.place, jump.stays_in))
            if inside != stays and (inside or jump.word == "goto"):
                crossed[inside] = block.construct
        if crossed:
            how, construct = ("leaves", crossed[True]) if True in crossed else ("leads into", crossed[False])
            what = f"{jump.what} {how} the '{construct}' region"
            errors += error_at(span(jump.place[0]), what, _RULE).diagnostics
    if errors:
        raise InputError(errors)
