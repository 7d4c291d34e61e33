"""``argparse`` as rex-build uses it: for help, and for command lines that ``command_words.Reader`` leaves to it."""

from __future__ import annotations

import argparse

from .diagnostics import UsageError, unknown_word


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong usage in the same way as the rest of rex-build."""

    _width = 80  # the terminal's, where help is printed

    def _get_formatter(self) -> argparse.HelpFormatter:
        # argparse makes one for each argument, and without a width each asks the terminal, by shutil.
        return self.formatter_class(prog=self.prog, width=self._width)  # type: ignore[call-arg]

    def format_help(self) -> str:
        import shutil

        self._width = shutil.get_terminal_size().columns - 2
        return super().format_help()

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            name = "/".join(action.option_strings) or action.metavar or action.dest
            listed = ", ".join(map(repr, action.choices))
            message = f"argument {name}: invalid choice: {value!r} (choose from {listed}) (see {self.prog} --help)"
            raise unknown_word(message, str(value), map(str, action.choices))

    @property
    def options(self) -> list[str]:
        return [*self._option_string_actions]

    def error(self, message: str) -> object:  # type: ignore[override]
        raise UsageError(f"{message} (see {self.prog} --help)")
