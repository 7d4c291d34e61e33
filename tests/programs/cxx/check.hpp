// What the C++ programs use to check themselves: every failed check is printed, and counts in the exit status.
#pragma once
#include <cstdio>

inline int &failures()  // C++11 has no inline variables
{
    static int count = 0;
    return count;
}

template <class T, class U>
inline void check(const char *what, T found, U expected)
{
    if (!(found == expected)) {
        std::printf("%s is wrong\n", what);
        ++failures();
    }
}

inline int report()
{
    std::printf("%s\n", failures() ? "failed" : "passed");
    return failures() != 0;
}
