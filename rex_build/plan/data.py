"""What is decided about a data construct."""

from __future__ import annotations

from ..base.records import dataclass
from ..base.spans import Replacement, SourceSpan
from .host import HostTask
from .host_expression import HostExpression
from .rows import DataMapping


@dataclass(frozen=True)
class DataConstruct:
    """``target data``, ``target enter data``, ``target exit data`` or ``target update``.

    ``end`` is one past the statement of ``target data``, and the end of the pragma for the others. For
    ``use_device_ptr`` and ``use_device_addr``, ``device_pointers`` lists (row, declaration of the variable that holds
    the device address, the cast that C++ needs), and ``renames`` lists what is replaced in the statement.
    """

    directive: str
    span: SourceSpan
    function: str
    mapping: DataMapping
    end_mapping: DataMapping | None
    device: HostExpression
    condition: HostExpression | None
    task: HostTask | None
    start: int
    pragma_end: int
    end: int
    device_pointers: tuple[tuple[int, str, str], ...] = ()
    renames: tuple[Replacement, ...] = ()
