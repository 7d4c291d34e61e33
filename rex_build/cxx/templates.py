"""Templates and classes around regions: their parameters, where generated members go, and what instantiates them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..c.source.tokens import closing, has_word, next_token, words_in
from . import libclang
from .code import CxxType, Variable
from .functions import NARROW_SIGNED, Function
from .template_arguments import arguments_of, check_local, types_of
from .text_constructs import closing_angle, name_before, opening_of, qualified_at, qualifier_before
from .unit import Unit

# Explicit instantiations.
EXPLICIT = regex(
    r"(?:^|(?<=[;{}]))[ \t]*(?P<whole>(?P<extern>extern[ \t]+)?template\b\s*(?P<declared>[^<\s;{}][^;{}]*);)",
    re.MULTILINE,
)


@dataclass(frozen=False)
class Instance:
    """An instantiation: ``object`` is its class, if the template is or has one, and ``own`` the function's arguments.

    ``arguments`` are all of them, first those of the class."""

    arguments: str
    object: str
    own: str
    cursor: Any


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
        self.is_static = bool(function.is_member and cursor.is_static_method())
        self.class_parameters: list[tuple[str, str]] = []
        if self.record is not None and self.record.kind == k.CLASS_TEMPLATE:
            self.class_parameters = _parameters(unit, self.record)
        own = _parameters(unit, cursor) if cursor.kind == k.FUNCTION_TEMPLATE else []
        # Outside of its class, libclang counts the class's parameters to those of a member template.
        self.own_parameters = [one for one in own if one not in self.class_parameters]
        self._own_types = types_of(unit, cursor)
        self._class_types = types_of(unit, self.record) if self.record is not None else []
        start = unit.extent(self._class())[0] if self.record is not None else function.start
        self.place = unit.span(function.start)
        if self.record is not None and self.record.kind == k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
            raise error_at(self.place, "a region in a partial specialisation of a class template is not supported")
        if any("..." in text for _, text in self.parameters[:-1]):
            what = "a region in a template with parameters behind a list of parameters is not supported"
            raise error_at(self.place, what)
        self.class_end = unit.extent(self._class())[1] - 1 if self.record is not None else -1
        outermost = self._class() if self.record is not None else cursor
        around = outermost.semantic_parent
        while around is not None and around.kind not in (k.NAMESPACE, k.TRANSLATION_UNIT, k.LINKAGE_SPEC):
            if around.kind in (k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
                raise error_at(self.place, "a region in a class of a class template is not supported")
            start = unit.extent(around.get_definition() or around)[0]
            around = around.semantic_parent
        # The classes that it is a friend of.
        self.classes = unit.friends.get(cursor.canonical.hash, []) if self.record is None else []
        self.is_friend_inside = self.record is None and cursor.lexical_parent.kind in unit.classes
        self.befriended = min([start, *(self._outermost(c) for c in self.classes)])
        start = self.befriended if self.is_friend_inside else start
        self.outside = start  # where something can stand in front of the function and its classes
        self.is_in_class = self.record is not None and self.class_end > function.start >= unit.extent(self._class())[0]

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
        return [*self.class_parameters, *self.own_parameters]

    @property
    def unconstrained(self) -> list[tuple[str, str]]:
        """The parameters for templates of our own, whose arguments may be what stands for the user's, such as for
        closures. So what the user demands of them is left out."""
        k, names = self.unit.kinds, {name for name, _ in self.parameters}
        cursors = [self.function.cursor, *([self.record] if self.class_parameters else [])]
        kinds = {c.spelling: c.kind for one in cursors for c in self.unit.template_parameters(one)}
        found = []
        for name, text in self.parameters:
            dots = "..." if "..." in text else ""
            depends = not names.isdisjoint(words_in(text.rpartition(">")[0]))
            if kinds.get(name) == k.TEMPLATE_TYPE_PARAMETER:
                found.append((name, f"class{dots} {name}"))
            elif kinds.get(name) == k.TEMPLATE_NON_TYPE_PARAMETER and depends:  # as with std::enable_if_t
                found.append((name, f"long long{dots} {name}"))
            else:
                found.append((name, text))
        return found

    def arguments(self, parameters: list[tuple[str, str]]) -> str:
        """The parameters as arguments: ``<T, N>``."""
        names = (f"{name}..." if "..." in text else name for name, text in parameters)
        return f"<{', '.join(names)}>"

    def keys(self) -> str:
        """The parameters as arguments, with what stands for closures in their place."""
        found = []
        for name, text in self.unconstrained:
            is_type = qualified_at(text, 0) in ("class", "typename")
            found.append((f"typename rex_key<{name}>::type" if is_type else name) + ("..." if "..." in text else ""))
        return f"<{', '.join(found)}>"

    @property
    def scope(self) -> str:
        """The namespace around, as ``::app::``."""
        return "::" + "".join(f"{name}::" for name in self.unit.namespaces_around(self.function.cursor))

    @property
    def class_name(self) -> str:
        """The name of the class, from anywhere in the file; only for classes that are no templates."""
        return self.unit.type_of(self.record.type).text

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
            own = [
                self._of_parameter(n, cursor) if "{lambda" in t or "$_" in t else t for n, t in enumerate(own)
            ]
            record = cursor if is_class else self._class_of(cursor) if self.record is not None else None
            of_class = arguments_of(self.unit, record, self._class_types) if self.class_parameters else []
            check_local(self.unit, self.function, cursor)
            for text in (*own, *of_class):
                if "(unnamed" in text or "{" in text:
                    what = "a region in a template that is instantiated with a type without a name is not supported"
                    raise error_at(self.place, what)
                if not text:
                    what = f"how '{self.function.name}' is instantiated cannot be told: a region in it is not supported"
                    raise error_at(self.place, what)
            if not (_fits(own, self.own_parameters) and _fits(of_class, self.class_parameters)):
                continue  # a template of an instantiated class
            if any("type-parameter" in text for text in (*own, *of_class)):
                continue
            arguments = f"<{', '.join([*of_class, *own])}>"
            whole = self.unit.type_of(record.type).text if record is not None else ""
            made = Instance(arguments, whole, f"<{', '.join(own)}>" if own else "", cursor)
            if arguments not in found or not is_class:
                found[arguments] = made
        return list(found.values())

    def _class_of(self, instance: Any) -> Any:
        """The class of a method, or of a friend, that was instantiated with it."""
        return instance.lexical_parent if self.is_friend else instance.semantic_parent

    def _of_parameter(self, number: int, cursor: Any) -> str:
        """A type as the template's argument, told by a parameter of the function: ``F`` by ``const F &f``."""
        if number < len(self.own_parameters):
            name = self.own_parameters[number][0]
            pattern = [c for c in libclang.children(self.function.cursor) if c.kind == self.unit.kinds.PARM_DECL]
            for written, made in zip(pattern, cursor.get_arguments(), strict=False):
                spelled = written.type.spelling
                if spelled.removeprefix("const ").rstrip("& ") == name:
                    of = made.type if "&" not in spelled else made.type.get_pointee()
                    # An argument that has a name makes the parameter of ``F &&f`` a reference.
                    named = spelled.endswith("&&") and made.type.kind == self.unit.types.LVALUEREFERENCE
                    return self.unit.type_of(of).text + (" &" if named else "")
        return "{lambda}"

    def _argument(self, instance: Instance, name: str) -> CxxType | None:
        """The type that a parameter of the class template has in an instantiation."""
        names = [parameter for parameter, _ in self.class_parameters]
        k = self.unit.kinds
        record = instance.cursor
        record = record if record.kind in (k.CLASS_DECL, k.STRUCT_DECL) else self._class_of(record)
        if name not in names or record.get_num_template_arguments() <= names.index(name):
            return None
        found: CxxType = self.unit.type_of(record.get_template_argument_type(names.index(name)))
        return found

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
            kind = parameter.type
            if kind.get_canonical().kind in (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE):
                kind = kind.get_pointee()
            found.append(replace(self.unit.type_of(kind), const=False))
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
        kind = found.type
        if kind.get_canonical().kind in (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE):
            kind = kind.get_pointee()
        resolved: CxxType = self.unit.type_of(kind)
        return resolved

    def resolved(self, variable: Variable, instances: list[Instance], *, mixed: str) -> CxxType:
        """The type of a variable of a template, with the kind that it has in the instantiations.

        A scalar in one and a class in another have the kind ``mixed``.
        """
        resolved: CxxType = self.unit.mixed.get(variable, variable.type)
        is_auto = has_word(resolved.text, "auto")
        if (resolved.kind != "dependent" and not is_auto) or not instances or resolved.text.endswith("..."):
            return resolved
        found = [self.type_in(variable, instance) for instance in instances]
        if is_auto and len({one.text for one in found}) == 1:
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
        parameters = ", ".join(text for _, text in self.around.unconstrained)
        return f"template <{parameters}> struct {self.name};\n"

    def definitions(self) -> Iterator[str]:
        for instance, text in self.types:
            name = f"{self.around.scope.removeprefix('::')}{self.name}{instance.arguments}"
            yield f"template <> struct {name} {{ typedef {text} type; }};\n"


def _fits(arguments: list[str], parameters: list[tuple[str, str]]) -> bool:
    """Whether there is an argument for each parameter. The last of them may stand for any number."""
    if parameters and "..." in parameters[-1][1]:
        return len(arguments) >= len(parameters) - 1
    return len(arguments) == len(parameters)


def before_default(text: str) -> str:
    """A template's parameter without its default, which is ``0`` in ``enable_if_t<N == 1, int> = 0``."""
    depth = 0
    for match in re.finditer(r"[<>=!]=|->|[()<>=]", text):
        depth += (match[0] in ("(", "<")) - (match[0] in (")", ">"))
        if match[0] == "=" and depth == 0:
            return text[: match.start()].strip()
    return text.strip()


def _parameters(unit: Unit, cursor: Any) -> list[tuple[str, str]]:
    """(name, text without its default) of each parameter of a template."""
    found = []
    for child in unit.template_parameters(cursor):
        start, end = unit.extent(child)
        text = before_default(unit.text[qualifier_before(unit.text, start) : end])  # which a concept may have
        if not child.spelling:
            raise error_at(unit.span(start), "a template parameter without a name around a region is not supported")
        found.append((child.spelling, text))
    return found


def declared_at(unit: Unit, cursor: Any, name: str, at: int | None) -> Any:
    """The variable of a name that an instantiation declares, at a place or anywhere."""
    declared = unit.declared_by.get(cursor.hash)
    if declared is None:
        declared = unit.declared_by[cursor.hash] = {}
        for node in libclang.descendants(cursor):
            if node.kind in (unit.kinds.VAR_DECL, unit.kinds.PARM_DECL):
                declared.setdefault(node.spelling, []).append(node)
    return next((node for node in declared.get(name, ()) if at in (None, node.location.offset)), None)


def instances_with(unit: Unit, function: Function, start: int, end: int) -> list[Any]:
    """The instantiations of a function that have the statement from ``start`` to ``end``, if that is a place in it."""
    found = instantiations(unit).get(function.start, [])
    return [cursor for cursor in found if start < 0 or _has_statement(unit, cursor, start, end)]


def _has_statement(unit: Unit, instance: Any, start: int, end: int) -> bool:
    nodes = libclang.descendants(instance)
    if not any(node.kind == unit.kinds.COMPOUND_STMT for node in nodes):
        return True  # libclang does not show what it has
    return any(start <= unit.place(node.location) < end for node in nodes)


def narrow_steps(unit: Unit, function: Function) -> frozenset[int]:
    """Where a template steps variables that are narrow signed integers in one of its instantiations."""
    if function.start not in unit.narrow_steps:
        made = (node for one in instantiations(unit).get(function.start, ()) for node in libclang.descendants(one))
        steps = (node for node in made if node.kind == unit.kinds.UNARY_OPERATOR)
        narrow = (node for node in steps if node.type.get_canonical().kind.name in NARROW_SIGNED)
        unit.narrow_steps[function.start] = frozenset(unit.extent(node)[0] for node in narrow)
    return unit.narrow_steps[function.start]


def uninstantiated(unit: Unit) -> frozenset[int]:
    """Where constructs begin that stand in templates, or in branches of them, that the unit does not instantiate."""
    found = set()
    for construct in unit.constructs:
        function = unit.function_at(construct.start) if construct.directive.is_target else None
        if function is None or not function.is_template:
            continue
        has_statement = construct.end > construct.pragma_end
        start, end = (construct.body_start, construct.end) if has_statement else (-1, -1)
        if not instances_with(unit, function, start, end):
            found.add(construct.start)
    return frozenset(found)


def instantiations(unit: Unit) -> dict[int, list[Any]]:
    """The instantiations of the user's templates that the unit makes: for each function's start, their cursors."""
    if unit.instantiated is not None:
        return unit.instantiated
    k = unit.kinds
    found: dict[int, list[Any]] = {}
    seen: set[tuple[str, int]] = set()
    queue = [f.cursor for f in unit.functions if not f.is_template]
    queue += [*(v.cursor for v in unit.globals), *unit.asking]

    def reach(target: Any) -> None:
        function = unit.defined(target)
        if function is None or not function.is_template or function.cursor == target:
            return
        name = f"{target.get_usr()} {target.semantic_parent.type.spelling}"  # which closures may have in common
        if (name, target.canonical.hash) in seen:
            return
        seen.add((name, target.canonical.hash))
        definition = target.get_definition() or target
        found.setdefault(function.start, []).append(definition)
        queue.append(definition)

    for record in unit.explicit:
        general = libclang.template_of(record)
        for function in unit.functions:
            parent = function.cursor.semantic_parent
            if general is not None and function.is_member and parent.canonical == general.canonical:
                found.setdefault(function.start, []).append(record)
    while queue:
        head = queue.pop()
        for cursor in (head, *libclang.descendants(head)):
            if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
                target = cursor.referenced
                if target is not None and target.kind in (
                    k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION,
                ):  # fmt: skip
                    reach(target)
            elif cursor.kind in (k.VAR_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.FUNCTION_DECL):
                if cursor.kind != k.VAR_DECL:
                    reach(cursor)
                elif (declaration := cursor.type.get_canonical().get_declaration()) is not None:
                    for child in libclang.children(declaration):
                        if child.kind == k.DESTRUCTOR:
                            reach(child)
    unit.instantiated = found
    return found


def uncalled_methods(unit: Unit, failed: Collection[int]) -> str:
    """Text that names methods with regions of instantiated classes, where nothing calls them by name: virtual ones,
    those of explicit instantiations, and those that the library calls. libclang shows their bodies then. An empty text
    if there are none. The ``failed`` ones do not compile."""
    k = unit.kinds
    regions = (unit.function_at(c.start) for c in unit.constructs if c.directive.is_target)
    methods = {
        f.start: f
        for f in regions
        if f is not None and f.cursor.kind == k.CXX_METHOD and f.cursor.semantic_parent.kind == k.CLASS_TEMPLATE
        if f.start not in failed
    }  # fmt: skip
    found = instantiations(unit) if methods else {}
    for start in [s for s in methods if any(i.kind not in (k.CLASS_DECL, k.STRUCT_DECL) for i in found.get(s, ()))]:
        del methods[start]  # something calls it
    if not methods:
        return ""
    records: dict[int, set[str]] = {}

    def note(kind: Any, depth: int = 0) -> None:
        kind = kind.get_canonical()
        kind = kind.get_pointee() if kind.kind in (unit.types.POINTER, unit.types.LVALUEREFERENCE) else kind
        record = kind.get_declaration()
        general = libclang.template_of(record)
        if general is not None and libclang.is_users(general) and "type-parameter" not in kind.spelling:
            records.setdefault(general.canonical.hash, set()).add(kind.spelling)
        for number in range(max(0, kind.get_num_template_arguments()) if depth < 4 else 0):
            if (argument := kind.get_template_argument_type(number)).kind != unit.types.INVALID:
                note(argument, depth + 1)

    for record in unit.explicit:
        note(record.type)
    bodies = [f.cursor for f in unit.functions if not f.is_template] + [v.cursor for v in unit.globals]
    bodies += [instance for instances in found.values() for instance in instances]
    for outer in bodies:
        for cursor in (outer, *libclang.descendants(outer)):
            if cursor.kind in (k.VAR_DECL, k.CALL_EXPR, k.CXX_NEW_EXPR):
                note(cursor.type)
    named = [
        f"(void)&{record}::{method.cursor.spelling};"
        for _, method in sorted(methods.items())
        for record in sorted(records.get(method.cursor.semantic_parent.canonical.hash, ()))
        if "(" not in record
    ]
    return f"\nvoid rex_instances() {{ {' '.join(named)} }}\n" if named else ""


def explicit_functions(unit: Unit) -> str:
    """Text that names the function templates that the unit instantiates explicitly, which libclang does not show.

    ``template int app::sum<4>(const int *);`` becomes ``int (*rex_explicit_1)(const int *) = &app::sum<4>;``.
    """
    named: list[str] = []
    for match in unit.pre.in_own_parts(EXPLICIT):
        declared = match["declared"]
        scope, record = unit.scope_at(match.start())
        if qualified_at(declared, 0) in ("class", "struct", "union") or ")" not in declared:
            continue
        begin = opening_of(declared, declared.rindex(")"), "()")
        identifier = declared[name_before(declared, begin) : begin].strip()
        if match["extern"] or record is not None or "(" in scope or not identifier:
            continue
        result, rest = declared[: declared.rindex(identifier, 0, begin)], declared[begin:]
        pointer = f"rex_explicit_{len(named) + 1}"
        is_method = "<" in identifier.rpartition("::")[0]
        text = f"auto {pointer} = &{identifier};" if is_method else f"{result}(*{pointer}){rest} = &{identifier};"
        spaces = [name for name in scope.split("::") if name]
        outer, end = "".join(f"namespace {name} {{ " for name in spaces), "}" * len(spaces)
        named.append(f"{outer}void rex_names_{pointer}() {{ {text} (void){pointer}; }}{end}\n")
    return "\n" + "".join(named) if named else ""
