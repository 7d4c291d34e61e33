/* Functions of <string.h> that nvcc has for the host only: libstdc++'s builtins (std/rex_std_builtins.h) and those of C's
 * code (cuda/rex_libc_string.h) are these. This comes before all other text of the library and of libstdc++.
 */
#pragma once
#define REX_BYTES_FN __attribute__((host)) __attribute__((device)) inline

REX_BYTES_FN int rex_bytes_memcmp(const void *left, const void *right, decltype(sizeof 0) bytes)
{
    const unsigned char *p = static_cast<const unsigned char *>(left), *q = static_cast<const unsigned char *>(right);
    for (; bytes > 0; ++p, ++q, --bytes)
        if (*p != *q)
            return *p - *q;
    return 0;
}

REX_BYTES_FN void *rex_bytes_memchr(const void *text, int wanted, decltype(sizeof 0) bytes)
{
    const unsigned char *p = static_cast<const unsigned char *>(text);
    for (; bytes > 0; ++p, --bytes)
        if (*p == static_cast<unsigned char>(wanted))
            return const_cast<unsigned char *>(p);
    return nullptr;
}

REX_BYTES_FN constexpr decltype(sizeof 0) rex_bytes_strlen(const char *text)
{
    const char *end = text;
    while (*end)
        ++end;
    return static_cast<decltype(sizeof 0)>(end - text);
}
