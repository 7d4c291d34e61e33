"""Programs and scripts that run a compiler as well-known wrappers do: variables and a file say which, and with what."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *words[4096];
static int count;
static void add_words(char *text)
{
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        words[count++] = word;
}
int main(int argc, char **argv)
{
    static char given[1024], flags[4096];
    const char *compiler = getenv(COMPILER);
    words[count++] = compiler && *compiler ? compiler : "gcc";
    if (getenv(FLAGS))
        add_words(strncpy(given, getenv(FLAGS), sizeof given - 1));
    FILE *file = fopen(CONFIGURATION, "r");
    if (file) {
        fread(flags, 1, sizeof flags - 1, file);
        fclose(file);
        add_words(flags);
    }
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    execvp(words[0], (char **)words);
    return 127;
}
"""
_SCRIPT = """\
#!/bin/sh
exec "${%(compiler)s:-gcc}" $%(flags)s $(cat %(file)s 2>/dev/null) "$@"
"""


@dataclass(frozen=True)
class Wrapper:
    """``compiler`` and ``flags`` are variables, ``file`` has more flags, ``target`` is where the program lies."""

    kind: str
    path: str
    target: str
    compiler: str
    flags: str
    file: str
    is_script: bool = False

    def install(self, root: Path) -> str:
        """The command of the wrapper, which is installed below ``root``."""
        path, target, file = root / self.path, root / self.target, root / self.file
        for one in (path, target, file):
            one.parent.mkdir(parents=True, exist_ok=True)
        if self.is_script:
            target.write_text(_SCRIPT % {"compiler": self.compiler, "flags": self.flags, "file": file})
            target.chmod(0o755)
        else:
            macros = {"COMPILER": self.compiler, "FLAGS": self.flags, "CONFIGURATION": str(file)}
            defined = [f'-D{name}="{value}"' for name, value in macros.items()]
            command = ["gcc", "-x", "c", "-w", *defined, "-", "-o", str(target)]
            subprocess.run(command, input=_PROGRAM, text=True, check=True)
        if path != target:
            path.symlink_to(target)
        return str(path)


WRAPPERS = (
    Wrapper("OpenMPI's", "ompi/bin/mpicc", "ompi/bin/opal_wrapper", "OMPI_CC", "OMPI_CPPFLAGS",
            "ompi/share/mpicc-wrapper-data.txt"),
    Wrapper("MPICH's", "mpich/mpicc", "mpich/mpicc", "MPICH_CC", "MPICH_FLAGS", "mpich/mpicc.conf", is_script=True),
    Wrapper("Intel's", "intel/mpiicc", "intel/mpiicc", "I_MPI_CC", "I_MPI_FLAGS", "intel/mpiicc.conf", is_script=True),
    Wrapper("like ccache", "launcher/gcc", "launcher/launcher", "LAUNCHED", "LAUNCHED_FLAGS", "launcher/conf"),
    Wrapper("with a compiler's name", "named/gcc-12", "named/gcc-12", "NAMED", "NAMED_FLAGS", "named/conf"),
    Wrapper("Cray's", "cray/cc", "cray/cc", "CRAY_CC", "CRAY_FLAGS", "cray/modules"),
)  # fmt: skip


@cache
def clang() -> str | None:
    """A clang that is installed here, without its links."""
    found = next((path for path in map(shutil.which, ("clang-19", "clang", "clang-16")) if path), None)
    return str(Path(found).resolve()) if found else None


def own_clang(root: Path) -> Path | None:
    """A clang with a folder of its own, ``root``, in which it looks for its configuration."""
    original = clang()
    if original is None:
        return None
    (root / "bin").mkdir(parents=True)
    (root / "lib").symlink_to(Path(original).parents[1] / "lib")
    shutil.copy(original, root / "bin/clang")
    return root / "bin/clang"


def specs(root: Path) -> Path:
    """A folder in which gcc finds its rules, with a macro more, where ``LIBRARY_PATH`` names it."""
    root.mkdir(parents=True, exist_ok=True)
    rules = subprocess.run(["gcc", "-dumpspecs"], capture_output=True, text=True, check=True).stdout
    (root / "specs").write_text(rules.replace("*cpp_unique_options:\n", "*cpp_unique_options:\n-DV2=8 "))
    return root
