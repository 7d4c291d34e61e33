"""What code asks of OpenMP: which thread or team runs it, what the host knows, and settings."""

from __future__ import annotations

from ..base.patterns import regex
from ..c.source.tokens import outside_literals, words_in
from ..openmp.queries import Asked
from .functions import Function
from .unit import Unit

CALL = regex(r"\b\w+\s*\(")
_DIRECTIVE = regex(r"#[ \t]*pragma\b|\b_Pragma\b")
_QUERY = outside_literals(r"\bomp_\w+(?=\s*\()")


def asked_by(unit: Unit, text: str) -> Asked:
    """What a piece of device code asks of OpenMP."""
    called = [unit.text[f.body : f.end] for f in reached_by(unit, text)]
    functions = (m["found"] for one in (text, *called) for m in _QUERY.finditer(one) if m["found"] is not None)
    constructs = any(_DIRECTIVE.search(one) is not None for one in called)
    # Functions of other units may ask for anything.
    return Asked(frozenset(functions), constructs, bool(unit.elsewhere) and CALL.search(text) is not None)


def reached_by(unit: Unit, text: str) -> list[Function]:
    """The functions that a piece of device code reaches, or perhaps reaches, as they are named there."""
    found: dict[int, Function] = {}
    queue = [text]
    while queue:
        words = words_in(queue.pop())
        for function in unit.reached:
            name = function.name.removeprefix("~").partition("<")[0]
            if function.start not in found and (name in words or name.startswith("operator")):
                found[function.start] = function
                queue.append(unit.text[function.body : function.end])
    return list(found.values())
