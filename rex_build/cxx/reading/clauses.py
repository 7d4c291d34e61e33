"""The expressions in clauses as trees. libclang does not read them, so they are read here, from their text.

Names are resolved as in the rest of the program, in the instantiation that is read. What is more than arithmetic on
variables, members and elements is Opaque, and mentions the variables that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from ...base.patterns import regex
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError, converted, operation, taken_as
from ...tree.types import BOOL, INT, SIZE, Integer, Pointer, Record, promoted
from .expressions import ExpressionReader
from .symbols import PLACES, Read

_TOKEN = regex(r"[^\W\d]\w*|\d[\w.]*|'\\?.[^']*'?|<<|>>|<=|>=|==|!=|&&|\|\||->|::|\S")
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"),
           ("*", "/", "%"))  # fmt: skip
_NUMBERS: Mapping[str, types.Type] = {
    "int": INT, "unsigned": Integer(32, False, 4), "long": Integer(64, True, 8), "long long": Integer(64, True, 8),
    "unsigned int": Integer(32, False, 4), "unsigned long": SIZE, "size_t": SIZE, "std :: size_t": SIZE,
    "float": types.Floating(24, 4), "double": types.Floating(53, 8),
}  # fmt: skip
_OF_TRUTH = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "||"))


class ClauseParser:
    """Reads one expression. ``named`` says which variable a name means, and ``this`` what ``*this`` is there.

    The ``constants`` are a template's parameters that are values.
    """

    def __init__(
        self, text: str, named: Callable[[str], tree.Place | None], this: Callable[[], tree.Place],
        reader: ExpressionReader, constants: Mapping[str, tree.Constant] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._tokens = _TOKEN.findall(text)
        self._at = 0
        self._named, self._this, self._reader, self._constants = named, this, reader, constants

    def whole(self) -> tree.Expression:
        """The value of the expression."""
        found = self._reader.loaded(self._conditional())
        if self._at < len(self._tokens):
            raise NotReadError("an expression in a clause that is not understood")
        return found

    def names(self) -> list[str]:
        return [word for word in self._tokens if word[0].isalpha() or word[0] == "_"]

    # ---- tokens ----

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        word = self._next()
        if not word or (wanted and word != wanted):
            raise NotReadError("an expression in a clause that is not understood")
        self._at += 1
        return word

    # ---- operators ----

    def _conditional(self) -> Read:
        found = self._binary(0)
        if self._next() != "?":
            return found
        self._take()
        then = self._reader.loaded(self._conditional())
        self._take(":")
        otherwise = self._reader.loaded(self._conditional())
        kind, _ = taken_as("==", then.type, otherwise.type)
        return tree.Conditional(kind, self._reader.loaded(found), converted(then, kind), converted(otherwise, kind))

    def _binary(self, level: int) -> Read:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._next() in _LEVELS[level]:
            operator = self._take()
            right = self._reader.loaded(self._binary(level + 1))
            left = self._operation(operator, self._reader.loaded(left), right)
        return left

    def _operation(self, operator: str, left: tree.Expression, right: tree.Expression) -> tree.Expression:
        pointers = [one.type for one in (left, right) if isinstance(one.type, Pointer)]
        if len(pointers) == 2 and operator not in _OF_TRUTH:
            raise NotReadError("arithmetic on pointers")
        return operation(BOOL if operator in _OF_TRUTH else pointers[0] if pointers else INT, operator, left, right)

    def _unary(self) -> Read:
        operator = self._next()
        if operator == "*":
            self._take()
            pointer = self._reader.loaded(self._unary())
            if not isinstance(pointer.type, Pointer):
                raise NotReadError("an operator of a class")
            return tree.Pointee(pointer.type.to, pointer)
        if operator == "&":
            self._take()
            place = self._unary()
            if not isinstance(place, PLACES):
                raise NotReadError("the address of a value")
            return tree.AddressOf(Pointer(place.type), place)
        if operator in ("-", "+", "~", "!"):
            self._take()
            value = self._reader.loaded(self._unary())
            if not isinstance(value.type, Integer | types.Floating):
                raise NotReadError("an operator of a class")
            if operator == "!":
                return tree.Unary(BOOL, "!", value)
            value = converted(value, promoted(value.type))
            return value if operator == "+" else tree.Unary(value.type, cast("Any", operator), value)
        return self._postfix(self._primary())

    # ---- places ----

    def _primary(self) -> Read:
        word = self._take()
        if word == "(":
            if (kind := self._number_type(")")) is not None:
                return tree.Convert(kind, self._reader.loaded(self._unary()), True)
            found = self._conditional()
            self._take(")")
            return found
        if word == "static_cast" and self._take("<") and (kind := self._number_type(">")) is not None:
            self._take("(")
            value = self._reader.loaded(self._conditional())
            self._take(")")
            return tree.Convert(kind, value, True)
        if word == "sizeof" and self._next() == "(":
            depth = 0
            while depth or self._next() == "(":
                depth += {"(": 1, ")": -1}.get(self._take(), 0)
            return tree.Constant(SIZE, None)
        if word == "this":
            return self._reader.address(self._this())
        if word in ("true", "false"):
            return tree.Constant(BOOL, int(word == "true"))
        if word[0] == "'":
            return tree.Constant(Integer(8, True, 1), ord(word[1]) if len(word) == 3 else None)
        if word[0].isdigit():
            return self._number(word)
        if word == "::":
            word += self._take()
        while self._next() == "::":
            word += self._take() + self._take()
        if not (word[0].isalpha() or word[0] in "_:") or self._next() in ("(", "<"):
            raise NotReadError("a call, or another form of a name, in a clause")
        place = self._named(word)
        if place is None and word in self._constants:
            return self._constants[word]
        if place is None:
            raise NotReadError("a name in a clause that is no variable")
        return place

    def _number_type(self, mark: str) -> types.Type | None:
        """The type of numbers that the words in front of a mark name, which are taken with it, or None."""
        rest = self._tokens[self._at :]
        end = rest.index(mark) if mark in rest else 0
        kind = _NUMBERS.get(" ".join(rest[:end]))
        self._at += end + 1 if kind is not None else 0
        return kind

    @staticmethod
    def _number(word: str) -> tree.Expression:
        digits = word.lower().rstrip("ul")
        suffix = word.lower()[len(digits) :]
        try:
            value = int(digits, 0)  # which takes no octal number, such as 017
        except ValueError:
            raise NotReadError("an expression in a clause that is not understood") from None
        kind = INT if not suffix and value <= INT.greatest else Integer(64, "u" not in suffix, 8)
        if (suffix == "u" or (not suffix and digits[:2] == "0x" and value > INT.greatest)) and value < 1 << 32:
            kind = Integer(32, False, 4)
        return tree.Constant(kind, value)

    def _postfix(self, found: Read) -> Read:
        while (word := self._next()) in ("[", ".", "->"):
            self._take()
            if word == "[":
                pointer, index = self._reader.loaded(found), self._reader.loaded(self._conditional())
                self._take("]")
                if not isinstance(pointer.type, Pointer) or not isinstance(index.type, Integer):
                    raise NotReadError("an operator of a class")
                found = tree.Pointee(pointer.type.to, tree.Offset(pointer.type, pointer, index))
                continue
            if word == "->":
                pointer = self._reader.loaded(found)
                if not isinstance(pointer.type, Pointer):
                    raise NotReadError("an operator of a class")
                found = tree.Pointee(pointer.type.to, pointer)
            if not isinstance(found, PLACES):
                raise NotReadError("a member of a value")
            name = self._take()
            if self._next() == "(":
                self._take()
                self._take(")")
                found = self._reader.called_in_clause(found, name)
            else:
                found = self._reader.referred(member_of(found, name))
        if self._next() == "(":
            raise NotReadError("a call, or another form of a name, in a clause")
        return found


def member_of(whole: tree.Place, name: str) -> tree.Place:
    """The member of an object with a name, which a base class may have."""
    queue = [whole]
    while queue:
        place = queue.pop(0)
        t = place.type
        if not isinstance(t, Record):
            break
        for member in t.info.members:
            if member.base or (not member.name and isinstance(member.type, Record)):
                queue.append(tree.Part(member.type, place, member))
            elif member.name == name:
                kind = member.type
                if (t.const or t.volatile) and not isinstance(kind, types.Array):
                    kind = type(kind)(**{**vars(kind), "const": kind.const or t.const})
                return tree.Part(kind, place, member)
    raise NotReadError("a name in a clause that is no variable")


def mentioned(names: Sequence[str], named: Callable[[str], tree.Place | None]) -> tuple[tree.Node, ...]:
    """The variables of an expression that is not understood."""
    found: dict[Any, tree.Node] = {}
    for name in names:
        place = named(name)
        for node in tree.walk(place) if place is not None else ():
            if isinstance(node, tree.Named):
                found.setdefault(node.variable, node)
    return tuple(found.values())
