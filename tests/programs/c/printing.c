/* Every conversion of printf from device code, with flags, widths, precisions and length modifiers. */
// cflags: -std=gnu11
#include "../check.h"

#include <stddef.h>
#include <stdint.h>

int main(void)
{
    enum { WIDTH = 7 };
    int i = -42;
    double d = 3.14159;
#pragma omp target map(to: i, d)
    {
        float f = 0.5f;
        printf("%d %i %u %o %x %X %c %%\n", i, i + 1, 42u, 8u, 255u, 255u, 'z');
        printf("%ld %lld %lu %llx %hd %hhd %zu %td %jd\n", 1L << 40, -(1LL << 50), ~0ul, 255ull, (short)i, (signed char)i,
               sizeof(double), (ptrdiff_t)-3, (intmax_t)7);
        printf("%hhu %hu %zd %hhx\n", (unsigned char)300, (unsigned short)70000, (ptrdiff_t)5, 511);
        printf("%f %.2f %10.3f|%-10.1f|%+e %G %g %a\n", d, d, d, d, d, d * 1e10, (double)f, 1.0);
        printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o\n", i, i, i, 5, 5, 255, 8);
        printf("%s|%10s|%-10s|%.2s\n", "text", "right", "left", "cut");
        printf("%*d|%-*d|%.*f|%*.*f\n", WIDTH, i, WIDTH, i, 2, d, WIDTH, 1, d);
        printf("no arguments\n");
    }
    return CHECK_RESULT();
}
