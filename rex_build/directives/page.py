"""Writes ``docs/openmp.md``: the tables of directives and clauses, with test programs that show each row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..base.diagnostics import InputError, SourceSpan
from .clauses import CLAUSES, DIRECTIVES, ClauseRule, Status, Support, combined_names
from .forms import features
from .parser import parse_directive

_PRAGMA = re.compile(
    r'^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+((?:[^\n\\]|\\.|\\\n)*)|_Pragma\("omp ([^"]*)"\)', re.MULTILINE | re.DOTALL
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SHOWN = 3  # programs named per row

_HEAD = """# OpenMP support

This page says what rex-build does with every directive and clause of OpenMP 5.2, and with some of 5.1 and 6.0, on
a `target` construct, inside a target region or in a device function. Each row names programs in `tests/programs` that
show it. The tests run these programs on the cpu device and compare them with the same programs compiled by gcc without
offloading.

- *supported*: it does what OpenMP says.
- *ignored*: it is accepted and has no effect, for the reason given. The program's results are the same.
- *refused*: an error names it, with its place and the section of the specification. `--on-unsupported=host` turns the
  error into a warning and leaves the region to the host.

rex-build leaves directives outside of target regions to the host compiler. It rewrites only those that older compilers
do not know and that can be said in another way: `metadirective`, `assume`, `tile`, `unroll`, `reverse`, `interchange`,
`dispatch`, `declare variant`, `doacross`, `error` at execution, `interop`, the `inoutset` dependence and `linear` with
modifiers.

In C++ units the same holds, but for what the column *in C++* says of clauses, and for what [the page about C++](cxx.md)
says.

`python -m rex_build.directives --markdown tests/programs > docs/openmp.md` writes this page from the tables that the
parser reads. A test fails when it is out of date.

## C in target regions

Target regions and device functions may use:

- functions of the same file, and of other files with `rex-gcc`, `rex-build cc`, or CMake's `SEPARABLE_DEVICE_LINK`;
- `<math.h>` and `<complex.h>` for `float` and `double`, `<string.h>`, `<ctype.h>`, and of `<stdlib.h>` allocation,
  searching, sorting and the parsing of integers;
- `printf`, and `fprintf` to `stdout` or `stderr`, both of which print to the program's `stdout`;
- the `omp_*` queries, and gcc's builtins for bits, overflow, strings and atomic operations;
- `_Float16`, complex `_Float16` and `__bf16`: they are computed with as `float`, and rounded where they are stored,
  passed or cast (gcc's `-fexcess-precision=fast`);
- gcc's complex integers, and its vectors (`vector_size`), element by element;
- gcc's attributes `cleanup`, `packed` and `transparent_union`, labels of blocks (`__label__`), and structures and
  arrays without a size.

Refused by name are `long double`, inline assembly, `errno`, computed `goto` and nested functions.

The host and all devices get the same text, which is preprocessed for the host. A test of `__NVPTX__` in an `#ifdef` is
therefore never true there, and rex-build warns of it. Use `begin declare variant` or `metadirective` instead.
"""


def uses(folder: Path, files: str = "*.c") -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The programs below ``folder`` by what they use: (``directive`` or ``clause``, name) and (clause, keyword)."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for path in sorted(folder.rglob(files)):
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


def _parse(_text: str, _span: SourceSpan) -> None:
    """No expression is looked at here."""


def markdown(folder: Path) -> str:
    """The text of the page. ``folder`` holds the test programs."""
    shown = uses(folder)
    lines = [_HEAD, "## Directives", "", "| directive | section | status | shown by |", "|---|---|---|---|"]
    for row in DIRECTIVES.values():
        by = shown.get(("directive", row.name), ())
        programs = _programs(row.support, by, row.name)
        lines.append(f"| `{row.name}` | {row.section} | {_status(row.support)} | {programs} |")
    combined = [f"`{name}`" for name in combined_names() if name.startswith("target ") and name not in DIRECTIVES]
    lines += ["", f"A combined directive is supported where all of its parts are: {', '.join(combined)}.", ""]
    lines += ["The parts may also stand on directives of their own, one inside the other.", "", "## Clauses", ""]
    lines += ["| clause | section | on | in C | in C++ | keywords and forms | shown by |", "|---" * 7 + "|"]
    for rule in CLAUSES.values():
        by = shown.get(("clause", rule.name), ())
        on = ", ".join(f"`{leaf}`" for leaf in rule.allowed)
        status = _status(rule.support), _in_cxx(rule)
        cells = (rule.section, on, *status, _keywords(rule), _programs(rule.support, by, rule.name))
        lines.append(f"| `{rule.name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _status(support: Support) -> str:
    return support.status.value + (f": {support.reason}" if support.reason else "")


def _in_cxx(rule: ClauseRule) -> str:
    words = [word for known in rule.words.values() for word, support in known.items() if not support.in_cxx]
    status = rule.support.status.value if rule.support.in_cxx else "refused"
    return "; refused: ".join(filter(None, (status, ", ".join(words))))


def _programs(support: Support, programs: tuple[str, ...], word: str) -> str:
    """Some of the programs. Those named after what they show come first."""
    if support.status is Status.REFUSED:
        return ""
    first = sorted(programs, key=lambda name: (word not in name.replace("_", " "), programs.index(name)))
    return ", ".join(f"`{name}`" for name in first[:_SHOWN])


def _keywords(rule: ClauseRule) -> str:
    """The keywords and forms of a clause that is not refused. Those with another status follow the name of that."""
    if rule.support.status is Status.REFUSED:
        return ""
    known = {
        (word if role == "form" else f"`{word}`"): support.status
        for role, words in rule.words.items()
        for word, support in words.items()
    }
    parts = []
    for status in dict.fromkeys((rule.support.status, *Status)):
        named = ", ".join(word for word, its in known.items() if its is status)
        if named:
            parts.append(named if status is rule.support.status else f"{status.value}: {named}")
    return "; ".join(parts).replace("|", "\\|")
