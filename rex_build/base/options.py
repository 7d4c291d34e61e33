"""The options of ``lower`` and ``device`` that the usual command lines have. The command line's parser is made of these
rows, and a hit (``cache/quick.py``) reads its words by them, as it has no time for that parser.

A row has the option's names, and what ``argparse`` is told of it. What is called a file or a folder is a path.
"""

from __future__ import annotations

from .command_words import shell_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    Rows = dict[str, dict[str, Any]]

FORMATS = ("text", "json", "json-stderr", "json-file", "sarif-stderr", "sarif-file")
COLOR: Rows = {
    "--color": {"choices": ("always", "never", "auto"), "default": "auto", "help": "colour of messages"},
}
# Of explain, too.
UNIT: Rows = {
    "--cc": {"metavar": "COMMAND", "help": "the compiler (default: $CC, else gcc; for C++ $CXX or g++)"},
    "--base-dir": {"metavar": "DIR", "help": "names made from paths see them relative to DIR"},
    "--on-unsupported": {
        "choices": ("error", "host"),
        "default": "error",
        "help": "refuse a region that cannot be lowered, or leave it to the host with a warning",
    },
    "--separable": {
        "action": "store_true",
        "help": "declare target functions and variables may be defined in other units, linked by device-link",
    },
}
LOWER: Rows = {
    "--out-dir": {"metavar": "DIR", "help": "where both files go"},
    "--host-output": {"metavar": "FILE", "help": "the host file, instead of DIR/rose_<stem>.c"},
    "--cu-output": {"metavar": "FILE", "help": "the .cu, instead of DIR/rex_lib_<stem>.cu"},
    "--depfile": {"metavar": "FILE", "help": "write a make rule for the host file that names every file read"},
    "--anchor": {"metavar": "SYMBOL", "help": "refer to SYMBOL of the registration unit"},
    "--init": {
        "choices": ("main", "always", "lazy"),
        "default": "main",
        "help": "make the device ready at the head of main if the unit has device code, or always there, or at the "
        "first target construct",
    },
}
DEVICE: Rows = {
    "--arch": {"required": True, "metavar": "ARCH", "help": "sm_<NN>, or cpu"},
    "-o --output": {"required": True, "metavar": "FILE", "help": "the image to write"},
    "--compiler": {"metavar": "COMMAND", "help": "nvcc, or g++ for cpu (default: as doctor shows)"},
    "--launcher": {
        "metavar": "COMMAND",
        "type": shell_words,
        "default": [],
        "help": "put in front of the compiler: ccache, distcc",
    },
    "--separable": {"action": "store_true", "help": "make a device object, for device-link"},
}


def add_rows(command: ArgumentParser, rows: Rows) -> None:
    """Give the rows to a parser."""
    from pathlib import Path

    for names, row in rows.items():
        kind: dict[str, Any] = {"type": Path} if row.get("metavar") in ("DIR", "FILE") else {}
        command.add_argument(*names.split(), **kind, **row)
