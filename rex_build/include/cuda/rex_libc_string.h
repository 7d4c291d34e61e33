/* <string.h> and <strings.h>. Included by rex_libc.h. */
#pragma once

#include "../rex_bytes.h"

#define rex_c_strlen rex_bytes_strlen
#define rex_c_memcmp rex_bytes_memcmp
#define rex_c_memchr rex_bytes_memchr

REX_FN void *rex_c_memmove(void *to, const void *from, size_t size)
{
    char *t = static_cast<char *>(to);
    const char *f = static_cast<const char *>(from);
    if (t < f)
        for (size_t i = 0; i < size; ++i)
            t[i] = f[i];
    else
        for (size_t i = size; i > 0; --i)
            t[i - 1] = f[i - 1];
    return to;
}

REX_FN int rex_c_bcmp(const void *a, const void *b, size_t size) { return rex_c_memcmp(a, b, size); }
REX_FN void rex_c_bcopy(const void *from, void *to, size_t size) { rex_c_memmove(to, from, size); }
REX_FN void rex_c_bzero(void *s, size_t size) { memset(s, 0, size); }

REX_FN int rex_c_strncmp(const char *a, const char *b, size_t size)
{
    for (; size > 0; ++a, ++b, --size)
        if (*a != *b || !*a)
            return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
    return 0;
}

REX_FN int rex_c_strcmp(const char *a, const char *b) { return rex_c_strncmp(a, b, SIZE_MAX); }

REX_FN char *rex_c_strchr(const char *s, int c)
{
    for (; *s != static_cast<char>(c); ++s)
        if (!*s)
            return nullptr;
    return const_cast<char *>(s);
}

REX_FN char *rex_c_strrchr(const char *s, int c)
{
    for (const char *p = s + rex_c_strlen(s) + 1; p != s;)
        if (*--p == static_cast<char>(c))
            return const_cast<char *>(p);
    return nullptr;
}

#define rex_c_index rex_c_strchr
#define rex_c_rindex rex_c_strrchr

REX_FN char *rex_c_strncpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    for (; i < size && from[i]; ++i)
        to[i] = from[i];
    for (; i < size; ++i)
        to[i] = '\0';
    return to;
}

REX_FN char *rex_c_strcpy(char *to, const char *from)
{
    memcpy(to, from, rex_c_strlen(from) + 1);
    return to;
}

REX_FN char *rex_c_strcat(char *to, const char *from)
{
    rex_c_strcpy(to + rex_c_strlen(to), from);
    return to;
}

REX_FN char *rex_c_strncat(char *to, const char *from, size_t size)
{
    char *end = to + rex_c_strlen(to);
    for (; size > 0 && *from; --size)
        *end++ = *from++;
    *end = '\0';
    return to;
}

REX_FN size_t rex_c_strnlen(const char *s, size_t size)
{
    size_t length = 0;
    while (length < size && s[length])
        ++length;
    return length;
}

REX_FN char *rex_c_strstr(const char *s, const char *part)
{
    const size_t length = rex_c_strlen(part);
    for (; rex_c_strncmp(s, part, length) != 0; ++s)
        if (!*s)
            return nullptr;
    return const_cast<char *>(s);
}

REX_FN size_t rex_c_strspn(const char *s, const char *set)
{
    size_t length = 0;
    while (s[length] && rex_c_strchr(set, s[length]))
        ++length;
    return length;
}

REX_FN size_t rex_c_strcspn(const char *s, const char *set)
{
    size_t length = 0;
    while (s[length] && !rex_c_strchr(set, s[length]))
        ++length;
    return length;
}

REX_FN char *rex_c_strpbrk(const char *s, const char *set)
{
    s += rex_c_strcspn(s, set);
    return *s ? const_cast<char *>(s) : nullptr;
}

REX_FN char *rex_c_strtok_r(char *s, const char *set, char **rest)
{
    s = s ? s : *rest;
    s += rex_c_strspn(s, set);
    char *end = s + rex_c_strcspn(s, set);
    *rest = *end ? end + 1 : end;
    if (end == s)
        return nullptr;
    *end = '\0';
    return s;
}

REX_FN char *rex_c_stpncpy(char *to, const char *from, size_t size)
{
    rex_c_strncpy(to, from, size);
    return to + rex_c_strnlen(to, size);
}

REX_FN char *rex_c_strndup(const char *s, size_t size)
{
    const size_t length = rex_c_strnlen(s, size);
    char *copy = static_cast<char *>(rex_c_malloc(length + 1));
    if (!copy)
        return nullptr;
    copy[length] = '\0';
    return static_cast<char *>(memcpy(copy, s, length));
}

REX_FN char *rex_c_strdup(const char *s) { return rex_c_strndup(s, SIZE_MAX); }

REX_FN char *rex_c_stpcpy(char *to, const char *from)
{
    const size_t length = rex_c_strlen(from);
    memcpy(to, from, length + 1);
    return to + length;
}

REX_FN void *rex_c_mempcpy(void *to, const void *from, size_t size)
{
    return static_cast<char *>(memcpy(to, from, size)) + size;
}

REX_FN int rex_c_strncasecmp(const char *a, const char *b, size_t size)
{
    for (; size > 0; ++a, ++b, --size) {
        const int x = rex_c_tolower(static_cast<unsigned char>(*a)), y = rex_c_tolower(static_cast<unsigned char>(*b));
        if (x != y || !x)
            return x - y;
    }
    return 0;
}

REX_FN int rex_c_strcasecmp(const char *a, const char *b) { return rex_c_strncasecmp(a, b, SIZE_MAX); }
