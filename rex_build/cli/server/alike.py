"""For which commands a server's children are the same as a new process.

A process inherits more than its arguments. Each part is decided here: it is handed over, or it is part of the server's
name, or it makes a command do its work itself.

Handed over:
- arguments, environment, and the working directory, also one that is removed;
- open files with their numbers: streams, make's job server, pipes of the shell. They are the same open files, with
  their offsets and locks of ``flock``. A command that has more than 200 does its work itself.

In the server's name, so that a server has these from the command that starts it:
- user and group ids, groups, capabilities, seccomp filters; namespaces, root directory, cgroups, the system's start;
- resource limits, umask, niceness, scheduling, processors, memory nodes, out-of-memory score, personality, timer slack;
- ignored and blocked signals;
- Python: program, version, options, the first folders of its search path, ``PYTHON*``, and ``HOME``, which may have
  packages of the user's; the variables of the loader, of the allocator, of libclang and of the locale.

The server looks at the states of these at each request, and ends if they have changed: rex-build's own files, all
other modules, ``.pth`` files, the folders of the search path, Python itself and libclang.

There is no server: with ``LD_PRELOAD`` or ``LD_AUDIT``; under a debugger or tracer; with ``no_new_privs``, as sandboxes
set it; with ``python -m`` and ``-c``, where the search path begins with the working directory.

Sent on: the command's INT, TERM, HUP, QUIT and TSTP, to all that the child has started. When the command ends in
another way, the server kills all that.

These differ: parent, process group, session, and that the terminal controls no process (``/proc/<pid>/comm`` has the
number of the command's process); the processor time that ``time make`` shows; alarms and signals that are pending; I/O
priority and keyrings, which are the server's; the seed of hashes, which children share.
"""

from __future__ import annotations

import sys

from ...base import light_os as os
from ...cache.key import digest

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_VERSION = 1  # of what is said between commands and servers
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "time_for_children", "user", "uts")
_STATUS = (
    b"Umask:", b"Uid:", b"Gid:", b"Groups:", b"SigBlk:", b"CapInh:", b"CapPrm:", b"CapEff:", b"CapBnd:",
    b"CapAmb:", b"Seccomp:", b"Seccomp_filters:", b"Cpus_allowed:", b"Mems_allowed:", b"THP_enabled:",
)  # fmt: skip
_NONE = (b"TracerPid:\t0", b"NoNewPrivs:\t0")  # lines without which there is no server
_FILES = (
    "/proc/self/limits", "/proc/self/cgroup", "/proc/self/oom_score_adj", "/proc/self/personality",
    "/proc/self/timerslack_ns", "/proc/self/coredump_filter", "/proc/self/attr/current",
    "/proc/sys/kernel/random/boot_id",
)  # fmt: skip
_VARIABLES = (b"PYTHON", b"LD_", b"LC_", b"GLIBC_", b"MALLOC_", b"LIBCLANG", b"LLVM_")
_WHOLE = (b"LANG", b"LANGUAGE", b"HOME", b"LOCPATH", b"TMPDIR")
_REFUSED = ("LD_PRELOAD", "LD_AUDIT", "PYTHONINSPECT", "PYTHONSTARTUP", "PYTHONPROFILEIMPORTTIME")


def name(environment: dict[bytes, bytes], first: list[str]) -> str | None:
    """The name of the server for this process, or None if it can have none.

    ``environment`` has the variables with which it was started, and ``first`` the folders that only it searches.
    """
    options = python_options()
    if options is None or any(name.encode() in environment for name in _REFUSED):
        return None
    try:
        status = _read("/proc/self/status").split(b"\n")
        if not all(line in status for line in _NONE):
            return None
        root = os.stat("/")
        parts: list[object] = [
            _VERSION, PACKAGE, sys.executable, sys.version, sys.flags, options, first,
            sorted(chosen_variables(environment).items()), os.getpriority(0, 0), os.sched_getscheduler(0),
            root.st_dev, root.st_ino, [os.readlink(f"/proc/self/ns/{kind}") for kind in _NAMESPACES],
            [line for line in status if line.startswith(_STATUS)], _ignored(status),
        ]  # fmt: skip
    except (OSError, AttributeError):
        return None
    for file in _FILES:
        try:
            parts.append(_read(file))
        except OSError:
            parts.append(None)
    return digest(repr(parts).encode("utf-8", "surrogateescape"))[:32]


def _ignored(status: list[bytes]) -> int:
    """The ignored signals as bits, but 32 and 33. The C library has these for itself, and ignores them now and then."""
    return next(int(line[7:], 16) for line in status if line.startswith(b"SigIgn:")) & ~(3 << 31)


def python_options() -> list[str] | None:
    """The options of Python with which this process was started, or None if it was not started with a script's path."""
    found: list[str] = []
    words = iter(sys.orig_argv[1:])
    for word in words:
        if not word.startswith("-"):
            return found
        if word not in ("-S", "-s", "-E", "-I", "-P", "-B", "-X"):
            return None
        found.append(word)
        if word == "-X":
            found.append(next(words, ""))
            if found[-1] != "utf8":
                return None
    return None


def first_folders() -> list[str]:
    """What stands on the search path in front of Python's own modules."""
    archive = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
    for at, folder in enumerate(sys.path):
        if folder.endswith(archive):
            return sys.path[:at]
    return []


def chosen_variables(environment: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """The variables that decide what Python and libraries are when they start."""
    return {key: environment[key] for key in environment if key.startswith(_VARIABLES) or key in _WHOLE}


def folder() -> str:
    """The path of the folder of this user's servers, or nothing if there can be none."""
    base = os.getenv("XDG_RUNTIME_DIR", "")
    if not os.path.isabs(base):
        base = os.getenv("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):
            base = os.getenv("HOME", "") + "/.cache"
    return f"{base}/rex-build-server" if os.path.isabs(base) and base != "/.cache" else ""


def opened(path: str) -> int | None:
    """An open handle of that folder, or None if it is not there or not safe."""
    try:
        handle = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        state = os.fstat(handle)
        if state.st_uid == os.geteuid() and not state.st_mode & 0o077:
            return handle
        os.close(handle)
    except OSError:
        pass
    return None


def _read(file: str) -> bytes:
    with open(file, "rb", buffering=0) as opened:
        return opened.readall()
