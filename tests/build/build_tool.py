"""Calling rex-build in tests, and the small project they build."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
    """rex-build from a private copy of the package: edits of the checkout during a test do not count as updates."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.env = dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY")

    def __call__(self, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, self.root / "rex_build" / "__main__.py", *arguments]
        return subprocess.run(list(map(str, command)), cwd=cwd, env=self.env, capture_output=True, text=True)

    def run(self, *command: object, cwd: Path | None = None) -> str:
        """Run a command that has to succeed; its output."""
        done = subprocess.run(list(map(str, command)), cwd=cwd, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


def needed(program: Path) -> str:
    """The shared libraries that a program asks for."""
    return subprocess.run(["readelf", "-d", str(program)], check=True, capture_output=True, text=True).stdout
