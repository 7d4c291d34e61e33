"""What the parser does not see of a unit: what attributes, pragmas and flags say of its declarations and types."""

from __future__ import annotations

from dataclasses import dataclass

from pycparser import c_ast

from .ctype import RecordInfo


@dataclass(frozen=True, slots=True)
class DeclaredAttributes:
    """What attributes say of a variable, a member or a typedef: ``why_not``, where they make its type one that devices
    lack, the least alignment in bytes, whether a member needs none, and which function is called in the end; the
    size in bytes of the vector that they make of the type (-1: not known), and the machine mode that they give it. Of a
    function: the one that it is another name of."""

    why_not: str | None = None
    align: int = 0
    packed: bool = False
    cleanup: str = ""
    alias: str = ""
    vector: int = 0
    mode: str = ""


NO_ATTRIBUTES = DeclaredAttributes()


class Layout:
    """The answers for a unit without any attribute; a unit's own are those of a subclass."""

    def __init__(self, unnamed_members: bool = False) -> None:
        """``unnamed_members``: a member may be a structure of a type with a name, without one of its own
        (-fms-extensions)."""
        self.unnamed_members = unnamed_members

    @property
    def enumerators_agree(self) -> bool:
        """Whether all enumerators of an enumeration have one type where one of them needs more than an ``int``."""
        return False

    def of_record(self, _info: RecordInfo) -> tuple[int, int]:
        """(most a member is aligned to, least the record is aligned to), in bytes; 0 where nothing says so."""
        return 0, 0

    def is_packed_enum(self, _node: c_ast.Enum) -> bool:
        """Whether an enumeration is as small as its values allow."""
        return False

    def of_declaration(self, _node: c_ast.Node) -> DeclaredAttributes:
        """What attributes say of a variable, a member, a typedef or a function."""
        return NO_ATTRIBUTES

    def of_type_name(self, _node: c_ast.Typename) -> DeclaredAttributes:
        """What attributes say of a type's name between parentheses."""
        return NO_ATTRIBUTES
