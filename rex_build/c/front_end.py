"""The C front end: the order of the steps that turn a preprocessed unit into a tree for the analysis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from ..base.names import GeneratedNames
from ..base.records import replace
from .normalise.host_forms import HostForms, declare_reductions, read_requirements, use_one_stream
from .normalise.simplify import simplify
from .normalise.variants import resolve_variants
from .rewrite.rewriting import TRANSFORMED, with_pragmas
from .rewrite.system_headers import without_unreached
from .sema import walk
from .sema.directive_constants import with_values
from .sema.layout import add_cleanups
from .source.preprocess import Preprocessed
from .source.tokens import directive_lines
from .source.user_names import user_names
from .syntax.nodes import OmpConstruct, ParsedUnit
from .syntax.parse import Attacher, parse


def read_unit(pre: Preprocessed, tolerant: bool = False, defines: Sequence[str] = ()) -> ParsedUnit:
    """Rewrite text that the parser cannot read, and then ``parse_unit``, which has the same arguments and errors."""
    names = _names_of(pre, defines)
    pre = with_values(with_pragmas(without_unreached(pre)))
    if "metadirective" in pre.text:
        from .rewrite.dynamic_metadirectives import dynamic_metadirectives

        pre = dynamic_metadirectives(pre)
    if any(directive_lines(TRANSFORMED, pre.text)):
        from .rewrite.loop_transformations import transform_loops

        pre = transform_loops(pre, names)
    return parse_unit(pre, tolerant, defines)


def _names_of(pre: Preprocessed, defines: Sequence[str]) -> Callable[[str], str]:
    """What gives generated names that differ from the user's, which are collected when the first is asked for."""
    names: list[GeneratedNames] = []

    def fresh(wanted: str) -> str:
        if not names:  # few units need any
            names.append(GeneratedNames(user_names(pre, defines)))
        return names[0].fresh(wanted)

    return fresh


def parse_unit(pre: Preprocessed, tolerant: bool = False, defines: Sequence[str] = ()) -> ParsedUnit:
    """Parse a preprocessed unit, attach every OpenMP directive to its statement, and bring constructs to normal form.

    ``defines`` are the -D flags, whose names generated text must not have either.
    With ``tolerant``, target constructs and their contents may be unread. Their lowering then raises the error.
    Raises InputError with the user's lines for C that does not parse, and for all malformed directives together, in
    source order.
    """
    unit = parse(pre)
    tree = unit.ast
    add_cleanups(unit)
    attacher = Attacher(unit, tolerant)
    attacher.attach_file(tree)
    unit = replace(unit, device_versions=tuple(attacher.device_versions))
    reductions = declare_reductions(unit, attacher.parse_functions)

    fresh = _names_of(pre, defines)
    requirements, forms = read_requirements(tree, fresh)
    use_one_stream(unit.every_function, pre.text)
    variants, replacements = resolve_variants(unit, attacher.parse_functions, fresh)
    host = HostForms(pre.text, attacher.chosen, {**forms, **variants}, fresh)
    simplify(tree, host, tolerant, unit.plain)
    host.decide_the_rest()
    not_on_host = HostForms(pre.text, {}, {}, fresh)
    simplify(c_ast.FileAST(list(unit.device_versions)), not_on_host, tolerant)
    return replace(
        unit,
        host_forms=host.forms,
        replacements=(*replacements, *host.replacements),
        reductions=reductions,
        requirements=requirements,
    )


def directives_text(unit: ParsedUnit) -> str:
    """One line for each directive, with its place, canonical name and clauses."""
    lines = []
    for item in unit.ast.ext:
        if isinstance(item, (c_ast.FuncDef, OmpConstruct)):
            for node in walk(item):
                if isinstance(node, OmpConstruct):
                    d = node.directive
                    lines.append(f"{d.span}: {d.name} [{' '.join(c.name for c in d.clauses)}]: {d.text}")
    return "\n".join(lines)
