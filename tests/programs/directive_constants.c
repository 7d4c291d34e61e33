/* Constants in directives mean what they mean in C: conditions of selectors, numbers of loops, sizes of tiles. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include <omp.h>
#include "check.h"

enum { ONE = 1, N = 3 };
typedef struct {
    char c[24];
} rec;
static const int fixed = 3;

static int two(void) { return 2; }
#ifndef REFERENCE
#pragma omp declare variant(two) match(user = {condition(sizeof(rec) == 24 && N == 3)})
#endif
static int chosen(void) { return 2 * ONE; }
#ifndef REFERENCE
#pragma omp declare variant(two) match(user = {condition(score(N * 8): N == 2)})
#endif
static int other(void) { return 3; }

#define TEXT(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))
#ifndef REFERENCE
#define HOLDS(it) \
    PRAGMA(omp metadirective when(user = {condition(it)}: parallel num_threads(2)) otherwise(nothing))
#else
#define HOLDS(it) PRAGMA(omp parallel num_threads((it) ? 2 : 1))
#endif
#define VARIANT(it) VARIANT_OF(it, #it)
#define VARIANT_OF(it, text)                                                  \
    do {                                                                      \
        int threads = 1;                                                      \
        _Pragma("omp target map(tofrom: threads)")                            \
        {                                                                     \
            HOLDS(it)                                                         \
            {                                                                 \
                _Pragma("omp atomic write")                                   \
                threads = omp_get_num_threads();                              \
            }                                                                 \
        }                                                                     \
        if (threads != ((it) ? 2 : 1)) {                                      \
            printf("line %d: the wrong variant: %s\n", __LINE__, text);       \
            ++check_failures;                                                 \
        }                                                                     \
    } while (0)

static void in_scope(int n)
{
    enum { N = 5 };
    const int ONE = n;
    VARIANT(N > 4);
    VARIANT(ONE > fixed);
    VARIANT(ONE > fixed && N > 4);
    const char bracket = n > 1 ? ')' : ',';
    VARIANT(bracket == ')');
    VARIANT(bracket == ',');
}

int main(void)
{
    int a[6][10] = {{0}};

    VARIANT(3 > 2 > 1);
    VARIANT(5 > 4 == 1);
    VARIANT((2 && 3) == 1);
    VARIANT(!1 == 2);
    VARIANT(!1 + 1);
    VARIANT(2 == 2 | 1);
    VARIANT(1 & 3 == 3);
    VARIANT(-7 / 2 == -3);
    VARIANT(-7 % 2 == -1);
    VARIANT(0u - 1 > 0);
    VARIANT(1 != 2 != 0);
    VARIANT(~0 == -1);
    VARIANT(6 & 2 != 2);
    VARIANT(1u << 31 >> 31 == 1);
    VARIANT(-1 >> 31 == -1);
    VARIANT((unsigned char)256);
    VARIANT('a' == 97 ? N == 3 : 1 / 0);
    in_scope(1);
    in_scope(9);
    CHECK(chosen() == 2);
    CHECK(other() == 3);

#pragma omp target teams distribute parallel for collapse(sizeof(rec) / 12) map(tofrom: a)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            a[i][j] += i * 10 + j;
#ifndef REFERENCE
#pragma omp target teams distribute parallel for collapse(ONE + 1) map(tofrom: a)
#pragma omp tile sizes(N - 1, sizeof(rec) / 6)
#endif
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            a[i][j] += i * 10 + j;
#ifndef REFERENCE
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
#pragma omp interchange permutation(N - 1, ONE)
#endif
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            a[i][j] += i * 10 + j;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 10; j++)
            CHECK(a[i][j] == 3 * (i * 10 + j));
    return CHECK_RESULT();
}
