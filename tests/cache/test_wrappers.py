"""Wrappers of compilers, configuration files, variables and libraries: what can change what is made is in the key."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import wrappers
from cache_project import Project, store
from wrappers import WRAPPERS, Wrapper

from rex_build.cache import tools
from rex_build.cache.flags import COMPILING, NotCachedError, told
from rex_build.cache.image import ImageKeys, ImageRequest
from rex_build.cache.memo import Memo
from rex_build.cache.step import plain_request
from rex_build.cache.unit import UnitKey

_LIKE_A_WRAPPER = pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda wrapper: str(wrapper.kind))


def _settled(path: Path) -> None:
    """Give a file an age at which what is remembered of it counts."""
    os.utime(path, (10**9, 10**9))


def _image_key(command: str) -> str:
    request = ImageRequest("/nowhere/unit.cu", b"int x;\n", "cpu", (), (command,), False)
    return ImageKeys(request, Memo(store())).anywhere.hexdigest()


@_LIKE_A_WRAPPER
def test_a_wrapper_is_asked_each_time(project: Project, wrapper: Wrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    """``lower`` compares what the cache gives with what an uncached run makes."""
    monkeypatch.setattr("rex_build.cache.memo._SETTLED_NS", 0)
    command = wrapper.install(project.root / "wrappers")
    (project.root / "src/unit.c").write_text("int first = V0;\n")
    seen = []
    for value in ("1", "2", "1"):
        monkeypatch.setenv(wrapper.flags, f"-DV0={value}")
        seen.append(project.lower(cc=command))
    monkeypatch.delenv(wrapper.flags)
    for value in ("3", "4", "3"):
        (project.root / "wrappers" / wrapper.file).write_text(f"-DV0={value}\n")
        seen.append(project.lower(cc=command))
    assert [event.partition(":")[0] for event in seen] == ["miss", "miss", "direct hit"] * 2


# A program and a script: that each kind is asked at all is the test before.
@pytest.mark.parametrize("wrapper", WRAPPERS[:2], ids=lambda wrapper: str(wrapper.kind))
def test_a_wrapper_of_another_compiler(project: Project, wrapper: Wrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    other = wrappers.own_clang(project.root / "clang")
    if other is None:
        pytest.skip("no clang here")
    monkeypatch.setattr("rex_build.cache.memo._SETTLED_NS", 0)
    command = wrapper.install(project.root / "wrappers")
    (project.root / "src/unit.c").write_text("#ifdef __clang__\nint is_clang;\n#else\nint is_gcc;\n#endif\n")
    first = project.lower(cc=command), _image_key(command)
    monkeypatch.setenv(wrapper.compiler, str(other))
    second = project.lower(cc=command), _image_key(command)
    with other.open("ab") as file:
        file.write(b"replaced")
    third = project.lower(cc=command), _image_key(command)
    assert {event.partition(":")[0] for event, _ in (first, second, third)} == {"miss"}
    assert len({first[1], second[1], third[1]}) == 3


def test_a_wrapper_that_does_not_say_what_it_runs(project: Project) -> None:
    script = project.root / "mycc"
    script.write_text('#!/bin/sh\ncase "$*" in *-###*) exit 0;; esac\nexec gcc "$@"\n')
    script.chmod(0o755)
    with pytest.raises(NotCachedError, match="does not say what it would run"):
        UnitKey(plain_request(project.request(cc=str(script))), Memo(store()))


def test_a_wrapper_is_asked_for_the_units_flags(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As MPICH's has -config=, which names a file with flags."""
    script = project.root / "mpicc"
    script.write_text(
        '#!/bin/sh\nfor word; do shift; case "$word" in -config=*) set -- "$@" $(cat ${0%/*}/${word#*=});;'
        ' *) set -- "$@" "$word";; esac; done\nexec gcc "$@"\n'
    )
    script.chmod(0o755)
    (project.root / "src/unit.c").write_text("int first = V0;\n")
    for value in ("1", "2", "1"):
        (project.root / "mine").write_text(f"-DV0={value}\n")
        event = project.lower("-config=mine", cc=str(script))
    assert event == "direct hit"


def test_a_real_compiler_is_asked_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rex_build.cache.memo._SETTLED_NS", 0)
    compilers = [path for path in ("gcc", "cc", "g++", wrappers.clang()) if path and shutil.which(path)]
    for compiler in compilers:
        tools.compiler_identity(compiler, Memo(store()), "cc1")
    monkeypatch.setattr("subprocess.run", None)
    for compiler in compilers:
        tools.compiler_identity(compiler, Memo(store()), "cc1")


@pytest.mark.parametrize("wrapper", ["mpicc.openmpi", "mpicc.mpich", "mpiicc"])
def test_wrappers_that_are_installed(project: Project, wrapper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(wrapper) is None:
        pytest.skip(f"no {wrapper} here")
    (project.root / "src/unit.c").write_text("#ifdef __clang__\nint is_clang;\n#endif\nint first = V0;\n")
    for compiler in ("gcc", Path(wrappers.clang() or "gcc").name, "gcc"):
        for name in ("OMPI_CC", "MPICH_CC", "I_MPI_CC"):
            monkeypatch.setenv(name, compiler)
        event = project.lower("-DV0=1", cc=wrapper)
    assert event == "direct hit"


# Configuration files and variables


def test_configuration_files_of_clang(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    clang = wrappers.own_clang(project.root / "clang")
    if clang is None:
        pytest.skip("no clang here")
    monkeypatch.setattr("rex_build.cache.memo._SETTLED_NS", 0)
    (project.root / "src/unit.c").write_text("#ifndef V0\n#define V0 0\n#endif\nint first = V0;\n")
    seen = [project.lower(cc=str(clang))]
    for value in ("1", "2"):
        (clang.parent / "clang.cfg").write_text(f"-DV0={value}\n")
        seen.append(project.lower(cc=str(clang)))
    monkeypatch.setenv("CLANG_NO_DEFAULT_CONFIG", "1")
    seen.append(project.lower(cc=str(clang)))
    monkeypatch.delenv("CLANG_NO_DEFAULT_CONFIG")
    seen.append(project.lower(cc=str(clang)))
    assert [event.partition(":")[0] for event in seen] == ["miss", "miss", "miss", "miss", "direct hit"]


@pytest.mark.parametrize("variable", ["LIBRARY_PATH", "LPATH"])
def test_rules_of_gcc_that_a_variable_leads_to(
    project: Project, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "src/unit.c").write_text("#ifndef V2\n#define V2 0\n#endif\nint first = V2;\n")
    plain = project.lower()
    folder = project.root / "rules"
    folder.mkdir()
    monkeypatch.setenv(variable, str(folder))
    empty = project.lower()
    wrappers.specs(folder)
    changed = project.lower()
    assert [event.partition(":")[0] for event in (plain, empty, changed)] == ["miss", "direct hit", "miss"]


@pytest.mark.parametrize("variable", ["CC_PRINT_OPTIONS", "CC_LOG_DIAGNOSTICS", "CCC_OVERRIDE_OPTIONS"])
def test_variables_that_let_compilers_write_files(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(NotCachedError, match=variable):
        told(COMPILING)


def test_variables_of_nvcc_are_in_the_keys_of_images(monkeypatch: pytest.MonkeyPatch) -> None:
    """nvcc adds to what these say already."""
    if shutil.which("nvcc") is None:
        pytest.skip("no nvcc here")
    request = ImageRequest("/nowhere/unit.cu", b"int x;\n", "sm_90", (), ("nvcc",), False)
    keys = {ImageKeys(request, Memo(store())).anywhere.hexdigest()}
    for variable in ("PTXAS_FLAGS", "CUDAFE_FLAGS", "NVVM_FLAGS", "OCG_FLAGS", "INCLUDES", "SYSTEM_INCLUDES"):
        with monkeypatch.context() as patch:
            patch.setenv(variable, "--verbose")
            keys.add(ImageKeys(request, Memo(store())).anywhere.hexdigest())
    assert len(keys) == 7


# Libraries


@pytest.mark.parametrize(
    ("changed", "of_c", "of_cxx"),
    [
        ("pycparser/c_lexer.py", True, True),
        ("jinja2/lexer.py", False, False),  # only pages of explain and profile are made with it
        ("clang/cindex.py", False, True),
        ("clang/native/lib.so", False, True),
    ],
)
def test_a_replaced_library(
    project: Project, changed: str, of_c: bool, of_cxx: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where only one file of it is changed, in place."""
    site = project.root / "site"
    for name in (
        "pycparser/__init__.py",
        "jinja2/__init__.py",
        "clang/__init__.py",
        "clang/native/libclang.so",
        changed,
    ):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("1")
    monkeypatch.setattr(tools, "_search_path", lambda _: [str(site)])
    monkeypatch.setattr("rex_build.cache.memo._SETTLED_NS", 0)
    before = [tools.tool_digest(Memo(store()), only_c=only_c) for only_c in (True, False)]
    assert before == [tools.tool_digest(Memo(store()), only_c=only_c) for only_c in (True, False)]
    (site / changed).write_text("2")
    after = [tools.tool_digest(Memo(store()), only_c=only_c) for only_c in (True, False)]
    assert (before[0] != after[0]) == of_c
    assert (before[1] != after[1]) == of_cxx


def test_the_library_that_pythons_part_of_libclang_loads(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's package has none of its own."""
    package = project.root / "site/clang"
    package.mkdir(parents=True)
    for name in ("__init__", "cindex"):
        (package / f"{name}.py").write_text("")
    library = project.root / "libclang.so"
    library.write_text("1")
    monkeypatch.setattr(tools, "_search_path", lambda _: [str(package.parent)])
    monkeypatch.setattr(tools, "_loaded_libclang", lambda: os.fsencode(library))
    first = tools.tool_digest(Memo(store()))
    library.write_text("2")
    assert tools.tool_digest(Memo(store())) != first
