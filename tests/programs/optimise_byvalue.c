// Structures that a region only reads reach it by value, and mapped where a program could see the difference.
#include "check.h"
#include <omp.h>

#define N 40

struct inner {
    short s;
    float f;
    double *far;
};
struct all {
    char c;
    double d;
    int i;
    const int *from;
    struct inner in;
    int *to;
    long l;
    unsigned char last[1]; /* with an array it is mapped */
};
struct plain {
    char c;
    double d;
    int i;
    const int *from;
    struct inner in;
    int *to;
    float tail; /* the last word is not whole */
};
struct named { /* C++ has these words, and generated names look like the others */
    int *class, n;
    struct {
        int *rex_value;
    } this;
};
struct odd { /* 12 bytes */
    int a, b, c;
};
enum colour { RED, GREEN = 70000 };
struct tiny {
    _Bool flag;
    enum colour colour;
    signed char small;
};
struct fixed {
    const int n; /* it cannot be set after its declaration */
    int m;
};
struct bits {
    unsigned low : 3, high : 13;
    int rest;
};
union either {
    int i;
    float f;
};
struct functions {
    int n;
    int (*call)(int);
};

/* Members of all sizes, sections that begin elsewhere, a nested structure. */
static int parts(struct plain p, struct odd o, struct tiny t)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: p.c, p.d, p.i, p.in.s, p.in.f, p.tail) \
    map(to: p.from[2:N - 2]) map(tofrom: p.to[0:N]) map(to: p.in.far[0:p.i])
    for (int i = 0; i < p.i; ++i) {
        p.to[i] += p.from[i + 2] + (int)p.in.far[i] + p.c + (int)p.d + p.in.s + (int)p.in.f + (int)p.tail;
        sum += o.a + 2 * o.b + 3 * o.c + t.flag + (t.colour == GREEN) + t.small;
    }
    return sum;
}

/* The same piece of memory through two members, in every distance. */
static void smooth(struct plain p, int columns)
{
#pragma omp target teams distribute parallel for map(to: p.i) map(tofrom: p.to[0:N]) map(to: p.from[0:N])
    for (int i = 0; i < p.i; ++i)
        for (int j = 0; j < columns; ++j)
            p.to[i * columns + j] = p.from[i * columns + j] + 1;
}

static int twice(struct odd o) { return 2 * (o.a + o.b + o.c); }

/* A copy that the region changes is its own; so is one whose address it takes. */
static int changed(struct odd o, struct odd first)
{
    int results[4] = {0};
#pragma omp target map(from: results) firstprivate(first)
    {
        struct odd *const at = &o;
        at->a += 5;
        first.b *= 3;
        results[0] = twice(o), results[1] = twice(first);
    }
    results[2] = o.a, results[3] = first.b; /* o is mapped both ways, first is a copy */
    return results[0] * 1000 + results[1] * 100 + results[2] * 10 + results[3];
}

/* A construct around the region has mapped the structure, and the copy on the device differs from the host's. */
static int mapped_around(struct odd o)
{
    int seen = 0;
#pragma omp target data map(to: o)
    {
#pragma omp target
        o.b = 77;
        o.b = 5; // rex-ignore: stale: the device keeps what it has
#pragma omp target map(from: seen)
        seen = o.b;
    }
    return seen;
}

static void map_elsewhere(struct odd *o)
{
#pragma omp target enter data map(to: o[0:1])
}
static void unmap_elsewhere(struct odd *o)
{
#pragma omp target exit data map(release: o[0:1])
}
static int mapped_by_another(struct odd o)
{
    int seen = 0;
    map_elsewhere(&o);
    o.c = -1;
#pragma omp target map(from: seen)
    seen = o.c; // rex-ignore: stale: the device keeps what it has
    unmap_elsewhere(&o);
    return seen;
}

static struct odd global = {1, 2, 3};
static int of_file_scope(void)
{
    int seen = 0;
#pragma omp target map(from: seen) firstprivate(global)
    seen = twice(global);
#pragma omp target
    global.a += 1;
#pragma omp target map(tofrom: seen)
    seen += twice(global);
    return seen;
}

/* The region runs later, the structure changes before. */
static int later(struct odd o)
{
    int seen = 0;
#pragma omp target nowait firstprivate(o) map(from: seen) depend(out: seen)
    seen = twice(o);
    o.a = 100;
#pragma omp taskwait
    return seen + o.a;
}

static int others(struct fixed f, struct bits b, union either e, struct functions g)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < 10; ++i)
        sum += f.n + f.m + (int)b.low + (int)b.high + b.rest + e.i + g.n;
    return sum;
}

static int with_array(struct all a, int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: a, a.from[0:N])
    for (int i = 0; i < n; ++i)
        sum += a.last[i % 1] + a.from[i] + (int)a.l;
    return sum;
}

/* All kinds of kernels; a null pointer is passed as it is. */
static int kinds(struct odd o, struct inner p)
{
    int sum = 0;
#pragma omp target parallel for reduction(+: sum)
    for (int i = 0; i < 10; ++i)
        sum += twice(o) + !p.far;
#pragma omp target map(tofrom: sum)
    sum += twice(o) + p.s + !p.far;
#pragma omp target parallel num_threads(1) map(tofrom: sum)
    sum += twice(o) + (int)p.f;
#pragma omp target teams distribute reduction(+: sum)
    for (int i = 0; i < 4; ++i) {
        int mine = 0;
#pragma omp parallel for reduction(+: mine)
        for (int j = 0; j < 4; ++j)
            mine += twice(o) + i + j;
        sum += mine;
    }
    return sum;
}

static int with_names(struct named s)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: s, s.class[0:s.n], s.this.rex_value[0:s.n])
    for (int i = 0; i < s.n; ++i)
        sum += s.class[i] * s.this.rex_value[i];
    return sum;
}

int main(void)
{
    int from[N], to[N], sums[4] = {0};
    double far[N];
    for (int i = 0; i < N; ++i)
        from[i] = i, to[i] = 100 * i, far[i] = 1000 * i;

    struct plain p = {3, 7.5, 30, from, {-2, 2.5f, far}, to, 9.5f};
    struct odd o = {1, 20, 300};
    struct tiny t = {1, GREEN, -4};
    CHECK(parts(p, o, t) == 30 * (1 + 40 + 900 + 1 + 1 - 4));
    for (int i = 0; i < N; ++i)
        CHECK(to[i] == 100 * i + (i < 30 ? i + 2 + 1000 * i + 3 + 7 - 2 + 2 + 9 : 0));
    for (int distance = -3; distance <= 3; ++distance) {
        int cells[2 * N] = {0}, wanted[2 * N] = {0};
        struct plain q = {0, 0, 1, cells + N / 2, {0, 0, 0}, cells + N / 2 + distance, 0};
#pragma omp target data map(tofrom: cells)
        smooth(q, N);
        for (int j = 0; j < N; ++j)
            wanted[N / 2 + distance + j] = wanted[N / 2 + j] + 1;
        for (int i = 0; i < 2 * N; ++i)
            CHECK(cells[i] == wanted[i]);
    }
    CHECK(changed(o, o) == 2 * 326 * 1000 + 2 * 361 * 100 + 60 + 20);
    int on_host = 1;
#pragma omp target map(from: on_host)
    on_host = omp_is_initial_device();
    CHECK(mapped_around(o) == (on_host ? 5 : 77));
    CHECK(mapped_by_another(o) == (on_host ? -1 : 300));
    CHECK(of_file_scope() == 12 + 14);
    CHECK(later(o) == 642 + 100);
    CHECK(others((struct fixed){1, 2}, (struct bits){3, 40, 500}, (union either){.i = 6000}, (struct functions){70000, 0}) == 765460);
    CHECK(with_array((struct all){0, 0, 0, from, {0, 0, 0}, to, 11, {5}}, 10) == 10 * 16 + 45);
    sums[0] = kinds(o, (struct inner){4, 8, 0});
    CHECK(sums[0] == 10 * 643 + (642 + 5) + (642 + 8) + 16 * 642 + 4 * (0 + 1 + 2 + 3) * 2);
    int one[3] = {1, 2, 3}, other[3] = {10, 20, 30};
    CHECK(with_names((struct named){one, 3, {other}}) == 140);
    return CHECK_RESULT();
}
