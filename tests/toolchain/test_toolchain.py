"""Finding compilers and runtimes, telling versions, and refusing what does not fit together."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest

from rex_build.base.diagnostics import ToolError, UsageError
from rex_build.tools import doctor, runtimes, targets, toolchain
from rex_build.tools.backends import CPU, CUDA
from rex_build.tools.built_library import built_library
from rex_build.tools.runtimes import Gpu, Nvcc, Runtime

ARCHS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")
CUDA_12, CUDA_13 = Nvcc(("nvcc",), (12, 8)), Nvcc(("nvcc",), (13, 0))


def runtime(*version: int) -> Runtime:
    return Runtime(Path("/llvm/libomptarget.so"), Path("/llvm/libomp.so.5"), version)


@pytest.fixture(autouse=True)
def same_archs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "nvcc_archs", lambda _: ARCHS)
    for name in ("CC", "CXX", "NVCC", "CUDACXX", "REX_LLVM_ROOT", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)


PAIRS = [
    (runtime(18, 1), CUDA_12, "sm_90", "too old"),
    (runtime(19, 1), CUDA_12, "sm_90", None),
    (runtime(19, 1), CUDA_13, "sm_90", "cannot load images made by CUDA 13.0"),
    (runtime(19, 1), CUDA_12, "sm_100", "does not know sm_100"),
    (runtime(20, 1), CUDA_12, "sm_100", None),
    (runtime(20, 1), CUDA_13, "sm_90", "cannot load images made by CUDA 13.0"),
    (runtime(21, 1, 0), CUDA_13, "sm_90", "cannot load images made by CUDA 13.0"),
    (runtime(21, 1, 1), CUDA_13, "sm_90", "cannot load images made by CUDA 13.0"),
    (runtime(21, 1, 2), CUDA_13, "sm_90", None),
    (runtime(21, 1), CUDA_13, "sm_90", None),
    (runtime(22, 1), CUDA_13, "sm_120", None),
    (runtime(22, 1), CUDA_13, "sm_90a", None),
    (runtime(22, 1), CUDA_13, "sm_70", "does not compile for sm_70"),
    (runtime(23, 1), CUDA_12, "sm_90", None),
]


@pytest.mark.parametrize(("found", "nvcc", "arch", "message"), PAIRS)
def test_which_runtime_loads_what_which_nvcc_makes(found: Runtime, nvcc: Nvcc, arch: str, message: str | None) -> None:
    problem = runtimes.pair_problem(found, nvcc, [arch])
    if message is None:
        assert problem is None
        return
    assert problem
    assert message in problem.message
    assert problem.remedy


@pytest.mark.parametrize(("version", "works"), [(18, False), (19, True), (21, True), (22, True), (23, False)])
def test_runtimes_of_the_cpu_device(version: int, works: bool) -> None:
    assert (CPU.misfit(runtime(version, 1)) is None) == works


def test_the_newest_runtime_that_serves_all_devices_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "find_runtimes", lambda _: (runtime(23, 1), runtime(22, 1), runtime(19, 1)))
    monkeypatch.setattr(runtimes, "find_nvcc", lambda: CUDA_13)
    assert targets.select_runtime([CUDA], ["sm_90"]).version == (23, 1)
    assert targets.select_runtime([CPU]).version == (22, 1)
    assert targets.select_runtime([CUDA, CPU], ["sm_90", "cpu"]).version == (22, 1)
    monkeypatch.setattr(targets, "find_runtimes", lambda _: (runtime(19, 1),))
    with pytest.raises(ToolError, match=r"CUDA 13\.0"):
        targets.select_runtime([CUDA], ["sm_90"])


@pytest.mark.parametrize(
    ("text", "arch"), [("90", "sm_90"), ("sm_90", "sm_90"), ("90-real", "sm_90"), ("90a", "sm_90a"), ("cpu", "cpu")]
)
def test_architecture_spellings(text: str, arch: str) -> None:
    assert targets.normalise_arch(text) == arch


@pytest.mark.parametrize("text", ["", "hopper", "sm_", "9", "sm_90 "])
def test_wrong_architecture_spellings(text: str) -> None:
    with pytest.raises(UsageError, match="unknown architecture"):
        targets.normalise_arch(text)


@pytest.mark.parametrize(("text", "real"), [("90-virtual", "90"), ("sm_80-virtual", "sm_80"), ("compute_90a", "90a")])
def test_ptx_is_refused(text: str, real: str) -> None:
    with pytest.raises(UsageError, match=f"'{text}' asks for PTX, .* write {real}$"):
        targets.normalise_arch(text)


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_compilers_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = script(tmp_path / "mycc", "echo 'mycc 1.2.3'; echo more")
    monkeypatch.setenv("CC", f"{mine} -m64")
    compiler = toolchain.find_cc()
    assert (compiler.program, compiler.options, compiler.version) == (str(mine), ("-m64",), "mycc 1.2.3")
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(ToolError, match="CC names 'no-such-compiler'"):
        toolchain.find_cc()


def test_launchers_are_told_from_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "ccache", 'exec "$@"')
    script(tmp_path / "gcc", "echo gcc 12")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("CC", "ccache gcc -O1")
    compiler = toolchain.find_cc()
    assert (compiler.program, compiler.options) == ("gcc", ("-O1",))
    assert compiler.version == "gcc 12"


def test_nvcc_is_asked_for_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvcc = script(tmp_path / "nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.131'")
    monkeypatch.setenv("CUDACXX", str(nvcc))
    found = runtimes.find_nvcc()
    assert found
    assert found.version == (12, 4)
    monkeypatch.setenv("NVCC", str(script(tmp_path / "other", "echo hello")))
    with pytest.raises(ToolError, match="does not answer as nvcc does"):
        runtimes.find_nvcc()


def test_gpus_from_nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = (
        'case "$1" in --query*) echo "NVIDIA H200, 9.0";; *) echo "| Driver Version: 580.1 CUDA Version: 13.0 |";; esac'
    )
    script(tmp_path / "nvidia-smi", body)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    runtimes.gpus.cache_clear()
    try:
        assert runtimes.gpus() == (Gpu("NVIDIA H200", "sm_90", (13, 0)),)
        assert CUDA.default_arch() == "sm_90"
    finally:
        runtimes.gpus.cache_clear()


def shared_library(path: Path, soname: str, source: str = "int f;") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["gcc", "-shared", "-fPIC", "-xc", "-", f"-Wl,-soname,{soname}", "-o", path]
    subprocess.run(command, input=source, text=True, check=True)


@pytest.mark.compile
def test_versions_come_from_the_libraries_themselves(tmp_path: Path) -> None:
    """Two installations, one with a version that only its contents tell; the folders' names say nothing."""
    shared_library(tmp_path / "x/lib/libomptarget.so.22.1", "libomptarget.so.22.1")
    (tmp_path / "x/lib/libomptarget.so").symlink_to("libomptarget.so.22.1")
    shared_library(tmp_path / "x/lib/libomp.so.5", "libomp.so.5")
    (found,) = runtimes.find_runtimes(str(tmp_path / "x"))
    assert found.version == (22, 1)
    assert found.omp == tmp_path / "x/lib/libomp.so.5"
    assert found.omptarget == tmp_path / "x/lib/libomptarget.so.22.1"
    shared_library(tmp_path / "y/libomptarget.so", "libomptarget.so", 'char v[] = "LLVM 20.1.8";')
    shared_library(tmp_path / "y/libomp.so", "libomp.so")
    assert [each.version for each in runtimes.find_runtimes(str(tmp_path / "y"))] == [(20, 1)]
    text = 'char v[] = "clang version 21.1.1 (Debian)";'
    shared_library(tmp_path / "z/lib/libomptarget.so.21.1", "libomptarget.so.21.1", text)
    shared_library(tmp_path / "z/lib/libomp.so", "libomp.so")
    assert [each.version for each in runtimes.find_runtimes(str(tmp_path / "z"))] == [(21, 1, 1)]


def test_what_is_no_library_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "libomptarget.so").write_text("INPUT(somewhere)\n")
    (tmp_path / "libomp.so").write_text("")
    assert runtimes.find_runtimes(str(tmp_path)) == ()
    with pytest.raises(ToolError, match="was not found below") as caught:
        targets.select_runtime([CPU], llvm_root=str(tmp_path))
    assert "apt-get install" in caught.value.diagnostics[0].notes[0]


@pytest.mark.parametrize("version", [19, 22])
def test_installed_runtimes_are_told_apart(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(f"/usr/lib/llvm-{version}")
    if not list(root.glob("lib/libomptarget.so*")):
        pytest.skip(f"libomptarget {version} is not here")
    monkeypatch.setenv("REX_LLVM_ROOT", str(root))
    assert [found.version[0] for found in runtimes.find_runtimes()] == [version]
    assert version in [found.version[0] for found in runtimes.find_runtimes("/usr/lib/x86_64-linux-gnu")] + [19]


def test_link_flags_name_files_and_where_to_find_them() -> None:
    flags = runtimes.link_flags(runtime(22, 1))
    assert flags == ("-fno-openmp", "/llvm/libomptarget.so", "/llvm/libomp.so.5", "-Wl,-rpath,/llvm")


def test_no_compiler_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "which", lambda _: None)
    with pytest.raises(ToolError, match="no C compiler was found") as caught:
        toolchain.find_cc()
    assert caught.value.diagnostics[0].notes


def test_libclang_is_found_where_python_imports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through PYTHONPATH, it comes without the package's metadata."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", doctor.examine()["libclang"])
    monkeypatch.setattr(metadata, "version", lambda name: (_ for _ in ()).throw(metadata.PackageNotFoundError(name)))
    assert re.fullmatch(r"\d+\.\d+\.\d+", doctor.examine()["libclang"])
    for module in ("clang", "clang.cindex"):
        monkeypatch.setitem(sys.modules, module, None)
    assert doctor.examine()["libclang"] is None


@pytest.mark.compile
def test_a_library_of_ours_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that need it at the same time wait for the first one, and do not compile it, too."""
    source, compiler = tmp_path / "one.c", tmp_path / "gcc"
    source.write_text("int one(void) { return 1; }\n")
    compiler.write_text(f'#!/bin/sh\necho >>{tmp_path}/starts\nsleep 0.2\nexec gcc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    with ThreadPoolExecutor(4) as pool:
        made = {*pool.map(lambda _: built_library(source, (), (), "test"), range(4))}
    assert len(made) == 1
    assert (tmp_path / "starts").read_text() == "\n"
