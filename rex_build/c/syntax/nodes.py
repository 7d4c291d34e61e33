"""The nodes that the parser adds to pycparser's tree, OpenMP constructs, and the unit to which a tree belongs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import attrgetter

from pycparser import c_ast

from ...base.diagnostics import InputError, Replacement, SourceSpan
from ...base.records import dataclass, field
from ...directives.model import Directive, HostForm
from ..source.gnu_text import Unseen
from ..source.preprocess import Preprocessed
from .attributes import Attributes


class OmpConstruct(c_ast.Node):
    """A directive and the statement to which it applies (``body`` is None for stand-alone directives).

    ``start`` is the offset of the ``#`` of its pragma in the preprocessed text. If ``unread`` has a reason, the
    construct cannot be lowered. ``on_host`` is the directive from which the host's version is made, if it differs: for
    a metadirective that chooses otherwise on the device it is the host's choice, and for a part of a construct the
    whole construct.
    """

    __slots__ = ("__weakref__", "body", "coord", "directive", "host_choice", "on_host", "start", "unread")
    attr_names = ()

    def __init__(self, directive: Directive, body: c_ast.Node | None, start: int, coord: object = None) -> None:
        self.host_choice = False  # a metadirective has chosen it, and would choose otherwise on the device
        self.on_host: Directive | None = None
        self.unread: InputError | None = None
        self.directive = directive
        self.body = body
        self.start = start
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("body", self.body),) if self.body is not None else ()

    def __iter__(self) -> Iterator[c_ast.Node]:
        if self.body is not None:
            yield self.body


LEAVES = frozenset((c_ast.ID, c_ast.Constant, c_ast.IdentifierType))
_PAIRS = {
    c_ast.BinaryOp: attrgetter("left", "right"),
    c_ast.Assignment: attrgetter("lvalue", "rvalue"),
    c_ast.ArrayRef: attrgetter("name", "subscript"),
}


def branches(node: c_ast.Node) -> list[c_ast.Node]:
    """The nodes directly in a node, in source order, without names and constants, which are most nodes.

    Whoever looks for statements, constructs or calls does not meet the others.
    """
    pair = _PAIRS.get(type(node))
    return [part for part in (pair(node) if pair is not None else node) if type(part) not in LEAVES]


@dataclass(frozen=True)
class UserReduction:
    """A declared reduction for one type, as the names of functions in the tree.

    ``combine(out, in)`` and ``initialise(priv, orig)`` take pointers. The statements of ``uses`` name both.
    ``reads_original`` says whether the initialiser names ``omp_orig``.
    """

    name: str
    combine: str
    initialise: str
    uses: str
    reads_original: bool


@dataclass(frozen=True)
class ParsedUnit:
    """One translation unit: its preprocessed text, its tree, and the way from one to the other."""

    pre: Preprocessed
    ast: c_ast.FileAST
    unseen: Unseen  # by the parser
    attributes: Attributes = field(default_factory=Attributes)
    # The words of each pragma that name types where it stands, by its line.
    pragma_types: Mapping[int, frozenset[str]] = field(default_factory=dict)
    plain: frozenset[c_ast.FuncDef] = frozenset()  # functions without directives, which who looks for some leaves out
    host_forms: Mapping[int, HostForm] = field(default_factory=dict)  # by offset; what the host compiler sees
    replacements: tuple[Replacement, ...] = ()  # of words in the host's text
    requirements: Mapping[str, str] = field(default_factory=dict)  # clauses of ``requires``, with their keywords
    reductions: tuple[UserReduction, ...] = ()  # from ``declare reduction``
    device_versions: tuple[c_ast.FuncDef, ...] = ()  # of functions whose metadirectives choose otherwise on the device
    # Why the bodies of some functions could not be read, by the offsets of their braces. They are empty in the tree.
    unread: Mapping[int, InputError] = field(default_factory=dict)

    @property
    def every_function(self) -> c_ast.FileAST:
        """The tree with the functions' device versions."""
        return c_ast.FileAST([*self.ast.ext, *self.device_versions]) if self.device_versions else self.ast

    @cached_property
    def _form_offsets(self) -> list[int]:
        return sorted(self.host_forms)

    def host_forms_in(self, start: int, end: int) -> dict[int, HostForm]:
        """The host forms at the offsets [start, end)."""
        offsets = self._form_offsets
        return {at: self.host_forms[at] for at in offsets[bisect_left(offsets, start) : bisect_left(offsets, end)]}

    def offset_of(self, node: c_ast.Node) -> int:
        """The offset of the node's ``coord`` in the preprocessed text."""
        offset: int = self.pre.line_starts[node.coord.line - 1] + (node.coord.column or 1) - 1
        return offset

    def span_of(self, node: c_ast.Node | None) -> SourceSpan:
        """The place of the node in the user's file."""
        coord = getattr(node, "coord", None)
        if coord is None and node is not None:
            coord = next((c.coord for _, c in node.children() if getattr(c, "coord", None)), None)
        if coord is None:
            return SourceSpan(self.pre.main_file, 1)
        return self.pre.span_at(coord.line, coord.column or 1)


DEVICE_VERSION = "__rex_device"  # the suffix of the names of functions' device versions


def rename_function(function: c_ast.FuncDef, name: str) -> None:
    function.decl.name = name
    kind = function.decl.type
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name


def single_statement(node: c_ast.Node | None) -> c_ast.Node | None:
    """The statement itself, or the only statement inside its braces, or None if there are several."""
    while isinstance(node, c_ast.Compound):
        items = [i for i in node.block_items or [] if not isinstance(i, c_ast.EmptyStatement)]
        if len(items) != 1:
            return None
        node = items[0]
    return node


def only_loop(node: c_ast.Node | None) -> c_ast.For | None:
    """The next loop of a nest, which is the only loop in a block and the blocks in it.

    Other code may stand beside it.
    """
    if isinstance(node, c_ast.For):
        return node
    items = node.block_items or [] if isinstance(node, c_ast.Compound) else []
    loops = [loop for item in items if (loop := only_loop(item)) is not None]
    return loops[0] if len(loops) == 1 else None


def place_nodes(node: c_ast.Node, coord: object) -> None:
    stack = [node]
    while stack:
        below = stack.pop()
        below.coord = coord
        stack += [child for _, child in below.children()]
