"""What is kept between processes is what Python would make again, and nothing depends on its being there."""

from __future__ import annotations

import marshal
import os
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import rex_build
from rex_build.base import kept, patterns

UNIT = """void scale(double *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
"""


def test_patterns_are_those_of_re() -> None:
    found = 0
    for module in pkgutil.walk_packages(rex_build.__path__, "rex_build."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(import_module(module.name)).values():
            if not isinstance(value, patterns._Ready):
                continue
            made = patterns.re.compile(value.pattern, value.flags)
            arguments = kept._compiled((made.pattern, made.flags))
            again = kept._sre.compile(made.pattern, *marshal.loads(marshal.dumps(arguments)))
            assert again == made
            assert (again.groups, again.groupindex) == (made.groups, made.groupindex)
            found += 1
    assert found > 150


def test_groups_have_their_names_and_places() -> None:
    made = kept._sre.compile("(?P<a>x)|(y)|(?P<b>z)", *kept._compiled(("(?P<a>x)|(y)|(?P<b>z)", 0)))
    assert [(m.lastgroup, m.lastindex) for m in made.finditer("xyz")] == [("a", 1), (None, 2), ("b", 3)]


RUN = """
import sys
from rex_build.base import kept
kept.FILE = sys.argv.pop(1)
from rex_build.__main__ import main
main()
"""


def lowered(file: Path, *options: str) -> tuple[str, str]:
    """What a process makes of the unit that keeps patterns and programs in ``file``."""
    command = [sys.executable, *options, "-c", RUN, str(file), "lower", "x.c", "--out-dir", "out", "--"]
    (file.parent / "x.c").write_text(UNIT)
    environment = {**os.environ, "REX_BUILD_CACHE": "off"}
    done = subprocess.run(command, cwd=file.parent, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return (file.parent / "out/rose_x.c").read_text(), (file.parent / "out/rex_lib_x.cu").read_text()


def test_the_second_process_compiles_nothing_again(tmp_path: Path) -> None:
    file = tmp_path / "texts.kept"
    texts = lowered(file)
    whole, state = file.read_bytes(), file.stat()
    version, known = marshal.loads(whole)
    assert version == kept.VERSION
    assert len(known) > 80
    assert lowered(file) == texts
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (state.st_ino, state.st_mtime_ns)

    # Whatever stands there, the texts are the same, and the file is made good.
    for other in (b"", whole[: len(whole) // 2], marshal.dumps((("3.9", 1), {}))):
        file.write_bytes(other)
        assert lowered(file) == texts
        assert marshal.loads(file.read_bytes()) == (version, known)

    # A process that may not write compiled modules does not write it.
    few = {name: value for name, value in known.items() if isinstance(name, str)}
    file.write_bytes(marshal.dumps((version, few)))
    assert lowered(file, "-B") == texts
    assert marshal.loads(file.read_bytes()) == (version, few)


def test_it_stands_beside_the_compiled_modules() -> None:
    assert kept.__spec__ is not None
    assert Path(kept.FILE).parent == Path(kept.__spec__.cached or "").parent
