"""Messages for programs: as JSON in the form of gcc 13 (``-fdiagnostics-format=json``), and as SARIF 2.1.0."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from .diagnostics import Diagnostic, SourceSpan, source_lines
from .findings import NAMES

# How findings are mended, by their names.
_MENDING = {
    "partial-map": "Map the member as well, or the whole structure.",
    "unmapped-pointer": "Map what the pointer leads to, with the number of its elements: map(tofrom: p[0:n]).",
    "lost-result": "Map the variable 'tofrom', or use a reduction, so that its value comes back.",
    "unset": "Map the data 'to' or 'tofrom', or write it before it is read.",
    "bounds": "Map as many elements as the loops use, and no more than the array has.",
    "stale": "Put 'target update to' behind writes of the host, or 'target update from' in front of its reads.",
    "nowait": "Put 'taskwait' in front of the use, order the directives with 'depend', or leave out 'nowait'.",
    "device-pointer": "Use the address in regions with is_device_ptr, or copy with omp_target_memcpy.",
    "released": "Release the memory behind the last region that uses it.",
    "double-release": "Leave out one of the two directives.",
    "leak": "Add 'target exit data', or omp_target_free, on all ways out.",
    "barrier": "Let all threads of the team come to the barrier.",
    "nesting": "Let the region have the teams construct and nothing else.",
    "dependence": "Read from one array and write to another, or run the loop in order.",
    "race": "Declare the variable in the loop, give each thread its own element, or order the accesses.",
    "reduction": "Add a reduction clause, or update the variable in 'omp atomic'.",
}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def formatted(kind: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The messages in one of ``FORMATS`` other than text, with a newline at the end."""
    import json  # which no other message needs

    made = _sarif(tuple(diagnostics)) if kind.startswith("sarif") else [_as_json(one) for one in diagnostics]
    return json.dumps(made, indent=2) + "\n"


# -- gcc's JSON ------------------------------------------------------------------------------------------------------


def _as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    own = [{"kind": "note", "message": note, "locations": []} for note in diagnostic.notes]
    made: dict[str, Any] = {
        "kind": diagnostic.severity,
        "message": diagnostic.message,
        "locations": [_location(diagnostic.span)] if diagnostic.span else [],
        "children": [*own, *map(_as_json, diagnostic.related)],
    }
    if diagnostic.option:
        made["option"] = diagnostic.option
    return made


def _location(span: SourceSpan) -> dict[str, Any]:
    caret = {"file": span.file, "line": span.line, "column": span.column}
    return {"caret": caret, "finish": {**caret, "column": span.column + span.length - 1}}


# -- SARIF -----------------------------------------------------------------------------------------------------------


def _sarif(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    used = sorted({_rule(d) for d in diagnostics if d.option})
    numbers = {name: number for number, name in enumerate(used)}
    driver = {"name": "rex-build", "version": __version__, "rules": [_described(name) for name in used]}
    files = dict.fromkeys(s.file for d in diagnostics for s in _spans(d))
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not any(d.severity == "error" for d in diagnostics)}],
        "originalUriBaseIds": {"PWD": {"uri": Path.cwd().as_uri() + "/"}},
        "artifacts": [{"location": _artifact(file)} for file in files],
        "results": [_result(d, numbers) for d in diagnostics],
        "columnKind": "unicodeCodePoints",
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _spans(diagnostic: Diagnostic) -> list[SourceSpan]:
    return [d.span for d in (diagnostic, *diagnostic.related) if d.span]


def _described(rule: str) -> dict[str, Any]:
    """A finding's name as a rule. It has no ``helpUri``, which would have to be absolute."""
    name = rule.removeprefix("rex-")
    what = f"{NAMES[name][0].upper()}{NAMES[name][1:]}."
    page = f"docs/check.md of rex-build explains {rule} with a wrong and a mended program."
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in rule.split("-")),
        "shortDescription": {"text": what},
        "fullDescription": {"text": f"{what} {_MENDING[name]}"},
        "help": {
            "text": f"{what} {_MENDING[name]} {page} A comment 'rex-ignore: {name}' silences a line.",
            "markdown": f"{what} **{_MENDING[name]}** {page} A comment `rex-ignore: {name}` silences a line.",
        },
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["openmp", "offloading"]},
    }


def _rule(diagnostic: Diagnostic) -> str:
    return diagnostic.option.removeprefix("-W").removeprefix("error=")


def _result(diagnostic: Diagnostic, numbers: Mapping[str, int]) -> dict[str, Any]:
    text = ". ".join([diagnostic.message, *(note[:1].upper() + note[1:] for note in diagnostic.notes)])
    made: dict[str, Any] = {
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [_physical(diagnostic.span)] if diagnostic.span else [],
    }
    if diagnostic.option:
        made["ruleId"] = _rule(diagnostic)
        made["ruleIndex"] = numbers[_rule(diagnostic)]
    if diagnostic.related:
        made["relatedLocations"] = [
            {"id": number, **_physical(d.span), "message": {"text": d.message}}
            for number, d in enumerate(diagnostic.related, 1)
            if d.span
        ]
    return made


def _artifact(file: str) -> dict[str, str]:
    """Where a file is. Code review finds those below the present folder by their place in it."""
    from urllib.parse import quote

    path = Path(os.path.abspath(file))
    here = Path.cwd()
    if not path.is_relative_to(here):
        return {"uri": path.as_uri()}
    return {"uri": quote(path.relative_to(here).as_posix()), "uriBaseId": "PWD"}


def _physical(span: SourceSpan) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": span.line,
        "startColumn": span.column,
        "endColumn": span.column + span.length,
    }
    lines = source_lines(span.file)
    place: dict[str, Any] = {"artifactLocation": _artifact(span.file), "region": region}
    if 0 < span.line <= len(lines):
        place["contextRegion"] = {"startLine": span.line, "snippet": {"text": lines[span.line - 1] + "\n"}}
    return {"physicalLocation": place}
