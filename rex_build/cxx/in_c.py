"""Functions of a C++ unit written as C, so that the analyses of C look at them. Only warnings are made of it.

Most of C++ is C's own text, and stays as it is. What has another form in C is written so that it does the same with the
same memory: members have ``this`` in front, references are pointers, ``new`` is an allocation, templates are written
as they are instantiated, and a lambda stands where it is called. What cannot be written becomes a call of a function of
which nothing is known, with the addresses of all that it mentions. A function with other such parts is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..base.patterns import regex
from . import libclang
from .c_functions import Functions
from .c_objects import Objects
from .c_text import CannotWriteError, Text
from .functions import Function

# The functions of a unit that are looked at, and their characters. To look takes longer than to lower them.
_MOST_FUNCTIONS = 200
_MOST_TEXT = 200_000
_NAME = regex(r"[A-Za-z_]\w*")
_STATEMENTS = frozenset(
    [
        "IF_STMT",
        "FOR_STMT",
        "WHILE_STMT",
        "DO_STMT",
        "SWITCH_STMT",
        "CASE_STMT",
        "DEFAULT_STMT",
        "BREAK_STMT",
        "CONTINUE_STMT",
        "NULL_STMT",
        "GOTO_STMT",
        "LABEL_STMT",
    ]
)
_MAY_BE_PLAIN = frozenset(("FOR_STMT", "WHILE_STMT", "DO_STMT", "IF_STMT"))
_LOOPS = frozenset(("FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT"))


def written(names: Functions, roots: Iterable[Function], without: Collection[int]) -> tuple[str, int, Text]:
    """(declarations of the system's functions, how many lines these are, the rest). Functions at the offsets
    ``without`` are not written."""
    bodies: dict[str, tuple[str, Text]] = {}
    names.queue += [(root.cursor, None) for root in roots if not root.is_template]
    seen: set[tuple[int, str]] = set()
    left = _MOST_TEXT
    while names.queue and len(seen) < _MOST_FUNCTIONS:
        cursor, record = names.queue.pop(0)
        key = (cursor.canonical.hash, record.spelling if record is not None else "")
        if key in seen:
            continue
        seen.add(key)
        start, end = names.unit.extent(cursor)
        around = names.unit.function_at(end - 1) if without else None
        if (around is not None and around.start in without) or end - start > left:
            continue
        left -= end - start
        try:
            function = Body(names, cursor, record)
            bodies[function.name] = function.function()
        except CannotWriteError:
            continue
    text = Text()
    text.put("".join((*names.types.definitions, *names.types.mappers())), 0)
    for declaration, _ in names.globals.values():
        text.put(declaration, 0)
    later = _called_before(bodies)
    heads = [head for name, head in names.foreign.items() if name not in bodies or name in later]
    text.put("".join(f"{head};\n" for head in heads), 0)
    for _, body in bodies.values():
        text.add(body)
    library = "".join(f"extern {head};\n" for head in names.library.values())
    return library, library.count("\n"), text


def _called_before(bodies: Mapping[str, tuple[str, Text]]) -> set[str]:
    """The functions that others name which stand in front of them."""
    found: set[str] = set()
    ahead = set(bodies)
    for name, (_, body) in bodies.items():
        ahead.discard(name)
        found |= ahead.intersection(_NAME.findall(str(body)))
    return found


class Body(Objects):
    """Writes one function."""

    def function(self) -> tuple[str, Text]:
        """(its declaration, its definition). Raises CannotWriteError."""
        w, cursor, record = self.w, self.cursor, self.record
        head = w.head(cursor, self.name) if not self.is_instance else w.foreign[self.name]
        w.types.arguments = record if self.is_instance else None
        start, _ = self.unit.extent(cursor)
        body = next((c for c in libclang.children(cursor) if c.kind == self.k.COMPOUND_STMT), None)
        if body is None:
            raise CannotWriteError
        for parameter in cursor.get_arguments():
            self.scopes[0][parameter.spelling] = parameter
        if record is not None:
            self.fields = w.types.members(record)
        self.out.put(f"{head}\n", start)
        first: list[Callable[[], None]] = []
        children = libclang.children(cursor)
        if record is not None and cursor.kind == self.k.CONSTRUCTOR:
            given = [(c, value) for c, value in pairwise(children) if value.kind.is_expression()]
            members = {c.spelling for c, _ in given if c.kind == self.k.MEMBER_REF}
            bases = {c.referenced.spelling for c, _ in given if c.kind == self.k.TYPE_REF and c.referenced is not None}
            first.append(partial(self.set_members, record, "this->", start, members))
            first.append(partial(self.construct_members, record, "this->", start, members | bases))
            for member, value in given:
                if member.kind == self.k.MEMBER_REF:
                    first.append(partial(self.initialise_member, member, value))
                elif member.kind == self.k.TYPE_REF:
                    first.append(partial(self.construct, "(*this)", start, value.type.get_canonical(), value))
        self.compound(body, first)
        self.out.put("\n", self.unit.extent(body)[1])
        return head, self.out

    def compound(self, cursor: Any, first: Sequence[Callable[[], None]] = ()) -> None:
        low, high = self.unit.extent(cursor)
        self.scopes.append({})
        self.objects.append([])
        self.out.put("{", low, copied=True)
        for write in first:
            self._with_temporaries(write, low)
        at = low + 1
        last = None
        for child in libclang.children(cursor):
            start, end = self.unit.extent(child)
            self.gap(at, start)
            self.statement(child)
            at, last = end, child
        self.gap(at, high - 1)
        if last is None or last.kind not in (self.k.RETURN_STMT, self.k.BREAK_STMT, self.k.CONTINUE_STMT):
            self.leave(high - 1, len(self.objects) - 1)
        self.out.put("}", high - 1, copied=True)
        self.scopes.pop()
        self.objects.pop()

    def statement(self, cursor: Any) -> None:
        """Write a statement, with the temporary objects of its expressions in front of it."""
        if cursor.kind.name in _MAY_BE_PLAIN:
            low, high = self.unit.extent(cursor)
            if self.is_plain_statement(low, high):
                self.out.put(self.unit.text[low:high], low, copied=True)
                return
        place, end = self.unit.extent(cursor)
        self._with_temporaries(partial(self._statement, cursor), place, end if cursor.kind.is_expression() else None)

    def _with_temporaries(self, write: Callable[[], None], place: int, end: int | None = None) -> None:
        """Write something with the temporary objects of its expressions in front of it, in a block if it has an end."""
        before, made, ended = self.out, self.made, self.ended
        self.out, self.made, self.ended = Text(), Text(), []
        write()
        written, temporary, ends = self.out, self.made, self.ended
        self.out, self.made, self.ended = before, made, ended
        if not str(temporary):
            self.out.add(written)
            return
        self.out.put("{ " * (end is not None), place)
        self.out.add(temporary)
        self.out.add(written)
        if end is not None:
            self.out.put(f"; {''.join(reversed(ends))}}}", end - 1)

    def _statement(self, cursor: Any) -> None:
        k, kind = self.k, cursor.kind
        if kind == k.COMPOUND_STMT:
            self.compound(cursor)
        elif kind == k.DECL_STMT:
            self._declarations(cursor)
        elif kind.name in _STATEMENTS:
            children = libclang.children(cursor)
            if kind in (k.IF_STMT, k.WHILE_STMT, k.SWITCH_STMT) and children[0].kind == k.VAR_DECL:
                raise CannotWriteError
            place = self.unit.extent(cursor)[0]
            if kind in (k.GOTO_STMT, k.LABEL_STMT) and any(self.objects):
                raise CannotWriteError
            if kind in (k.BREAK_STMT, k.CONTINUE_STMT) and self.loops and any(self.objects[self.loops[-1] :]):
                self.out.put("{ ", place)
                self.leave(place, self.loops[-1])
                self.out.put(f"{self.unit.text[slice(*self.unit.extent(cursor))]}; }}", place)
                return
            self.scopes.append({})
            self.objects.append([])
            self.loops += [len(self.objects)] * (kind.name in _LOOPS)
            self.parts(cursor, children, self.statement)
            del self.loops[len(self.loops) - (kind.name in _LOOPS) :]
            self.scopes.pop()
            self.objects.pop()
        elif kind == k.RETURN_STMT:
            children = libclang.children(cursor)
            text = self.unit.text[slice(*self.unit.extent(cursor))]
            if any(self.objects):
                self._return_from_scopes(cursor, children, text)
                return
            reference = self.cursor.result_type.get_canonical().kind == self.t.LVALUEREFERENCE
            if not children or self.cursor.kind in (k.CONSTRUCTOR, k.DESTRUCTOR):
                self.out.put("return", self.unit.extent(cursor)[0], copied=True)
            elif reference:
                self.out.put("return ", self.unit.extent(cursor)[0], copied=True)
                self.address(children[0])
            else:
                self.parts(cursor, children, self.expression)
        elif kind == k.CXX_FOR_RANGE_STMT:
            self._range_loop(cursor)
        elif kind == k.CXX_TRY_STMT:
            self.statement(next(iter(libclang.children(cursor))))
        elif kind.is_expression():
            body = self.called_lambda(cursor)
            if body is not None and any(c.kind == k.COMPOUND_STMT for c in libclang.children(body)):
                self.inline(cursor, body, self.given_to(cursor, body), is_statement=True)
            else:
                self.expression(cursor)
        else:
            raise CannotWriteError

    def _return_from_scopes(self, cursor: Any, children: Sequence[Any], text: str) -> None:
        """A return that ends the lives of objects."""
        place, kind = self.unit.extent(cursor)[0], self.cursor.result_type.get_canonical()
        void = not children or self.cursor.kind in (self.k.CONSTRUCTOR, self.k.DESTRUCTOR)
        self.out.put("{ ", place)
        if not void:
            name = self.w.fresh("rex_returned")
            self.out.put(f"{self.w.types.declare(kind, name)} = ", place)
            reference = kind.kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE)
            self.address(children[0]) if reference else self.expression(children[0])
            self.out.put("; ", place)
        self.leave(place, 0, text)
        self.out.put("return; }" if void else f"return {name}; }}", place)

    def _declarations(self, cursor: Any) -> None:
        k = self.k
        low, high = self.unit.extent(cursor)
        for child in libclang.children(cursor):
            if child.kind in (k.TYPEDEF_DECL, k.TYPE_ALIAS_DECL, k.USING_DECLARATION, k.USING_DIRECTIVE):
                continue
            if child.kind != k.VAR_DECL:
                raise CannotWriteError
            self._variable(child)
        lines = self.unit.text.count("\n", low, high)
        self.out.put("\n" * lines, high - 1)

    def _variable(self, cursor: Any) -> None:
        k, t, kind = self.k, self.t, cursor.type.get_canonical()
        place = self.unit.extent(cursor)[0]
        at = self.unit.place(cursor.location)
        self.scopes[-1][cursor.spelling] = cursor
        children = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        value = children[-1] if children else None
        if (
            kind.kind == t.CONSTANTARRAY
            and value is not None
            and value.kind not in (k.INIT_LIST_EXPR, k.STRING_LITERAL)
        ):
            if value.kind == k.CALL_EXPR:
                raise CannotWriteError
            value = None  # it is the number of elements
        if value is not None and value.kind == k.LAMBDA_EXPR:
            self.lambdas[cursor.canonical.hash] = value
            return
        static = "static " if cursor.storage_class.name == "STATIC" else ""
        if kind.kind == t.VARIABLEARRAY:
            self.out.put(f"{self.w.types.declare(kind.element_type, cursor.spelling)}[", place)
            self.expression(children[0])
            self.out.put("]; ", place)
            return
        head, _, tail = self.w.types.declared(cursor).rpartition(cursor.spelling)
        self.out.put(static + head, place)
        self.out.put(cursor.spelling, at, copied=True)
        self.out.put(tail, place)
        if self.w.types.is_reference(cursor):
            if value is None:
                raise CannotWriteError
            self.out.put(" = ", place)
            self.address(value)
        elif kind.kind == t.RECORD:
            self.out.put("; ", place)
            if value is not None:
                self.construct(cursor.spelling, place, kind, value)
            if not static:
                self.objects[-1] += reversed(self.end_of(cursor.spelling, kind))
            return
        elif value is not None:
            self.out.put(" = ", place)
            if value.kind == k.INIT_LIST_EXPR and kind.kind != t.CONSTANTARRAY:
                inner = libclang.children(value)
                self.expression(inner[0]) if inner else self.out.put("0", place)
            elif value.kind == k.INIT_LIST_EXPR and not libclang.children(value):
                self.out.put("{0}", place)
            else:
                self.expression(value)
        self.out.put("; ", place)

    def _range_loop(self, cursor: Any) -> None:
        """A loop over an array or a vector, by a counter."""
        children = libclang.children(cursor)
        variable = next((c for c in children if c.kind == self.k.VAR_DECL), None)
        over = next((self.inner(c) for c in children if c.kind.is_expression()), None)
        if variable is None or over is None or over.kind not in (self.k.DECL_REF_EXPR, self.k.MEMBER_REF_EXPR):
            raise CannotWriteError
        kind, place = over.type.get_canonical(), self.unit.extent(cursor)[0]
        counter = self.w.fresh("rex_at")
        container = self.w.types.container_of(kind)
        size: str | None = None
        if kind.kind == self.t.CONSTANTARRAY:
            size = str(kind.element_count)
        elif container is None or container.kind == "owner":
            raise CannotWriteError
        elif container.length is not None:
            size = str(container.length)
        self.out.put(f"for (int {counter} = 0; {counter} < ", place)
        if size is None:
            self.expression(over)
        self.out.put(f"{size or '.rex_size'}; ++{counter}) {{ ", place)
        self.scopes.append({variable.spelling: variable})
        reference = self.w.types.is_reference(variable)
        self.out.put(f"{self.w.types.declared(variable)} = {'&' * reference}", place)
        self.expression(over)
        self.out.put(f"{'.rex_elements' if container is not None else ''}[{counter}]; ", place)
        self.statement(children[-1])
        self.out.put("}" if children[-1].kind == self.k.COMPOUND_STMT else "; }", self.unit.extent(cursor)[1] - 1)
        self.scopes.pop()
