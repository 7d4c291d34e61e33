"""What of a C++ function is text of C already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..base.patterns import regex
from . import libclang
from .c_functions import Functions
from .c_text import CannotWriteError, Text
from .code import Construct

_WORD = regex(r"(?<![\w.>])(?<!::)(?:this\s*->\s*)?(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_METHOD = regex(r"(?:\.|->)\s*(\w+)\s*\(\s*\)")  # called without arguments
_DROPPED = regex(r"\b(?:constexpr|noexcept|mutable)\b|\[\[[^\]]*\]\]")
_PRAGMA = regex(r"^[ \t]*#[^\n]*", re.MULTILINE)
_NAME = regex(r"(?<![\w.])[A-Za-z_]\w*")
# What expressions and statements of names, numbers and operators do not have. A number with another suffix is a call.
_NOT_NUMBERS = r"[\"'#\\@$]|::|\b\d[\w.]*[g-kmnoq-twyzG-KMNOQ-TWYZ_]"
_NOT_PLAIN = regex(rf"[{{}};]|{_NOT_NUMBERS}")
# What a statement of C++ has in common with C: declarations of one number or pointer each, and casts.
_NUMBER = r"(?:const|int|double|float|long|short|unsigned|signed|char)"
_LOCAL = regex(rf"(?:[{{}};]|\bfor\s*\()\s*(?:{_NUMBER}\s+)*{_NUMBER}(?:\s+|\s*\*\s*)([A-Za-z_]\w*)\s*(?=[=;])")
_CAST = regex(rf"\(\s*(?:{_NUMBER}\s+)*{_NUMBER}\s*\)")
_NOT_STATEMENT = regex(rf"=\s*\{{|\[\s*\[|\b(?!(?:for|while|if)\b)[A-Za-z_]\w*\s*\(|{_NOT_NUMBERS}")  # nor calls
_IN_ORDER = frozenset(("for", "while", "do", "if", "else"))
_LEAVING = frozenset(("break", "continue"))


class Copied:
    """The parts of a function that are C's own text, with directives."""

    def __init__(self, functions: Functions, cursor: Any, instance: Any = None) -> None:
        """A function. For a method of a class template, ``instance`` is the class of which it is written."""
        self.w, self.unit, self.k, self.t = functions, functions.unit, functions.k, functions.t
        self.cursor = cursor
        self.is_instance = instance is not None
        of_class = functions.is_method(cursor) and not self.is_instance
        self.record = cursor.semantic_parent.type.get_canonical() if of_class else instance
        self.name = functions.name_of(cursor) if instance is None else functions.end_of_instance(cursor, instance)
        self.out = Text()
        self.scopes: list[dict[str, Any]] = [{}]
        self.objects: list[list[str]] = [[]]  # in each scope, the calls that end the lives of objects
        self.loops: list[int] = []  # how many scopes are around the body of each loop or switch
        self.made = Text()  # the temporary objects of a statement
        self.ended: list[str] = []
        self.lambdas: dict[int, Any] = {}
        self.fields = set[str]()
        self.accessors: tuple[int, ...] = ()  # the accessors that this one is written for, by their hashes
        self._globals: frozenset[str] | None = None
        self._values: dict[str, str] | None = None

    def expression(self, cursor: Any) -> None:
        """Write an expression."""
        raise NotImplementedError

    def statement(self, cursor: Any) -> None:
        """Write a statement."""
        raise NotImplementedError

    def is_plain(self, low: int, high: int) -> bool:
        """Whether an expression has nothing but local variables that are numbers, or lead to numbers, and constants:
        C has the same operators for them."""
        text = self.unit.text[low:high]
        if _NOT_PLAIN.search(text) is not None:
            return False
        return all(map(self._is_number, _NAME.findall(text)))

    def is_plain_statement(self, low: int, high: int) -> bool:
        """Whether a statement has nothing but such expressions, declarations of numbers, loops and conditions. Then C
        has the same statement, and nobody has to ask for its parts."""
        text = self.unit.text[low:high]
        if _NOT_STATEMENT.search(text) is not None:
            return False
        declared = set(_LOCAL.findall(text))
        if any(name in self.fields or name in self._global_names() for name in declared):
            return False  # a name outside of its block may be another variable
        ends = any(self.objects)  # which a statement that leaves a block would have to say
        rest = _CAST.sub("", _LOCAL.sub("", text))
        for name in declared.union(_NAME.findall(rest)):
            if name in _IN_ORDER or (name in _LEAVING and not ends):
                continue
            is_new = name in declared and self._variable_of(name) is None
            if not is_new and not self._is_number(name):
                return False
        return True

    def _global_names(self) -> frozenset[str]:
        if self._globals is None:
            self._globals = frozenset(variable.name for variable in self.unit.globals)
        return self._globals

    def _variable_of(self, name: str) -> Any | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def _is_number(self, name: str) -> bool:
        """Whether a name is that of a local variable which is a number, or leads to numbers."""
        variable = self._variable_of(name)
        if variable is None:
            return False
        found: bool | None = getattr(variable, "rex_is_number", None)
        if found is None:
            kind = variable.type.get_canonical()
            while kind.kind in (self.t.POINTER, self.t.CONSTANTARRAY):
                kind = kind.get_pointee() if kind.kind == self.t.POINTER else kind.element_type
                kind = kind.get_canonical()
            found = variable.rex_is_number = self.t.BOOL.value <= kind.kind.value <= self.t.LONGDOUBLE.value
        return found

    def gap(self, low: int, high: int) -> None:
        """Text between parts that are written: operators, brackets, keywords and directives."""
        at = low
        for match in _PRAGMA.finditer(self.unit.text, low, high) if self.unit.text.find("#", low, high) >= 0 else ():
            self._plain(at, match.start())
            self._directive(match.start(), match.end())
            at = match.end()
        self._plain(at, high)

    def _plain(self, low: int, high: int) -> None:
        text = self.unit.text[low:high]
        at = 0
        for match in _DROPPED.finditer(text):
            self.out.put(text[at : match.start()], low + at, copied=True)
            at = match.end()
        self.out.put(text[at:], low + at, copied=True)

    def _directive(self, low: int, high: int) -> None:
        """A directive, in whose clauses variables have their names in C."""
        text, at = self.unit.text[low:high], 0
        head = re.match(r"[ \t]*#\s*pragma\s+omp\s+", text)
        if head is None:
            self.out.put(text, low, copied=True)
            return
        for match in _WORD.finditer(text, head.end()):
            called = _METHOD.match(text, match.end())
            if called is not None:
                self.out.put(text[at : match.start()], low + at, copied=True)
                self.out.put(self._called_in_clause(match[0], called[1], text), low + match.start())
                at = called.end()
            if match.start() < at:
                continue
            name = self._name_in_clause(match[0], text[match.end() :].lstrip()[:1], text)
            if name is not None:
                self.out.put(text[at : match.start()], low + at, copied=True)
                self.out.put(name, low + match.start())
                at = match.end()
                if name.endswith("->"):
                    at = text.index(".", at) + 1
        self.out.put(text[at:], low + at, copied=True)
        construct = self.w.constructs.get(low + text.index("#"))
        if construct is not None and construct.directive.is_target:
            if self._uses_this(construct, text):
                self.out.put(" map(tofrom: this[0:1])", low)  # OpenMP 5.2, section 5.8.1
            self._map_references(construct, text, low)

    def _called_in_clause(self, word: str, method: str, text: str) -> str:
        """What a method gives that is called without arguments: the size of a container, or what is not known."""
        simple = re.sub(r"^this\s*->\s*", "", word)
        variable = self._variable_of(simple) if simple == word else None
        kind = variable.type.get_canonical() if variable is not None else self.field_types().get(simple)
        if kind is not None and kind.get_pointee().kind != self.t.INVALID:
            kind = kind.get_pointee()
        container = self.w.types.container_of(kind) if kind is not None else None
        if container is not None and method == "size" and container.kind == "array":
            return str(container.length)
        if container is not None and (method, container.kind) == ("size", "vector"):
            name = self._name_in_clause(simple, ".", text) or simple
            return name + ("rex_size" if name.endswith("->") else ".rex_size")
        return f"{self.w.unknown('unsigned long')}()"

    def field_types(self) -> dict[str, Any]:
        """The types of the members of the object that a method has."""
        return dict(self.w.types.fields(self.record)) if self.fields else {}

    def _map_references(self, construct: Construct, text: str, place: int) -> None:
        """What a region uses by references without naming it in clauses is mapped, or copied if it is a scalar."""
        inside = set(re.findall(r"[A-Za-z_]\w*", self.unit.text[construct.pragma_end : construct.end]))
        visible = {name: variable for scope in self.scopes for name, variable in scope.items()}
        for name in sorted(inside & visible.keys()):
            if not self.w.types.is_reference(visible[name]) or re.search(rf"\b{name}\b", text):
                continue
            kind = visible[name].type.get_canonical().get_pointee().get_canonical().kind
            is_copied = kind not in (self.t.RECORD, self.t.CONSTANTARRAY) and "defaultmap" not in text
            self.out.put(f" map({'to' if is_copied else 'tofrom'}: {name}[0:1])", place)

    def _uses_this(self, construct: Construct, text: str) -> bool:
        function = self.unit.function_at(construct.start)
        named = re.search(r"\bthis\s*\[", text) is not None
        return (
            not named
            and function is not None
            and any(construct.start <= place < construct.end for place, _ in function.mentions.this)
        )

    def _name_in_clause(self, word: str, behind: str, text: str) -> str | None:
        """What a word of a directive is in C, or None if it stays."""
        if word.startswith("this"):
            return None
        simple = word.rpartition("::")[2].strip()
        for scope in reversed(self.scopes):
            if simple == word and simple in scope:
                variable = scope[simple]
                if self.w.types.is_reference(variable):
                    if behind == ".":
                        return f"{simple}->"
                    if re.search(r"\b(?:private|firstprivate|lastprivate|reduction|depend)\b", text) or behind == "[":
                        raise CannotWriteError
                    return f"{simple}[0:1]" if re.search(r"\bmap|\b(?:to|from)\s*\(", text) else f"(*{simple})"
                return None
        if simple == word and simple in self.fields and behind not in (":", "("):
            return f"this->{simple}"
        if simple == word and (value := self.template_values().get(simple)) is not None:
            return value
        known = [v for v in self.unit.globals if v.name == simple]
        if known and behind != "(":
            if len(known) > 1:
                known = [v for v in known if v.host.endswith(f"::{word.removeprefix('::')}")][:1]
            return self.global_name(known[0].cursor) if known else None
        return None

    def template_values(self) -> dict[str, str]:
        """The numbers that template parameters have here, by their names: of the function, and of its class."""
        if self._values is None:
            around = self.record.get_declaration() if self.record is not None else self.cursor.semantic_parent
            self._values = {**self._values_of(around), **self._values_of(self.cursor)}
        return self._values

    def _values_of(self, instance: Any) -> dict[str, str]:
        from clang import cindex

        found: dict[str, str] = {}
        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(instance)
        parameters = self.unit.template_parameters(general) if general is not None else []
        for number, parameter in enumerate(parameters[: max(0, instance.get_num_template_arguments())]):
            if libclang.argument_kind(instance, number) == "INTEGRAL":
                found[parameter.spelling] = str(instance.get_template_argument_value(number))
        return found

    @contextmanager
    def of_class(self, record: Any) -> Iterator[None]:
        """While the values of members of a class are written, its template parameters have their numbers there."""
        before = self.template_values()
        self._values = {**before, **self._values_of(record.get_declaration())}
        yield
        self._values = before

    def parts(self, cursor: Any, children: Sequence[Any], write: Callable[[Any], None]) -> None:
        """A node with the text between its children as it is."""
        at, end = self.unit.extent(cursor)
        for child in children:
            low, high = self.unit.extent(child)
            if low < at:
                raise CannotWriteError
            self.gap(at, low)
            write(child)
            at = max(at, high)
        self.gap(at, end)

    def inner(self, cursor: Any) -> Any:
        """An expression without conversions that are not written."""
        while cursor.kind in (self.k.UNEXPOSED_EXPR,):
            children = libclang.children(cursor)
            if len(children) != 1:
                return cursor
            cursor = children[0]
        return cursor

    def global_name(self, variable: Any) -> str:
        """The name of a variable outside of functions, if no variable of this one hides it."""
        name = self.w.global_name(variable)
        if any(name in scope for scope in self.scopes):
            raise CannotWriteError
        return name

    def name_in_c(self, target: Any) -> str:
        """What a variable is in an expression."""
        local = any(target.spelling in scope for scope in self.scopes)
        parent = target.semantic_parent
        outside = parent is None or parent.kind in (self.k.TRANSLATION_UNIT, self.k.NAMESPACE, *self.unit.classes)
        if outside or not local:
            if not outside:
                raise CannotWriteError
            return self.global_name(target)
        if self.w.types.is_reference(target):
            self.w.references.add(target.spelling)
            return f"(*{target.spelling})"
        return str(target.spelling)
