"""Resolves ``declare variant``: calls go to the variant that fits at their place (OpenMP 5.2, sections 7.5.4, 7.5.5).

Device code is made from the tree, so every call in it is resolved for the device. In the host's text, calls are
resolved for the host, whose compiler may not know all selectors. Functions inside ``begin declare variant`` get other
names or are removed. If a condition is not constant, each call asks a function that evaluates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import Replacement, error_at
from ...base.patterns import regex
from ...base.records import dataclass
from ...directives.combined import older_dependences
from ...directives.model import GONE, DependClause, Directive, ExprClause, HostForm, ListClause, TextClause
from ...directives.parser import refuse_unsupported
from ...directives.selectors import Context, best_of, constructs_of, is_of_vectors, undecided, with_condition
from ...openmp.older_spellings import interop_kind
from ...openmp.variants import RULE, delimited, is_for_host, matched
from ..source.tokens import arguments_at
from ..syntax.nodes import DEVICE_VERSION, OmpConstruct, ParsedUnit, branches, place_nodes, rename_function

_DEFAULT_DEVICE = "rex_default_device()"


@dataclass(frozen=True)
class _Variant:
    """One variant of a function.

    ``device_pointers`` are the parameters (0-based) for which ``adjust_args`` wants device addresses. ``interop`` are
    the kinds (1 target, 2 targetsync) of the objects that ``append_args`` adds. ``condition`` is the function that says
    whether the variant is chosen, if only the run decides.
    """

    name: str
    clause: TextClause
    selector: str
    device_pointers: tuple[int, ...] = ()
    interop: tuple[int, ...] = ()
    is_void: bool = False
    condition: str | None = None


def resolve_variants(
    unit: ParsedUnit, parse: Callable[[str], c_ast.FileAST], fresh: Callable[[str], str]
) -> tuple[dict[int, HostForm], list[Replacement]]:
    """Redirect the calls in ``unit``'s tree.

    Returns the host forms of directives by their offsets, and the other replacements in the host's text. ``parse``
    parses C text in which the unit's type names are known. Raises InputError for malformed directives.
    """
    return _Resolver(unit, parse, fresh).resolved()


class _Resolver:
    """The variants of a unit's functions, and the calls that reach them. Generated names are ``fresh``."""

    def __init__(
        self, unit: ParsedUnit, parse: Callable[[str], c_ast.FileAST], fresh: Callable[[str], str]
    ) -> None:
        self._unit, self._parse, self._fresh = unit, parse, fresh
        self._variants: dict[str, list[_Variant]] = {}  # by the names of functions
        self._asking: list[c_ast.Node] = []  # the functions that evaluate conditions

    def resolved(self) -> tuple[dict[int, HostForm], list[Replacement]]:
        """Redirect the calls in the tree, as :func:`resolve_variants` does."""
        unit = self._unit
        forms, replacements = self._delimited()
        waiting: list[tuple[Directive, int]] = []
        functions = (i.decl if isinstance(i, c_ast.FuncDef) else i for i in unit.ast.ext)
        static = {d.name for d in functions if isinstance(d, c_ast.Decl) and "static" in (d.storage or ())}
        for item in unit.ast.ext:
            if isinstance(item, OmpConstruct):
                if item.directive.name == "declare variant":
                    waiting.append((item.directive, item.start))
            elif isinstance(item, (c_ast.Decl, c_ast.FuncDef)) and waiting:
                declaration = item.decl if isinstance(item, c_ast.FuncDef) else item
                base = declaration.name
                for directive, at in waiting:
                    clause, selector = matched(directive)
                    name = (directive.argument_text or "").strip()
                    used = ""
                    if name in static:  # otherwise compilers would warn that it is not
                        number = len(forms) + len(replacements)
                        variable = self._fresh(f"__rex_used_{number}")
                        used = f"static __typeof__(&{name}) {variable} __attribute__((__unused__)) = {name};"
                    adjusted = _device_pointers(directive, declaration)
                    selector, asked, text = self._decided(selector, clause, declaration)
                    forms[at] = _declarations(used + text)
                    if is_of_vectors(selector, clause):
                        continue
                    self._variants.setdefault(base, []).append(
                        _Variant(name, clause, selector, adjusted, _appended(directive), _is_void(declaration), asked)
                    )
                waiting = []
        unit.ast.ext += self._asking
        for item in unit.ast.ext if self._variants or "dispatch" in unit.pre.text else ():
            if isinstance(item, c_ast.FuncDef):
                more_forms, more_replacements = self._redirect(item.body)
                forms |= more_forms
                replacements += more_replacements
        versions = {item.decl.name.removesuffix(DEVICE_VERSION): item for item in unit.device_versions}
        for version in versions.values():
            self._redirect(version.body)  # it is no part of the host file
        for item in unit.every_function.ext if versions else ():
            for call in _calls(item) if isinstance(item, c_ast.FuncDef) else ():
                if call.name.name in versions:
                    call.name.name = versions[call.name.name].decl.name
        return forms, replacements

    def _delimited(self) -> tuple[dict[int, HostForm], list[Replacement]]:
        """Rename the functions inside ``begin declare variant`` in the tree and in the host's text."""
        forms: dict[int, HostForm] = {}
        replacements: list[Replacement] = []
        unit = self._unit
        items = unit.ast.ext
        found = (item for item in items if isinstance(item, OmpConstruct))
        # LLVM's omp.h has variants for its own compiler.
        directives = [one for one in found if not unit.pre.origin_of(unit.pre.line_at(one.start))[0].system]
        for begin, end in delimited(directives):
            asked, text = None, ""
            clause, selector = matched(begin.directive)
            on_host = is_for_host(clause, selector)
            first = items.index(begin)
            for number, item in enumerate(items[first : items.index(end)], first):
                if not isinstance(item, c_ast.FuncDef):
                    continue
                if not text:  # they all have the same answer
                    selector, asked, text = self._decided(selector, clause, item.decl)
                base, new = item.decl.name, f"{item.decl.name}__rex_variant_{number}"
                self._variants.setdefault(base, []).append(_Variant(new, clause, selector, condition=asked))
                if on_host:
                    start = unit.offset_of(item.decl)
                    replacements.append(Replacement(start, start + len(base), new))
                rename_function(item, new)
            if on_host:
                forms[begin.start], forms[end.start] = _declarations(text), GONE
            else:
                replacements.append(Replacement(begin.start, unit.pre.text.index("\n", end.start), text))
        return forms, replacements

    def _decided(
        self, selector: str, clause: TextClause, declaration: c_ast.Decl
    ) -> tuple[str, str | None, str]:
        """(the selector with constant conditions only, the function that evaluates the others, the function's text)."""
        conditions = undecided(selector, clause)
        if not conditions:
            return selector, None, ""
        condition = " && ".join(f"({c})" for c in conditions) if len(conditions) > 1 else conditions[0]
        name = self._fresh(f"__rex_condition_{len(self._asking)}")
        self._asking.append(self._asked(name, condition, clause, declaration))
        for one in conditions:  # each condition is a property of its own
            selector = with_condition(selector, one, 1 + len(self._asking))
        return selector, name, f"static int {name}(void) __attribute__((__unused__)); {_asking(name, condition)}"

    def _asked(self, name: str, condition: str, clause: TextClause, declaration: c_ast.Decl) -> c_ast.Node:
        """The same function for the tree."""
        function = declaration.type
        parameters = function.args.params if isinstance(function, c_ast.FuncDecl) and function.args else []
        for parameter in parameters:
            if re.search(rf"(?<![.>])\b{getattr(parameter, 'name', None)}\b", condition):
                what = f"a condition that uses the parameter '{parameter.name}' of '{declaration.name}'"
                raise error_at(clause.span, f"{what} is not supported", RULE)
        try:
            definition = self._parse(_asking(name, condition)).ext[-1]
        except ParseError:
            raise error_at(clause.span, f"malformed expression '{condition}'") from None
        place_nodes(definition, declaration.coord)
        return definition

    def _redirect(self, root: c_ast.Node) -> tuple[dict[int, HostForm], list[Replacement]]:
        """Resolve the calls of a function for device code. Returns the changes that resolve them in the host's text."""
        forms: dict[int, HostForm] = {}
        replacements = []
        stack: list[tuple[c_ast.Node, tuple[str, ...]]] = [(root, ("target",))]
        while stack:
            node, enclosing = stack.pop()
            if isinstance(node, OmpConstruct):
                if node.directive.name == "dispatch":
                    forms[node.start], more = self._dispatched(node, enclosing[1:])
                    replacements += more
                    for call in _calls(node)[:1]:
                        self._choose(call, node, enclosing)
                enclosing = (*enclosing, *node.directive.constructs)
            base = node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else ""
            if base in self._variants:
                reached = self._reached(base, Context(False, enclosing[1:]))
                if reached != [(None, base)]:
                    text = " : ".join(f"{condition}() ? {name}" if condition else name for condition, name in reached)
                    start = self._unit.offset_of(node.name)
                    text = text if len(reached) == 1 else f"({text})"
                    replacements.append(Replacement(start, start + len(base), text))
                place = node.name.coord
                chosen: c_ast.Node | None = None
                for condition, name in reversed(self._reached(base, Context(True, enclosing))):
                    function = c_ast.ID(name, place)
                    if condition is not None:
                        asked = c_ast.FuncCall(c_ast.ID(condition, place), None, place)
                        function = c_ast.TernaryOp(asked, function, chosen, place)
                    chosen = function
                node.name = chosen
            stack += [(part, enclosing) for part in branches(node)]
        return forms, replacements


    def _dispatched(self, node: OmpConstruct, around: tuple[str, ...]) -> tuple[HostForm, list[Replacement]]:
        """Resolve a ``dispatch`` on the host.

        The call names the variant, or chooses one as ``novariants`` and ``nocontext`` ask. Arguments that
        ``adjust_args`` names become device addresses. During the call, the default device is that of the ``dispatch``.
        """
        unit, directive = self._unit, node.directive
        form, device = self._around_call(directive)
        replacements: list[Replacement] = []
        for call in _calls(node)[:1]:  # calls in its arguments come after it
            base = call.name.name
            best = self._best(base, Context(False, (*around, "dispatch")), directive)
            choices: list[tuple[str, str]] = []
            outside = self._best(base, Context(False, around), directive)
            for name, other in (("nocontext", outside), ("novariants", base)):
                condition = directive.clause(name)
                if isinstance(condition, ExprClause) and condition.expr and other != best:
                    choices.insert(0, (f"({condition.expr.text})", other))
            if best != base:
                start = unit.offset_of(call.name)
                variant = next(v for v in self._variants[base] if v.name == best)
                if variant.interop:
                    opening = unit.pre.text.index("(", start)
                    last = arguments_at(unit.pre.text, opening)[-1][1]
                    before, after = self._objects(variant, device if directive.has("device") else "-1")
                    # The alternatives take no objects, so each is a call of its own.
                    if choices and any(c.name.name in self._variants for c in _calls(call)[1:]):
                        what = f"a condition on the call of '{best}', which has 'append_args',"
                        what += " is not supported with variants in its arguments"
                        raise error_at(directive.span, what, "OpenMP 5.2, section 7.6 (dispatch construct)")
                    others = [f"{c} ? {other}{unit.pre.text[opening : last + 1]} : " for c, other in choices]
                    replacements.append(Replacement(start, start + len(base), f"({''.join(others)}{before}{best}"))
                    replacements.append(Replacement(last, last + 1, f"{', ' if call.args is not None else ''}{after})"))
                    base_wanted = ""
                else:
                    named = "".join(f"{condition} ? {other} : " for condition, other in choices)
                    replacements.append(Replacement(start, start + len(base), f"({named}{best})" if named else best))
                    base_wanted = " || ".join(condition for condition, _ in choices)
                at = start + len(base)
                replacements += self._adjusted(directive, at, variant.device_pointers, device, base_wanted)
        return form, replacements

    def _around_call(self, directive: Directive) -> tuple[HostForm, str]:
        """(what stands around the call of a ``dispatch``, the device that it is for)"""
        depends = [c.text for c in directive.all("depend") if isinstance(c, DependClause)]
        older = " ".join(f"depend({older_dependences(text)})" for text in depends)
        wait = [f"#pragma omp taskwait {older}"] if depends else []
        clause = directive.clause("device")
        if not isinstance(clause, ExprClause) or not clause.expr:
            return (HostForm(None, before=("{", *wait), after=("}",)) if wait else GONE), _DEFAULT_DEVICE
        device, default = self._fresh("__rex_device"), self._fresh("__rex_default")
        lines = (
            "{ extern void omp_set_default_device(int);",
            *wait,
            f"const int {default} = {_DEFAULT_DEVICE}, {device} = {clause.expr.text};",
            f"omp_set_default_device({device});",
        )
        return HostForm(None, before=lines, after=(f"omp_set_default_device({default}); }}",)), device

    def _objects(self, variant: _Variant, device: str) -> tuple[str, str]:
        """(the text before the call of a variant with its own interoperability objects, that after its arguments)."""
        if not variant.interop:
            return "", ""
        names = {self._fresh(f"__rex_interop_{number}"): kind for number, kind in enumerate(variant.interop)}
        made = [f"omp_interop_t {name}; rex_interop_init(&{name}, {kind}, {device});" for name, kind in names.items()]
        gone = " ".join(f"rex_interop_destroy(&{name});" for name in names)
        result = self._fresh("__rex_result")
        head, tail = ("", "") if variant.is_void else (f"__auto_type {result} = ", f" {result};")
        return f"({{ {' '.join(made)} {head}", f"{', '.join(names)}); {gone}{tail} }})"

    def _adjusted(
        self, directive: Directive, start: int, parameters: tuple[int, ...], device: str, base_wanted: str
    ) -> list[Replacement]:
        """The replacements that turn arguments into device addresses, in the parentheses at or after ``start``."""
        text = self._unit.pre.text
        at = text.index("(", start)
        given = {item.name for c in directive.all("is_device_ptr") if isinstance(c, ListClause) for item in c.items}
        found = []
        for number, (low, high) in enumerate(arguments_at(text, at)):
            argument = text[low:high].strip()
            first = text.index(argument, low)
            if number in parameters and argument not in given:
                on_host, on_device = self._fresh("rex_host"), self._fresh("rex_mapped")
                mapped = f"rex_mapped_ptr({on_host}, {device})"
                mapped = f"{base_wanted} ? 0 : {mapped}" if base_wanted else mapped
                found.append(Replacement(low, first, f"({{ void *{on_host} = (void *)("))
                behind = f"), *{on_device} = {mapped}; {on_device} ? {on_device} : {on_host}; }})"
                found.append(Replacement(first + len(argument), high, behind))
        return found

    def _reached(self, base: str, context: Context) -> list[tuple[str | None, str]]:
        """The functions that a call of ``base`` may reach, each with its condition's function. The last has None."""
        candidates = list(self._variants.get(base, ()))
        found: list[tuple[str | None, str]] = []
        while (best := best_of([(v.selector, v.clause) for v in candidates], context)) is not None:
            variant = candidates.pop(best)
            found.append((variant.condition, variant.name))
            if variant.condition is None:
                return found
        return [*found, (None, base)]

    def _best(self, base: str, context: Context, directive: Directive) -> str:
        """The function that a call of ``base`` below ``dispatch`` reaches."""
        condition, name = self._reached(base, context)[0]
        if condition is not None:
            what = f"'dispatch' of '{base}', which has a variant whose condition is not constant, is not supported"
            raise error_at(directive.span, what, "OpenMP 5.2, section 7.6 (dispatch construct)")
        return name

    def _choose(self, call: c_ast.FuncCall, node: OmpConstruct, around: tuple[str, ...]) -> None:
        """Make the call of a ``dispatch`` in device code a choice, if ``novariants`` or ``nocontext`` ask for one."""
        directive, base = node.directive, call.name.name
        best = self._best(base, Context(True, (*around, "dispatch")), directive)
        if any(v.interop for v in self._variants.get(base, ()) if v.name == best):
            what = f"'{best}' gets interoperability objects, which only host code has"
            node.unread = error_at(directive.span, what, "OpenMP 5.2, section 7.5.3 (append_args clause)")
            return
        chosen: c_ast.Node = c_ast.ID(best, call.name.coord)
        outside = self._best(base, Context(True, around), directive)
        for name, other in (("nocontext", outside), ("novariants", base)):
            clause = directive.clause(name)
            if other != best and isinstance(clause, ExprClause) and clause.expr is not None:
                chosen = c_ast.TernaryOp(clause.expr.node, c_ast.ID(other, call.name.coord), chosen, call.name.coord)
        call.name = chosen


def _declarations(text: str) -> HostForm:
    """The form of a directive that is replaced by declarations, if there are any."""
    return HostForm(None, before=(text,)) if text else GONE


def _asking(name: str, condition: str) -> str:
    """The text of a function that evaluates a condition at its directive.

    Calls may see other variables of these names.
    """
    return f"static int {name}(void) {{ return ({condition}) != 0; }}"


def _device_pointers(directive: Directive, declaration: c_ast.Decl) -> tuple[int, ...]:
    """The parameters in ``adjust_args(need_device_ptr: ...)`` (OpenMP 5.2, section 7.5.2)."""
    rule = "OpenMP 5.2, section 7.5.2 (adjust_args clause)"
    refuse_unsupported(directive)
    function = declaration.type
    parameters = function.args.params if isinstance(function, c_ast.FuncDecl) and function.args else []
    names = [getattr(p, "name", None) for p in parameters]
    found = []
    for clause in directive.all("adjust_args"):
        assert isinstance(clause, ListClause)
        if not clause.modifiers:
            raise error_at(clause.span, "expected 'nothing' or 'need_device_ptr' and a list of parameters", rule)
        for item in clause.items:
            if item.name not in names:
                raise error_at(item.span, f"'{item.name}' is not a parameter of '{declaration.name}'", rule)
            if clause.modifiers[0] == "need_device_ptr":
                found.append(names.index(item.name))
    return tuple(found)


_OPERATION = regex(r"\s*interop\s*\((.*)\)\s*", re.DOTALL)


def _appended(directive: Directive) -> tuple[int, ...]:
    """The kinds of the interoperability objects of ``append_args`` (OpenMP 5.2, section 7.5.3)."""
    rule = "OpenMP 5.2, section 7.5.3 (append_args clause)"
    clause = directive.clause("append_args")
    if not isinstance(clause, TextClause):
        return ()
    kinds = []
    text = clause.text.strip()
    for low, high in arguments_at(text, text.index("(")):
        operation = _OPERATION.fullmatch(text[low:high])
        kind = interop_kind(operation[1]) if operation else None
        if kind is None:
            raise error_at(clause.span, "expected 'interop' with 'target' or 'targetsync'", rule)
        kinds.append(kind)
    match, selector = matched(directive)
    if "dispatch" not in constructs_of(selector, match):
        raise error_at(clause.span, "'append_args' without 'dispatch' among the constructs that 'match' names", rule)
    return tuple(kinds)


def _is_void(declaration: c_ast.Decl) -> bool:
    """Whether a function returns nothing."""
    result = getattr(declaration.type, "type", None)
    kind = result.type if isinstance(result, c_ast.TypeDecl) else None
    return isinstance(kind, c_ast.IdentifierType) and kind.names == ["void"]




def _calls(item: c_ast.Node) -> list[c_ast.FuncCall]:
    found = []
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            found.append(node)
        stack += [child for _, child in node.children()]
    return found
