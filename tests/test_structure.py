"""The layout of ``rex_build``: which folder may import which, and what starts without the rest."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rex_build

PACKAGE = Path(rex_build.__file__).parent

# Bottom up: a module imports what stands before its own folder here, and modules of its own folder without a circle.
ORDER = (
    "",  # rex_build itself: the version
    "base",
    "tools",
    "directives",
    "plan",
    "tree",
    "openmp",
    "optimise",
    "check",
    "c.source",
    "render",
    "c.rewrite",
    "c.syntax",
    "c.sema",
    "c.normalise",
    "c.reading",
    "c.analysis",
    "c.findings",
    "c.front_end",
    "c.cuda",
    "cxx",
    "request",
    "cache",
    "pipeline",
    "build",
    "profile",
    "report",
    "cli",
    "__main__",
)


def modules() -> dict[str, Path]:
    """Every module by its dotted name below ``rex_build``."""
    names = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """(line, module) of everything of ours that a module imports, also inside functions and for types only."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("rex_build."):
                    yield node.lineno, alias.name.removeprefix("rex_build.")
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            base = [*package[: len(package) - node.level + 1], *filter(None, (node.module or "").split("."))]
        elif (node.module or "").split(".")[0] == "rex_build":
            base = (node.module or "").split(".")[1:]
        else:
            continue
        for alias in node.names:
            below = ".".join([*base, alias.name])
            yield node.lineno, below if below in known else ".".join(base)


def room(name: str) -> int:
    """The place in ORDER of the folder that a module stands in."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in ORDER:
            return ORDER.index(".".join(parts[:length]))
    assert not name, f"{name} stands in no folder that ORDER names"
    return 0


KNOWN = modules()


@cache
def edges() -> dict[str, list[tuple[int, str]]]:
    """What each module imports. Only the process that runs these tests reads all modules."""
    return {name: list(imports(name, path, KNOWN)) for name, path in KNOWN.items()}


def test_no_import_points_upward() -> None:
    upward = [
        f"{KNOWN[name].relative_to(PACKAGE)}:{line}: {name} imports {target}"
        for name, found in edges().items()
        if name != "c"  # the folder of the front end, itself empty
        for line, target in found
        if room(target) > room(name)
    ]
    assert not upward, "\n".join(upward)


def test_no_circles() -> None:
    """A module that imports itself through others is printed with the way that leads back to it."""
    below = {name: {target for _, target in found if target != name} for name, found in edges().items()}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join([*way[way.index(name) :], name])
        if name not in done:
            for target in sorted(below[name]):
                visit(target, (*way, name))
            done.add(name)

    for name in KNOWN:
        visit(name, ())


def test_values_between_stages_are_given_when_they_are_made() -> None:
    """Nobody sets an attribute of a unit's symbols and types from outside, for others to read later."""
    written = []
    for name, path in KNOWN.items():
        for node in ast.walk(ast.parse(path.read_text())):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for part in (p for target in targets if target is not None for p in ast.walk(target)):
                if isinstance(part, ast.Attribute) and ast.unparse(part.value).split(".")[-1] in ("sema", "calls"):
                    written.append(f"{name}:{part.lineno}: {ast.unparse(part)}")
    assert not written, "\n".join(written)


def test_plan_and_renderers_know_no_front_end() -> None:
    """A second front end fills the same plan. It shares the questions about text, which know no language."""
    known = {
        f"{name} imports {target}"
        for name, found in edges().items()
        for _, target in found
        if name.split(".")[0] in ("plan", "tree", "render") and target.split(".")[0] in ("c", "pycparser")
        if not (name.startswith("render") and target.startswith("c.source"))
    }
    assert not known, "\n".join(sorted(known))
    neutral = ("base", "tools", "directives", "plan", "tree", "render")
    with_trees = [n for n, path in KNOWN.items() if n.split(".")[0] in neutral and "c_ast" in path.read_text()]
    with_trees.remove("directives.__main__")  # it shows how one directive is read
    assert not with_trees, with_trees


def test_headers_of_the_check_library_use_what_stands_before() -> None:
    """A C compiler takes only what stands before, and functions that are declared: none of those is of a later file."""
    folder = PACKAGE / "include" / "check"
    for path in (folder / "runtime.c", *folder.glob("*.h")):
        text = re.sub(r"/[*].*?[*]/", "", path.read_text(), flags=re.DOTALL)
        declared = re.findall(r"^(?:static|EXPORT)[^\n={]*?(\w+)\([^\n{]*\);$", text, re.MULTILINE)
        defined = set(re.findall(r"(\w+)\([^{};]*\)\s*\{", text))
        assert not (set(declared) - defined), path.name
        assert path.suffix == ".c" or "#include" not in text, path.name


def test_what_headers_specialise_is_inline() -> None:
    """Since release 15, g++ has each object define a constant that is specialised, and the link of two refuses that."""
    found = []
    for path in (PACKAGE / "include").rglob("*.*"):
        for declaration in re.findall(r"^\s*template\s*<\s*>[\s\\]*([^;{=]*)", path.read_text(), re.MULTILINE):
            found += [(path.name, declaration)] * (not re.match(r"(inline|struct|class|REX_FN)\b", declaration))
    assert not found


def test_what_no_c_unit_is_lowered_with() -> None:
    """A hit for a C unit does not look at these folders. So nothing may use them that lowers such a unit."""
    from rex_build.cache.tools import NOT_FOR_C

    folders = {name.replace("/", ".") for name in NOT_FOR_C}
    users = {
        name
        for name, found in edges().items()
        if name.partition(".")[0] not in folders and any(target.partition(".")[0] in folders for _, target in found)
    }
    # The pipeline imports cxx for C++ units; the two commands show profiles and pages.
    assert users == {"pipeline", "cli.main", "cli.profile_command"}
    tree = ast.parse(KNOWN["pipeline"].read_text())
    callers = {
        function.name
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cxx"
    }
    assert callers == {"_lower_cxx", "_read_cxx", "_plan_cxx", "_findings_of_cxx"}


def test_few_entries_at_the_top() -> None:
    entries = {path.name for path in PACKAGE.iterdir() if path.name not in ("__init__.py", "__pycache__", "share")}
    assert len(entries) <= 20, sorted(entries)


CACHE = r"rex_build(\.base|\.base\.(command_words|ending|options|outputs)|\.cache|\.cache\.\w+)?"
COMMANDS = r"\.cli|\.cli\.(main|start|build_commands|profile_command)"
COMMAND_LINE = rf"rex_build(\.base\.\w+|{COMMANDS}|\.build|\.build\.lower_options|\.request)"
OURS = re.compile(r"\| +((?:rex_build|pycparser|jinja2|filelock|argparse|subprocess|json)(?:\.[\w.]+)?)$", re.MULTILINE)


def imported(*arguments: str | Path, env: dict[str, str] | None = None) -> set[str]:
    path = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rex_build", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, **(env or {})},
    )
    assert done.returncode == 0, done.stderr
    return set(OURS.findall(done.stderr))


def test_pytest_finds_every_test(request: pytest.FixtureRequest) -> None:
    """Unless it is told not to, pytest passes over folders named ``build`` and stops at a second file of one name."""
    tests = Path(__file__).parent
    every = {path.relative_to(tests.parent).as_posix() for path in tests.rglob("test_*.py")}
    found = {item.nodeid.partition("::")[0] for item in request.session.items}
    if found != every:  # only a part of the tests runs now
        listed = subprocess.run(
            [sys.executable, "-m", "pytest", tests, "--collect-only", "-q", "-p", "no:cacheprovider"],
            cwd=tests.parent, capture_output=True, text=True,
        )  # fmt: skip
        found = {line.partition("::")[0] for line in listed.stdout.splitlines() if "::" in line}
    assert found == every


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_command_line_needs_no_stage(option: str) -> None:
    allowed = re.compile(f"{CACHE}|{COMMAND_LINE}|argparse|json(\\..*)?")
    assert not [name for name in imported(option) if not allowed.fullmatch(name)]


def test_usual_command_lines_are_read_as_argparse_reads_them() -> None:
    """Of random words of a command, and of values that they may have."""
    from rex_build.base.argument_parser import Parser
    from rex_build.base.command_words import Options, Reader, UnusualError
    from rex_build.cli import main as cli

    dice, read = random.Random(1), Counter[str]()

    def compare(name: str, run: object, _: str, add_options: Any) -> None:
        reader, parser = Reader(), Parser(allow_abbrev=False)
        for one in (reader, parser):
            cli._fill(one, run, add_options)  # type: ignore[arg-type]
        options = ["-Wrex-race", "-W=x", "-wx", "--unknown", "--jobs=3", "--color=never", "--arch=cpu"]
        options += reader._options
        for _turn in range(400):
            words = dice.choices([*options, "a.c", "b", "-", "error", "never", "3", "stats", ""], k=dice.randrange(7))
            try:
                said = vars(reader.read(words))
            except UnusualError:
                continue
            read[name] += 1
            assert said == vars(parser.parse_args(words, Options())), (name, words)

    cli._add_commands(compare)
    assert min(read[name] for name in ("lower", "explain", "cc", "rex-cc", "meson")) > 10, read


@pytest.mark.compile
@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
def test_lowering_imports_nothing_that_takes_long(name: str, tmp_path: Path) -> None:
    """Usual command lines need no ``argparse``. Only pycparser wants ``dataclasses``, a twentieth of lowering a short
    file. What reads C, and what makes kernels of C units faster, has nothing to do for a C++ unit."""
    source = tmp_path / name
    source.write_text("void f(int *x)\n{\n    #pragma omp target map(tofrom: x[0:1])\n    x[0] = 1;\n}\n")
    words = ("lower", source, "--out-dir", tmp_path)
    command = [sys.executable, "-S", "-X", "importtime", PACKAGE / "__main__.py", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))
    assert not modules & {"argparse", "hashlib", "platform", "shutil", "tempfile", "jinja2"}
    assert name == "unit.c" or not modules & {"dataclasses", "inspect", "ast", "dis"}
    for module in ("pycparser.c_parser", "rex_build.c.sema.types", "rex_build.c.analysis.optimise.kernel"):
        assert (module in modules) == (name == "unit.c")


@pytest.mark.compile
def test_a_cache_hit_imports_the_cache_only(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("void f(int *x)\n{\n    #pragma omp target map(tofrom: x[0:1])\n    x[0] = 1;\n}\n")
    os.utime(source, (1_000_000_000, 1_000_000_000))
    env = {"REX_BUILD_CACHE_DIR": str(tmp_path / "cache")}
    words = ("lower", source, "--out-dir", tmp_path / "out", "--", "-O2")
    assert "pycparser" in imported(*words, env=env)
    allowed = re.compile(CACHE)
    assert not [name for name in imported(*words, env=env) if not allowed.fullmatch(name)]
