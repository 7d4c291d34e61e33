"""``docs/openmp.md``: the tables of directives and clauses as a page, each row with the test programs that show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pycparser import c_ast

from ..base.diagnostics import InputError
from ..base.spans import SourceSpan
from .clauses import CLAUSES, DIRECTIVES, ClauseRule, Status, Support
from .forms import features
from .parser import parse_directive

_PRAGMA = re.compile(
    r'^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+((?:[^\n\\]|\\.|\\\n)*)|_Pragma\("omp ([^"]*)"\)', re.MULTILINE | re.DOTALL
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SHOWN = 3  # programs named per row

_HEAD = """# OpenMP support

What becomes of every directive and clause of OpenMP 5.2 on a `target` construct, inside a target region or in a
device function, and the programs of `tests/programs` that show it: each is run on the cpu device, and compared with the
same program compiled by gcc without offloading. Made from the tables that the parser reads by
`python -m rex_build.directives --markdown tests/programs > docs/openmp.md`; a test keeps it up to date.

- *supported*: it does what OpenMP says.
- *ignored*: it is accepted and has no effect, for the reason given; the program's results are the same.
- *refused*: an error names it, with its place and section. `--on-unsupported=host` leaves such a region to the host.

Directives outside of target regions are the host compiler's, but for those that older ones do not know and that can be
said in another way: `metadirective`, `assume`, `tile`, `unroll`, `reverse`, `interchange`, `dispatch`,
`declare variant`, `doacross`, `error` at execution, `interop`, the `inoutset` dependence, `linear` with modifiers.
"""


def uses(folder: Path) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Which programs below ``folder`` use what: by (``directive`` or ``clause``, name) and by (clause, keyword)."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for path in sorted(folder.rglob("*.c")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        for key in _used_in(path.read_text(encoding="utf-8", errors="replace")):
            found.setdefault(key, {}).setdefault(name)
    return {key: tuple(names) for key, names in found.items()}


def _used_in(text: str) -> Iterable[tuple[str, str]]:
    for match in _PRAGMA.finditer(text):
        pragma = " ".join(_COMMENT.sub(" ", (match[1] or match[2] or "").replace("\\\n", " ")).split())
        try:
            directive = parse_directive(pragma, lambda _low, _high: SourceSpan("", 1), _parse)
        except InputError:
            continue
        for leaf in directive.constructs:
            yield "directive", leaf
        for clause in directive.clauses:
            yield "clause", clause.name
            for role, keyword in features(clause):
                yield clause.name, f"{role} {keyword}"


def _parse(_text: str, _span: SourceSpan) -> c_ast.Node:
    return c_ast.Constant("int", "0")


def markdown(folder: Path) -> str:
    """The page; ``folder`` holds the test programs."""
    shown = uses(folder)
    lines = [_HEAD, "## Directives", "", "| directive | section | | shown by |", "|---|---|---|---|"]
    for row in DIRECTIVES.values():
        by = shown.get(("directive", row.name), ())
        programs = _programs(row.support, by, row.name)
        lines.append(f"| `{row.name}` | {row.section} | {_status(row.support)} | {programs} |")
    lines += ["", "Combined directives are supported where their parts are.", "", "## Clauses", ""]
    lines += ["| clause | section | on | | shown by |", "|---|---|---|---|---|"]
    for rule in CLAUSES.values():
        by = shown.get(("clause", rule.name), ())
        on = ", ".join(f"`{leaf}`" for leaf in rule.allowed)
        status = _status(rule.support) + _exceptions(rule)
        lines.append(f"| `{rule.name}` | {rule.section} | {on} | {status} | {_programs(rule.support, by, rule.name)} |")
    return "\n".join(lines) + "\n"


def _status(support: Support) -> str:
    return support.status.value + (f": {support.reason}" if support.reason else "")


def _programs(support: Support, programs: tuple[str, ...], word: str) -> str:
    """Some of the programs, those first that are named after what they show."""
    if support.status is Status.REFUSED:
        return ""
    first = sorted(programs, key=lambda name: (word not in name.replace("_", " "), programs.index(name)))
    return ", ".join(f"`{name}`" for name in first[:_SHOWN])


def _exceptions(rule: ClauseRule) -> str:
    """What of a clause that is not refused is refused or ignored after all."""
    if rule.support.status is Status.REFUSED:
        return ""
    parts = []
    for role, words in rule.words.items():
        for status in (Status.REFUSED, Status.IGNORED):
            named = [f"`{word}`" for word, support in words.items() if support.status is status]
            if named and status is not rule.support.status:
                parts.append(f"{'' if role == 'form' else role + ' '}{', '.join(named)} {status.value}")
    return f" ({'; '.join(parts)})" if parts else ""
