"""Links of objects and libraries that other compilers made: no region in one of them runs on the host unnoticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from build_tool import Tool, failing

pytestmark = pytest.mark.compile

G = "void g(int *x)\n{\n#pragma omp target map(x[0:1])\n    x[0]++;\n}\n"
MAIN = "void g(int *);\nint main(void)\n{\n    int a = 0;\n    g(&a);\n    return a != 1;\n}\n"
# What clang leaves of a region, made by gcc, so that the tests need no clang: a function of its own, or where that is
# a part of its caller, a name in the debug information, which may be compressed.
LIKE_CLANG = """\
__asm__(".ident \\"clang version 19\\"");
static ATTRIBUTE void __omp_offloading_fe00_17_g_l3(int *x) { x[0]++; }
void g(int *x) { __omp_offloading_fe00_17_g_l3(x); }
REGISTERS
"""
FUNCTION, INLINED = "-DATTRIBUTE=__attribute__((noinline))", "-DATTRIBUTE=inline"
REGISTERS = "-DREGISTERS=extern void __tgt_register_lib(void *); void r(void *p) { __tgt_register_lib(p); }"


def clang_objects(cc: Tool, project: Path) -> list[str]:
    """Objects with a region that clang compiled by itself."""
    (project / "like.c").write_text(LIKE_CLANG)
    ways = {"own.o": [FUNCTION], "inlined.o": [INLINED, "-g"], "packed.o": [INLINED, "-g", "-gz"]}
    for name, flags in ways.items():
        cc.run("gcc", "-O2", "-fPIC", *flags, "-DREGISTERS=", "-c", "like.c", "-o", name, cwd=project)
    objects = list(ways)
    if clang := shutil.which("clang-19"):
        targets = "-O2 -fopenmp-targets=x86_64-pc-linux-gnu"
        for name, flags in {"clang.o": "-O0", "targets.o": targets, "debug.o": "-O2 -g -gz"}.items():
            cc.run(clang, "-fopenmp", "-fPIC", *flags.split(), "-c", "g.c", "-o", name, cwd=project)
            objects.append(name)
    return objects


def test_a_link_names_what_clang_made_alone(cc: Tool, project: Path) -> None:
    """clang's objects link without a word, and their regions would run on the host."""
    (project / "g.c").write_text(G)
    (project / "main.c").write_text(MAIN)
    objects = clang_objects(cc, project)
    cc.run("gcc", "-c", "main.c", "-o", "u.o", cwd=project)
    cc.run("ar", "rcs", "libg.a", "own.o", cwd=project)
    cc.run("ar", "rcsT", "thin.a", "own.o", cwd=project)
    cc.run("gcc", "-shared", "own.o", "-o", "libs.so", cwd=project)
    (project / "libscript.so").write_text("INPUT(libg.a)\n")
    (project / "words").write_text("own.o")
    (project / "script").write_text("INPUT(own.o)\n")
    links = {name: name for name in objects}
    links |= dict.fromkeys(("-L. -lg", "-L. -lscript", "-Wl,libg.a"), "libg.a:own.o")
    links |= {"-B. -lg": "libg.a:own.o", "-Wl,--library-path=. -ls": "libs.so"}  # the first file only the linker knows
    links |= {"thin.a": "own.o", "-s -Wl,@words": "own.o", "-Wl,script": "own.o"}
    links |= {"libs.so": "libs.so", "-L. -ls": "libs.so", "-static own.o": "own.o", "-shared -fPIC own.o": "own.o"}
    for words, named in links.items():
        status, said = failing(cc, project, "rex-gcc", "main.c", *words.split(), "-o", "app")
        assert (status, said.count("that clang compiled by itself")) == (1, 1), f"{words}\n{said}"
        assert f"{named} has target constructs that clang compiled by itself (it has __omp_offloading_" in said, words
        assert not (project / "app").exists(), words
    status, said = failing(cc, project, "rex-build", "cc", "main.c", "libg.a", "-o", "app")
    assert (status, "libg.a:own.o has target constructs" in said) == (1, True)
    assert not (project / "app").exists()
    for words in ("own.o", "-Wl,script"):
        status, said = failing(cc, project, "rex-gcc", "main.c", words, "-o", "app", REX_ON_UNSUPPORTED="host")
        assert (status, said.count("its regions run on the host")) == (0, 1)
    status, said = failing(cc, project, "rex-build", "cc", "main.c", "-o", "app", "--", "-Wl,script")
    assert (status, "own.o has target constructs" in said) == (1, True)


def test_what_clang_has_linked_registers_its_images(cc: Tool, project: Path) -> None:
    """So does an object of which clang has made one that registers them. A member that no one takes does no harm."""
    (project / "main.c").write_text(MAIN)
    (project / "like.c").write_text(LIKE_CLANG)
    cc.run("gcc", "-O2", "-shared", "-fPIC", FUNCTION, REGISTERS, "like.c", "-o", "libs.so", cwd=project)
    cc.run("rex-gcc", "main.c", "libs.so", "-o", "app", cwd=project)
    cc.run("gcc", FUNCTION, "-DREGISTERS=", "-c", "like.c", cwd=project)
    cc.run("ar", "rcs", "libg.a", "like.o", cwd=project)
    (project / "none.c").write_text("int main(void) { return 0; }\n")
    cc.run("rex-gcc", "none.c", "libg.a", "-o", "app", cwd=project)


# The words of a link that says where the library is which another library needs.
NEEDED = ["one/libpath.so", "-Lone -lplain -Wl,-rpath-link,two", "one/libplain.so -Xlinker -rpath=two",
          "one/libplain.so -Ltwo", "one/libplain.so LD_LIBRARY_PATH"]  # fmt: skip


def test_a_link_names_a_library_that_only_a_library_needs(cc: Tool, project: Path) -> None:
    """The linker says nothing about a region of gcc's there, either."""
    (project / "g.c").write_text(G)
    (project / "main.c").write_text(MAIN.replace("g(", "h("))
    (project / "h.c").write_text("void g(int *);\nvoid h(int *x) { g(x); }\n")
    for folder in ("one", "two"):
        (project / folder).mkdir()
    shared = ["gcc", "-shared", "-fPIC"]
    cc.run(*shared, "-fopenmp", "g.c", "-o", "two/libg.so", cwd=project)
    cc.run(*shared, "h.c", "-Ltwo", "-lg", "-o", "one/libplain.so", cwd=project)
    cc.run(*shared, "h.c", "-Ltwo", "-lg", "-Wl,-rpath,$ORIGIN/../two", "-o", "one/libpath.so", cwd=project)
    for text in NEEDED:
        words, _, variable = text.partition(" LD_")
        environment = {f"LD_{variable}": "two"} if variable else {}
        status, said = failing(cc, project, "rex-gcc", "main.c", *words.split(), "-o", "app", **environment)
        assert (status, said.count("two/libg.so has target constructs that gcc compiled by itself")) == (1, 1), said
    words = [*NEEDED[0].split(), "-o", "app"]
    assert failing(cc, project, "rex-gcc", "main.c", *words, REX_ON_UNSUPPORTED="host")[0] == 0
    cc.run("rex-gcc", "-shared", "-fPIC", "-fopenmp", "g.c", "-o", "two/libg.so", cwd=project)
    cc.run("rex-gcc", "main.c", *words, cwd=project)
    cc.run("./app", cwd=project)
