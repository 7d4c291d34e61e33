"""What :mod:`..optimise.in_order` asks about the host code of a C++ unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan
from ..c.source.tokens import has_word, is_behind_pragma, statement_end, word_before
from ..openmp.restrictions import shares_memory
from ..optimise import in_order
from ..tree import nodes as tree
from ..tree.symbols import Function
from .functions import Function as Definition
from .libclang import is_users
from .optimise import span_of
from .reading import clang
from .reading.reader import computes, reader_of
from .regions import Decided
from .text_constructs import Construct
from .unit import Unit

_WEAK = ("weak", "ifunc", "alias")
_CASTS = frozenset(("std::move", "std::forward", "std::move_if_noexcept", "std::as_const", "std::addressof"))


def launched_in_order(unit: Unit, decided: Sequence[Decided]) -> in_order.InOrder:
    """Find the runs of a unit."""
    code = _Code(unit)
    host = in_order.Host(code.reader.body, code.runs, _computes, code.callers, code.extent)
    placed = [
        in_order.Placed(one.region, one.chain[0], code.instances(one.function), one.check_memory, code.span)
        for one in decided
    ]
    shared = shares_memory(unit.requirements)
    return in_order.launched_in_order(host, placed, unit.no_opt, shared)


def _computes(function: Function) -> bool:
    if function.name in _CASTS:  # of which libclang has no body; std::move of three iterators is another function
        return len(getattr(function.type, "parameters", None) or ()) == 1
    return computes(function)


class _Code:
    """The functions and the text of a unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.reader = reader_of(unit)
        self.only_own = any(unit.text.find(word, *own) >= 0 for own in unit.pre.own_parts for word in _WEAK)
        self._callees: dict[int, frozenset[int]] = {}  # by a function's start

    def span(self, node: Any) -> SourceSpan | None:
        return span_of(self.unit, node)

    def instances(self, definition: Definition) -> tuple[Function, ...]:
        """A function, or the instantiations of a template."""
        return tuple(map(self.reader.function, self.reader.definitions(definition)))

    def runs(self, function: Function) -> in_order.Body:
        """Units share inline functions and instantiations, but nobody else has those that stand in the file itself."""
        cursor = self.reader.symbols.cursors[function]
        definition = self.unit.defined(cursor)
        if cursor.linkage.name != "EXTERNAL":
            return "own"
        if definition is None:
            return "same" if clang.is_inline(cursor) else "any"
        if definition.is_template or clang.is_inline(definition.cursor):
            return "own" if self.unit.span(definition.start).file == self.unit.pre.main_file else "same"
        return "any" if self.only_own else "program"

    def callers(self, function: Function) -> Iterator[tuple[Function, ...]]:
        """Calls in templates are seen in their instantiations. Only texts with the function's name are read, if calls
        have it: most do, and what a range-based 'for' calls is no run."""
        target = self.reader.symbols.cursors[function]
        name = target.spelling if target.kind.name in ("FUNCTION_DECL", "CXX_METHOD") else ""
        name = name if name.isidentifier() else ""  # not of operators
        for definition in self.unit.functions:
            may_call = not name or has_word(self.unit.text[definition.start : definition.end], name)
            if may_call and target.canonical.hash in self._called(definition):
                yield self.instances(definition)

    def _called(self, definition: Definition) -> frozenset[int]:
        """The functions that a function calls, by hash."""
        if (found := self._callees.get(definition.start)) is None:
            if definition.is_template:
                bodies = filter(None, map(self.reader.body, self.instances(definition)))
                calls = (call.callee for body in bodies for call in tree.parts(body.statement, tree.Call))
                called = [c.function for c in calls if isinstance(c, tree.FunctionAddress)]
                found = frozenset(self.reader.symbols.cursors[one].canonical.hash for one in called)
            else:
                found = frozenset(called.canonical.hash for _, called in definition.mentions.calls)
            self._callees[definition.start] = found
        return found

    def extent(self, statement: tree.Node) -> tuple[int, int] | None:
        node = statement.origin
        if isinstance(node, Construct):
            return node.start, node.end
        if node is None or not is_users(node):
            return None
        text, start = self.unit.text, self.unit.extent(node)[0]
        end, word = word_before(text, start)
        is_part = not word and text[end - 1 : end] not in (";", "{", "}", ":", ")")  # of a fold expression
        return None if is_part or is_behind_pragma(text, start) else (start, statement_end(text, start))
