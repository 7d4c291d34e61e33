/* dispatch: the call goes to the variant for it, unless novariants or nocontext say otherwise. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#ifndef REFERENCE /* gcc knows neither */
#pragma omp begin assumes no_openmp_routines
#endif
static int variant(int x) { return x + 20; }
#ifndef REFERENCE
#pragma omp end assumes
#pragma omp declare variant(variant) match(construct = {dispatch})
#endif
static int base(int x)
{
    return x + 1;
}

/* The device of a dispatch is the default one for the call; without its context the constructs around it count. */
static int default_device(int x)
{
    return x + omp_get_default_device();
}
static int in_parallel(int x)
{
    return x - 9;
}
#ifndef REFERENCE
#pragma omp declare variant(default_device) match(construct = {dispatch})
#pragma omp declare variant(in_parallel) match(construct = {parallel})
#endif
static int plain(int x)
{
    return x - 8;
}

static void fill_mapped(int n, int *a, int with)
{
#pragma omp target is_device_ptr(a)
    for (int i = 0; i < n; ++i)
        a[i] = with;
}
#ifndef REFERENCE
#pragma omp declare variant(fill_mapped) match(construct = {dispatch}) adjust_args(need_device_ptr: a) \
    adjust_args(nothing: n, with)
#endif
static void fill(int n, int *a, int with)
{
    for (int i = 0; i < n; ++i)
        a[i] = with + 1;
}

#ifndef REFERENCE
/* Arguments that only the variant has: interoperability objects, none where there is no foreign runtime. */
static int asked;
static int with_objects(int x, int *p, omp_interop_t target, omp_interop_t synchronised)
{
    if (target != omp_interop_none)
        asked += omp_get_interop_int(target, omp_ipr_device_num, NULL) == omp_get_default_device();
    if (synchronised != omp_interop_none)
        asked += omp_get_interop_ptr(synchronised, omp_ipr_targetsync, NULL) != NULL;
    return x + *p + (target == omp_interop_none) + (synchronised == omp_interop_none);
}
static void nothing_else(omp_interop_t object) { asked += 10 + (object != omp_interop_none); }
#pragma omp declare variant(with_objects) match(construct = {dispatch}) \
    append_args(interop(target), interop(prefer_type("cuda"), targetsync))
static int without(int x, int *p) { return x - *p; }
#pragma omp declare variant(nothing_else) match(construct = {dispatch}) append_args(interop(target, targetsync))
static void alone(void) { asked -= 1; }

static void objects(void)
{
    int two = 2, r = 0;
#pragma omp dispatch
    r = without(5, &two);
    CHECK(r + asked == 9 && (asked == 0 || asked == 2));
    asked = 0;
#pragma omp dispatch
    alone();
    CHECK(asked == 10 || asked == 11);
    asked = 0;
    alone();
    r = without(5, &two);
    CHECK(asked == -1 && r == 3);

    for (int i = 0; i < 2; ++i) {
        asked = 0;
#pragma omp dispatch novariants(i == 0)
        r = without(i + 7, &two);
        CHECK(i == 0 ? r == 5 && asked == 0 : r + asked == 12 && (asked == 0 || asked == 2));
#pragma omp dispatch nocontext(i) novariants(0)
        alone();
        CHECK(i == 0 ? asked >= 10 : asked < 10);
    }
}
#endif

int main(void)
{
    int a = 0, b = 0, c = 0, d = 0, e[2] = {0}, choose = 1, filled[4] = {0};

#ifdef REFERENCE
    a = variant(5);
    b = base(5);
    c = base(6);
    d = variant(7);
    e[0] = base(1);
    e[1] = variant(1);
    fill_mapped(4, filled, 6);
#else
#pragma omp dispatch
    a = base(5);
#pragma omp dispatch novariants(choose > 0)
    b = base(5);
    c = base(6);
#pragma omp target map(from: d)
    {
#pragma omp dispatch
        d = base(7);
    }
#pragma omp dispatch nocontext(choose > 1) depend(inoutset: filled[:2])
    choose = base(choose);
    CHECK(choose == 21);
#pragma omp target map(tofrom: e)
    for (int i = 0; i < 2; ++i) {
#pragma omp dispatch novariants(i == 0)
        e[i] = base(i);
    }
    e[0] += 1;
    e[1] -= 0;
    CHECK(e[0] == 2 && e[1] == 21);
#pragma omp target data map(tofrom: filled)
    {
#pragma omp dispatch
        fill(4, filled, 5 + 1);
    }
#pragma omp dispatch novariants(1)
    fill(1, filled, 5);
    CHECK(filled[0] == 6);

    int before = omp_get_default_device(), r = 0;
    for (int device = 0; device < 2; ++device)
#pragma omp dispatch device(device + 1)
        r += plain(10);
    CHECK(r == 23 && omp_get_default_device() == before);
#pragma omp parallel num_threads(1)
    {
#pragma omp dispatch nocontext(choose > 0)
        r = plain(10);
    }
    CHECK(r == 1);
#pragma omp dispatch nocontext(choose > 0)
    r = plain(10);
    CHECK(r == 2);
    objects();
#endif
    CHECK(plain(8) == 0 && in_parallel(9) == 0 && default_device(0) == omp_get_default_device());
    CHECK(a == 25 && b == 6 && c == 7 && d == 27);
    CHECK(e[0] == 2 && e[1] == 21 && filled[0] == 6 && filled[3] == 6);
    return CHECK_RESULT();
}
