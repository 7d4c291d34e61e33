"""What C says of ``target data``, ``target enter data``, ``target exit data`` and ``target update``."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.names import GeneratedNames
from ...base.spans import Replacement
from ...directives.model import ListClause, Locator
from ...openmp import data as decided
from ...openmp.data import Shadow
from ...openmp.mappers import MapperTable
from ...plan.host_expression import HostExpression, Target, Variable
from ...plan.unit import DataConstruct
from ..sema import Sema, Symbol, walk
from ..sema.conversions import decay
from ..sema.ctype import CType, Pointer, declare, has_name, strip
from ..sema.type_questions import is_array, is_pointer
from ..source.tokens import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .list_items import HostNames, ListItems, named_symbol


def data_construct(
    unit: ParsedUnit, sema: Sema, function: str, construct: OmpConstruct, names: HostNames, mappers: MapperTable
) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive, text = construct.directive, unit.pre.text
    list_items = ListItems(sema, construct, names, mappers)
    rows, pragma_end = list_items.rows(), text.index("\n", construct.start)
    end = statement_end(text, pragma_end) if directive.name == "target data" else pragma_end

    def shadow(item: Locator) -> Shadow:
        return _shadow(unit, sema, construct, list_items, item)

    return decided.data_construct(
        directive, rows, function, (construct.start, pragma_end, end), shadow
    )  # fmt: skip


def renamed_pointer(names: GeneratedNames, symbol: Symbol) -> str:
    """The variable that holds the device address of a variable in ``use_device_addr`` that is no pointer or array."""
    return names.fresh(f"__rex_address_of_{symbol.name}")


def renamed_symbols(
    sema: Sema, names: GeneratedNames, constructs: Iterable[OmpConstruct]
) -> dict[OmpConstruct, dict[Symbol, HostExpression]]:
    """For each construct inside ``target data use_device_addr``, how host text names the variables listed there."""
    found: dict[OmpConstruct, dict[Symbol, HostExpression]] = {}
    for construct in constructs:  # outer ones come first, and inner ones take precedence
        for clause in construct.directive.all("use_device_addr", "use_device_ptr"):
            for item in clause.items if isinstance(clause, ListClause) else ():
                symbol = sema.lookup(construct, item.name)
                if symbol is None or is_pointer(symbol.type) or is_array(symbol.type) or construct.body is None:
                    continue
                for node in walk(construct.body):
                    if isinstance(node, OmpConstruct):
                        found.setdefault(node, {})[symbol] = Target(Variable(renamed_pointer(names, symbol)))
    return found


def _pointer(symbol: Symbol, kind: CType, name: str) -> str:
    """The declaration of the pointer ``name`` to what ``symbol`` is, holds or points to."""
    if has_name(kind):
        return declare(kind, name)
    depth = "&" if not is_pointer(symbol.type) and not is_array(symbol.type) else ""
    return f"__typeof__({depth}{symbol.name}{'' if depth else ' + 0'}) {name}"


def _shadow(unit: ParsedUnit, sema: Sema, construct: OmpConstruct, items: ListItems, item: Locator) -> Shadow:
    """A pointer or an array is shadowed by a pointer of its name. Where others are mentioned, the text is replaced."""
    symbol = named_symbol(sema, construct, item)
    host = items.variable(symbol)
    if is_pointer(symbol.type) or is_array(symbol.type):
        return Shadow(symbol, host, "pointer", _pointer(symbol, strip(decay(symbol.type)), symbol.name))
    name = renamed_pointer(items.names.generated, symbol)
    starts = (unit.offset_of(n) for n in walk(construct.body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol)
    renames = [Replacement(start, start + len(symbol.name), f"(*{name})") for start in starts]
    return Shadow(symbol, host, "", _pointer(symbol, Pointer(strip(symbol.type)), name), renames=renames)
