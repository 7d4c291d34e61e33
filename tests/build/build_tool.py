"""Runs rex-build in tests, and holds the small project that they build."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import forked

ROOT = Path(__file__).resolve().parents[2]

SCALE_H = """\
#ifndef FACTOR
#define FACTOR 2
#endif
void scale(int n, float *x);
int omp_get_num_devices(void);
"""

SCALE_C = """\
#include "scale.h"
void scale(int n, float *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * FACTOR;
}
"""

MAIN_C = """\
#include <stdio.h>
#include "scale.h"
int main(void)
{
    float x[100], sum = 0;
    for (int i = 0; i < 100; i++)
        x[i] = i;
    scale(100, x);
    for (int i = 0; i < 100; i++)
        sum += x[i];
    printf("%g\\n", sum / 4950);
    return omp_get_num_devices() == 0;
}
"""


class Tool:
    """rex-build from a private copy of the package, so that editing the checkout during a test is no update."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.env = dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY")

    def __call__(self, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        status, *texts = forked.call([*map(str, arguments)], 300, self.env, cwd, self.root)
        ended = -signal.SIGALRM if status is None else status
        return subprocess.CompletedProcess(arguments, ended, *map(bytes.decode, texts))

    def run(self, *command: object, cwd: Path | None = None) -> str:
        """Run a command that has to succeed, and return its output."""
        done = subprocess.run(list(map(str, command)), cwd=cwd, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


def python_program(path: Path, text: str) -> None:
    """Make a program of Python code. The kernel takes no interpreter whose path has a blank, so the shell starts it."""
    path.write_text(f"#!/bin/sh\n'''exec' '{sys.executable}' \"$0\" \"$@\"\n' '''\n{text}")
    path.chmod(0o755)


def forked_program(path: Path, root: Path, words: str = "") -> None:
    """Make a program that runs the rex-build in ``root``, with words in front of its own. Python does not start for it,
    which takes 0.2 s: see forked.py."""
    path.write_text(f'#!/bin/sh\nexec "{forked.python(root)}" "{root}/rex_build/__main__.py" {words} "$@"\n')
    path.chmod(0o755)


def install_programs(root: Path, folder: Path, own: bool = False) -> None:
    """Put rex-build and the programs in a compiler's place into a folder, as a wheel's installation does, on request as
    processes of their ``own``."""
    if own:
        python_program(
            folder / "rex-build",
            f"import sys\nsys.path.insert(0, {str(root)!r})\nfrom rex_build.__main__ import main\nsys.exit(main())\n",
        )
    else:
        forked_program(folder / "rex-build", root)
    build = root / "rex_build" / "build"
    digest = hashlib.sha256((build / "launcher.c").read_bytes()).hexdigest()[:16]
    for name in ("rex-gcc", "rex-g++", "rex-cc"):
        text = (build / "in_place.sh").read_text().replace("@OPTIONS@", "")
        text = text.replace("@NAME@", name).replace("@DIGEST@", digest)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def failing(cc: Tool, folder: Path, *command: str, **env: str) -> tuple[int, str]:
    """(exit status, messages) of a command that may fail, and has to end."""
    done = subprocess.run(command, cwd=folder, env={**cc.env, **env}, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


# The answers of CUDA 13.0's nvcc to what is asked at configuring, for machines without nvcc.
NVCC = """\
#!/bin/sh
case $1 in
--version) echo "Cuda compilation tools, release 13.0, V13.0.88" ;;
--list-gpu-code) printf 'sm_%s\\n' 75 80 86 87 88 89 90 100 103 110 120 121 ;;
*) exit 1 ;;
esac
"""


def nvcc_in(folder: Path) -> str:
    """nvcc, or a script in ``folder`` that gives the same answers but compiles nothing."""
    if found := shutil.which("nvcc"):
        return found
    folder.mkdir(exist_ok=True)
    program = folder / "nvcc"
    program.write_text(NVCC)
    program.chmod(0o755)
    return str(program)


def cmakes() -> list[str]:
    """The first cmake on PATH, and the oldest that is supported, which tests/run.sh installs, or else the system's."""
    old = Path(sys.prefix) / "cmake-3.23.3" / "cmake" / "data" / "bin" / "cmake"
    places = (shutil.which("cmake"), str(old) if old.exists() else shutil.which("cmake", path="/usr/bin"))
    return list(dict.fromkeys(filter(None, places)))


def builds() -> list[tuple[str, str, str]]:
    """Each CMake with each generator and each of the two functions."""
    return list(product(cmakes(), ("Ninja", "Unix Makefiles"), ("sources", "launcher")))


def mesons() -> dict[str, list[str]]:
    """The first meson on PATH, and the oldest one that is supported, which tests/run.sh installs."""
    found = {}
    if first := shutil.which("meson"):
        found["newest"] = [first]
    old = Path(sys.prefix) / "meson-1.0.1"
    if old.is_dir():
        found["1.0"] = [str(old)]
    elif system := shutil.which("meson", path="/usr/bin"):
        found["system"] = [system]
    return found


def needed(program: Path) -> str:
    """The libraries that a program asks for, and its own name. Folders of its run path are left out."""
    lines = dynamic_section(program).splitlines()
    return "\n".join(line for line in lines if "(NEEDED)" in line or "(SONAME)" in line)


def dynamic_section(program: Path) -> str:
    """All that the loader reads, as readelf writes it."""
    return subprocess.run(["readelf", "-d", str(program)], check=True, capture_output=True, text=True).stdout


def _releases() -> str:
    """Which CMakes and Mesons the tests run with."""
    found = [subprocess.run([cmake, "--version"], capture_output=True, text=True).stdout for cmake in cmakes()]
    names = [text.partition("\n")[0] for text in found]
    for name, command in mesons().items():
        is_folder = Path(command[0]).is_dir()  # it is a folder of pip --target, whose name says what it holds
        done = None if is_folder else subprocess.run([*command, "--version"], capture_output=True, text=True)
        names.append(f"meson {done.stdout.strip() if done else name}")
    return ", ".join(names)


if __name__ == "__main__":
    print(_releases())
