/* How the test programs check themselves: a condition that does not hold is printed and makes the exit status 1. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            printf("line %d: not true: %s\n", __LINE__, #condition);          \
            ++check_failures;                                                 \
        }                                                                     \
    } while (0)

/* The value for main to return. */
#define CHECK_RESULT() (puts(check_failures ? "failed" : "ok"), check_failures != 0)

#endif
