/* <ctype.h> in the C locale. Its macros read a table with the bits of glibc's classes. Included by rex_libc.h. */
#pragma once

REX_FN unsigned short rex_c_classes(int c)
{
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    const bool hex = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'), graph = c > ' ' && c < 127;
    const bool space = c == ' ' || (c >= 9 && c <= 13), control = (c >= 0 && c < 32) || c == 127;
    return static_cast<unsigned short>(
        upper << 8 | lower << 9 | (upper || lower) << 10 | digit << 11 | hex << 12 | space << 13 | (graph || c == ' ') << 14
        | graph << 15 | (c == ' ' || c == 9) | control << 1 | (graph && !(upper || lower || digit)) << 2
        | (upper || lower || digit) << 3);
}

REX_FN int rex_c_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
REX_FN int rex_c_isascii(int c) { return (c & ~127) == 0; }
REX_FN int rex_c_toascii(int c) { return c & 127; }
REX_FN int rex_c_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
REX_FN int rex_c_isupper(int c) { return rex_c_classes(c) & 1 << 8; }
REX_FN int rex_c_islower(int c) { return rex_c_classes(c) & 1 << 9; }
REX_FN int rex_c_isalpha(int c) { return rex_c_classes(c) & 1 << 10; }
REX_FN int rex_c_isdigit(int c) { return rex_c_classes(c) & 1 << 11; }
REX_FN int rex_c_isxdigit(int c) { return rex_c_classes(c) & 1 << 12; }
REX_FN int rex_c_isspace(int c) { return rex_c_classes(c) & 1 << 13; }
REX_FN int rex_c_isprint(int c) { return rex_c_classes(c) & 1 << 14; }
REX_FN int rex_c_isgraph(int c) { return rex_c_classes(c) & 1 << 15; }
REX_FN int rex_c_isblank(int c) { return rex_c_classes(c) & 1; }
REX_FN int rex_c_iscntrl(int c) { return rex_c_classes(c) & 1 << 1; }
REX_FN int rex_c_ispunct(int c) { return rex_c_classes(c) & 1 << 2; }
REX_FN int rex_c_isalnum(int c) { return rex_c_classes(c) & 1 << 3; }

/* Programs only dereference and index the results of __ctype_b_loc and similar functions. */
template <class T, T (*entry)(int)>
struct rex_c_table {
    __device__ rex_c_table operator*() const { return {}; }
    __device__ T operator[](int c) const { return entry(c); }
};
REX_FN rex_c_table<unsigned short, rex_c_classes> rex_c___ctype_b_loc() { return {}; }
REX_FN rex_c_table<int, rex_c_tolower> rex_c___ctype_tolower_loc() { return {}; }
REX_FN rex_c_table<int, rex_c_toupper> rex_c___ctype_toupper_loc() { return {}; }
