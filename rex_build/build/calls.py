"""Runs compilers with this process's streams, so that their messages look as they would without rex-build."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import MappingProxyType

from ..base.command_words import response_file
from ..base.diagnostics import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

# The system takes command lines of 2 MiB, with the environment.
_LONGEST = 10**6


def call(
    command: Sequence[str], data: bytes | None = None, variables: Mapping[str, str] = MappingProxyType({})
) -> int:
    """Run a command as ``running`` does, with this data as its standard input. Returns its exit status."""
    with running(command, variables, is_written_to=data is not None) as process:
        process.communicate(data)
        return process.returncode


def ended(process: Popen[bytes]) -> tuple[int, bool]:
    """(the exit status of a command, whether it has said nothing as far as its messages come here)."""
    said = process.communicate()[1]
    if said:
        sys.stderr.write(said.decode(errors="replace"))
        sys.stderr.flush()
    return process.returncode, not said


@contextmanager
def running(
    command: Sequence[str],
    variables: Mapping[str, str] = MappingProxyType({}),
    is_written_to: bool = False,
    is_heard: bool = False,
) -> Iterator[Popen[bytes]]:
    """A command that runs, and has ended afterwards. Its standard input is written to, and its messages are read here,
    where that is said.

    It gets all that is open: make's job server, and pipes that the command line names as /dev/fd/N.
    """
    import subprocess

    with ExitStack() as stack:
        if sum(map(len, command)) >= _LONGEST:
            import tempfile

            file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".rsp", errors="surrogateescape"))
            file.write(response_file(command[1:]))
            file.flush()
            command = [command[0], f"@{file.name}"]
        stdin, stderr = (subprocess.PIPE if wanted else None for wanted in (is_written_to, is_heard))
        try:
            environment = {**os.environ, **variables}
            process = subprocess.Popen(command, stdin=stdin, stderr=stderr, env=environment, close_fds=False)
        except OSError as error:
            raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
        with process:
            try:
                yield process
            except BaseException:
                with suppress(subprocess.TimeoutExpired):  # a compiler that was told to end takes away its files first
                    process.wait(0.25)
                process.kill()
                raise
