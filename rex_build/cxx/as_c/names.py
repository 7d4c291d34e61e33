"""The names and declarations in C of what a C++ unit has outside of functions."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ...base.patterns import regex
from ...tree import nodes as tree
from ...tree import types
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import Pointer, RecordInfo, Type
from .. import libclang
from .reading import HostReader
from .text import CannotWriteError
from .types import Types

_SECTION = regex(r"map\((\w+): ([\w.>-]+?)(?:\.|->)rex_elements\[0:([^]]*)\]\)")
_SIZE = types.Integer(64, False, 8)
_POINTER = Pointer(types.Void())
# The characters of functions that are looked at. To look takes longer than to lower them.
_MOST_TEXT = 200_000
ALLOCATION = {
    "malloc": types.Function(_POINTER, (_SIZE,)),
    "calloc": types.Function(_POINTER, (_SIZE, _SIZE)),
    "free": types.Function(types.Void(), (_POINTER,)),
    "abort": types.Function(types.Void(), ()),
}


class Names:
    """The functions and the variables outside of functions that are written as C, and how C declares them."""

    def __init__(self, reader: HostReader, without: Collection[int]) -> None:
        """Functions at the offsets ``without`` are not written."""
        self._without, self._left = without, _MOST_TEXT
        self._is_seen: dict[Function, bool] = {}
        self.reader, self.unit = reader, reader.unit
        self.types = Types(reader)
        self.queue: list[Function | tuple[Function, RecordInfo]] = []  # functions that are to be written
        self.library: dict[str, str] = {}  # declarations of functions of the system
        self.foreign: dict[str, str] = {}  # and of those of which nothing is known
        self.globals: dict[Variable, tuple[str, str]] = {}
        self._functions: dict[Function | tuple[Function, RecordInfo], str] = {}
        self._taken: dict[str, int] = {}
        self._by_value: dict[Function, tuple[bool, ...]] = {}

    def as_written(self, message: str) -> str:
        """A message in the user's words."""
        message = _SECTION.sub(
            r"auto *p = \2.data() (or get()) in front, and use p in the region: map(\1: p[0:\3])", message
        )
        message = re.sub(r"(?:\.|->)rex_elements\b", "", message)
        message = re.sub(r"(?:\.|->)rex_size\b", ".size()", message)
        message = re.sub(r"\brex_base_\d+\.", "", message)
        message = re.sub(r"\brex_at(?:__rex_\d+)?\b", "...", message)  # in loops over containers
        message = re.sub(r"\b(\w+?)__rex_\d+\b", r"\1", message)
        return re.sub(r"\(\*(\w+)\)", r"\1", message)

    # -- names --------------------------------------------------------------------------------------------------------

    def fresh(self, wanted: str) -> str:
        number = self._taken[wanted] = self._taken.get(wanted, 0) + 1
        return f"{wanted}__rex_{number}"

    def name_of(self, function: Function, record: RecordInfo | None = None) -> str:
        """The name of a function of the user's, which is written as well if it has a definition. A destructor of a
        class template's instantiation is the template's, for the ``record``."""
        key = function if record is None else (function, record)
        if key not in self._functions:
            plain = re.sub(r"\W+", "_", function.name.rpartition("::")[2]) or "function"
            name = self._functions[key] = "main" if function.name == "main" else self.fresh(plain)
            try:
                self.foreign[name] = self.head(function, name, record)
            except CannotWriteError:
                self._functions[key] = ""
            self.queue.append(key)
        if not self._functions[key]:
            raise CannotWriteError
        return self._functions[key]

    def head(self, function: Function, name: str, record: RecordInfo | None = None) -> str:
        """The declaration of a function."""
        kind = function.type
        assert isinstance(kind, types.Function)
        body = self.body(function, record)
        if record is not None:
            parameters = [self.types.declare(Pointer(types.Record(record)), "this")]
        elif body is not None:
            given = zip(body.parameters, self.by_value(function), strict=False)
            parameters = [self.declared(v, v.name or f"rex_unnamed_{n}", copied) for n, (v, copied) in enumerate(given)]
        else:
            parameters = [self.types.declare(t, f"rex_{n}") for n, t in enumerate(kind.parameters or ())]
        static = "static " * (not function.external and name != "main" and body is not None)
        return static + self.types.declare(kind.result, f"{name}({', '.join(parameters) or 'void'})")

    def declared(self, variable: Variable, name: str, copied: bool) -> str:
        """The declaration of a variable or parameter, which may be a reference of which C has the value."""
        t = variable.type
        return self.types.declare(t.to if copied and isinstance(t, Pointer) else t, name)

    def body(self, function: Function, record: RecordInfo | None = None) -> tree.Body | None:
        """The body of a function of the user's, if it is one of those that are looked at."""
        if function not in self._is_seen:
            cursor = self.reader.symbols.cursors[function]
            cursor = cursor.get_definition() or cursor
            start, end = self.unit.extent(cursor) if libclang.is_users(cursor) else (0, self._left + 1)
            around = self.unit.function_at(end - 1) if self._without and start else None
            seen = end - start <= self._left and (around is None or around.start not in self._without)
            self._is_seen[function] = seen
            self._left -= (end - start) * seen
        if not self._is_seen[function]:
            return None
        return self.reader.body(function) if record is None else self.reader.ending(function, record)

    def by_value(self, function: Function) -> tuple[bool, ...]:
        """Which parameters of a function are references that C has as values: of pointers that stay what they are, and
        of numbers that nobody changes."""
        if function not in self._by_value:
            body = self.body(function)
            parameters = body.parameters if body is not None else ()
            plain = plain_references(body.statement) if body is not None else lambda _: False
            self._by_value[function] = tuple(map(plain, parameters))
        return self._by_value[function]

    def of_library(self, function: Function) -> str:
        """The name of a function of the C library, or of a mathematical one of C++."""
        name, kind = function.name.rpartition("::")[2], function.type
        assert isinstance(kind, types.Function)
        parameters = kind.parameters or ()
        is_plain = self.reader.symbols.cursors[function].kind.name == "FUNCTION_DECL"
        if not name.isidentifier() or not is_plain or any(isinstance(t, Pointer) and t.reference for t in parameters):
            raise CannotWriteError
        return self.declare_library(name, kind)

    def declare_library(self, name: str, kind: types.Function | None = None) -> str:
        """The name of a function of the system, which is declared."""
        kind = kind or ALLOCATION[name]
        parameters = [self.types.declare(t, f"rex_{n}") for n, t in enumerate(kind.parameters or ())]
        parameters += ["..."] * kind.variadic
        rest = f"({', '.join(parameters) or 'void'})"
        head = self.types.declare(kind.result, name + rest)
        if self.library.setdefault(name, head) != head:
            name = self.fresh(f"rex_{name}")  # an overload, such as that of sqrt for another type
            self.library[name] = self.types.declare(kind.result, name + rest)
        return name

    def unknown(self, t: Type) -> str:
        """The name of a function of which nothing is known but its result."""
        name = self.fresh("rex_unknown")
        self.foreign[name] = self.types.declare(t, f"{name}()")
        return name

    def some_value(self, t: Type, parameters: str = "void") -> str:
        """The name of a function that gives a value of which nothing is known, and changes nothing."""
        name = self.fresh("rex_value")
        self.library[name] = self.types.declare(t, f"{name}({parameters})")
        return name

    def global_name(self, variable: Variable) -> str:
        """The name of a variable that lives as long as the program."""
        if variable not in self.globals:
            if isinstance(variable.type, Pointer) and variable.type.reference:
                raise CannotWriteError
            name = self.fresh(variable.name)
            if variable.value is not None and abs(variable.value) < 2**31:
                text = f"enum {{ {name} = {variable.value} }};\n"
            else:
                static = variable.storage is Storage.STATIC
                text = f"{'static' if static else 'extern'} {self.types.declare(variable.type, name)};\n"
                if any(variable.entity is one for one in self.unit.on_device):
                    text += f"#pragma omp declare target to({name})\n"
            self.globals[variable] = text, name
        return self.globals[variable][1]


def plain_references(statement: tree.Node) -> Any:
    """Which variables of a part of a program are references that C has as values, as a question."""
    changed: set[Variable] = set()
    for node in tree.walk(statement):
        if isinstance(node, tree.Store | tree.Update | tree.AddressOf):
            changed.update(_referred(node.place))
        elif isinstance(node, tree.Call):
            changed.update(v for one in node.arguments for v in _referred(tree.Pointee(node.type, one)))
        elif isinstance(node, tree.Opaque):
            changed.update(part.variable for part in node.mentions or () if isinstance(part, tree.Named))

    def is_plain(variable: Variable) -> bool:
        t = variable.type
        if not isinstance(t, Pointer) or not t.reference:
            return False
        if isinstance(t.to, types.Integer | types.Floating):
            return t.to.const
        return isinstance(t.to, Pointer) and variable not in changed

    return is_plain


def _referred(place: tree.Node) -> list[Variable]:
    """The reference whose object a place is."""
    match place:
        case tree.Pointee(pointer=tree.Load(place=tree.Named(variable=variable))):
            return [variable]
        case tree.Pointee(pointer=tree.Convert(value=tree.Load(place=tree.Named(variable=variable)))):
            return [variable]
    return []
