"""Runs the real ccache, sccache and distcc in front of the compilers that rex-build and build systems call."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cache_project import HEADER, UNIT, free_port, wait_for

import rex_build
from rex_build.tools.runtimes import find_nvcc

pytestmark = pytest.mark.compile

PACKAGE = Path(rex_build.__file__).parent
REX_BUILD = (sys.executable, str(PACKAGE / "__main__.py"))
MAIN = """\
#include <stdio.h>
void scale(int n, float *x);
int main(void) { float x[2] = {3, 4}; scale(2, x); printf("%g\\n", x[1]); return 0; }
"""
CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.23)
project(app C CXX)
find_package(RexBuild REQUIRED)
add_executable(app main.c unit.c more.cpp)
target_include_directories(app PRIVATE .)
%s
"""
MORE = """\
void more(float *x);
void more(float *x)
{
#pragma omp target map(tofrom: x[0:1])
    x[0] = 1;
}
"""
needs_ccache = pytest.mark.skipif(shutil.which("ccache") is None, reason="no ccache here")
needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc here")


@pytest.fixture
def application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of two files. rex-build's own cache, which would come first, is off."""
    monkeypatch.setenv("REX_BUILD_CACHE", "off")
    folder = tmp_path / "application"
    folder.mkdir()
    for name, text in (("unit.c", UNIT), ("scale.h", HEADER), ("main.c", MAIN)):
        (folder / name).write_text(text)
    return folder


def _hits(folder: Path) -> int:
    """The hits that a ccache has had in its folder so far."""
    environment = {**os.environ, "CCACHE_DIR": str(folder)}
    text = subprocess.run(["ccache", "--print-stats"], capture_output=True, text=True, check=True, env=environment)
    values = dict(line.split("\t") for line in text.stdout.splitlines())
    return int(values["direct_cache_hit"]) + int(values["preprocessed_cache_hit"])


def _device(application: Path, arch: str, launcher: str, *options: str) -> bytes:
    """The image that ``rex-build device`` makes behind a launcher."""
    image = application / f"unit.{arch}"
    image.unlink(missing_ok=True)
    command = [*REX_BUILD, "device", str(application / "rex_lib_unit.cu"), "--arch", arch, "--launcher", launcher]
    subprocess.run([*command, *options, "-o", str(image)], check=True)
    return image.read_bytes()


@needs_ccache
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arch", "options"),
    [
        ("cpu", ()),
        pytest.param("sm_90", (), marks=needs_nvcc),
        pytest.param("sm_90", ("--separable",), marks=needs_nvcc),
    ],
)
def test_ccache_in_front_of_device_compilers(
    application: Path, tmp_path: Path, arch: str, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "ccache"))
    subprocess.run([*REX_BUILD, "lower", "unit.c", "--out-dir", "."], check=True, cwd=application)
    first = _device(application, arch, "ccache", *options)
    assert _hits(tmp_path / "ccache") == 0
    assert _device(application, arch, "ccache", *options) == first
    assert _hits(tmp_path / "ccache") == 1


@pytest.mark.skipif(shutil.which("sccache") is None, reason="no sccache here")
def test_sccache_in_front_of_device_compilers(
    application: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCCACHE_DIR", str(tmp_path / "sccache"))
    subprocess.run([*REX_BUILD, "lower", "unit.c", "--out-dir", "."], check=True, cwd=application)
    archs = ["cpu", "sm_90"] if find_nvcc() else ["cpu"]
    try:
        for _ in range(5):  # its server gives up after 10 s, and somebody else may take the port
            monkeypatch.setenv("SCCACHE_SERVER_PORT", str(free_port()))
            if subprocess.run(["sccache", "--start-server"], capture_output=True, check=False).returncode == 0:
                break
        first = [_device(application, arch, "sccache") for arch in archs]
        assert [_device(application, arch, "sccache") for arch in archs] == first
        asked = ["sccache", "--show-stats", "--stats-format", "json"]
        stats = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)["stats"]
    finally:
        subprocess.run(["sccache", "--stop-server"], capture_output=True, check=False)
    hits = stats["cache_hits"]["counts"]
    assert hits.get("C/C++") == 1
    assert len(archs) == 1 or hits.get("CUDA", hits.get("CUBIN")) == 1  # newer releases cache the single steps of nvcc


@needs_ccache
@pytest.mark.cmake
@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", ["rex_add_offload_sources(app SOURCES unit.c more.cpp", "rex_target_offload(app"])
def test_launchers_of_cmake(application: Path, tmp_path: Path, function: str) -> None:
    """Each language has its own ccache, under a name that rex-build does not know as a launcher.

    The device code of a C++ unit is checked in what nvcc leaves, so nvcc has no launcher there.
    """
    devices = "cuda cpu" if find_nvcc() else "cpu"
    (application / "more.cpp").write_text(MORE)
    (application / "CMakeLists.txt").write_text(CMAKE_LISTS % f"{function} DEVICES {devices})")
    command = ["cmake", "-S", str(application), "-B", str(application / "build"), "-G", "Ninja"]
    command += [f"-DRexBuild_DIR={PACKAGE.parent}/cmake", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
    command += ["-DCMAKE_CUDA_ARCHITECTURES=90"]
    for language in ("C", "CXX", "CUDA"):
        command.append(f"-DCMAKE_{language}_COMPILER_LAUNCHER=env;CCACHE_DIR={tmp_path}/{language};ccache")
    for _ in range(2):
        shutil.rmtree(application / "build", ignore_errors=True)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", str(application / "build")], check=True, stdout=subprocess.DEVNULL)
    assert _hits(tmp_path / "C") == 2  # main.c and the host file; no cache keeps a unit that embeds images by .incbin
    assert _hits(tmp_path / "CXX") == 3  # the C++ unit's host file, and both images for the cpu device
    assert _hits(tmp_path / "CUDA") == ("cuda" in devices)


@pytest.fixture
def distcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The log of a distcc server on this machine, which clients have to use."""
    if shutil.which("distcc") is None:
        pytest.skip("no distcc here")
    port = free_port()
    log = tmp_path / "distccd.log"
    command = ["distccd", "--no-detach", "--daemon", "--allow", "127.0.0.1", "--listen", "127.0.0.1"]
    command += ["--port", str(port), "--log-stderr", "--enable-tcp-insecure", "--jobs", "2"]
    with log.open("wb") as file:
        server = subprocess.Popen(command, stderr=file)
    monkeypatch.setenv("DISTCC_HOSTS", f"127.0.0.1:{port}")
    monkeypatch.setenv("DISTCC_FALLBACK", "0")
    (tmp_path / "distcc").mkdir()
    monkeypatch.setenv("DISTCC_DIR", str(tmp_path / "distcc"))
    wait_for(port)
    yield log
    server.terminate()
    server.wait()


def test_distcc_in_front_of_all_compilers(application: Path, distcc: Path) -> None:
    """The server compiles host files. Files that are compiled in another language than their suffix says stay local."""
    command = [*REX_BUILD, "cc", "--device", "cpu", "--launcher", "distcc", "-o", "app", "main.c", "unit.c"]
    subprocess.run(command, check=True, cwd=application)
    done = subprocess.run([application / "app"], capture_output=True, text=True, check=True)
    assert done.stdout == "8\n"
    wanted = {"main.c", "rose_unit.c"}
    deadline = time.monotonic() + 20  # the server writes its summary after it has answered
    compiled: set[str] = set()
    while compiled != wanted and time.monotonic() < deadline:
        time.sleep(0.05)
        compiled = {line.split()[-1] for line in distcc.read_text().splitlines() if "COMPILE_OK" in line}
        compiled = {Path(name).name for name in compiled}
    assert compiled == wanted
