/* Variadic functions of the program's own in device code: <stdarg.h>, calls by name and through pointers. */
#include "../check.h"

#include <stdarg.h>
#include <stdlib.h>

#define N 64

struct pair {
    double x;
    int n;
};
struct tiny {
    char c[3];
};

#pragma omp declare target
static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; ++i)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static double of_types(const char *types, va_list list)
{
    double total = 0;
    for (; *types; ++types)
        switch (*types) {
        case 'i':
            total += va_arg(list, int);
            break;
        case 'u':
            total += va_arg(list, unsigned long long);
            break;
        case 'd':
            total += va_arg(list, double);
            break;
        case 'p':
            total += *va_arg(list, int *);
            break;
        case 's':
            for (const char *text = va_arg(list, const char *); *text; ++text)
                total += *text;
            break;
        case 'P': {
            const struct pair pair = va_arg(list, struct pair);
            total += pair.x * pair.n;
            break;
        }
        case 't': {
            const struct tiny tiny = va_arg(list, struct tiny);
            total += tiny.c[0] + 3 * tiny.c[2];
            break;
        }
        case 'f':
            total += va_arg(list, double (*)(double))(2.0);
            break;
        }
    return total;
}

/* A copied list begins where the original was. */
static double mixed(const char *types, ...)
{
    va_list list, again;
    va_start(list, types);
    va_copy(again, list);
    double total = of_types(types, list);
    total += of_types(types, again) / 2;
    va_end(again);
    va_end(list);
    return total;
}

static double twice(double x)
{
    return 2 * x;
}
static int first_of(int first, ...)
{
    return first;
}
static int (*chosen(int which))(int, ...)
{
    return which ? sum : first_of;
}
static int deep(int n, ...)
{
    va_list list;
    va_start(list, n);
    const int value = n ? va_arg(list, int) + deep(n - 1, n, n) : 0;
    va_end(list);
    return value;
}
static void two_of(int *to, va_list *list)
{
    *to = va_arg(*list, int) * 100;
    *to += va_arg(*list, int);
}
static int through_a_pointer(int n, ...)
{
    int value;
    va_list list;
    va_start(list, n);
    two_of(&value, &list);
    value += va_arg(list, int) * 1000;
    va_end(list);
    return value;
}

static int integers(int i)
{
    const short narrow = (short)(i - 40000);
    const char letter = (char)('a' + i % 3);
    const _Bool odd = i & 1;
    const struct {
        unsigned bits : 5;
    } field = {(unsigned)i & 31u};
    return sum(5, i, narrow, letter, odd, field.bits) + sum(0) + first_of(3, 1.0, 2) + chosen(i & 1)(2, i, 5) + deep(3, 1, 2) +
           through_a_pointer(3, 1, 2, i);
}
static double everything(int i)
{
    int own = i * 7;
    const float real = (float)i * 0.25f;
    const struct pair pair = {1.5, i};
    const struct tiny tiny = {{(char)(i % 50), 2, 3}};
    return mixed("iudpsPtfi", (short)i, (unsigned long long)i << 33, real, &own, "hello", pair, tiny, twice, 9);
}
#pragma omp end declare target

int main(void)
{
    int *a = malloc(N * sizeof *a);
    double *d = malloc(N * sizeof *d);
#pragma omp target teams distribute parallel for map(from: a[0:N], d[0:N])
    for (int i = 0; i < N; ++i) {
        a[i] = integers(i);
        d[i] = everything(i);
    }
    for (int i = 0; i < N; ++i) {
        CHECK(a[i] == integers(i));
        CHECK(d[i] == everything(i));
    }
    free(a);
    free(d);
    return CHECK_RESULT();
}
