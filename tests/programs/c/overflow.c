/* -fwrapv: signed overflow wraps around in device code too, where neither nvcc nor g++ is told of the option. */
// cflags: -std=gnu11 -fwrapv -Wno-overflow
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
struct bits {
    int __attribute__((packed)) whole;
    int w : 32;
    long l : 40;
    int n : 5;
    unsigned u : 7;
};
struct holder {
    struct bits f[2];
    int x;
};
enum sign { MINUS = -1, PLUS = 1 };
static long twice(int x) { return x + x; }
/* In two versions: all threads of a team run the region of the one that the team calls. */
static int grows(int n, int x)
{
    int wrapped = 0;
#pragma omp parallel for reduction(+: wrapped)
    for (int i = 0; i < n; i++)
        wrapped += x + i < x;
    return wrapped;
}
static struct holder *at(struct holder *s, int *calls)
{
    ++*calls;
    return s;
}
int main(void)
{
    static long out[100];
    static struct holder s;
    int big = INT_MAX, small = INT_MIN, calls = 0, a[4] = {0}, n = 0;
    short sh = SHRT_MAX;
    unsigned short us = 65535;
    long l = LONG_MAX;
    signed char c = 127;
    volatile int v = INT_MAX;
    enum sign e = PLUS;
#pragma omp target map(tofrom: out, calls, n, s, a) firstprivate(v)
    {
        /* operators */
        out[n++] = big + 1 < big;
        out[n++] = big + 1;
        out[n++] = small - 1;
        out[n++] = big * big;
        out[n++] = us * us;
        out[n++] = -small;
        out[n++] = small == -small;
        out[n++] = big << 3;
        out[n++] = small << 1;
        out[n++] = l + 1 < l;
        out[n++] = l + big;
        out[n++] = l * 3;
        out[n++] = -(-l - 1);
        out[n++] = 'a' * big + (big > 0) - -1;
        out[n++] = (big + 1 ? big + 2 : 3);
        out[n++] = a[(big + 2) - small];
        out[n++] = INT_MIN - 1 < 0;
        out[n++] = (_Bool)(big + 1);
        out[n++] = abs(small);
        out[n++] = labs(-l - 1) < 0;
        out[n++] = __builtin_abs(small);
        out[n++] = twice(big);
        __int128 q = (__int128)1 << 126;
        q += q;
        out[n++] = q < 0;
        out[n++] = q - 1 > 0;
        switch (big + 1) {
        case INT_MIN:
            out[n++] = 1;
            break;
        default:
            out[n++] = 2;
        }
        static const int table[2] = {INT_MIN, -INT_MAX - 2};
        out[n++] = table[1] - 2;

        /* what changes its operand */
        out[n++] = sh++;
        out[n++] = sh;
        out[n++] = c++;
        out[n++] = c;
        int i = big;
        out[n++] = i++;
        out[n++] = i--;
        out[n++] = ++i;
        out[n++] = --i;
        i += 5;
        out[n++] = i;
        i -= big;
        out[n++] = i;
        i = 65536;
        i *= i;
        out[n++] = i;
        i = big;
        i <<= 4;
        out[n++] = i;
        long w = l;
        w++;
        out[n++] = w;
        w -= 2;
        out[n++] = w;
        w *= 7;
        out[n++] = w;
        sh += big;
        out[n++] = sh;
        us *= big;
        out[n++] = us;
        out[n++] = v++;
        v += big;
        out[n++] = v;
        a[1] = big;
        int k = 0;
        a[++k] += a[1];
        out[n++] = a[1] + k;
        e += 1;
        out[n++] = e + big;
        e = MINUS;
        e--;
        out[n++] = e;
        _Bool b = 1;
        b += big;
        out[n++] = b;
        out[n++] = at(&s, &calls)->x -= 9;
        out[n++] = at(&s, &calls)->x++;
        long count = 0;
        for (int j = big - 2; j > 0; j++)
            count++;
        out[n++] = count;

        /* bit-fields */
        s.f[0].w = big;
        s.f[0].w++;
        out[n++] = s.f[0].w;
        out[n++] = s.f[0].w--;
        out[n++] = s.f[0].w;
        s.f[0].whole = big;
        out[n++] = s.f[0].whole++;
        out[n++] = at(&s, &calls)->f[0].whole += big;
        out[n++] = at(&s, &calls)->f[0].w += big;
        out[n++] = at(&s, &calls)->f[0].n += 30;
        out[n++] = at(&s, &calls)->f[0].n++;
        out[n++] = s.f[0].u -= 9;
        s.f[1].l = 0x7fffffffffl;
        s.f[1].l++;
        out[n++] = s.f[1].l;
    }
    for (int i = 0; i < n; i++)
        printf("%d %ld\n", i, out[i]);

    int sum = 0, product = 1, shared = INT_MAX, shift = 3, old = 0;
    short narrow = 1;
#pragma omp target teams distribute parallel for reduction(+: sum) reduction(*: product)
    for (int i = 0; i < 1000; i++) {
        sum += i * 12345678;
        product *= 2 * i + 1;
    }
#pragma omp target parallel for map(tofrom: shared, narrow)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
        shared += i * 7654321;
#pragma omp atomic
        shared -= i;
#pragma omp atomic
        narrow *= 3;
    }
#pragma omp target map(tofrom: shift, old)
    {
#pragma omp atomic
        shift <<= 30;
#pragma omp atomic capture
        old = shift -= big;
    }
    int wrapped[2] = {0};
#pragma omp target map(tofrom: wrapped)
    {
        wrapped[0] = grows(10, big - 2);
#pragma omp parallel num_threads(1)
        wrapped[1] = grows(10, big - 3);
    }
    printf("%d %d\n", wrapped[0], wrapped[1]);
    printf("%d %d %d %d %d %d %d\n", calls, sum, product, shared, narrow, shift, old);
    return 0;
}
