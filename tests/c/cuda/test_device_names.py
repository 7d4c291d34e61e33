"""No name of the user's can change what device code does: the user's names give way to each name that generated
code and its headers have."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest
from cuda_support import CPU, CUDA, run

import rex_build
from rex_build.base.paths import include_dir
from rex_build.c.analysis.device_names import global_name, local_name
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_HOST_HEADERS = ("rex_kmp.h", "rex_gomp.h", "rex_host_")
_NOT_NAMES = {
    "_OF",  # the end of a macro's name
    "alignas", "decltype", "for", "if", "return", "sizeof", "static_assert", "switch", "while", "defined", "typeof",
    "pack", "packed", "aligned", "asm", "void", "new",
}  # fmt: skip


def _headers() -> list[str]:
    found = [p for folder in (".", "cpu", "cuda") for p in sorted((include_dir() / folder).iterdir()) if p.is_file()]
    return [str(p.relative_to(include_dir())) for p in found if not p.name.startswith(_HOST_HEADERS)]


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL).replace("\\\n", " ")


def _macros(text: str) -> set[str]:
    return set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", _without_comments(text), re.MULTILINE))


def _functions(text: str) -> set[str]:
    """The functions that a header defines, or declares, at file scope."""
    lines = re.findall(r"^(?:REX_FN|REX_STATE|static|extern|template|\[\[).*$", _without_comments(text), re.MULTILINE)
    return {name for line in lines for name in re.findall(r"(\w+)\(", re.sub(r"__\w+__\(+[^()]*\)+", "", line))[:1]}


@pytest.mark.parametrize("header", _headers())
def test_macros_of_the_device_library_are_no_names_of_the_users(header: str) -> None:
    text = (include_dir() / header).read_text()
    restored = re.findall(r'#pragma pop_macro\("(\w+)"\)', text)  # have their own meaning again behind the header
    for name in _macros(text).difference(restored):
        if not name.startswith(("__builtin_", "__atomic_", "__sync_")):  # which print as they are
            assert local_name(name) != name, name
            assert global_name(name) != name or name.startswith("omp_"), name


def _all_macros(tmp_path: Path, *command: str | Path) -> set[str]:
    """The macros of a device unit that a program may have as names: C reserves those that begin with '__' or '_A'."""
    source = tmp_path / "unit.cu"
    source.write_text('#include "xomp_cuda_lib_inlined.cu"\n')
    done = run(*command, source)
    assert done.returncode == 0, done.stderr
    names = set(re.findall(r"^#define (\w+)", done.stdout, re.MULTILINE))
    assert {"M_PI", "LINE_MAX", "EOF"} <= names
    return {name for name in names if not re.match(r"_[_A-Z]", name)}


def test_macros_of_system_headers_are_no_names_of_the_users(tmp_path: Path) -> None:
    names = _all_macros(tmp_path, "g++", *CPU, "-dM", "-E")
    assert {name for name in names if local_name(name) == name or global_name(name) == name} == set()


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_macros_of_cuda_are_no_names_of_the_users(tmp_path: Path) -> None:
    names = _all_macros(tmp_path, "nvcc", *CUDA, "-Xcompiler", "-dM", "-E")
    assert {name for name in names if local_name(name) == name or global_name(name) == name} == set()


@pytest.mark.parametrize("header", _headers())
def test_functions_of_the_device_library_are_no_names_of_the_users(header: str) -> None:
    found = _functions((include_dir() / header).read_text())
    missed = {name for name in found if global_name(name) == name and not name.startswith("omp_")}
    assert missed <= {"sizeof", "alignas"}


def _strings(module: Path) -> list[str]:
    """The string literals of a module, without its docstrings."""
    tree = ast.parse(module.read_text())
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    constants = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in docs)
    return [n.value for n in constants if isinstance(n.value, str)]


def test_functions_that_printers_call_cannot_be_hidden() -> None:
    """Calls in string literals of the modules that print device code, by names that a local variable could have."""
    package = Path(rex_build.__file__).parent
    modules = [*(package / "c" / "cuda").glob("*.py")]
    modules += [package / "render" / f"{name}.py" for name in ("constructs", "copies", "kernels", "loops")]
    for module in modules:
        for text in _strings(module):
            for name in re.findall(r"(?<![\w.:<'%{])([A-Za-z_]\w+)\(", text):
                assert name in _NOT_NAMES or name.startswith("__") or local_name(name) != name, (module.name, text)


@pytest.mark.parametrize("name", ["n", "value", "omp", "index", "time", "rexx", "_dev", "OUT_1", "x_c"])
def test_other_names_stay(name: str) -> None:
    assert local_name(name) == name


def test_no_two_names_become_one() -> None:
    names = ["rex_x", "rex_x__c", "rex_x__c__c", "class", "class__c", "x__rex_value", "x__rex_value__c", "memcpy", "x"]
    assert len({local_name(name) for name in names}) == len(names)
    assert len({global_name(name) for name in names}) == len(names)


def test_names_of_device_variables_are_ascii(tmp_path: Path) -> None:
    """nvcc takes other letters in local names only."""
    source = tmp_path / "unit.c"
    source.write_text(
        "static int z\u00e4hler; int gr\u00f6\u00dfe;\n#pragma omp declare target(z\u00e4hler, gr\u00f6\u00dfe)\n"
        "int n\u00e4chste(void) { return z\u00e4hler + gr\u00f6\u00dfe; }\n"
        "int f(void) { int x = 0;\n#pragma omp target map(x)\nx = n\u00e4chste();\nreturn x; }\n"
    )
    assert lower_text(LowerRequest(source=source, out_dir=tmp_path)).device.isascii()
