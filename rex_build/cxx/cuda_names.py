"""The names that CUDA declares in every device file, and C++ programs may have, too."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.patterns import regex

# Those that the headers of C and C++ use for nothing. They become macros, and would change those headers, too.
_OF_CUDA_ALONE = regex(
    r"(?:make_)?(?:u?(?:char|short|int|long|longlong)|float|double)[1-4](?:_\w+)?$|dim3$|cu(?:da|rand)?[A-Z]\w*$|CU[A-Z]\w*$"
    r"|atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_system|_block)?$|u?(?:ll|ull)?(?:mul24|mulhi|mul64hi)$"
    r"|f?(?:dividef|divide)$|(?:float|int|double|uint|longlong)_as_\w+$|(?:float|double)2(?:int|uint|ll|ull|half|float)\w*$"
    r"|saturate$|clock64$|(?:u|ll|ull)(?:min|max)$"
    r"|(?:rsqrt|rcbrt|rhypot|rnorm|r?norm[34]d|normcdf(?:inv)?|erf(?:inv|cinv|cx)|(?:sin|cos|sincos)pi|cyl_bessel_i[01])f?$"
)


def renamed(names: Iterable[str]) -> list[str]:
    """The lines that give the user's functions and types of these names others in device code."""
    return [f"#define {name} {name}__c" for name in sorted(names) if _OF_CUDA_ALONE.match(name)]
