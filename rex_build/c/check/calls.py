"""Calls of functions that the unit does not define: what they may do with what they can reach."""

from __future__ import annotations

from dataclasses import replace

from ..sema import Symbol
from ..sema.ctype import Pointer, strip
from .host_uses import read, while_pending
from .memory import Touch, text_of
from .objects import State
from .position import Position, name_of
from .uses import Lent


def library(at: Position, event: Lent, symbol: Symbol, state: State) -> None:
    """A function of the system: it touches what its arguments lead to, and nothing else of the program's."""
    name = event.name or ""
    kinds = getattr(strip(symbol.type), "params", ())
    for number, root in enumerate(event.arguments):
        found = state.at(root)
        if found is None or name == "free":
            continue
        kind = kinds[number] if number < len(kinds) else None
        constant = isinstance(kind, Pointer) and "const" in kind.to.quals
        reads = constant or name in ("printf", "fprintf", "fwrite")
        if name.startswith(("omp_", "acc_", "cuda")):
            state.forget(found.key)
            continue
        memory = state.of(found.key)
        argument = event.node.args.exprs[number]
        touch = Touch(at.unit.parsed.span_of(event.node), text_of(argument), found.members, None, False)
        if memory.pending:
            while_pending(at, memory, touch, not reads, name_of(found.key, root))
        if reads:
            read(at, memory, touch, name_of(found.key, root))
        else:
            state.forget_contents(found.key)


def foreign(event: Lent, state: State) -> None:
    """A function of another unit may do anything with what it can reach."""
    reached = [found.key for root in event.arguments if (found := state.at(root)) is not None]
    for key in [*state.memory]:
        symbol = key[0]
        shared = isinstance(symbol, Symbol) and (symbol.is_global or key[1])
        if shared or state.memory[key].escaped or key in reached:
            state.forget(key)
        else:
            state.memory[key] = replace(state.memory[key], pending=())
    for key in reached:
        state.forget(key)
        state.memory[key] = replace(state.memory[key], escaped=True)
    for key in state.leads:
        if isinstance(key[0], Symbol) and key[0].is_global and not key[0].is_static:
            state.leads[key] = None
