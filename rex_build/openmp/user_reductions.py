"""``declare reduction`` (OpenMP 5.2, section 5.5.11): what it declares, and what combines and initialises."""

from __future__ import annotations

import re

from ..base.diagnostics import error_at
from ..base.records import dataclass
from ..directives.arguments import DirectiveText, Stretch
from ..directives.model import Directive, TextClause

SECTION = "OpenMP 5.2, section 5.5.11: declare reduction directive"


@dataclass(frozen=True)
class DeclaredReduction:
    identifier: str
    types: tuple[str, ...]
    combiner: str
    initialiser: str  # what is in the parentheses of the clause, or nothing

    @property
    def reads_original(self) -> bool:
        return re.search(r"\bomp_orig\b", self.initialiser) is not None

    def statements(self, kind: str, prefix: str, zero: str) -> tuple[str, str]:
        """(what combines two objects of a type, what initialises one). The pointers to them have the names of OpenMP's
        variables, with ``prefix`` in place of ``omp_``. An object that nothing initialises begins with ``zero``."""
        made = re.match(r"omp_priv\s*(=(?!=).*|[({].*)", self.initialiser, re.DOTALL)
        if self.initialiser and made is None:
            begin = f"{self.initialiser};"
        else:
            begin = f"{kind} {prefix}value {made[1] if made else zero}; *{prefix}priv = {prefix}value;"
        names = r"\bomp_(out|in|priv|orig)\b"
        return re.sub(names, rf"(*{prefix}\1)", f"{self.combiner};"), re.sub(names, rf"(*{prefix}\1)", begin)


def declared_reduction(directive: Directive) -> DeclaredReduction:
    """What a directive declares. Raises InputError if it is malformed."""
    text, span = directive.argument_text or "", directive.span
    read = DirectiveText.read(text, lambda _low, _high: span, lambda written, _span: written, qualified=True)

    def written(part: Stretch) -> str:
        return text[part.tokens[0].start : part.tokens[-1].end]

    parts = read.stretch(0).split(":", 2)
    if len(parts) != 3 or not all(parts):
        raise error_at(span, "expected 'identifier : types : combiner' in 'declare reduction'", SECTION)
    types: list[str] = []
    for part in parts[1].split(","):
        is_inside = bool(types) and types[-1].count("<") > types[-1].count(">")  # an argument of a template
        types[-1:] = [f"{types[-1]}, {written(part)}"] if is_inside else [*types[-1:], written(part)]
    clause = directive.clause("initializer")
    said = clause.text if isinstance(clause, TextClause) else "()"
    initialiser = said[said.index("(") + 1 : said.rindex(")")].strip()
    return DeclaredReduction(written(parts[0]), tuple(types), written(parts[2]), initialiser)
