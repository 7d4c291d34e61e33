/* Atomic updates in an inner loop, whose order the program defines: those of one operation may be made in any order, those
 * of several, or with a conversion in between, may not. */
#include <stdio.h>

enum { ROWS = 5, WIDTH = 40 };
static int c[ROWS];
static unsigned char narrow[ROWS];

static void show(const char *name)
{
    printf("%s:", name);
    for (int i = 0; i < ROWS; ++i)
        printf(" %d %d", c[i], narrow[i]);
    printf("\n");
    for (int i = 0; i < ROWS; ++i)
        c[i] = -20 * i, narrow[i] = i;
}

#define ROWS_IN_ANY_ORDER _Pragma("omp target teams distribute parallel for map(tofrom: c, narrow)")
#define ATOMIC _Pragma("omp atomic")
#define KERNEL(name, ...)                                                                                              \
    static void name(int rows, int width)                                                                              \
    {                                                                                                                  \
        ROWS_IN_ANY_ORDER                                                                                              \
        for (int i = 0; i < rows; ++i)                                                                                 \
            for (int j = 0; j < width; ++j) {                                                                          \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        show(#name);                                                                                                   \
    }

KERNEL(sums, ATOMIC c[i] += j; ATOMIC c[i] -= 3; ATOMIC c[i]++; ATOMIC narrow[i] += j;)
KERNEL(bits, ATOMIC c[i] ^= j * 77;)
KERNEL(two_operations, ATOMIC c[i] *= 3; ATOMIC c[i] += j;)
KERNEL(bits_of_two_kinds, ATOMIC c[i] |= 1 << (j & 15); ATOMIC c[i] &= ~(1 << (j & 7));)
KERNEL(fractions, ATOMIC c[i] += 0.5 * (j % 5);)
KERNEL(shifts, ATOMIC c[i] >>= 1; ATOMIC c[i] += j;)
KERNEL(divisions, ATOMIC narrow[i] /= 2; ATOMIC narrow[i] -= 7;)

int main(void)
{
    show("begin");
    sums(ROWS, WIDTH);
    bits(ROWS, WIDTH);
    two_operations(ROWS, WIDTH);
    bits_of_two_kinds(ROWS, WIDTH);
    fractions(ROWS, WIDTH);
    shifts(ROWS, WIDTH);
    divisions(ROWS, WIDTH);
    return 0;
}
