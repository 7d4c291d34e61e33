/* declare mapper: default and named, on target, data constructs and update; sections, nested mappers, local ones. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

typedef struct vec {
    int len;
    int unused[50];
    double *data;
} vec_t;

#pragma omp declare mapper(vec_t v) map(v, v.data[0:v.len])
#pragma omp declare mapper(lengths : struct vec v) map(to : v.len)
#pragma omp declare mapper(only_out : vec_t v) map(to : v.len) map(from : v.data[0:v.len])

struct pair {
    vec_t *first;
    vec_t second;
    int tag;
};
#pragma omp declare mapper(struct pair p) map(p.tag, p.second, p.first[0:2])

static vec_t make(int n, double start)
{
    vec_t v = {n, {0}, (double *)malloc((size_t)n * sizeof(double))};
    for (int i = 0; i < n; ++i)
        v.data[i] = start + i;
    return v;
}

static void one(void)
{
    vec_t v = make(20, 1);
    double *const host = v.data;
#pragma omp target
    for (int i = 0; i < v.len; ++i)
        v.data[i] *= 2;
    CHECK(v.data == host && v.data[0] == 2 && v.data[19] == 40);
    ABSENT(&v);
    ABSENT(v.data);

#pragma omp target teams distribute parallel for map(tofrom : v)
    for (int i = 0; i < v.len; ++i)
        v.data[i] += 1;
    CHECK(v.data[0] == 3 && v.data[19] == 41);

    int length = 0;
#pragma omp target map(mapper(lengths), tofrom : v) map(from : length)
    length = v.len;
    CHECK(length == 20);
    ABSENT(v.data);

#pragma omp target map(mapper(only_out), tofrom : v)
    for (int i = 0; i < v.len; ++i)
        v.data[i] = -i;
    CHECK(v.data == host && v.data[19] == -19);

    /* `to` keeps back what the region changes. */
#pragma omp target map(mapper(default), to : v)
    for (int i = 0; i < v.len; ++i)
        v.data[i] = 7;
    CHECK(!SEPARATE || v.data[3] == -3); // rex-ignore: lost-result: only the device changes
    ABSENT(v.data);
    free(v.data);
}

static void data_constructs(void)
{
    vec_t v = make(10, 0);
#pragma omp target data map(tofrom : v)
    {
        PRESENT(&v);
        PRESENT(v.data);
#pragma omp target
        v.data[4] = 44;
        CHECK(!SEPARATE || v.data[4] == 4); // rex-ignore: stale: nothing comes back yet
        v.data[5] = 55;
#pragma omp target update to(v)
#pragma omp target
        v.data[6] = v.data[5] + 1;
#pragma omp target update from(v)
        CHECK(v.data[6] == 56 && v.data[5] == 55);
    }
    ABSENT(&v);
    ABSENT(v.data);

#pragma omp target enter data map(to : v)
#pragma omp target map(alloc : v)
    v.data[0] = 99;
#pragma omp target exit data map(from : v)
    CHECK(v.data[0] == 99);
    ABSENT(&v);
    ABSENT(v.data);
    free(v.data);
}

static void sections(int n)
{
    vec_t *vs = (vec_t *)malloc((size_t)n * sizeof *vs), array[3];
    for (int i = 0; i < n; ++i)
        vs[i] = make(i + 1, i);
    for (int i = 0; i < 3; ++i)
        array[i] = make(4, i);

#pragma omp target map(tofrom : vs[0:n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < vs[i].len; ++j)
            vs[i].data[j] *= 10;
    for (int i = 0; i < n; ++i)
        CHECK(vs[i].len == i + 1 && vs[i].data[i] == 20.0 * i);
    ABSENT(vs);
    ABSENT(vs[0].data);

#pragma omp target
    for (int i = 0; i < 3; ++i)
        array[i].data[3] = -1;
    CHECK(array[0].data[3] == -1 && array[2].data[3] == -1 && array[2].data[2] == 4);

#pragma omp target enter data map(to : array)
#pragma omp target
    array[1].data[0] = 1000;
#pragma omp target update from(array[1:1])
    CHECK(array[1].data[0] == 1000);
#pragma omp target
    array[2].data[0] = 2000;
#pragma omp target exit data map(release : array)
    CHECK(!SEPARATE || array[2].data[0] == 2); // rex-ignore: lost-result: this does not come back
    ABSENT(array);
    ABSENT(array[2].data);

    for (int i = 0; i < n; ++i)
        free(vs[i].data);
    free(vs);
    for (int i = 0; i < 3; ++i)
        free(array[i].data);
}

static void nested(void)
{
    vec_t firsts[2] = {make(5, 0), make(6, 100)};
    struct pair p = {firsts, make(7, 200), 3};
#pragma omp target
    {
        p.first[0].data[4] = p.tag;
        p.first[1].data[5] = p.second.data[6];
        p.second.data[0] = p.first[1].len;
        p.tag = 77;
    }
    CHECK(firsts[0].data[4] == 3 && firsts[1].data[5] == 206 && p.second.data[0] == 6 && p.tag == 77);
    CHECK(p.first == firsts);
    ABSENT(&p);
    ABSENT(firsts);
    ABSENT(firsts[1].data);
    ABSENT(p.second.data);
    free(firsts[0].data), free(firsts[1].data), free(p.second.data);
}

static void local(void)
{
    struct box {
        int n, *cells;
    } b = {3, (int *)malloc(3 * sizeof(int))};
    b.cells[0] = b.cells[1] = b.cells[2] = 5;
#pragma omp declare mapper(struct box x) map(to : x.n) map(tofrom : x.cells[0 : x.n])
#pragma omp target
    for (int i = 0; i < b.n; ++i)
        b.cells[i] += i;
    CHECK(b.cells[0] == 5 && b.cells[2] == 7);
    ABSENT(b.cells);
    free(b.cells);
}

typedef struct {
    int n;
    vec_t v[4];
} set_t;
#pragma omp declare mapper(each : set_t s) map(to : s.n) map(iterator(i = 0 : s.n), to : s.v[i].len) \
    map(iterator(i = 0 : s.n), tofrom : s.v[i].data[0 : s.v[i].len])
#pragma omp declare mapper(grid : set_t s) map(iterator(i = 0 : s.n, int j = 1 : 3), tofrom : s.v[i].data[j])

static void iterated(void)
{
    set_t s[2] = {{3, {make(4, 0), make(2, 10), make(1, 20), {0}}}, {1, {make(5, 30), {0}, {0}, {0}}}};
    const int i = 1; /* the mapper's iterator has its name and must not be taken for it */
#pragma omp target map(mapper(each), tofrom : s[0])
    for (int k = 0; k < s[0].n; ++k)
        for (int j = 0; j < s[0].v[k].len; ++j)
            s[0].v[k].data[j] += 1;
    CHECK(s[0].v[0].data[3] == 4 && s[0].v[1].data[1] == 12 && s[0].v[2].data[0] == 21);
    ABSENT(s[0].v[1].data);
#pragma omp target map(mapper(each), tofrom : s[0 : i + 1])
    for (int k = 0; k < 2; ++k)
        s[k].v[0].data[0] = 7 + k;
    CHECK(s[0].v[0].data[0] == 7 && s[1].v[0].data[0] == 8);
#pragma omp target data map(mapper(each), to : s[0 : 2])
    {
        PRESENT(s[1].v[0].data);
#pragma omp target update to(mapper(grid) : s[i])
    }
    ABSENT(s[1].v[0].data);
}

int main(void)
{
    one();
    iterated();
    data_constructs();
    sections(6);
    nested();
    local();
    return CHECK_RESULT();
}
