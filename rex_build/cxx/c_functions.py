"""The names and declarations in C of what a C++ unit has outside of functions."""

from __future__ import annotations

import re
from typing import Any

from ..base.patterns import regex
from . import libclang
from .c_text import CannotWriteError, Types
from .reading import clang
from .unit import Unit

_SECTION = regex(r"map\((\w+): ([\w.>-]+?)(?:\.|->)rex_elements\[0:([^]]*)\]\)")


class Functions:
    """The functions and the variables outside of functions that are written as C, and how C declares them."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.k, self.t = unit, unit.kinds, unit.types
        self.types = Types(unit)
        self.constructs = {construct.start: construct for construct in unit.constructs}
        self._names: dict[int, str] = {}  # of functions, by the hashes of their cursors
        self._taken: dict[str, int] = {}
        # Functions that are to be written, each with the class if it is a method of a template's instance.
        self.queue: list[tuple[Any, Any]] = []
        self._ends: dict[tuple[int, str], str] = {}
        self.library: dict[str, str] = {}  # declarations of functions of the system
        self.foreign: dict[str, str] = {}  # and of those of which nothing is known
        self.globals: dict[int, tuple[str, str]] = {}
        self.references: set[str] = set()

    def as_written(self, message: str) -> str:
        """A message in the user's words."""
        message = _SECTION.sub(
            r"auto *p = \2.data() (or get()) in front, and use p in the region: map(\1: p[0:\3])", message
        )
        message = message.replace(".rex_elements", "").replace("->rex_elements", "")
        message = message.replace(".rex_size", ".size()").replace("->rex_size", ".size()")
        message = re.sub(r"\brex_at(?:_\d+)?\b", "...", message)  # in loops over containers
        message = re.sub(r"\b(\w+?)__rex_\d+\b", r"\1", message)
        return re.sub(r"\(\*(\w+)\)", lambda m: m[1] if m[1] in self.references else m[0], message)

    # -- names --------------------------------------------------------------------------------------------------------

    def fresh(self, wanted: str) -> str:
        number = self._taken[wanted] = self._taken.get(wanted, 0) + 1
        return wanted if number == 1 and not wanted.endswith("__rex") else f"{wanted}_{number}"

    def name_of(self, function: Any) -> str:
        """The name of a function of the user's, which is written as well if it has a definition."""
        key = function.canonical.hash
        if key not in self._names:
            wanted = re.sub(r"\W+", "_", function.spelling) or "rex_function"
            self._names[key] = "main" if function.spelling == "main" else self.fresh(f"{wanted}__rex")
            if (definition := self.definition(function)) is not None:
                self.queue.append((definition, None))
            self.foreign[self._names[key]] = self.head(function, self._names[key])
        return self._names[key]

    def end_of_instance(self, general: Any, record: Any) -> str:
        """The name of the destructor of an instance of a class template, of which libclang has the template's only."""
        key = (general.canonical.hash, record.spelling)
        if key not in self._ends:
            wanted = re.sub(r"\W+", "_", general.spelling.partition("<")[0])
            name = self._ends[key] = self.fresh(f"{wanted}__rex")
            self.foreign[name] = f"void {name}({self.types.record(record)} *this)"
            if (definition := self.definition(general)) is not None:
                self.queue.append((definition, record))
        return self._ends[key]

    def definition(self, function: Any) -> Any | None:
        """The definition of a function, if the user has written one."""
        found = function.get_definition() or function
        body = next((c for c in libclang.children(found) if c.kind == self.k.COMPOUND_STMT), None)
        written = body is not None and self.unit.text.startswith("{", self.unit.extent(body)[0])
        return found if written else None

    def head(self, function: Any, name: str) -> str:
        parameters = []
        if self.is_method(function):
            const = "const " if function.is_const_method() else ""
            parameters.append(f"{const}{self.types.record(function.semantic_parent.type.get_canonical())} *this")
        arguments = list(function.get_arguments())
        for number, one in enumerate(arguments):
            parameters.append(self.types.declared(one, f"rex_unnamed_{number}"))
        result = function.result_type
        if function.kind in (self.k.CONSTRUCTOR, self.k.DESTRUCTOR):
            return f"void {name}({', '.join(parameters)})"
        prefix = "static " if function.storage_class.name == "STATIC" and not self.is_method(function) else ""
        return prefix + self.types.declare(result, f"{name}({', '.join(parameters) or 'void'})")

    def is_method(self, function: Any) -> bool:
        methods = (self.k.CXX_METHOD, self.k.CONSTRUCTOR, self.k.DESTRUCTOR, self.k.CONVERSION_FUNCTION)
        return function.kind in methods and not function.is_static_method()

    def of_library(self, function: Any) -> str:
        """The name of a function of the C library, or of a mathematical one of C++."""
        name = str(function.spelling)
        arguments = list(function.get_arguments())
        if not name.isidentifier() or function.kind != self.k.FUNCTION_DECL:
            raise CannotWriteError
        parameters = [self.types.declare(a.type, f"rex_{n}") for n, a in enumerate(arguments)]
        if any(a.type.get_canonical().kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE) for a in arguments):
            raise CannotWriteError
        parameters += ["..."] * function.type.is_function_variadic()
        head = self.types.declare(function.result_type, f"{name}({', '.join(parameters) or 'void'})")
        if self.library.setdefault(name, head) != head:
            name = self.fresh(f"rex_{name}")  # an overload, such as that of sqrt for another type
            self.library[name] = self.types.declare(function.result_type, f"{name}({', '.join(parameters)})")
        return name

    def unknown(self, kind: Any) -> str:
        """The name of a function of which nothing is known but its result: a type, or the text of one."""
        declared = f"{kind} rex_unknown" if isinstance(kind, str) else self.types.declare(kind, "rex_unknown")
        result = declared.rpartition("rex_unknown")
        name = self.fresh("rex_unknown")
        self.foreign[name] = f"{result[0]}{name}(){result[2]}"
        return name

    def some_value(self, kind: Any, parameters: str = "void") -> str:
        """A value of a type of which nothing is known, and to find which changes nothing."""
        declared = f"{kind} rex_value" if isinstance(kind, str) else self.types.declare(kind, "rex_value")
        before, _, behind = declared.rpartition("rex_value")
        name = self.fresh("rex_value")
        self.library[name] = f"{before}{name}({parameters}){behind}"
        return f"{name}()"

    def global_name(self, variable: Any) -> str:
        """The name of a variable outside of all functions, or of a static member."""
        key = variable.canonical.hash
        if key not in self.globals:
            known = self.unit.variable(variable)
            kind = variable.type.get_canonical()
            name = self.fresh(str(variable.spelling))
            value = clang.integer(variable) if known.constant and known.type.kind == "scalar" else None
            if kind.kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE):
                raise CannotWriteError
            declaration = self.types.declare(variable.type, name)
            if value is not None and value == int(value) and abs(value) < 2**31:
                self.globals[key] = (f"enum {{ {name} = {value} }};\n", name)
            else:
                static = variable.linkage.name == "INTERNAL"
                text = f"{'static ' if static else 'extern '}{declaration};\n"
                if known in self.unit.on_device:
                    text += f"#pragma omp declare target to({name})\n"
                self.globals[key] = (text, name)
        return self.globals[key][1]
