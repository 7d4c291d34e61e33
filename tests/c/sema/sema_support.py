"""Parse and analyse C text, and ask gcc whether it agrees."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pycparser import c_ast

from rex_build.base.diagnostics import InputError
from rex_build.c.front_end import parse_unit
from rex_build.c.sema import Sema, walk
from rex_build.c.sema.ctype import CType, Pointer, declare
from rex_build.c.sema.layout import sema_of
from rex_build.c.source.preprocess import read_preprocessed
from rex_build.c.syntax.nodes import OmpConstruct, ParsedUnit


def parse(text: str, name: str = "unit.c") -> ParsedUnit:
    """Parse C text that needs no preprocessing."""
    return parse_unit(read_preprocessed(f'# 1 "{name}"\n{text}', name))


def analyse(text: str, name: str = "unit.c") -> Sema:
    """Parse the text and analyse every function in it."""
    unit = parse(text, name)
    sema = sema_of(unit)
    for function in sema.functions.values():
        sema.analyse(function)
    return sema


def body(sema: Sema, name: str = "f") -> c_ast.Node:
    return sema.functions[name].body


def ids(sema: Sema, name: str, function: str = "f") -> list[c_ast.ID]:
    """The identifiers called ``name`` that name something, in source order."""
    found = walk(body(sema, function), clauses=True)
    return [n for n in found if isinstance(n, c_ast.ID) and n.name == name and sema.symbol(n)]


def constructs(sema: Sema, function: str = "f") -> list[OmpConstruct]:
    return [n for n in walk(body(sema, function)) if isinstance(n, OmpConstruct)]


def gcc_errors(text: str, *flags: str) -> dict[int, str]:
    """gcc's errors in C text by line (1-based)."""
    command = ["gcc", "-x", "c", "-std=gnu11", "-w", "-fsyntax-only", *flags, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    errors: dict[int, str] = {}
    for match in re.finditer(r"^<stdin>:(\d+):\d+: (?:fatal )?error: (.*)$", done.stderr, re.M):
        errors.setdefault(int(match[1]), match[2])
    return errors


def run_c(text: str, directory: Path) -> str:
    """Compile and run a C program; its standard output."""
    source, program = directory / "probe.c", directory / "probe"
    source.write_text(text)
    subprocess.run(["gcc", "-std=gnu11", "-w", "-o", str(program), str(source)], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


def types_of(prelude: str, expressions: Sequence[str]) -> list[CType | InputError]:
    """The types sema gives expressions, each in a function of its own after the prelude, or its error."""
    functions = "".join(f"void f{i}(void) {{ {e}; }}\n" for i, e in enumerate(expressions))
    unit = parse(f"{prelude}\n{functions}")
    sema = sema_of(unit)
    found: list[CType | InputError] = []
    for i in range(len(expressions)):
        function = sema.functions[f"f{i}"]
        try:
            sema.analyse(function)
            found.append(sema.type(function.body.block_items[0]))
        except InputError as error:
            found.append(error)
    return found


def disagreements(prelude: str, expressions: Sequence[str]) -> list[str]:
    """Where gcc and sema differ on the types of expressions.

    Qualifiers count: each type is compared behind a pointer. An expression that sema refuses must be refused by gcc
    as well; sema may accept more.
    """
    lines = [prelude.replace("\n", " ")]
    refused: dict[int, str] = {}
    accepted: dict[int, str] = {}
    for i, (e, t) in enumerate(zip(expressions, types_of(prelude, expressions), strict=True)):
        line = len(lines) + 1
        if isinstance(t, InputError):
            refused[line] = f"{e}: refused with {t}"
            lines.append(f"void f{i}(void) {{ (void)({e}); }}")
        else:
            spelt = declare(Pointer(t))
            accepted[line] = f"{e}: sema says {declare(t)}"
            test = f"__builtin_types_compatible_p(__typeof__({e}) *, {spelt})"
            lines.append(f'void f{i}(void) {{ _Static_assert({test}, ""); }}')
    errors = gcc_errors("\n".join(lines) + "\n")
    wrong = [text for line, text in accepted.items() if "static assertion failed" in errors.get(line, "")]
    wrong += [text for line, text in refused.items() if line not in errors]
    return wrong + ([f"prelude: {errors[1]}"] if 1 in errors else [])
