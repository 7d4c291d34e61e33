"""A command does the same in a server's child as in a process of its own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from served import Place

COMMANDS = {
    "lower": ["lower", "unit.c", "--out-dir", "out", "--depfile", "unit.d"],
    "two words for one": ["lower", "unit.c", "--out-dir=out", "--", "-O2", "-DX"],
    "missing": ["lower", "missing.c", "--out-dir", "out"],
    "wrong": ["lower", "wrong.c", "--out-dir", "out"],
    "broken": ["lower", "broken.c", "--out-dir", "out"],
    "warned": ["lower", "warned.c", "--out-dir", "out", "--color=always"],
    "usage": ["lower", "unit.c", "--no-such-option"],
    "nothing to write": ["lower", "unit.c"],
    "dump": ["lower", "unit.c", "--dump=plan,host,device"],
    "not in the encoding": ["lower", b"\xff\xe9.c", "--out-dir", b"\xfe"],
    "image": ["device", "missing.cu", "--arch", "cpu", "-o", "image"],
    "object": ["rex-gcc", "-O2", "-MMD", "-c", "unit.c", "-o", "unit.o"],
    "objects": ["rex-gcc", "-c", "unit.c", "warned.c"],
    "wrong object": ["rex-gcc", "-c", "wrong.c"],
    "broken object": ["rex-gcc", "-c", "broken.c", "-fopenmp"],
    "no compiler": ["rex-cc", "no-such-gcc", "-c", "unit.c"],
    "itself": ["rex-cc", "rex-gcc", "-c", "unit.c"],
    "preprocessed": ["rex-gcc", "-E", "unit.c"],
    "no image": ["device-link", "missing.o", "--arch", "cpu", "-o", "image"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(place: Any, name: str) -> None:
    alone, served = place.both("commands", place.command(*COMMANDS[name]))
    assert served == alone


SETUPS = {
    "stdin is closed": "exec <&-",
    "stdout is closed": "exec >&-",
    "stderr is closed": "exec 2>&-",
    "all are closed": "exec <&- >&- 2>&-",
    "stdout is full": "exec >/dev/full",
    "files for the user alone": "umask 077",
    "few files": "ulimit -n 40",
    "no room": "ulimit -f 1",
    "the folder is gone": "mkdir gone; cd gone; rmdir ../gone",
    "more files": "exec 7</dev/null 19>more 8>&1",
    "hangups are ignored": "trap '' HUP INT",
    "no home": "unset HOME XDG_CACHE_HOME",
    "another locale": "LC_ALL=C; export LC_ALL",
    "a niece": "renice -n 3 $$ >/dev/null",
    "variables": "export CPATH=nowhere CC=gcc REX_ON_UNSUPPORTED=host NO_COLOR=1 TZ=UTC",
    "another compiler": "CC='no-such-compiler -c'; export CC",
}
# What a process can see of itself, without what differs.
SEEN = (
    "cat /proc/self/limits /proc/self/oom_score_adj /proc/self/cgroup /proc/self/personality; "
    "grep -E '^(Umask|SigBlk|Cap|Cpus_allowed|Groups|Uid|Seccomp|NoNewPrivs)' /proc/self/status; "
    "sed -n 's/^SigIgn.*\\(.......\\)$/\\1/p' /proc/self/status; "
    "nice; pwd 2>&1; echo \"$@\"; env | grep -vE '^(_|SHLVL|REX_BUILD_SERVER|REX_BUILD_CHAIN|PWD)=' | sort; "
    "for file in /proc/$$/fd/*; do n=${file##*/}; [ $n -lt 50 ] && [ $n != 10 ] && "
    "case $(readlink $file) in pipe*) echo $n pipe;; *) echo $n $(readlink $file);; esac; done; "
)


@pytest.mark.parametrize("name", SETUPS)
def test_what_a_process_inherits(place: Any, name: str) -> None:
    """The compiler is a script that writes down what it has."""
    script = place.top / "gcc-that-looks"
    if not script.exists():
        script.write_text(f'#!/bin/bash\n{{ {SEEN} }} >>{place.top}/seen 2>&1\nexec gcc "$@"\n')
        script.chmod(0o755)
    words = ("lower", place.top / "inherits/unit.c", "--out-dir", place.top / "inherits/out", "--cc", script)
    command = ["bash", "-c", f"{SETUPS[name]}\nexec {shlex.join(map(str, place.command(*words)))}"]
    alone, served = place.both("inherits", command)
    assert served == alone
    seen = []
    for server in ("off", "on"):
        (place.top / "seen").unlink(missing_ok=True)
        place.run(place.top / "inherits", command, REX_BUILD_SERVER=server)
        seen.append((place.top / "seen").read_text() if (place.top / "seen").exists() else "")
    assert seen[0] == seen[1]
    assert seen[0] or name in ("no room", "another compiler")


def test_make_s_job_server(place: Any) -> None:
    """Compilers of objects see the pipe of make, in a server's child, too."""
    seen = place.top / "job-files"
    script = place.top / "gcc-with-jobs"
    script.write_text(
        "#!/bin/bash\nauth=${MAKEFLAGS##*--jobserver-auth=}; auth=${auth%% *}; r=${auth%,*}; w=${auth#*,}\n"
        f'[[ " $* " == *" -fopenmp "*" -c "* ]] && readlink /proc/$$/fd/$r /proc/$$/fd/$w >>{seen}\nexec gcc "$@"\n'
    )
    script.chmod(0o755)
    makefile = "all: a b c d\na b c d:\n\t+@cp unit.c $@.c && $(REX) rex-cc $(CC) -fopenmp -c $@.c\n"
    rex = shlex.quote(shlex.join(place.command()))
    line = f"printf %s {shlex.quote(makefile)} >Makefile; exec make -j2 REX={rex} CC={shlex.quote(str(script))}"
    alone, served = place.both("jobs", ["bash", "-c", line])
    assert served == alone
    assert alone.status == 0, alone
    for server in ("off", "on"):
        seen.unlink(missing_ok=True)
        place.run(place.top / "jobs", ["bash", "-c", line], REX_BUILD_SERVER=server)
        pipes = seen.read_text().split()
        assert len(pipes) >= 8
        assert len(set(pipes)) == 1


def test_the_comparison_sees_what_is_not_handed_over(tmp_path: Path) -> None:
    """Without the environment, the compiler finds no header."""
    broken = Place(tmp_path)
    file = broken.root / "rex_build" / "cli" / "server" / "become.py"
    text = file.read_text()
    assert "os.environb.update(environment)" in text
    file.write_text(text.replace("os.environb.update(environment)", "os.environ['PATH'] = os.defpath"))
    try:
        (tmp_path / "with").mkdir()
        (tmp_path / "with" / "only.h").write_text("#define ONLY 1\n")
        line = (
            f"echo '#include <only.h>' >>unit.c; exec {shlex.join(broken.command('lower', 'unit.c', '--out-dir', 'o'))}"
        )
        alone, served = broken.both("commands", ["bash", "-c", line], CPATH=str(tmp_path / "with"))
        assert alone.status == 0
        assert alone != served
    finally:
        broken.end()
