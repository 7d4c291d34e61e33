"""Builds and runs each example as its README says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from build_tool import ROOT, Tool, cmakes, forked_program, install_programs, mesons, python_program
from cmake_project import built

pytestmark = [pytest.mark.slow, pytest.mark.compile]

EXAMPLES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/README.md"))


def blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


def follow(readme: str, folder: Path, env: dict[str, str]) -> None:
    """Run the README's commands as one script, and check that its output ends with the README's last text block."""
    script = "set -e\n" + "".join(blocks(readme, "sh"))
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    assert done.stdout.endswith(blocks(readme, "text")[-1]), done.stdout


def releases() -> list[tuple[str, str]]:
    """The examples, each with the newest releases of CMake and Meson, and with the oldest ones if it uses one."""
    names = [name for name in EXAMPLES if not name.startswith("python")]
    using = [
        name
        for name in names
        if re.search("^(cmake|meson) ", (ROOT / "examples" / name / "README.md").read_text(), re.M)
    ]
    return [*((name, "newest") for name in names), *((name, "oldest") for name in using)]


def put_oldest(folder: Path) -> None:
    """Put the oldest CMake and Meson that are here into a folder of programs."""
    (folder / "cmake").symlink_to(cmakes()[-1])
    old = [*mesons().values()][-1:]
    if old and Path(old[0][0]).is_dir():
        text = (
            f"import sys\nsys.path.insert(0, {old[0][0]!r})\nfrom mesonbuild.mesonmain import main\nsys.exit(main())\n"
        )
        python_program(folder / "meson", text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "release"), releases())
def test_example(tool: Tool, tmp_path: Path, name: str, release: str) -> None:
    if "meson" in name and not shutil.which("meson"):
        pytest.skip("meson is not here")
    folder = tmp_path / name
    shutil.copytree(ROOT / "examples" / name, folder)
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    forked_program(bin_dir / "rex-build", tool.root)
    if release == "oldest":
        put_oldest(bin_dir)
    path = f"{bin_dir}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = dict(os.environ, PATH=path, VIRTUAL_ENV=sys.prefix)
    follow((folder / "README.md").read_text(), folder, env)


@pytest.mark.parametrize("system", ["cmake", "meson"])
def test_the_readme_has_whole_files(tool: Tool, project: Path, tmp_path: Path, system: str) -> None:
    """What README shows for a build system is a project's whole file."""
    if not shutil.which(system):
        pytest.skip(f"{system} is not here")
    (project / "scale.c").rename(project / "solver.c")
    file = project / {"cmake": "CMakeLists.txt", "meson": "meson.build"}[system]
    file.write_text(blocks((ROOT / "README.md").read_text(), system)[0])
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    install_programs(tool.root, bin_dir)
    own = Tool(tool.root)
    own.env = dict(tool.env, PATH=f"{bin_dir}:{os.environ['PATH']}", REX_DEVICES="cpu")
    if system == "meson":
        own.run("rex-build", "meson-wrap", cwd=project)
        own.run("meson", "setup", "b", cwd=project)
        own.run("ninja", "-C", "b", cwd=project)
    else:
        built(own, project, project / "b", "-DREX_DEVICES=cpu")
    assert own.run(project / "b" / "app") == "2\n"


def test_adopting_takes_five_lines_at_most() -> None:
    for patch in (ROOT / "examples").glob("*/*.patch"):
        text = patch.read_text()
        added = [line for line in re.findall(r"^\+(?!\+\+ )(.*)$", text, re.MULTILINE) if line.strip()]
        assert 0 < len(added) <= 5
        assert re.findall(r"^\+\+\+ b/(.*)$", text, re.MULTILINE) in (["CMakeLists.txt"], ["meson.build"])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "backend"), [("python-extension", "scikit_build_core"), ("python-extension-meson", "mesonpy")]
)
def test_python_extension(tool: Tool, tmp_path: Path, name: str, backend: str) -> None:
    """The module is built in an environment of its own, in which the build back end has no path to rex-build."""
    pytest.importorskip(backend)
    pytest.importorskip("scikit_build_core")  # which installs rex-build itself
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        pytest.skip("Python's headers are not here")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    site = next((venv / "lib").glob("python3*")) / "site-packages"
    # Nothing has to be downloaded: the environment sees this one's packages, except an installed rex-build.
    (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (venv / "bin" / "pip").write_text(f'#!/bin/sh\nexec "{venv}/bin/python" -m pip "$@"\n')
    (venv / "bin" / "pip").chmod(0o755)
    env = dict(os.environ, PATH=f"{venv / 'bin'}:{os.environ['PATH']}", VIRTUAL_ENV=str(venv))
    env |= {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1", "PIP_IGNORE_INSTALLED": "1", "PIP_QUIET": "1"}
    subprocess.run([venv / "bin" / "pip", "install", tool.root], check=True, env=env)
    folder = tmp_path / "extension"
    shutil.copytree(ROOT / "examples" / name, folder)
    follow((folder / "README.md").read_text(), folder, env)
