"""Most of a unit's registration is one object, which is compiled once and joined with each unit's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from build_tool import Tool, failing

from rex_build.build import objects
from rex_build.render import shield

pytestmark = pytest.mark.compile

UNIT = """\
#ifdef __cplusplus
extern "C"
#endif
int add_{name}(int to)
{{
    static int calls;
#pragma omp target map(tofrom: to, calls)
    to += {amount} + 100 * ++calls;
    return to;
}}
"""

MAIN = """\
#include <dlfcn.h>
#include <stdio.h>
#include <omp.h>
int add_a(int), add_b(int), add_c(int), plain(int);
int main(int count, char **names)
{
    for (int i = 0; i < 2; i++) { /* opened, closed and opened once more */
        void *library = dlopen(names[1], RTLD_NOW);
        int (*add_d)(int) = 0, (*add_e)(int) = 0;
        if (library)
            *(void **)&add_d = dlsym(library, "add_d"), *(void **)&add_e = dlsym(library, "add_e");
        if (!add_d || !add_e)
            return count + 10;
        printf("%d %d %d\\n", add_b(add_a(0)), add_e(add_d(0)), plain(add_c(0)));
        dlclose(library);
    }
    return omp_get_num_devices() == 0;
}
"""


def kept(cc: Tool) -> list[Path]:
    return sorted(Path(cc.env["XDG_CACHE_HOME"], "rex-build-registration").glob("*"))


def own_home(cc: Tool, folder: Path) -> None:
    cc.env["XDG_CACHE_HOME"] = str(folder / "home")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("compiler", "flags"), [("rex-g++", ()), ("rex-gcc", ("-O2", "-flto", "-ffunction-sections", "-Wl,--gc-sections"))]
)
def test_units_of_a_program_an_archive_and_a_library(
    cc: Tool, tmp_path: Path, compiler: str, flags: tuple[str, ...]
) -> None:
    """Each part registers its own kernels, and each has the functions that it needs."""
    own_home(cc, tmp_path)
    for amount, name in enumerate("abcde", 1):
        (tmp_path / f"{name}.c").write_text(UNIT.format(name=name, amount=amount))
        cc.run(compiler, *flags, "-fopenmp", "-fPIC", "-c", f"{name}.c", cwd=tmp_path)
    (found,) = kept(cc)
    made = found.stat().st_mtime_ns
    (tmp_path / "plain.c").write_text("int plain(int x) { return x + 1000; }\n")
    (tmp_path / "main.c").write_text(MAIN)
    cc.run("rex-gcc", *flags, "-fopenmp", "-c", "plain.c", "main.c", cwd=tmp_path)
    cc.run("ar", "rcs", "libbc.a", "b.o", "c.o", cwd=tmp_path)
    cc.run("rex-gcc", *flags, "-fopenmp", "-shared", "d.o", "e.o", "-o", "libde.so", cwd=tmp_path)
    cc.run("rex-gcc", *flags, "-fopenmp", "main.o", "plain.o", "a.o", "libbc.a", "-ldl", "-o", "app", cwd=tmp_path)
    assert cc.run("./app", "./libde.so", cwd=tmp_path) == "203 209 1103\n403 209 1203\n"
    assert found.stat().st_mtime_ns == made, "it is compiled once"
    assert len(kept(cc)) == 2, "links begin with one of their own"
    symbols = [line.split()[1:] for line in cc.run("nm", "--defined-only", "a.o", cwd=tmp_path).splitlines()]
    assert ["t", "rex_register_part"] in symbols
    assert ["t", "rex_unregister_part"] in symbols


PLUGIN = """\
#pragma omp begin declare target
{storage} int pad_{name}[{pad}], counter = {first};
#pragma omp end declare target
int bump(int by)
{{
    int seen = 0;
    counter += by;
#pragma omp target update to(counter)
#pragma omp target map(from: seen)
    seen = counter++;
#pragma omp target update from(counter)
    return 1000 * seen + counter;
}}
"""

OPENS = """\
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **names)
{
    for (int i = 0; i < 3 * (count - 1); i++) {
        void *library = dlopen(names[1 + i % (count - 1)], RTLD_NOW);
        int (*bump)(int) = 0, first;
        if (!library || !(*(void **)&bump = dlsym(library, "bump")))
            return 10;
        first = bump(2);
        printf("%d %d,", first, bump(1));
        dlclose(library);
#ifdef OTHERS /* memory where the library's variables were */
        {
            char *there = mmap((void *)((unsigned long)bump & -4096ul), 65536, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            int sum = 0;
            there[9] = 1;
#pragma omp target map(there[0:65536]) map(tofrom: sum)
            for (int k = 0; k < 65536; k++)
                sum += there[k];
            printf("%d,", sum);
            munmap(there, 65536);
        }
#endif
    }
    return 0;
}
"""


def test_libraries_that_are_opened_again(cc: Tool, tmp_path: Path) -> None:
    """They begin anew, on the device, too, wherever they are. The names in images of the cpu device are those of the
    process: a library that would have another's variable for its own says so."""
    for name, pad in (("a", 3), ("b", 30000)):
        for storage in ("static", ""):
            text = PLUGIN.format(name=name, pad=pad, first=len(storage) + pad % 4, storage=storage)
            (tmp_path / f"{name}{storage}.c").write_text(text)
            cc.run("rex-gcc", "-fopenmp", "-fPIC", "-shared", f"{name}{storage}.c", "-o", f"{name}{storage}.so",
                   cwd=tmp_path)  # fmt: skip
    (tmp_path / "main.c").write_text("#define OTHERS\n#include <sys/mman.h>\n" + OPENS)
    (tmp_path / "plain.c").write_text(OPENS)
    cc.run("rex-gcc", "-fopenmp", "main.c", "-ldl", "-o", "app", cwd=tmp_path)
    cc.run("gcc", "plain.c", "-ldl", "-o", "plain", cwd=tmp_path)
    once = ("11012 13014,", "8009 10011,")  # 3 % 4 and 30000 % 4 and the letters of "static"
    for program, more in (("./app", "1,"), ("./plain", "")):
        assert cc.run(program, "./astatic.so", "./bstatic.so", cwd=tmp_path) == more.join((*(once * 3), ""))
    assert "'counter' of a library that was opened is" in failing(cc, tmp_path, "./plain", "./a.so", "./b.so")[1]


# Is killed, with the one that runs it, while it writes the common object.
KILLED = """\
#!/bin/sh
case $* in
*registration.c*)
    for word; do [ "$last" != -o ] || printf half > "$word"; last=$word; done
    kill -9 $PPID
    exit 1 ;;
esac
exec gcc "$@"
"""


def test_a_build_that_is_killed_leaves_no_half_object(cc: Tool, project: Path) -> None:
    """Nor is one taken that others can write to. Without a place for it the object is made for each unit."""
    own_home(cc, project)
    script = project / "bin" / "gcc"
    script.parent.mkdir()
    script.write_text(KILLED)
    script.chmod(0o755)
    assert failing(cc, project, "rex-cc", str(script), "-c", "scale.c")[0] != 0
    (left,) = kept(cc)
    assert left.name.startswith(".rex-work-")
    assert "half" in [path.read_text() for path in left.iterdir()]
    script.write_text('#!/bin/sh\nexec gcc "$@"\n')
    cc.run("rex-cc", script, "scale.c", "main.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert not left.exists()
    whole = [path for path in kept(cc) if path.suffix == ".o"]
    assert len(whole) == 2, "that of units, and that of links"
    for mode, folder_mode in ((0o722, 0o700), (0o700, 0o777)):
        for path in whole:
            path.write_text("another's")
            path.chmod(mode)
            path.parent.chmod(folder_mode)
        cc.run("rex-cc", script, "scale.c", "main.c", "-o", "app", cwd=project)
        assert cc.run(project / "app") == "2\n"
    (project / "file").write_text("")
    cc.env["XDG_CACHE_HOME"] = str(project / "file")
    cc.run("rex-cc", script, "scale.c", "main.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_what_the_object_is_made_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another text, header, option or compiler makes another object, and the same ones the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(shield, "include_dir", lambda: tmp_path)
    header, script = tmp_path / "rex_one.h", tmp_path / "cc"
    header.write_text("int one;\n")
    script.write_text('#!/bin/sh\nexec gcc "$@"\n')
    script.chmod(0o755)

    def made(text: str = "", *options: str) -> Path:
        command = [str(script), *options, f"-I{tmp_path}", "-c"]
        return objects.common_object(f'#include "rex_one.h"\n{text}', command, tmp_path)

    first = made()
    state = first.stat()
    assert made() == first
    assert first.stat() == state
    others = [made("int two;\n"), made("", "-O2")]
    header.write_text("int three;\n")
    others.append(made())
    os.utime(script, (1, 1))
    others.append(made())
    assert len({first, *others}) == 5
