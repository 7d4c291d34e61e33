"""A project of autoconf and automake: ``./configure CC="rex-build cc --"``, make, make check."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from build_tool import MAIN_C, Tool, forked_program, needed

pytestmark = [
    pytest.mark.compile,
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("automake"), reason="automake is not here"),
]

CONFIGURE = """\
AC_INIT([offload], [1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AM_PROG_AR
AC_PROG_RANLIB
AC_OPENMP
AC_CHECK_FUNCS([posix_memalign no_such_function])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""
MAKEFILE = """\
AM_CFLAGS = $(OPENMP_CFLAGS)
noinst_LIBRARIES = libscale.a
libscale_a_SOURCES = scale.c scale.h
bin_PROGRAMS = app
app_SOURCES = main.c
app_LDADD = libscale.a
TESTS = app
"""


def test_configure_make_check_install(tool: Tool, project: Path, tmp_path: Path) -> None:
    (project / "configure.ac").write_text(CONFIGURE)
    (project / "Makefile.am").write_text(MAKEFILE)
    # The file that is not lowered is compiled with the OpenMP flag that configure has found.
    (project / "main.c").write_text("#ifndef _OPENMP\n#error no OpenMP\n#endif\n" + MAIN_C)
    folder = tmp_path / "bin"
    folder.mkdir()
    forked_program(folder / "rex-build", tool.root)
    own = Tool(tool.root)
    own.env = dict(tool.env, REX_DEVICES="cpu", PATH=f"{folder}:{os.environ['PATH']}")
    own.run("autoreconf", "-i", cwd=project)
    own.run("./configure", "CC=rex-build cc --", cwd=project)
    log = (project / "config.log").read_text()
    assert "ac_cv_func_posix_memalign=yes" in log
    assert "ac_cv_func_no_such_function=no" in log
    assert "ac_cv_prog_c_openmp=-fopenmp" in log
    own.run("make", cwd=project)
    assert "libgomp" not in needed(project / "app")
    assert "# PASS:  1" in own.run("make", "check", cwd=project)
    again = own.run("make", cwd=project)
    assert "rex-build" not in again
    (project / "scale.h").write_text((project / "scale.h").read_text().replace("FACTOR 2", "FACTOR 3"))
    assert "-c -o scale.o" in own.run("make", cwd=project)
    own.run("make", "install", f"DESTDIR={tmp_path / 'dest'}", cwd=project)
    assert own.run(tmp_path / "dest" / "usr" / "local" / "bin" / "app") == "3\n"
