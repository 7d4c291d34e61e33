"""Links through ``rex-gcc``: what gcc compiled alone is named, and libraries come and go as the runtime needs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from build_tool import Tool, failing, needed

from rex_build.base.diagnostics import InputError
from rex_build.build.command_line import Input, Language
from rex_build.build.foreign_objects import check_objects

pytestmark = pytest.mark.compile


# A function with a region that gcc compiles by itself, and how it comes into a link: the commands that make it, the
# words of the link, and what the message names.
GCC_ALONE = {
    "an object": ("", "g.o", "g.o"),
    "an object for link-time optimisation": ("gcc -fopenmp -flto -c g.c", "g.o", "g.o"),
    "an archive": ("ar rcs libg.a u.o g.o", "libg.a", "libg.a:g.o"),
    "an archive by -l": ("ar rcs libg.a u.o g.o", "-L. -lg", "libg.a:g.o"),
    "an archive for the linker": ("ar rcs libg.a u.o g.o", "-Wl,libg.a", "libg.a:g.o"),
    "an archive whose name has a blank": ("ar rcs my_libg.a u.o g.o", "my_libg.a", "my libg.a:g.o"),
    "an archive in a response file": ("ar rcs libg.a u.o g.o", "@words", "libg.a:g.o"),
    "one object of several": ("ld -r u.o g.o -o part.o", "part.o", "part.o"),
    "a shared library for the linker alone": ("gcc -fopenmp -shared g.o -o libg.so", "-Wl,./libg.so", "libg.so"),
    "a shared library by --library": ("gcc -fopenmp -shared g.o -o libg.so", "-L. -Wl,--library=g", "libg.so"),
    "gcc's runtime for the linker alone": ("", "g.o -Wl,-lgomp -Xlinker -lgomp -l:libgomp.so.1", "g.o"),
    "a shared library by -l": ("gcc -fopenmp -shared g.o -o libg.so", "-L . -lg", "libg.so"),
    "a shared library": ("gcc -fopenmp -shared g.o -o libg.so.1", "./libg.so.1", "libg.so.1"),
    "a shared library without gcc's runtime": ("gcc -shared g.o -o libg.so", "libg.so", "libg.so"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("compiler", ["rex-gcc", "rex-build cc --"])
@pytest.mark.parametrize(("commands", "words", "named"), GCC_ALONE.values(), ids=GCC_ALONE)
def test_a_link_names_the_object_that_gcc_made_alone(
    cc: Tool, project: Path, compiler: str, commands: str, words: str, named: str
) -> None:
    (project / "g.c").write_text("void g(int *x)\n{\n#pragma omp target map(x[0:1])\n    x[0]++;\n}\n")
    (project / "u.c").write_text("int u;\n")
    (project / "main.c").write_text("void g(int *);\nint main(void)\n{\n    int a = 0;\n    g(&a);\n    return a;\n}\n")
    (project / "words").write_text("-L. -lg\n")
    cc.run("gcc", "-fopenmp", "-fPIC", "-c", "g.c", "u.c", cwd=project)
    if commands:
        cc.run(*(word.replace("_", " ") for word in commands.split()), cwd=project)
    command = [*compiler.split(), "main.c", *(word.replace("_", " ") for word in words.split()), "-o", "app"]
    status, said = failing(cc, project, *command)
    assert status == 1
    assert f"{named} has target constructs that gcc compiled by itself (it calls GOMP_target_ext)" in said
    assert said.count("compiled by itself") == 1
    assert not (project / "app").exists()
    if ".so" in named and "without" not in named and "fopenmp" in commands:
        status, said = failing(cc, project, *command, REX_ON_UNSUPPORTED="host")
        assert (status, said.count("its regions run on the host")) == (0, 1)


@pytest.mark.parametrize("flag", ["-O1", "-flto"])
def test_no_object_is_made_if_the_search_for_regions_misses_one(project: Path, flag: str) -> None:
    """Whatever hides a region from rex-build, the object that the compiler made of it shows."""
    (project / "plain.c").write_text('const char *text = "GOMP_target_ext";\n')
    subprocess.run(["gcc", "-fopenmp", flag, "-c", "scale.c", "plain.c"], cwd=project, check=True)
    plain, region = str(project / "plain.o"), str(project / "scale.o")
    sources = {path: Input(f"{Path(path).stem}.c", Language.C, None, 0) for path in (plain, region)}
    check_objects({plain: sources[plain]})
    with pytest.raises(InputError, match="has a target construct that rex-build has not found"):
        check_objects(sources)
    assert not Path(region).exists()
    subprocess.run(["gcc", "-fopenmp", flag, "-c", "scale.c"], cwd=project, check=True)
    with pytest.raises(InputError, match=r"^scale.F90: a target construct in Fortran is not lowered"):
        check_objects({region: Input("scale.F90", Language.FORTRAN, None, 0)})


@pytest.mark.parametrize("files", ["-L. -lall", "-Wl,liball.a", "-Xlinker liball.a"])
def test_a_link_whose_files_are_all_named_by_options(cc: Tool, project: Path, files: str) -> None:
    """It is a link like any other: it gets the runtime, and gcc's own regions do not run on the host."""
    words = ["-fopenmp", *files.split(), "-o", "app"]
    cc.run("rex-gcc", "-fopenmp", "-c", "main.c", "scale.c", cwd=project)
    cc.run("ar", "rcs", "liball.a", "main.o", "scale.o", cwd=project)
    cc.run("rex-gcc", *words, cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")
    cc.run("gcc", "-fopenmp", "-c", "scale.c", cwd=project)
    cc.run("ar", "rcs", "liball.a", "scale.o", cwd=project)
    status, said = failing(cc, project, "rex-gcc", *words)
    assert (status, "liball.a:scale.o has target constructs that gcc compiled by itself" in said) == (1, True)


@pytest.mark.parametrize("linker", ["bfd", "gold"])
def test_a_shared_library_is_not_made_of_objects_that_gcc_made_alone(cc: Tool, project: Path, linker: str) -> None:
    """A linker lets a shared library call what nobody has. Other libraries and names that only look alike pass."""
    if shutil.which(f"ld.{linker}") is None:
        pytest.skip("no such linker")
    cc.run("gcc", "-fopenmp", "-fPIC", "-c", "scale.c", cwd=project)
    link = ["rex-gcc", f"-fuse-ld={linker}", "-shared", "scale.o", "-o", "libscale.so"]
    status, said = failing(cc, project, *link)
    assert status == 1
    assert "scale.o has target constructs that gcc compiled by itself" in said
    assert not (project / "libscale.so").exists()
    (project / "plain.c").write_text('const char *text = "GOMP_target_ext";\n')
    cc.run("rex-gcc", "-fPIC", "-c", "scale.c", cwd=project)
    cc.run(*link, "plain.c", cwd=project)
    cc.run("rex-gcc", "main.c", "-L.", "-lscale", "-Wl,-rpath,$ORIGIN", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_gnu_ld_names_the_object_that_gcc_made_alone_in_any_link(cc: Tool, project: Path) -> None:
    """CMake links by itself. What registers the images has a message for such objects."""
    cc.run("rex-gcc", "-c", "scale.c", cwd=project)
    (project / "g.c").write_text("void g(int *x)\n{\n#pragma omp target enter data map(to: x[0:1])\n}\n")
    cc.run("gcc", "-fopenmp", "-c", "g.c", cwd=project)
    _, said = failing(cc, project, "gcc", "-fuse-ld=bfd", "-shared", "scale.o", "g.o", "-o", "app")
    assert "g.o: in function `g'" in said
    assert "gcc compiled this target construct by itself: compile its source through rex-build" in said


def test_a_static_link_says_which_source_needs_the_runtime(cc: Tool, project: Path) -> None:
    status, said = failing(cc, project, "rex-gcc", "-static", "-fopenmp", "main.c", "scale.c", "-o", "app")
    assert status == 1
    assert "error: scale.c has target constructs, and with -static there is no offload runtime" in said
    cc.run("rex-gcc", "-c", "scale.c", cwd=project)
    cc.run("ar", "rcs", "libk.a", "scale.o", cwd=project)
    status, said = failing(cc, project, "rex-gcc", "-static", "-fopenmp", "main.c", "libk.a", "-o", "app")
    assert "error: libk.a:scale.o has target constructs, and" in said


def test_one_object_of_several_has_no_runtime_yet(cc: Tool, project: Path) -> None:
    """gcc links its own OpenMP library into such an object."""
    cc.run("rex-gcc", "-fopenmp", "-r", "-nostdlib", "scale.c", "-o", "part.o", cwd=project)
    cc.run("rex-gcc", "-fopenmp", "-r", "part.o", "-o", "whole.o", cwd=project)
    cc.run("rex-gcc", "-fopenmp", "main.c", "whole.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "GOMP_cancel" not in cc.run("nm", project / "whole.o")


def test_a_shared_library_without_the_usual_libraries(cc: Tool, project: Path) -> None:
    """libtool links C++ like this and names all libraries itself."""
    words = "rex-gcc -fopenmp -shared -nodefaultlibs -fPIC scale.c -lm -lc -lgcc -o libk.so"
    cc.run(*words.split(), cwd=project)
    assert "libgomp" not in needed(project / "libk.so")
    assert "libomptarget" in needed(project / "libk.so")
