/* Sections mapped when their base pointers are on the device already: variables, members, elements; reference counts. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdint.h>
#include <stdlib.h>

#define N 12

struct list {
    int n;
    int *p;
    int *q;
};

static int *global;
static int x[N], y[N];

static void fill(void)
{
    for (int i = 0; i < N; ++i) {
        x[i] = i;
        y[i] = 100 + i;
    }
}

static int element(int *const *p, int i)
{
    int seen = -1;
#pragma omp target map(from : seen)
    seen = (*p)[i];
    return seen;
}

/* Another pointer with the same value: what it leads to is mapped, and not attached to the caller's. */
static void enter(int *q, int n)
{
#pragma omp target enter data map(to : q[0:n]) // rex-ignore: leak: its caller has exit data of another name
}

static void variables(void)
{
    int *p = x, seen = -1, absent = 0;
    uintptr_t bits = 0;
    fill();
#pragma omp target enter data map(to : p)
#pragma omp target enter data map(to : p[0:N])
#pragma omp target map(p) map(from : seen)
    seen = p[3];
    CHECK(seen == 3 && element(&p, 4) == 4);
#pragma omp target data map(to : p[0:N])
    CHECK(element(&p, 5) == 5);
#pragma omp target update from(p)
    CHECK(p == x);
#pragma omp target update to(p)
    CHECK(element(&p, 6) == 6);
#pragma omp target exit data map(from : p[0:N])
    ABSENT(x);
    PRESENT(&p);
#pragma omp target exit data map(from : p)
    ABSENT(&p);
    CHECK(p == x);

    /* Counts: of the pointer and of the section, one each. */
#pragma omp target enter data map(alloc : p)
#pragma omp target enter data map(to : p[2:4])
#pragma omp target enter data map(to : p[2:4])
    CHECK(element(&p, 5) == 5);
    ABSENT(p);
#pragma omp target exit data map(from : p)
    ABSENT(&p);
    CHECK(p == x);
#pragma omp target exit data map(release : p[2:4])
    PRESENT(p + 2);
#pragma omp target exit data map(release : p[2:4])
    ABSENT(p + 2);

    /* Neither is new, or another pointer was mapped with the section: nothing is attached. */
#pragma omp target enter data map(to : p)
    enter(p, N);
#pragma omp target enter data map(to : p[0:N])
#pragma omp target map(p) map(from : bits)
    bits = (uintptr_t)p;
    CHECK(bits == (uintptr_t)x);
#pragma omp target exit data map(delete : p, p[0:N])
    ABSENT(&p);
    ABSENT(x);

    /* A pointer that was attached stays so. */
#pragma omp target enter data map(to : p)
#pragma omp target enter data map(to : p[0:N])
#pragma omp target map(always, to : p) map(from : seen)
    seen = p[1];
    CHECK(seen == 1);
#pragma omp target exit data map(delete : p, p[0:N])

    /* While a construct lasts. */
#pragma omp target data map(tofrom : p)
    {
#pragma omp target data map(tofrom : p[0:N]) use_device_ptr(p) if (!absent)
        {
#ifdef _OPENMP
            CHECK(!SEPARATE || p == omp_get_mapped_ptr(x, omp_get_default_device()));
#endif
        }
        ABSENT(x);
        int **const own = &p;
#pragma omp target map(tofrom : p[0:N])
        {
            (*own)[7] += 70;
            p[8] += 80;
        }
        CHECK(x[7] == 77 && x[8] == 88);
        ABSENT(x);
#pragma omp target enter data map(to : p[0:N]) if (absent)
        ABSENT(x);
#pragma omp target enter data map(to : p[0:N]) nowait depend(out : x)
#pragma omp taskwait
        CHECK(element(&p, 8) == 88);
#pragma omp target exit data map(delete : p[0:N])
        PRESENT(&p);
    }
    ABSENT(&p);
    CHECK(p == x);

    /* A pointer that is mapped through another one. */
    int **pp = &p;
#pragma omp target enter data map(to : pp[0:1])
#pragma omp target enter data map(to : p[0:N])
    CHECK(element(&p, 9) == 9);
    PRESENT(pp);
#pragma omp target exit data map(release : pp[0:1])
    ABSENT(&p);
#pragma omp target exit data map(release : p[0:N])
    ABSENT(x);

    /* A global one, and a variable that leads elsewhere later. */
    global = x;
#pragma omp target enter data map(to : global)
#pragma omp target enter data map(to : global[0:N])
    CHECK(element(&global, 2) == 2);
#pragma omp target exit data map(release : global[0:N])
    global = y;
#pragma omp target enter data map(to : global[0:N])
    CHECK(element(&global, 2) == 102);
#pragma omp target exit data map(release : global[0:N], global)
    ABSENT(&global);
    ABSENT(y);
}

static void of_members(struct list *s, int n)
{
    int seen[2] = {-1, -1};
#pragma omp target enter data map(to : s[0:1])
#pragma omp target enter data map(to : s->p[0:n])
#pragma omp target enter data map(to : s->q[1:2], s->p[0:n])
#pragma omp target map(tofrom : seen)
    {
        seen[0] = s->p[3];
        seen[1] = s->q[2];
        s->n = 5;
    }
    CHECK(seen[0] == 3 && seen[1] == 102 && s->p == x && s->q == y);
#pragma omp target update from(s[0:1])
    CHECK(s->n == 5 && s->p == x && s->q == y);
    s->n = 6;
#pragma omp target update to(s[0:1])
#pragma omp target map(tofrom : seen)
    seen[0] = s->p[s->n];
    CHECK(seen[0] == 6);

    /* Pointers that are attached stay so where `always` transfers the structure. */
    s->n = 8;
#pragma omp target map(always, to : s[0:1]) map(tofrom : seen)
    seen[0] = s->p[s->n];
    CHECK(seen[0] == 8);
    s->n = 9;
#pragma omp target data map(always, tofrom : s[0:1])
    {
#pragma omp target map(tofrom : seen)
        seen[0] = s->p[s->n]++;
    }
    CHECK(seen[0] == 9 && s->p == x && s->q == y);

    /* Sections come and go without the structure, and the structure without them. */
#pragma omp target exit data map(release : s->q[1:2], s->p[0:n])
    ABSENT(y + 1);
    PRESENT(x);
    PRESENT(s);
#pragma omp target exit data map(release : s->p[0:n])
    ABSENT(x);
    PRESENT(s);
#pragma omp target data map(to : s->p[0:n])
    {
#pragma omp target map(tofrom : seen)
        s->n = s->p[7];
    }
    PRESENT(s);
#pragma omp target enter data map(to : s->p[0:n])
#pragma omp target exit data map(from : s[0:1])
    ABSENT(s);
    PRESENT(x);
    CHECK(s->n == 7 && s->p == x && s->q == y);
#pragma omp target exit data map(release : s->p[0:n])
    ABSENT(x);

#pragma omp target enter data map(to : s[0:1], s->p[0:n])
#pragma omp target exit data map(release : s->p[0:n])
    ABSENT(x);
    PRESENT(s);
#pragma omp target enter data map(to : s->p[0:n])
#pragma omp target exit data map(release : s[0:1], s->p[0:n])
    ABSENT(x);
    ABSENT(s);
}

/* A structure that is not mapped itself: the pointers in it are, as often as sections through them. */
static void without_structure(void)
{
    struct list s = {N, x, y};
    int seen = -1;
    for (int i = 0; i < 2; ++i) {
#pragma omp target enter data map(to : s.p[0:N])
    }
#pragma omp target data map(present, to : s.p[0:N])
    {
#pragma omp target exit data map(release : s.p[0:N])
    }
    PRESENT(&s.p);
#pragma omp target map(s.p) map(from : seen)
    seen = s.p[1];
    CHECK(seen == 1);
#pragma omp target data map(to : s.p[0:N])
    {
#pragma omp target enter data map(to : s.p[0:N])
    }
    PRESENT(&s.p);
#pragma omp target exit data map(release : s.p[0:N])
#pragma omp target exit data map(release : s.p[0:N])
    ABSENT(&s.p);
    ABSENT(x);
#pragma omp target enter data map(to : s.p[0:N], s.q[0:N])
#pragma omp target exit data map(delete : s.p[0:N])
#pragma omp target exit data map(delete : s.q[0:N])
    ABSENT(&s.q);

    /* The structure comes after the section. */
#pragma omp target enter data map(to : s.p[0:N])
#pragma omp target map(tofrom : s) map(to : s.p[0:N]) map(from : seen)
    seen = s.p[s.n-- - 1];
    CHECK(seen == N - 1 && s.n == N - 1 && s.p == x);
    ABSENT(&s);
#pragma omp target enter data map(to : s.p[0:N])
#pragma omp target enter data map(to : s, s.p[0:N], s.q[0:N])
#pragma omp target map(from : seen)
    seen = s.p[s.n] + s.q[0];
    CHECK(seen == 111);
#pragma omp target exit data map(release : s, s.q[0:N])
    ABSENT(&s);
    ABSENT(y);
#pragma omp target exit data map(delete : s.p[0:N])
    ABSENT(x);

    /* The structure as a region finds it, then: its own, but for these pointers. */
    const struct list fixed = {3, x, y};
#pragma omp target data map(tofrom : s.p[0:N], fixed.q[0:N])
    {
#pragma omp target map(from : seen)
        {
            seen = s.p[s.n] + fixed.q[fixed.n];
            s.p[0] = -1;
            s.p += 1;
            s.n = 3;
        }
        CHECK(seen == 114 && s.n == 3);
        s.n = 4;
#pragma omp target parallel for map(from : seen)
        for (int i = 0; i < s.n; ++i)
            if (i == s.n - 1)
                seen = i;
        CHECK(seen == 3);
        PRESENT(&s.p);
    }
    CHECK(x[0] == -1 && (!SEPARATE || s.p == x) && s.q == y);
    s = (struct list){N, x, y};
    x[0] = 0;
    ABSENT(&s.p);
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s.p[0:N])
#pragma omp target exit data map(release : s)
    ABSENT(&s);
#pragma omp target exit data map(release : s.p[0:N])
    ABSENT(x);
}

static void many_rows(void)
{
    enum { ROWS = 997 };
    static int *table[ROWS];
    int sum = 0, first = 0;
    for (int k = 0; k < ROWS; ++k) {
        table[k] = (int *)malloc(2 * sizeof(int));
        table[k][0] = k;
        table[k][1] = -1;
    }
    for (int k = 0; k < ROWS; ++k) {
#pragma omp target enter data map(to : table[k * 7 % ROWS][0:2])
    }
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int k = 0; k < ROWS; ++k)
        sum += ++table[k][0];
    CHECK(sum == ROWS * (ROWS + 1) / 2);
    for (int k = 0; k < ROWS; k += 2) {
#pragma omp target exit data map(from : table[k * 5 % ROWS][0:2])
        ABSENT(table[k * 5 % ROWS]);
        ABSENT(&table[k * 5 % ROWS]);
    }
    PRESENT(&table[5]);
#pragma omp target enter data map(to : table)
#pragma omp target enter data map(to : table[0][0:2])
#pragma omp target map(from : first)
    first = table[0][0];
    CHECK(first == 1);
#pragma omp target exit data map(release : table)
#pragma omp target exit data map(release : table[0][0:2])
    ABSENT(table);
    for (int k = 1; k < ROWS; k += 2) {
#pragma omp target exit data map(from : table[k * 5 % ROWS][0:2])
    }
    for (int k = 0; k < ROWS; ++k) {
        ABSENT(table[k]);
        ABSENT(&table[k]);
        CHECK(table[k][0] == k + 1 && table[k][1] == -1);
        free(table[k]);
    }
}

/* Parts of a structure that constructs enter one by one, and one construct leaves. */
static void left_together(void)
{
    struct {
        int n, *a, *b;
        struct {
            int low, *buffer;
        } halo[2];
    } level = {7, x, y, {{0, x + 4}, {0, y + 4}}};
    int n = 0;
#pragma omp target enter data map(to : level.a[0:4], level.b[0:4])
    for (int k = 0; k < 2; ++k) {
#pragma omp target enter data map(to : level.halo[k].buffer[0:2])
    }
#pragma omp target enter data map(to : level.halo[1].buffer[0:2])
#pragma omp target exit data map(from : level.a[0:4])                                                                      map(release : level.b[0:4], level.halo[0].buffer[0:2], level.halo[1].buffer[0:2])
    ABSENT(&level.a);
    ABSENT(&level.halo[0].buffer);
    PRESENT(&level.halo[1].buffer);
    PRESENT(y + 4);
    // rex-ignore: double-release (deleting what is not mapped any more does nothing)
#pragma omp target exit data map(delete : level.halo[0].buffer[0:2], level.halo[1].buffer[0:2])
    ABSENT(&level.halo[1].buffer);
    for (int i = 0; i < 6; ++i) {
        ABSENT(x + i);
        ABSENT(y + i);
    }
#pragma omp target map(to : level, level.a[0:4]) map(from : n)
    n = level.n + level.a[1];
    CHECK(n == 7 + x[1]);
    ABSENT(&level);
}

/* Several threads map the same section, in any order. One at a time: libomptarget of LLVM 22.1 unlocks the entry of an
 * attached pointer twice if its neighbour in the table is the section, and a mutex of glibc notices. */
static void from_several_threads(void)
{
    struct list s = {N, x, y};
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 50; ++i) {
#pragma omp critical
        {
#pragma omp target enter data map(to : s.p[0:N])
        }
#pragma omp barrier
        PRESENT(&s.p);
#pragma omp barrier
#pragma omp critical
        {
#pragma omp target exit data map(release : s.p[0:N])
        }
#pragma omp barrier
        ABSENT(&s.p);
        ABSENT(x);
#pragma omp barrier
    }
}

int main(void)
{
    struct list s = {N, x, y};
    variables();
    fill();
    of_members(&s, N);
    without_structure();
    many_rows();
    left_together();
    from_several_threads();
    return CHECK_RESULT();
}
