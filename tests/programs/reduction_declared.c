/* declare reduction: on structures and scalars, with and without initializer, by expression and by function. */
#include "check.h"

#include <limits.h>
#include <stdlib.h>

#define N 500

struct extent {
    int low, high;
};

typedef struct {
    double re, im;
} complex_t;

static void widen(struct extent *to, const struct extent *by)
{
    if (by->low < to->low)
        to->low = by->low;
    if (by->high > to->high)
        to->high = by->high;
}

static void start(struct extent *e)
{
    e->low = INT_MAX;
    e->high = INT_MIN;
}

static complex_t product_of(complex_t a, complex_t b)
{
    complex_t result = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return result;
}

#pragma omp declare reduction(extend : struct extent : widen(&omp_out, &omp_in)) initializer(start(&omp_priv))
#pragma omp declare reduction(+ : complex_t : omp_out.re += omp_in.re, omp_out.im += omp_in.im)
#pragma omp declare reduction(mulc : complex_t : omp_out = product_of(omp_out, omp_in)) initializer(omp_priv = {1, 0})
#pragma omp declare reduction(biggest : int, long : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig)

/* A reduction that only host code asks for, by a function that only hosts can have. */
struct tally {
    int n;
};
static void join(struct tally *to, const struct tally *by)
{
    to->n += by->n + (getenv("NEVER_SET_BY_ANYONE") != NULL);
}
#pragma omp declare reduction(+ : struct tally : join(&omp_out, &omp_in))

int main(void)
{
    struct extent range = {50, 60};
    complex_t sum = {1, 2}, product = {1, 0};
    int top = -5, values[N];
    long ltop = 3;

    for (int i = 0; i < N; ++i)
        values[i] = (i * 77 + 5) % N - 100;

#pragma omp target teams distribute parallel for reduction(extend: range) map(to: values)
    for (int i = 0; i < N; ++i) {
        struct extent one = {values[i], values[i]};
        widen(&range, &one);
    }
    CHECK(range.low == -100 && range.high == N - 101);

#pragma omp target parallel for reduction(+: sum) map(tofrom: sum)
    for (int i = 0; i < N; ++i) {
        sum.re += i;
        sum.im -= 2 * i;
    }
    CHECK(sum.re == 1 + N * (N - 1) / 2 && sum.im == 2 - N * (N - 1));

#pragma omp target parallel for reduction(mulc: product) reduction(biggest: top, ltop)
    for (int i = 0; i < 6; ++i) {
        complex_t i_unit = {0, 1};
        product = product_of(product, i_unit);
        if (i * 2 > top)
            top = i * 2;
        if (ltop < i)
            ltop = i;
    }
    CHECK(product.re == -1 && product.im == 0 && top == 10 && ltop == 5);

    int deep = 0;
#pragma omp target map(tofrom: range, deep)
    {
        struct extent inner = {0, 0};
#pragma omp parallel for reduction(extend: inner)
        for (int i = 0; i < 40; ++i) {
            struct extent one = {-i, i};
            widen(&inner, &one);
        }
        range = inner;
#pragma omp parallel num_threads(3)
#pragma omp for reduction(biggest: deep)
        for (int i = 0; i < 40; ++i)
            deep = deep > i ? deep : i;
    }
    CHECK(range.low == -39 && range.high == 39 && deep == 39);

    struct tally on_host = {0};
    int on_device = 0;
#pragma omp parallel for reduction(+: on_host)
    for (int i = 0; i < N; ++i)
        on_host.n += i;
#pragma omp target teams distribute parallel for reduction(+: on_device)
    for (int i = 0; i < N; ++i)
        on_device += i;
    CHECK(on_host.n == N * (N - 1) / 2 && on_device == on_host.n);
    return CHECK_RESULT();
}
