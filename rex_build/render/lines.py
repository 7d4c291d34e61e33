"""Lines of generated code: where they break, their white space, the places that libomptarget is told, and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..base.diagnostics import SourceSpan, source_lines
from ..base.names import GeneratedNames, in_comment, indent_lines, shown_function
from ..base.patterns import regex
from ..base.records import dataclass
from ..c.source.preprocess import Preprocessed, presumed_place
from ..plan.rows import Role

# Breaks generated C over lines: conditions, calls and lists that would be too long on one.

_WIDTH = 120  # columns, without the indentation of the block around


def call(function: str, *groups: str) -> str:
    """A call, whose groups of arguments stand on lines of their own if one line is too short."""
    whole = f"{function}({', '.join(groups)})"
    if len(whole) <= _WIDTH:
        return whole
    joint = ",\n    "
    return f"{function}(\n    {joint.join(groups)})"


def listed(start: str, items: Sequence[str], end: str) -> str:
    """A list between two texts, such as ``kernel(int *x, double y)``. A long one is filled into lines of its own."""
    whole = f"{start}{', '.join(items)}{end}"
    if len(whole) <= _WIDTH:
        return whole
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > _WIDTH - len("    , "):
            lines.append("")
        lines[-1] += f"{' ' * bool(lines[-1])}{item},"
    joint = "\n    "
    return f"{start.rstrip()}\n    {joint.join(lines)[:-1]}{end}"


def condition(name: str, terms: Sequence[str]) -> str:
    """The declaration of a flag that is set if all ``terms`` hold."""
    whole = f"const int {name} = {' && '.join(terms) or '1'};"
    if len(whole) <= _WIDTH and "\n" not in whole:
        return whole
    joint = " &&\n    "
    return f"const int {name} =\n    {joint.join(term.replace(chr(10), chr(10) + '    ') for term in terms)};"


# Indents generated text as the user's text around it.

_LEADING = regex(r"[ \t]*")
_STATEMENT = regex(r"^(?!#)[^\S\n]*\S", re.MULTILINE)  # the beginning of a line that is no directive


class Indentation:
    """The white space in front of the texts that replace directives."""

    def __init__(self, pre: Preprocessed) -> None:
        self._pre = pre
        # Where the last search for a statement began, and what it found: one after many directives is found once.
        self._searched: tuple[int, re.Match[str] | None] = (len(pre.text) + 1, None)

    def at(self, start: int) -> str:
        """That of the directive's line, or, if directives stand at the left margin, that of the next statement."""
        pre = self._pre
        physical = pre.line_at(start)
        origin, number = pre.origin_of(physical)
        lines = source_lines(origin.file)
        line = lines[number - 1] if 0 < number <= len(lines) else ""
        if line[:1].isspace():
            return _leading(line)
        later = self._statement(pre.line_end(physical))
        if later is None:
            return ""
        text = pre.text[later.start() : pre.text.find("\n", later.end())]
        return _leading(text) + "    " * text.lstrip().startswith("}")

    def _statement(self, start: int) -> re.Match[str] | None:
        """The beginning of the first statement at or after a line."""
        first, found = self._searched
        if not first <= start <= (found.start() if found is not None else len(self._pre.text)):
            found = _STATEMENT.search(self._pre.text, start)
            self._searched = start, found
        return found


def _leading(line: str) -> str:
    found = _LEADING.match(line)
    return found[0] if found else ""


def indented(pieces: Sequence[str], pad: str) -> tuple[str, ...]:
    """Generated text with ``pad`` in front of every line."""
    return tuple(indent_lines(piece.rstrip("\n"), pad) for piece in pieces)


# Where directives stand, as generated calls tell libomptarget. Its messages and profiles show it.

_LAST_LINE = 2**31 - 1  # libomptarget reads the number as an int, and ends the program if it is none


@dataclass(frozen=True)
class Location:
    """The place of a directive. ``file`` is the name that does not depend on where the unit is built."""

    file: str
    function: str
    line: int
    column: int
    in_shared_code: bool = False

    @property
    def static(self) -> str:
        """What tables are declared with. Where other units have the function as well, they would get one unit's tables,
        but each decides for itself what is mapped and how."""
        return "" if self.in_shared_code else "static "

    def __str__(self) -> str:
        """As comments say it."""
        return in_comment(f"{self.file}:{self.line}")

    @property
    def constant(self) -> str:
        """The initialiser of a ``struct rex_location``."""
        return f"REX_LOCATION({string_literal(self.file)}, {string_literal(self.function)}, {self.line}, {self.column})"

    def name(self, mapped: str) -> str:
        """What a row maps, as a value of the array of names."""
        return f"REX_NAME({string_literal(mapped)}, {string_literal(self.file)}, {self.line}, {self.column})"


def location_of(
    span: SourceSpan, function: str, file_name: Callable[[str], str], in_shared_code: bool = False
) -> Location:
    """The location of a directive in ``function``. ``#line`` counts. For ``file_name`` see :class:`Location`."""
    file, line = presumed_place(span.file, span.line)
    return Location(file_name(file), shown_function(function), min(line, _LAST_LINE), span.column, in_shared_code)


def string_literal(text: str) -> str:
    """A string literal. libomptarget takes locations apart at semicolons, so there are none."""
    plain = " ".join(text.splitlines()).replace(";", ",").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'.replace("??", '?""?')  # no trigraphs


# The names that generated host text declares. The user's program contains none of them.

class BlockNames:
    """The local variables of host blocks.

    Tools look for the names without ``rex`` in them. All of them give way to names of the user's.
    """

    def __init__(self, names: GeneratedNames) -> None:
        fresh = self.fresh = names.fresh
        self.device_id = fresh("__device_id")
        self.threads = fresh("_threads_per_block_")
        self.thread_limit = fresh("__rex_thread_limit")
        self.blocks = fresh("_num_blocks_")
        self.trip_count = fresh("__rex_tripcount")
        self.host_ptr = fresh("__host_ptr")
        self.args_base = fresh("__args_base")
        self.args = fresh("__args")
        self.arg_sizes = fresh("__arg_sizes")
        self.arg_types = fresh("__arg_types")
        self.arg_names = fresh("__arg_names")
        self.arg_num = fresh("__arg_num")
        self.kernel_args = fresh("__kernel_args")
        self.location = fresh("__rex_location")
        self.end_args_base = fresh("__rex_end_args_base")
        self.end_arg_types = fresh("__rex_end_arg_types")
        self.rows = fresh("__rex_rows")
        self.end_rows = fresh("__rex_end_rows")
        self.on_host = fresh("__rex_on_host")
        self.on_device = fresh("__rex_on_device")
        self.direct = fresh("__rex_direct")
        self.collapsed = fresh("__rex_collapsed")
        self.apart = fresh("__rex_apart")
        self.outer_trips = fresh("__rex_outer_trips")
        self.inner_trips = fresh("__rex_inner_trips")
        self.walks = fresh("__rex_walks")
        self.tiling = fresh(Role.TILING.value)
        self.second = fresh("__rex_second")
        self.launch_shape = fresh(Role.LAUNCH_SHAPE.value)
        self.num_devices = fresh(Role.NUM_DEVICES.value)
        self.device_num = fresh(Role.DEVICE_NUM.value)
        self.num_procs = fresh(Role.NUM_PROCS.value)
        self.partials = fresh(Role.PARTIALS.value)
        self.partials_size = fresh(f"{Role.PARTIALS.value}_size")
        self.league = fresh("__rex_league")

    @property
    def arrays(self) -> tuple[str, str, str, str]:
        """The arrays with the bases, addresses, sizes and types of rows whose number is fixed."""
        return self.args_base, self.args, self.arg_sizes, self.arg_types

    def literal(self, number: int) -> str:
        return self.fresh(f"__rex_packed_literal_arg_{number}")

    def row(self, number: int) -> str:
        """The variable with the number of a row that only the run knows."""
        return self.fresh(f"__rex_row_{number}")

    def extent(self, row: int) -> str:
        return self.fresh(f"__rex_extent_{row}")

    def range(self, number: int) -> str:
        return self.fresh(f"__rex_range_{number}")

    def shift(self, number: int) -> str:
        return self.fresh(f"__rex_shift_{number}")

    def stand_in(self, row: int) -> str:
        return self.fresh(f"__rex_stand_in_{row}")

    def used(self, row: int) -> str:
        return self.fresh(f"__rex_used_{row}")

    def copied_type(self, variable: str) -> str:
        return self.fresh(f"__rex_type_{variable}")

    def copied_value(self, variable: str) -> str:
        return self.fresh(f"__rex_copy_{variable}")

    def may_be_set(self, variable: str) -> str:
        return self.fresh(f"__rex_set_{variable}")


def growing(rows: str) -> tuple[str, str, str, str]:
    """The four arrays of rows whose number is known at run time only."""
    return f"{rows}.rex_bases", f"{rows}.rex_ptrs", f"{rows}.rex_sizes", f"{rows}.rex_types"
