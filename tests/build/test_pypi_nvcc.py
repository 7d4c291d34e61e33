"""Uses nvcc from the packages of `rex-build[cuda]` on systems without one.

They are a download of 130 MB, so this runs only with REX_TEST_PYPI_NVCC=1 in the environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("REX_TEST_PYPI_NVCC"), reason="REX_TEST_PYPI_NVCC is not set: 130 MB"),
]

LISTS = """\
cmake_minimum_required(VERSION 3.23)
project(p C)
find_package(RexBuild REQUIRED)
add_library(scale SHARED scale.c)
rex_add_offload_sources(scale SOURCES scale.c DEVICES cuda CUDA_ARCHITECTURES 80 90)
"""


def test_images_without_a_toolkit(tool: Tool, project: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([tmp_path / "venv" / "bin" / "pip", "install", "--quiet", f"{tool.root}[cuda]"], check=True)
    (project / "CMakeLists.txt").write_text(LISTS)
    hidden = [path for path in Path("/usr/local").glob("cuda*") if path.is_dir() and not path.is_symlink()]
    script = "".join(f"mount -t tmpfs none '{path}'\n" for path in hidden)
    script += f"cmake -S '{project}' -B '{tmp_path}/b' -G Ninja && cmake --build '{tmp_path}/b'\n"
    command = ["bash", "-ec", script]
    if hidden:
        if not shutil.which("unshare"):
            pytest.skip("the toolkit in /usr/local cannot be hidden: no unshare")
        command = ["unshare", *(["--map-root-user"] if os.geteuid() else []), "--mount", *command]
    env = dict(tool.env, PATH=f"{tmp_path}/venv/bin:/usr/bin:/bin", REX_BUILD_CACHE="off")
    for variable in ("NVCC", "CUDACXX", "PYTHONPATH"):
        env.pop(variable, None)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for arch in ("sm_80", "sm_90"):
        assert (tmp_path / "b" / "rex" / "scale" / f"rex_lib_scale.{arch}.cubin").stat().st_size > 0
    params = next((tmp_path / "b").rglob("build.ninja")).read_text()
    assert f"{tmp_path}/venv" in params
    assert "site-packages/nvidia/" in params
