"""Tools that look at programs and builds: sanitizers, coverage, language servers and linters."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

# ---- AddressSanitizer


def test_leaks_are_the_users_own(cc: Tool, project: Path) -> None:
    """What the runtime never frees is not reported, and what the program never frees is."""
    text = (project / "main.c").read_text().replace("int main(void)\n{", "int main(int argc, char **argv)\n{")
    leaks = "    if (argc > 1)\n        *(volatile char *)malloc(77) = **argv;\n    scale(100"
    (project / "main.c").write_text("#include <stdlib.h>\n" + text.replace("    scale(100", leaks))
    cc.run("rex-gcc", "-g", "-fsanitize=address", "-o", "app", "main.c", "scale.c", cwd=project)
    done = subprocess.run([project / "app"], env=cc.env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")
    done = subprocess.run([project / "app", "leak"], env=cc.env, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.count(" leak of ") == done.stderr.count("Direct leak of 77 byte(s)") == 1, done.stderr
