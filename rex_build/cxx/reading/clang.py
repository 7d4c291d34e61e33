"""What libclang's C interface says of nodes, and its Python module does not."""

from __future__ import annotations

from ctypes import c_double, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from functools import cache
from typing import Any

from .. import libclang

# CXUnaryOperatorKind and CXBinaryOperatorKind
UNARY = dict(enumerate(("p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!", "real", "imag", "extension"), 1))
BINARY = dict(
    enumerate(
        (".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|",
         "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","), 1,
    )
)  # fmt: skip


@cache
def _library() -> Any:
    cindex = libclang.load()
    library = cindex.conf.lib
    for name, arguments, result in (
        ("clang_getCursorUnaryOperatorKind", [cindex.Cursor], c_int),
        ("clang_getCursorBinaryOperatorKind", [cindex.Cursor], c_int),
        ("clang_Cursor_Evaluate", [cindex.Cursor], c_void_p),
        ("clang_EvalResult_getKind", [c_void_p], c_int),
        ("clang_EvalResult_isUnsignedInt", [c_void_p], c_uint),
        ("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong),
        ("clang_EvalResult_getAsUnsigned", [c_void_p], c_ulonglong),
        ("clang_EvalResult_getAsDouble", [c_void_p], c_double),
        ("clang_EvalResult_dispose", [c_void_p], None),
        ("clang_Cursor_isDynamicCall", [cindex.Cursor], c_int),
        ("clang_Cursor_isVariadic", [cindex.Cursor], c_uint),
        ("clang_Cursor_isFunctionInlined", [cindex.Cursor], c_uint),
    ):
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result
    return library


def is_inline(cursor: Any) -> bool:
    """Whether other units may have the same definition of a function."""
    return bool(_library().clang_Cursor_isFunctionInlined(cursor))


def unary(cursor: Any) -> str:
    """The operator of a unary expression; ``p++`` is the one behind its operand."""
    return UNARY.get(_library().clang_getCursorUnaryOperatorKind(cursor), "")


def binary(cursor: Any) -> str:
    """The operator of a binary expression or of an assignment."""
    return BINARY.get(_library().clang_getCursorBinaryOperatorKind(cursor), "")


def atomic_builtin(cursor: Any) -> str:
    """The name of gcc's atomic builtin that an expression without a name calls, or an empty text."""
    word = next((token.spelling for token in cursor.get_tokens()), "")
    return word if word.startswith("__atomic_") else ""


def value(cursor: Any) -> int | float | None:
    """The value of a constant expression of a number type, or None if it is not known."""
    library = _library()
    found = library.clang_Cursor_Evaluate(cursor)
    if not found:
        return None
    try:
        kind = library.clang_EvalResult_getKind(found)
        if kind == 1:  # CXEval_Int
            unsigned = library.clang_EvalResult_isUnsignedInt(found)
            read = library.clang_EvalResult_getAsUnsigned if unsigned else library.clang_EvalResult_getAsLongLong
            return int(read(found))
        return float(library.clang_EvalResult_getAsDouble(found)) if kind == 2 else None  # CXEval_Float
    finally:
        library.clang_EvalResult_dispose(found)


def integer(cursor: Any) -> int | None:
    """The value of a constant integer, if it does not depend on a template's parameters."""
    found = value(cursor)
    return found if isinstance(found, int) else None


def is_virtual_call(cursor: Any) -> bool:
    return bool(_library().clang_Cursor_isDynamicCall(cursor))


def initialiser(variable: Any) -> Any:
    """The expression that initialises a variable, or None."""
    library = _library()
    library.clang_Cursor_getVarDeclInitializer.restype = libclang.load().Cursor
    library.clang_Cursor_getVarDeclInitializer.argtypes = [libclang.load().Cursor]
    found = library.clang_Cursor_getVarDeclInitializer(variable)
    if found.kind.is_invalid():
        return None
    found._tu = variable._tu
    return found
