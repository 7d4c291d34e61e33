"""Finds the scalars of a function that no thread but its own can reach.

Threads that map the same variable at the same time share its place on the device. So a region may have another place
for a variable only if no other thread can know the variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ....base.patterns import regex
from ....directives.contents import directive_expressions
from ...sema import Sema, StorageClass, Symbol, assignments, walk
from ...sema.type_questions import is_arithmetic
from ...source.tokens import statement_end
from ...syntax.nodes import OmpConstruct, ParsedUnit

_WORDS = regex(r"\w+")
_ASSEMBLY = frozenset(("asm", "__asm", "__asm__"))


class OwnScalars:
    """What a function's own scalars are. Raises nothing.

    A scalar is the function's own if it is automatic, its address is not taken, and no construct mentions it that
    other threads may run, or that may run later: anything but ``target`` constructs without ``nowait`` and ``depend``.
    """

    def __init__(self, unit: ParsedUnit, sema: Sema, function: c_ast.FuncDef) -> None:
        self.shared: set[Symbol] = set(assignments(sema, function.body).address_taken)
        self.mentioned: set[str] = set()
        for construct in _constructs(function.body):
            for expression in directive_expressions(construct.directive):
                self.shared |= _addressed(sema, expression.node)
            if not _is_waited_for(construct):
                text = unit.pre.text[construct.start : statement_end(unit.pre.text, construct.start)]
                self.mentioned.update(_WORDS.findall(text))
        start = unit.offset_of(function.body)
        words = _WORDS.findall(unit.pre.text[start : statement_end(unit.pre.text, start)])
        self.has_assembly = not _ASSEMBLY.isdisjoint(words)

    def __contains__(self, symbol: object) -> bool:
        return (
            isinstance(symbol, Symbol)
            and symbol.is_variable
            and not symbol.is_global
            and symbol.storage is StorageClass.AUTO
            and is_arithmetic(symbol.type)
            and symbol not in self.shared
            and symbol.name not in self.mentioned
            and not self.has_assembly
        )


def _constructs(node: c_ast.Node) -> Iterator[OmpConstruct]:
    """The constructs in a statement, without those that are inside of others but data constructs."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, OmpConstruct):
            yield part
            if part.directive.name != "target data":
                continue
        stack.extend(part)


def _is_waited_for(construct: OmpConstruct) -> bool:
    directive = construct.directive
    return directive.name.startswith("target") and not any(c.name in ("nowait", "depend") for c in directive.clauses)


def _addressed(sema: Sema, node: c_ast.Node) -> set[Symbol]:
    operands = (n.expr for n in walk(node) if isinstance(n, c_ast.UnaryOp) and n.op == "&")
    return {s for n in operands if isinstance(n, c_ast.ID) and (s := sema.symbols.get(n)) is not None}
