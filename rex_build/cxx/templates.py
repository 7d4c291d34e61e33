"""Templates and classes around regions: their parameters, where generated members go, and what instantiates them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..c.source.tokens import closing, has_word, next_token, words_in
from . import libclang
from .functions import Function
from .instantiations import arguments_of, check_local, completed, declared_at, instances_with, types_of
from .text_constructs import CxxType, Variable, closing_angle, is_list, opening_of, qualified_at, qualifier_before
from .type_names import arguments_in
from .unit import Unit

# Values of classes are ``Size{2, 3}``, and closures ``{lambda(int)#1}``.
_VALUE, _NAMELESS = regex(r"(\w+)\{"), regex(r"(?<![\w\]])\{")


@dataclass(frozen=False)
class Instance:
    """An instantiation: ``object`` is its class, if the template is or has one, and ``own`` the function's arguments.

    ``arguments`` are all of them, first those of the class. ``tags`` are what the others of the function's are told by,
    if it has several lists of parameters."""

    arguments: str
    object: str
    own: str
    cursor: Any
    tags: tuple[str, ...] = ()


def specifiers(text: str, at: int) -> int:
    """The offset behind ``template <...>`` at the beginning of a declaration."""
    at = next_token(text, at)
    while qualified_at(text, at) == "template":
        opening = next_token(text, at + len("template"))
        if text[opening] != "<":
            break
        at = next_token(text, _behind_constraint(text, closing_angle(text, opening)))
    return at


def _behind_constraint(text: str, at: int) -> int:
    """The offset behind ``requires ...`` at a place, or that place."""
    start = next_token(text, at)
    if qualified_at(text, start) != "requires":
        return at
    start, operator = start + len("requires"), "&&"
    while operator in ("&&", "||"):
        at = _behind_term(text, next_token(text, start))
        operator = text[(start := next_token(text, at)) :][:2]
        start += 2
    return at


def _behind_term(text: str, at: int) -> int:
    """The offset behind a part of a constraint, such as ``std::integral<T>``."""
    while text[at] == "!":
        at = next_token(text, at + 1)
    if text[at] == "(":
        return closing(text, at)
    name = qualified_at(text, at)
    at = next_token(text, at + len(name))
    if name == "requires":  # an expression: its parameters, then what it requires
        at = closing(text, at) if text[at] == "(" else at
        return closing(text, text.index("{", at))
    return closing_angle(text, at) if text[at] == "<" else at


class Surroundings:
    """What stands around a function that has regions."""

    def __init__(self, unit: Unit, function: Function) -> None:
        k = unit.kinds
        self.unit = unit
        self.function = function
        cursor = function.cursor
        # A friend that is defined in a class template has the class's parameters, as a static method has them.
        around = cursor.lexical_parent
        self.is_friend = not function.is_member and around is not None and around.kind == k.CLASS_TEMPLATE
        self.record: Any = around if self.is_friend else cursor.semantic_parent if function.is_member else None
        self.is_const = bool(function.is_member and cursor.is_const_method())
        self.levels = list(_levels(unit, self.record))
        own = _parameters(unit, cursor) if cursor.kind == k.FUNCTION_TEMPLATE else []
        # Outside of its class, libclang counts the class's parameters to those of a member template.
        self.own_parameters = [one for one in own if not any(one in level.written for level in self.levels)]
        # The last parameters that the function does not name, as for enable_if: pointers, and all behind a list.
        self._conditions = 0
        while self.own_parameters and self._is_condition(*self.own_parameters[-1]):
            self.own_parameters = self.own_parameters[:-1]
            self._conditions += 1
        lists = [number for number, (_, text) in enumerate(self.own_parameters) if is_list(text)]
        has_others = bool(lists) and lists[0] + 1 < len(self.own_parameters)
        self.first_tag = lists[0] if has_others else len(self.own_parameters)  # of those that are told by types
        self._kinds = {c.spelling: c.kind for c in unit.template_parameters(cursor)}
        self.levels = [
            level.with_one_type() if self.own_parameters or level is not self.levels[-1] else level
            for level in self.levels
        ]
        self.class_parameters = [one for level in self.levels for one in level.parameters]
        self._own_types = types_of(unit, cursor)
        start = unit.extent(self._class())[0] if self.record is not None else function.start
        self.place = unit.span(function.start)
        kinds = [self._kinds[name.removesuffix("...")] for name, text in self.own_parameters if is_list(text)]
        is_split = self.first_tag < len(self.own_parameters)
        unknown = is_split and (len(set(kinds)) < len(kinds) or k.TEMPLATE_TEMPLATE_PARAMETER in self._kinds.values())
        if unknown or any(is_list(text) for _, text in self.parameters[:-1]):
            what = "a region in a template with parameters behind a list of parameters of their kind is not supported"
            raise error_at(self.place, what, "one of the lists may be that of a class's template around")
        self.class_end = unit.extent(self._class())[1] - 1 if self.record is not None else -1
        outermost = self._class() if self.record is not None else cursor
        around = outermost.semantic_parent
        while around is not None and around.kind not in (k.NAMESPACE, k.TRANSLATION_UNIT, k.LINKAGE_SPEC):
            start = unit.extent(around.get_definition() or around)[0]
            around = around.semantic_parent
        # The classes that it is a friend of.
        self.classes = unit.friends.get(cursor.canonical.hash, []) if self.record is None else []
        self.is_friend_inside = self.record is None and cursor.lexical_parent.kind in unit.classes
        self.befriended = min([start, *(self._outermost(c) for c in self.classes)])
        start = self.befriended if self.is_friend_inside else start
        self.outside = start  # where something can stand in front of the function and its classes
        self.is_in_class = self.record is not None and self.class_end > function.start >= unit.extent(self._class())[0]

    def _is_condition(self, parameter: str, declared: str) -> bool:
        """Whether the last parameter of the function's template is not named behind ``template <...>``, and is a
        pointer or stands behind a list."""
        is_pointer = declared.removesuffix(parameter).rstrip().endswith("*")
        if not is_pointer and not any(is_list(text) for _, text in self.own_parameters[:-1]):
            return False
        text = self.unit.text[specifiers(self.unit.text, self.function.start) : self.function.end]
        return not has_word(text, parameter.removesuffix("..."))

    def _outermost(self, record: Any) -> int:
        """Where the outermost class around a class that has this function as a friend begins."""
        while record.semantic_parent.kind in self.unit.classes:
            record = record.semantic_parent
        return self.unit.extent(record)[0]

    def _class(self) -> Any:
        return self.record.get_definition() or self.record

    @property
    def is_template(self) -> bool:
        return bool(self.own_parameters or self.class_parameters)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """For each parameter, what it is as an argument in the function, such as ``R...``, and its declaration."""
        plain = self.own_parameters[: self.first_tag]
        return [*self.class_parameters, *plain, *((tag, "class") for tag in self.tags)]

    @property
    def tags(self) -> list[str]:
        """The function's parameters from the first list on, where others are behind that, each as a type."""
        behind = self.own_parameters[self.first_tag :]
        return [_as_type(text, [argument], is_type=self._is_type(argument)) for argument, text in behind]

    def _is_type(self, argument: str) -> bool:
        """Whether a parameter of the function's template is a type, or a list of types."""
        return bool(self._kinds[argument.removesuffix("...")] == self.unit.kinds.TEMPLATE_TYPE_PARAMETER)

    def _split(self, given: list[str]) -> list[list[str]]:
        """The arguments of the function's template, for each parameter: of a list, those of its kind."""
        found = []
        for number, (argument, text) in enumerate(self.own_parameters):
            most = len(given) - sum(not is_list(one) for _, one in self.own_parameters[number + 1 :])
            kinds = [self._is_type(argument) != _is_value(one) for one in given[:most]]
            is_last = number + 1 == len(self.own_parameters)
            count = (most if is_last else [*kinds, False].index(False)) if is_list(text) else 1
            found.append(given[:count])
            given = given[count:]
        return found

    @property
    def unconstrained(self) -> list[tuple[str, str]]:
        """The parameters for templates of our own, whose arguments may be what stands for the user's, such as for
        closures. So what the user demands of them is left out."""
        k = self.unit.kinds
        cursors = [c for level in self.levels for c in self.unit.template_parameters(level.general)]
        of_function = {name.removesuffix("...") for name, _ in self.own_parameters}
        cursors += [c for c in self.unit.template_parameters(self.function.cursor) if c.spelling in of_function]
        names = {cursor.spelling for cursor in cursors}
        lists = {level.written[-1][0].removesuffix("...") for level in self.levels if level.one_type}
        found = []
        for (name, text), cursor in zip(self.parameters, cursors, strict=False):
            dots = "..." if is_list(text) else ""
            own = cursor.spelling if name == f"{cursor.spelling}{dots}" else ""
            depends = not names.isdisjoint(words_in(text.rpartition(">")[0]))
            if cursor.kind == k.TEMPLATE_TYPE_PARAMETER:
                found.append((name, f"class{dots} {own}".strip()))
            elif cursor.kind == k.TEMPLATE_NON_TYPE_PARAMETER and not lists.isdisjoint(words_in(text)):
                found.append((name, f"auto{dots} {own}".strip()))
            elif cursor.kind == k.TEMPLATE_NON_TYPE_PARAMETER and depends:  # as with std::enable_if_t
                found.append((name, f"long long{dots} {own}".strip()))
            else:
                found.append((name, text))
        return found

    @property
    def head(self) -> str:
        """``template <...>`` with these parameters."""
        return f"template <{', '.join(text for _, text in self.unconstrained)}>"

    @property
    def own_head(self) -> str:
        """``template <...>`` of the function itself, in its class, or an empty text."""
        own = ", ".join(text for _, text in self.own_parameters)
        return f"template <{own}> " if own else ""

    def arguments(self, parameters: list[tuple[str, str]]) -> str:
        """The parameters as arguments: ``<T, N>``."""
        return f"<{', '.join(name for name, _ in parameters)}>"

    def keys(self) -> str:
        """The parameters as arguments, with what stands for closures in their place."""
        found = []
        for argument, text in self.unconstrained:
            for name in arguments_in(f"<{argument}>") if qualified_at(text, 0) in ("class", "typename") else ():
                dots = "..." if name.endswith("...") else ""
                found.append(f"typename rex_key<{name.removesuffix('...')}>::type{dots}")
            found += () if qualified_at(text, 0) in ("class", "typename") else (argument,)
        return f"<{', '.join(found)}>"

    @property
    def scope(self) -> str:
        """The namespace around, as ``::app::``."""
        return "::" + "".join(f"{name}::" for name in self.unit.namespaces_around(self.function.cursor))

    @property
    def class_name(self) -> str:
        """The name of the class, from anywhere in the file; only for classes that are no templates."""
        return self.unit.names.spelled(self.record.type.get_canonical(), outside=True)

    @property
    def qualifier(self) -> str:
        """What stands in front of the function's name where it is defined outside of its class: ``Solver<T>::``."""
        place = self.unit.place(self.function.cursor.location)
        return self.unit.text[qualifier_before(self.unit.text, place, angles=True) : place]

    @property
    def header(self) -> str:
        """``template <...>`` in front of the function where it is defined, or an empty text."""
        text = self.unit.text
        return text[self.function.start : specifiers(text, self.function.start)].strip()

    def instances(self, start: int = -1, end: int = -1) -> list[Instance]:
        """The instantiations in the unit that have the statement from ``start`` to ``end``, which ``if constexpr`` may
        discard. Raises InputError for one that cannot be named."""
        found: dict[str, Instance] = {}
        k = self.unit.kinds
        for cursor in instances_with(self.unit, self.function, start, end):
            is_class = cursor.kind in (k.CLASS_DECL, k.STRUCT_DECL)  # an explicit instantiation
            if is_class and self.own_parameters:
                continue
            own = arguments_of(self.unit, cursor, self._own_types) if self.own_parameters else []
            own = own[: len(own) - self._conditions]
            if not _fits(own, self.own_parameters):
                continue  # a template of an instantiated class
            lists = [
                [self._of_parameter(n, at, cursor) if "{lambda" in t or "$_" in t else t for at, t in enumerate(one)]
                for n, one in enumerate(self._split(own))
            ]
            own = [text for one in lists for text in one]
            record = cursor if is_class else self._class_of(cursor) if self.record is not None else None
            of_class = self._of_class(record, "" if is_class else cursor.mangled_name)
            check_local(self.unit, self.function, cursor)
            for text in (*own, *of_class):
                if "(unnamed" in text or _NAMELESS.search(text) is not None or self._is_constructed(text):
                    what = "a region in a template whose argument is a class without a name, a lambda or an object"
                    raise error_at(self.place, f"{what} with constructors is not supported", "pass it instead")
                if not text or len(of_class) < sum(not is_list(one) for _, one in self.class_parameters):
                    what = f"how '{self.function.name}' is instantiated cannot be told: a region in it is not supported"
                    raise error_at(self.place, what, "write out the arguments that the template has by default")
            if any("type-parameter" in text for text in (*own, *of_class)):
                continue
            if not _fits(of_class, self.class_parameters):
                continue
            lists = [[completed(self.unit, text) for text in one] for one in lists]
            of_class = [completed(self.unit, text) for text in of_class]
            behind = zip(self.own_parameters[self.first_tag :], lists[self.first_tag :], strict=True)
            tags = tuple(_as_type(text, one, is_type=self._is_type(name)) for (name, text), one in behind)
            own = [text for one in lists[: self.first_tag] for text in one]
            arguments = f"<{', '.join([*of_class, *own, *tags])}>"
            whole = self.unit.names.spelled(record.type.get_canonical(), outside=True) if record is not None else ""
            if whole.endswith("}>") and self.levels[-1].depth == 0:  # objects have no scopes in it
                given = of_class[-len(self.levels[-1].parameters) :]
                whole = f"{whole[: opening_of(whole, len(whole) - 1)]}<{', '.join(given)}>"
            made = Instance(arguments, whole, f"<{', '.join(own)}>" if own else "", cursor, tags)
            if arguments not in found or not is_class:
                found[arguments] = made
        return list(found.values())

    def _is_constructed(self, argument: str) -> bool:
        """Whether an argument is a value of a class with constructors, so that its members do not make it."""
        classes = _VALUE.findall(argument)
        return bool(classes) and any(f.name.partition("<")[0] in classes for f in self.unit.functions)

    def _of_class(self, record: Any, symbol: str) -> list[str]:
        """The arguments of the class templates around, of which a class is instantiated, or is in such a class."""
        return [
            argument for level, made in self._made(record)
            for argument in level.arguments(arguments_of(self.unit, made, types_of(self.unit, level.general), symbol))
        ]  # fmt: skip

    def _made(self, record: Any) -> Iterator[tuple[Level, Any]]:
        """The class templates around, each with what it is in the instantiation that a class is, or is in."""
        for level in self.levels:
            made = record
            for _ in range(level.depth):
                made = made.semantic_parent
            yield level, made

    def _class_of(self, instance: Any) -> Any:
        """The class of a method, or of a friend, that was instantiated with it."""
        return instance.lexical_parent if self.is_friend else instance.semantic_parent

    def _of_parameter(self, place: int, number: int, cursor: Any) -> str:
        """A type as the template's argument at a place, perhaps one of a list, told by a parameter of the function:
        ``F`` by ``const F &f``."""
        name = self.own_parameters[place][0].removesuffix("...")
        written = [c for c in libclang.children(self.function.cursor) if c.kind == self.unit.kinds.PARM_DECL]
        arguments = list(cursor.get_arguments())
        for at, parameter in enumerate(written, number):
            spelled = parameter.type.spelling.removesuffix("...").rstrip()
            if spelled.removeprefix("const ").rstrip("& ") == name and at < len(arguments):
                made = arguments[at].type
                of = made if "&" not in spelled else made.get_pointee()
                # An argument that has a name makes the parameter of ``F &&f`` a reference.
                named = spelled.endswith("&&") and made.kind == self.unit.types.LVALUEREFERENCE
                return self.unit.type_of(of).text + (" &" if named else "")
        return "{lambda}"

    def _argument(self, instance: Instance, name: str) -> CxxType | None:
        """The type that a parameter of the class template has in an instantiation."""
        k, record = self.unit.kinds, instance.cursor
        record = record if record.kind in (k.CLASS_DECL, k.STRUCT_DECL) else self._class_of(record)
        for level, made in self._made(record):
            names = [parameter for parameter, _ in level.parameters]
            if name in names and made.get_num_template_arguments() > names.index(name):
                found: CxxType = self.unit.type_of(made.get_template_argument_type(names.index(name)))
                return found
        return None

    def declared_in(self, variable: Variable, instance: Instance) -> Any:
        """The declaration of a variable of a template in an instantiation, or None."""
        at = variable.cursor.location.offset
        found = declared_at(self.unit, instance.cursor, variable.name, at)
        if found is None and variable.cursor.kind == self.unit.kinds.PARM_DECL:
            found = declared_at(self.unit, instance.cursor, variable.name, None)  # declared elsewhere
        return found

    def list_in(self, variable: Variable, instance: Instance) -> list[CxxType]:
        """The types that a list of parameters has in an instantiation."""
        k, found = self.unit.kinds, []
        at = variable.cursor.location.offset
        own = [c for c in libclang.children(instance.cursor) if c.kind == k.PARM_DECL and c.spelling == variable.name]
        there = [c for c in own if c.location.offset == at]
        for parameter in there or own:  # the function may be declared elsewhere
            found.append(replace(self.unit.type_of(libclang.referred(parameter.type)), const=False))
        return found

    def type_in(self, variable: Variable, instance: Instance) -> CxxType:
        """The type of a variable of a template in an instantiation. Raises InputError if it is not known."""
        own: CxxType = variable.type
        if own.kind == "scalar":
            return own  # it depends on nothing
        found = self.declared_in(variable, instance)
        if found is None:
            argument = self._argument(instance, variable.type.text)
            if argument is None:
                what = f"the type of '{variable.name}' in '{instance.arguments}' is not known"
                raise error_at(self.place, what)
            return argument
        resolved: CxxType = self.unit.type_of(libclang.referred(found.type))
        return resolved

    def _is_later(self, variable: Variable, instance: Instance) -> bool:
        """Whether the type of a variable in an instantiation names what is declared behind the template."""
        declared = self.declared_in(variable, instance)
        queue = [declared.type] if declared is not None else []
        while queue:
            kind = libclang.behind(queue.pop()).get_canonical()
            record = kind.get_declaration()
            if libclang.is_users(record) and self.unit.place(record.location) > self.function.start:
                return True
            given = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
            queue += [argument for argument in given if argument._kind_id]
        return False

    def resolved(self, variable: Variable, instances: list[Instance], *, mixed: str) -> CxxType:
        """The type of a variable of a template, with the kind that it has in the instantiations.

        A scalar in one and a class in another have the kind ``mixed``.
        """
        resolved: CxxType = self.unit.mixed.get(variable, variable.type)
        meaning_nothing = ("auto", "decltype", "__typeof__")  # in another place
        is_auto = has_word(resolved.text, *meaning_nothing[: None if variable.cursor is not None else 1])
        if (resolved.kind != "dependent" and not is_auto) or not instances or resolved.text.endswith("..."):
            return resolved
        found = [self.type_in(variable, instance) for instance in instances]
        if is_auto and len({one.text for one in found}) == 1 and not self._is_later(variable, instances[0]):
            return found[0]
        kinds: set[tuple[str, bool]] = set()
        for resolved in found:
            kinds.add((resolved.kind, resolved.kind == "scalar" and 0 < resolved.size <= 8))
        if len(kinds) > 1 and not is_auto and {name for name, _ in kinds} == {"scalar", "record"}:
            dependent = self.unit.mixed.setdefault(variable, variable.type)  # the next region asks again
            return CxxType(dependent.text, mixed, 0, dependent.const)
        if len(kinds) > 1:
            words = {"array": "an array", "record": "a class", "other": "another type"}
            named = sorted({words.get(kind, f"a {kind}") for kind, _ in kinds})
            what = f"'{variable.name}' is {' and '.join(named)} in different instantiations"
            raise error_at(self.place, what + ", which is not supported")
        (kind_name, small) = kinds.pop()
        text = variable.type.text
        if is_auto:  # which cannot be written in another place
            if kind_name == "array":
                what = f"'{variable.name}', an 'auto', is an array of different types in different instantiations"
                raise error_at(self.place, f"{what}, which is not supported")
            types = [(instance, one.text) for instance, one in zip(instances, found, strict=True)]
            known = self.unit.auto_types
            auto = known.setdefault(variable, AutoType(self, types, f"rex_auto_{variable.name}_{len(known) + 1}"))
            text = f"typename {auto.name}{self.arguments(self.parameters)}::type"
            const = found[0].const
            return CxxType(text, kind_name, 8 if small or kind_name == "pointer" else 16, const)
        if variable.is_reference and text in [name for name, _ in self.parameters]:  # perhaps a reference, too
            text = f"typename rex_object<{text}>::type"
        element = resolved.element
        if kind_name == "pointer" and element is not None and len({one.text for one in found}) > 1 and "*" not in text:
            kind = element.kind if len({one.element.kind for one in found if one.element}) == 1 else "dependent"
            element = replace(element, text=f"typename rex_pointee<{text}>::type", kind=kind)
        return CxxType(text, kind_name, 8 if small else 16, variable.type.const, element, resolved.length)


@dataclass(frozen=False)
class AutoType:
    """The type of an ``auto`` variable of a template, which differs between the instantiations."""

    around: Surroundings
    types: list[tuple[Instance, str]]
    name: str

    def declaration(self) -> str:
        return f"{self.around.head} struct {self.name};\n"

    def definitions(self) -> Iterator[str]:
        for instance, text in self.types:
            name = f"{self.around.scope.removeprefix('::')}{self.name}{instance.arguments}"
            yield f"template <> struct {name} {{ typedef {text} type; }};\n"


def _fits(arguments: list[str], parameters: list[tuple[str, str]]) -> bool:
    """Whether there is an argument for each parameter. A list of parameters may stand for any number."""
    plain = sum(not is_list(text) for _, text in parameters)
    return len(arguments) == plain if plain == len(parameters) else len(arguments) >= plain


def before_default(text: str) -> str:
    """A template's parameter without its default, which is ``0`` in ``enable_if_t<N == 1, int> = 0``."""
    around = ""
    for match in re.finditer(r"[<>=!]=|->|[()<>=]", text):
        if match[0] == "=" and not around:
            return text[: match.start()].strip()
        if match[0] == "(" or (match[0] == "<" and not around.endswith("(")):  # in parentheses it may compare
            around += match[0]
        elif (match[0] == ")" and around.endswith("(")) or (match[0] == ">" and around.endswith("<")):
            around = around[:-1]
    return text.strip()


def _parameters(unit: Unit, cursor: Any, *, named: bool = True) -> list[tuple[str, str]]:
    """(its name as an argument, its text without its default) of each parameter of a template."""
    found = []
    for child in unit.template_parameters(cursor):
        start, end = unit.extent(child)
        text = before_default(unit.text[qualifier_before(unit.text, start) : end])  # which a concept may have
        if named and not child.spelling:
            raise error_at(unit.span(start), "a template parameter without a name around a region is not supported")
        found.append((f"{child.spelling}..." if is_list(text) else child.spelling, text))
    return found


@dataclass(frozen=True)
class Level:
    """A class template around a function, or a partial specialisation of it: ``general`` is the template itself.

    ``parameters`` are those of the template, each with what is its argument in the class, and ``written`` those that
    the class declares. ``depth`` says how many classes further out than the function's own it is."""

    general: Any
    depth: int
    parameters: list[tuple[str, str]]
    written: list[tuple[str, str]]
    one_type: str = ""  # the list in place of which there is one type, as other parameters would be behind it

    def with_one_type(self) -> Level:
        *others, (argument, text) = self.parameters
        if not is_list(text) or qualified_at(text, 0) == "template":
            return self
        made = _as_type(text, [argument], is_type=qualified_at(text, 0) in ("class", "typename"))
        return replace(self, parameters=[*others, (made, "class")], one_type=text)

    def arguments(self, given: list[str]) -> list[str]:
        """The arguments of an instantiation for the parameters."""
        last = len(self.parameters) - 1
        if not self.one_type:
            return given
        is_type = qualified_at(self.one_type, 0) in ("class", "typename")
        return [*given[:last], _as_type(self.one_type, given[last:], is_type=is_type)]


def _as_type(parameter: str, arguments: list[str], *, is_type: bool) -> str:
    """The type that stands for the arguments of a template's parameter, or of a list of them."""
    if is_type:
        return f"rex_types<{', '.join(arguments)}>"
    kind = (parameter.rpartition("...")[0] or parameter.rpartition(" ")[0]).strip()
    if has_word(kind, "auto"):
        return f"rex_objects<{', '.join(arguments)}>"
    return f"rex_values<{', '.join([kind, *arguments])}>"


def _is_value(argument: str) -> bool:
    """Whether an argument of a template is no type."""
    is_object = argument.endswith("}") and argument[0] != "{"
    return is_object or argument[:1] in "-(&0123456789" or argument in ("true", "false", "nullptr")


def _levels(unit: Unit, record: Any) -> Iterator[Level]:
    """The class templates around a function of a class, from the outermost."""
    k, around = unit.kinds, []
    while record is not None and record.kind in unit.classes:
        around.append(record)
        record = record.semantic_parent
    for depth, one in reversed(list(enumerate(around))):
        if one.kind == k.CLASS_TEMPLATE:
            own = _parameters(unit, one)
            yield Level(one, depth, own, own)
        elif one.kind == k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
            general = libclang.template_of(one)
            opening = next_token(unit.text, unit.place(one.location) + len(one.spelling))
            arguments = arguments_in(unit.text[opening : closing_angle(unit.text, opening)])
            declared = _parameters(unit, general, named=False)
            last = len(declared) - 1  # which may be a list
            given = [*arguments[:last], ", ".join(arguments[last:])]
            own = [(a, _unnamed(name, text)) for a, (name, text) in zip(given, declared, strict=True)]
            yield Level(general, depth, own, _parameters(unit, one))


def _unnamed(name: str, text: str) -> str:
    """The declaration of a template's parameter without its name."""
    before, _, after = text.rpartition(name.removesuffix("...")) if name.strip(".") else ("", "", text)
    return f"{before}{after}".strip()
