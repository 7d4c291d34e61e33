"""What attributes, pragmas and flags say about declarations and types. The parser does not see them."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from .ctype import RecordInfo


@dataclass(frozen=True)
class DeclaredAttributes:
    """What attributes say about a variable, a member, a typedef or a function.

    ``why_not`` is the reason if devices do not have the type. The others are the least alignment in bytes, whether a
    member needs no alignment (packed), the function to call at the end of the scope (cleanup), the size in bytes of the
    vector that the type becomes (-1 if not known), the machine mode, and the function of which a function is an alias.
    """

    why_not: str | None = None
    align: int = 0
    packed: bool = False
    cleanup: str = ""
    alias: str = ""
    vector: int = 0
    mode: str = ""


NO_ATTRIBUTES = DeclaredAttributes()


class Layout:
    """The answers for a unit without attributes. A subclass gives the answers for a unit."""

    def __init__(self, unnamed_members: bool = False) -> None:
        """With ``unnamed_members``, a member without a name may have a structure type with a tag (-fms-extensions)."""
        self.unnamed_members = unnamed_members

    @property
    def enumerators_agree(self) -> bool:
        """Whether all enumerators get the same type if one of them needs more than an ``int``."""
        return False

    def of_record(self, _info: RecordInfo) -> tuple[int, int]:
        """(greatest alignment of members, least alignment of the record) in bytes, each 0 if nothing sets it."""
        return 0, 0

    def is_packed_enum(self, _node: c_ast.Enum) -> bool:
        """Whether an enumeration is as small as its values allow."""
        return False

    def of_declaration(self, _node: c_ast.Node) -> DeclaredAttributes:
        """What attributes say about the declaration of a variable, a member, a typedef or a function."""
        return NO_ATTRIBUTES

    def of_type_name(self, _node: c_ast.Typename) -> DeclaredAttributes:
        """What attributes say about the name of a type in parentheses, as in a cast."""
        return NO_ATTRIBUTES
