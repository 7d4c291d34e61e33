"""Keys of length-delimited fields, and the quick command line that has to find the same ones."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from cache_project import Project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rex_build.__main__ import _STORED
from rex_build.cache.manifest import Base, Record, manifest_with, read_manifest
from rex_build.cache.memo import Memo
from rex_build.cache.quick import _COMMANDS, LOWERED, normal_path, options_of, split_words, unit_request
from rex_build.cache.step import plain_request
from rex_build.cache.store import CacheKey, parse_size
from rex_build.cache.unit import UnitKey, UnitResult, unpack_result

FIELDS = st.lists(st.tuples(st.sampled_from(["a", "ab", "b"]), st.sampled_from([b"", b"a", b"ba", b"1:a"])), max_size=4)
NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8)


def _digest(fields: list[tuple[str, bytes]]) -> str:
    key = CacheKey()
    for name, value in fields:
        key.field(name, value)
    return key.hexdigest()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(FIELDS, FIELDS)
def test_different_fields_give_different_keys(one: list[tuple[str, bytes]], two: list[tuple[str, bytes]]) -> None:
    assert (_digest(one) == _digest(two)) == (one == two)


@given(st.lists(NAMES, min_size=1, max_size=5), NAMES)
def test_manifests_come_back(names: list[str], folder: str) -> None:
    record = Record("0" * 64, folder, [(f"B/{n}", "1" * 64) for n in names], ["=" + n for n in names],
                    [("B/" + folder, names)], [("=" + folder, "B")])  # fmt: skip
    (again,) = read_manifest(manifest_with(record, None))
    assert again.text() == record.text()
    assert [name for name, _ in again.files] == [f"B/{n}" for n in names]


PIECES = [b'#line 1 "/base/x.c"\n', b"/base/y", b'"/base/', b"text\n", b'"/bas', b"\0"]


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_texts_come_back_for_every_base(pieces: list[bytes]) -> None:
    text = b"".join(pieces)
    payload, bound = UnitResult({"host": text, "device": b""}, 3, 40, b"{}", 2).pack(Base("/base"))
    assert bound == (b"/base" in text.replace(b'"/base/', b"") or b"\0" in text)
    found = unpack_result(payload, Base("/base"))
    assert (found.files["host"], found.entries, found.cost, found.warnings, found.usual) == (text, 3, 40, b"{}", 2)
    if not bound:
        assert unpack_result(payload, Base("/else/where")).files["host"] == text.replace(b"/base", b"/else/where")


def test_the_commands_that_are_looked_up() -> None:
    """Others do not even import the look-up."""
    assert set(_COMMANDS) == set(_STORED)


@pytest.mark.parametrize(
    "words",
    [
        [], ["--init", "lazy"], ["--init=main"], ["--anchor", "sym"], ["--separable"], ["--on-unsupported=host"],
        ["--color", "always"],
        ["--cc", "'gcc' -O1"], ["--", "-DX=1", "-O2"], ["--cc", "gcc -O1"],
    ],
)  # fmt: skip
def test_the_quick_command_line_finds_the_same_key(project: Project, words: list[str]) -> None:
    from rex_build.build.lower_options import request_of
    from rex_build.cli import main as cli

    split = words.index("--") if "--" in words else len(words)
    line = [f"{project.root}/src/../src/unit.c", "--out-dir", f"{project.root}//out/", "--base-dir", str(project.root)]
    line += words[:split]
    options = cli._parser().parse_args(["lower", *line])
    options.cflags = tuple(words[split + 1 :])
    slow = UnitKey(plain_request(request_of(options)), Memo(None)).direct
    quick = UnitKey(unit_request(options_of([*line, *words[split:]], LOWERED)), Memo(None)).direct
    assert quick.explain() == slow.explain()


@pytest.mark.parametrize("command", ["gcc", "'/opt/my gcc/cc' -O1", "ccache 'g++'", " a  b ", ""])
def test_words_as_shlex_has_them(command: str) -> None:
    assert split_words(command) == shlex.split(command)


@pytest.mark.parametrize("path", ["a", "./a", "a//b", "/a/./b/", "a/../b", "/", "a/b.c"])
def test_paths_as_pathlib_has_them(path: str) -> None:
    assert normal_path(path) == str(Path(path))


@pytest.mark.parametrize(
    ("text", "size"), [("5G", 5 * 10**9), ("1.5 GB", 15 * 10**8), ("2MiB", 2**21), ("7", 7), ("x", None), ("-1", None)]
)
def test_sizes(text: str, size: int | None) -> None:
    assert parse_size(text) == size
