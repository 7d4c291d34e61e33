"""Decides the host forms of directives: what the host compiler sees in place of the user's directive.

A directive needs one if the host compiler, or LLVM's runtime under it, does not do what the user wrote. There is one
form for each directive, which is decided while the tree is brought to normal form. The analysis of a target region
completes the forms of the constructs in it, for its host version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import dataclass
from ...base.spans import Replacement
from ...directives.arguments import check_alignment
from ...directives.host_form import GONE, HostForm
from ...directives.model import Directive, ExprClause, TextClause
from ...directives.parser import check_on_device, refuse_unsupported
from ...openmp.one_thread import INSIDE, for_one_thread, is_for_one_thread
from ..syntax.nodes import OmpConstruct
from .loop_directives import (
    DISSOLVED,
    iteration_before,
    plain_number,
    sequential_variables,
    with_counted_ordered,
    without_imperfect,
)
from .older_spellings import bound_loop, older, plain_linear


@dataclass(frozen=True)
class Around:
    """The surroundings of a construct.

    They are the leaf constructs around it, outermost first; the value, as C text, that the variable of a loop with
    ``doacross`` had one iteration before; and whether a single thread runs the worksharing construct around it.
    """

    constructs: tuple[str, ...] = ()
    previous: str | None = None
    on_one_thread: bool = False

    def below(self, node: OmpConstruct) -> Around:
        """The surroundings of the statement of a construct in normal form."""
        directive = node.directive
        previous, one = self.previous, self.on_one_thread
        if directive.has("ordered"):
            previous = iteration_before(node.body) if plain_number(directive, "ordered", 0) < 2 else None
        if not {"for", "sections"}.isdisjoint(directive.constructs):
            one = is_for_one_thread(directive)
        return Around((*self.constructs, *directive.constructs), previous, one)


class HostForms:
    """The forms decided so far, by the offsets of their pragmas, and other replacements in the host's text.

    ``chosen`` has the directives that metadirectives stand for on the host, or None for ``nothing``.
    """

    def __init__(
        self,
        text: str,
        chosen: Mapping[int, Directive | None],
        forms: Mapping[int, HostForm],
        fresh: Callable[[str], str],
    ) -> None:
        self.text = text
        self.fresh = fresh
        self.chosen = chosen
        self.decided: dict[int, HostForm | None] = dict(forms)  # None means as the user wrote it
        self.replacements: list[Replacement] = []

    @property
    def forms(self) -> dict[int, HostForm]:
        """All forms that differ from what the user wrote."""
        return {start: form for start, form in self.decided.items() if form is not None}

    def decide(self, node: OmpConstruct, around: Around) -> None:
        """Decide the form of a construct that is not yet in normal form.

        The parts of a construct that was split have their forms already. Raises InputError for wrong clauses.
        """
        if node.start in self.decided:
            return
        directive = self.chosen.get(node.start, node.directive)
        self.decided[node.start] = HostForm(directive) if node.start in self.chosen else None
        form = self.decided[node.start] = self._form(node, directive, around)
        if directive is not node.directive and form is not None:
            node.on_host = form.directive

    def decide_the_rest(self) -> None:
        """Decide the forms of metadirectives that are no construct in the tree, as they mean nothing on the device."""
        for start, directive in self.chosen.items():
            if directive is None:
                self.decided.setdefault(start, GONE)
                continue
            with suppress(InputError):  # it stays as it is, and the host compiler reports it
                self.decide(OmpConstruct(directive, None, start), Around())

    def _form(self, node: OmpConstruct, directive: Directive | None, around: Around) -> HostForm | None:
        if directive is None:
            return GONE
        form = _rewritten(directive, around, self.fresh)
        if form is None:
            loops = _known_loops(directive, node.body, around.constructs)
            if is_for_one_thread(loops):
                loops = for_one_thread(loops, sequential_variables(loops, node.body))
            form = HostForm(loops) if loops is not directive or node.start in self.chosen else None
        if form is not None:  # otherwise the host compiler would complain about generated text
            _check_clauses(directive)
        return form

    def allocate(self, node: OmpConstruct, before: Sequence[c_ast.Node]) -> None:
        """Replace ``allocate(list)``, which gcc 12 does not know. The variables stay, with the alignment it asks for.

        ``before`` are the items before it in the same scope. Source: OpenMP 5.2, section 6.5.
        """
        check_on_device(node.directive)
        refuse_unsupported(node.directive)
        _check_clauses(node.directive)
        self.decided[node.start] = GONE
        align = node.directive.clause("align")
        if not isinstance(align, ExprClause) or align.expr is None:
            return
        check_alignment(align.expr.text, align.span)
        declared = {item.name: item for item in before if isinstance(item, c_ast.Decl)}
        for variable in node.directive.arguments:
            declaration = declared.get(variable.name)
            end = self._declarator_end(declaration) if declaration is not None else None
            if declaration is None or end is None:
                raise error_at(variable.span, f"no declaration of '{variable.name}' before it in the same scope")
            declaration.align = [*(declaration.align or ()), c_ast.Alignas(align.expr.node, align.expr.node.coord)]
            self.replacements.append(Replacement(end, end, f"__attribute__((__aligned__({align.expr.text})))"))

    def _declarator_end(self, declaration: c_ast.Decl) -> int | None:
        """The offset after a declarator, where attributes go, or None if the name is in parentheses."""
        line, column = declaration.coord.line, declaration.coord.column
        at: int = sum(len(text) + 1 for text in self.text.split("\n")[: line - 1]) + column - 1
        depth = 0
        while at < len(self.text):
            here = self.text[at]
            depth += (here in "([") - (here in ")]")
            if depth < 0:
                return None
            if depth == 0 and here in ",;=":
                return at
            at += 1
        return None


def _check_clauses(directive: Directive) -> None:
    """Raise the error of a clause that cannot be read."""
    for clause in directive.clauses:
        if isinstance(clause, TextClause) and clause.error is not None:
            raise clause.error


def _rewritten(directive: Directive, around: Around, fresh: Callable[[str], str]) -> HostForm | None:
    """The form of a directive that needs another spelling, independent of the loops below it, or None."""
    if around.on_one_thread and directive.name in INSIDE:
        return GONE
    form = older(directive, around.constructs, around.previous, fresh)
    return GONE if form is None and directive.name in DISSOLVED else form


def _known_loops(directive: Directive, body: c_ast.Node | None, around: tuple[str, ...]) -> Directive:
    """A directive over loops in words that the host compiler knows. A ``loop`` that needs no change remains."""
    plain = plain_linear(directive)
    bound = bound_loop(plain, around) if "loop" in plain.constructs else plain
    less = with_counted_ordered(without_imperfect(bound, body), body)
    return plain if less is bound else less
