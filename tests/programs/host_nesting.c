/* Host constructs that become several lines each, directly inside of one another: what is opened in one place is closed
 * in one place, the inner one first, and each of them may stand where any statement may. */
// reference: -fopenmp -foffload=disable -DREFERENCE -DALL_MEMORY=all,all2
#include "check.h"

#include <omp.h>

#ifndef ALL_MEMORY /* gcc 12 does not know it */
#define ALL_MEMORY omp_all_memory
#endif

static int all, all2, calls;

/* -- events -------------------------------------------------------------------------------------------------------- */

static void event_in_event(void)
{
    omp_event_handle_t first, second, third;
    int value = 0;

#pragma omp parallel num_threads(2) shared(first, second, third)
#pragma omp single
#pragma omp taskgroup
#pragma omp task detach(first)
#pragma omp task detach(second) depend(out : value)
#pragma omp task detach(third)
    {
        value = 7;
        omp_fulfill_event(third);
        omp_fulfill_event(first);
        omp_fulfill_event(second);
    }
    CHECK(value == 7);
}

static void data_around_events(int n)
{
    omp_event_handle_t first, second;
    int values[8] = {0};

#pragma omp parallel num_threads(2) shared(first, second, values)
#pragma omp single
#pragma omp target data map(tofrom : values[0 : n])
#pragma omp taskgroup
#pragma omp task detach(first)
#pragma omp target data map(alloc : values[0 : n])
#pragma omp task detach(second) if (0)
    {
#pragma omp target map(tofrom : values[0 : n])
        values[n - 1] += 3;
        omp_fulfill_event(first);
        omp_fulfill_event(second);
    }
    CHECK(values[n - 1] == 3);
}

static void listed(int n)
{
    omp_event_handle_t first, second;
    int value = 0;

#pragma omp parallel num_threads(2) default(none) shared(first, second, value) firstprivate(n)
#pragma omp single
#pragma omp taskgroup
#pragma omp task detach(first) default(none) shared(second, value) firstprivate(n)
#pragma omp task detach(second) default(none) shared(value) firstprivate(n, first)
    {
#pragma omp target map(tofrom : value)
        value += n;
        omp_fulfill_event(first);
        omp_fulfill_event(second);
    }
    CHECK(value == n);
}

#define EVENTS _Pragma("omp task detach(first)") _Pragma("omp task detach(second)")
#define BOTH { _Pragma("omp atomic") calls += 1; omp_fulfill_event(first); omp_fulfill_event(second); }

static void event_of_each(int n)
{
    omp_event_handle_t event;
    int done = 0;

#pragma omp parallel num_threads(2) shared(event, done)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < n; ++i)
#pragma omp task detach(event) shared(done)
    {
#pragma omp atomic
        done += i;
        omp_fulfill_event(event); /* that of this task */
    }
    CHECK(done == n * (n - 1) / 2);
}

static void anywhere(int n)
{
    omp_event_handle_t first, second;

    calls = 0;
#pragma omp parallel num_threads(2) shared(first, second)
#pragma omp single
    {
        if (n == 3)
            EVENTS BOTH
        else
#pragma omp task detach(first)
            omp_fulfill_event(first);
#pragma omp taskgroup
        for (int i = 0; i < 2; ++i)
#pragma omp task detach(first) if (0)
#pragma omp task detach(second) if (0)
            BOTH
#pragma omp taskwait
        switch (n) {
        case 3:
#pragma omp task detach(first)
#pragma omp task detach(second)
            BOTH
            break;
        default:
            n = 1;
        }
    }
    CHECK(calls == 4);
}

/* -- private copies and tasks ---------------------------------------------------------------------------------------- */

static void scopes(int a)
{
    omp_event_handle_t event;
    int seen = 0;

#pragma omp parallel num_threads(2) private(event) shared(seen) firstprivate(a)
    {
#ifndef REFERENCE
#pragma omp scope firstprivate(a)
#pragma omp scope firstprivate(a)
#endif
#pragma omp task detach(event) shared(seen)
        {
            a += 1;
#pragma omp atomic
            seen += a;
            omp_fulfill_event(event);
        }
    }
    CHECK(seen == 2 * (a + 1));
}

static void after_all(int n)
{
    int value = 0;

#pragma omp parallel num_threads(2) shared(value)
#pragma omp single
    {
        if (n)
#pragma omp task depend(inout : ALL_MEMORY)
            value = 5;
        else
#pragma omp task depend(inout : ALL_MEMORY)
#pragma omp task depend(inout : ALL_MEMORY)
            value = 6;
    }
    CHECK(value == 5);
}

static void in_order(int n)
{
    int last = 0, parts = 0;

#pragma omp parallel for lastprivate(conditional : last) num_threads(2)
    for (int i = 0; i < n; ++i) {
        if (i % 2)
            last = i;
#pragma omp parallel sections num_threads(2)
        {
#pragma omp atomic
            parts += 1;
#pragma omp section
#pragma omp atomic
            parts += 2;
        }
    }
    CHECK(last == 1 && parts == 3 * n);
}

static void one_iteration(void)
{
    int last = 0, order = 1;

#pragma omp parallel for lastprivate(conditional : last)
    for (int i = 1; i < 2; ++i) {
        last = i;
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
        for (int j = 0; j < 64; ++j)
#pragma omp ordered
            order = (order * 3 + j) % 1000;
    }
    int expected = 1;
    for (int j = 0; j < 64; ++j)
        expected = (expected * 3 + j) % 1000;
    CHECK(last == 1 && order == expected);
}

/* -- variants -------------------------------------------------------------------------------------------------------- */

#ifndef REFERENCE
#pragma omp begin declare variant match(device = {kind(nohost)})
static int chosen(int a)
{
    int r = 0;
#pragma omp scope firstprivate(a)
    r = a + 1;
    return r;
}
#pragma omp end declare variant
#endif
static int chosen(int a)
{
    return a + 1;
}

static int *same(int *p)
{
    return p;
}
#ifndef REFERENCE
static int *counted(int *p)
{
    ++calls;
    return p;
}
static int on_dispatch(int *p, int q)
{
    return *p + q;
}
#pragma omp declare variant(counted) match(implementation = {vendor(gnu)})
static int *pointer(int *p);
#pragma omp declare variant(on_dispatch) match(construct = {dispatch}) adjust_args(need_device_ptr : p)
static int dispatched(int *p, int q);
#endif
static int *pointer(int *p)
{
    ++calls;
    return same(p);
}
static int dispatched(int *p, int q)
{
    return *p + q;
}

static void variants(int n)
{
    int value = 0, r = 0, got = 0;

#pragma omp target map(tofrom : value)
    value = chosen(n);
    CHECK(value == n + 1);
    calls = 0;
    if (n == 3)
#pragma omp dispatch depend(inout : value)
        got = dispatched(pointer(&value), 2);
    else
#pragma omp dispatch
        got = dispatched(pointer(&value), 1);
    CHECK(got == n + 3 && calls == 1);
#pragma omp target parallel num_threads(2) map(tofrom : r)
    {
        int a = 3;
#pragma omp metadirective when(device = {kind(host)} : scope firstprivate(a)) otherwise(critical)
        {
            a += 1;
#pragma omp atomic
            r += a > 3;
        }
    }
    CHECK(r >= 1 && r <= 2);
}

/* -- names of the program's that generated text would like to have ------------------------------------------------ */

static void own_names(int rex_host)
{
    omp_event_handle_t __rex_location;
    int __rex_completion = 3, __rex_given_0 = 4, __rex_given_1 = 5, __rex_dependences = 0, seen = 0;
    int __rex_device = 6, got = 0, *__rex_default = &rex_host;

#pragma omp parallel num_threads(2) shared(seen, __rex_dependences) private(__rex_location)
#pragma omp single
#pragma omp task detach(__rex_location) depend(out : __rex_dependences) shared(__rex_dependences)
    {
        __rex_dependences = __rex_completion + rex_host;
        omp_fulfill_event(__rex_location);
    }
    CHECK(__rex_dependences == 3 + rex_host);
#pragma omp parallel num_threads(2) shared(seen)
    {
#ifndef REFERENCE
#pragma omp scope firstprivate(__rex_given_1, __rex_given_0)
#endif
#pragma omp atomic
        seen += __rex_given_0 * 10 + __rex_given_1;
    }
    CHECK(seen == 2 * 45);
#pragma omp dispatch device(__rex_device - 6)
    got = dispatched(__rex_default, __rex_device);
    CHECK(got == rex_host + 6);
    got = 0;
#pragma omp dispatch
    got = dispatched(&rex_host, 1);
    CHECK(got == rex_host + 1);
}

int main(void)
{
    event_in_event();
    data_around_events(8);
    listed(3);
    event_of_each(20);
    anywhere(3);
    scopes(4);
    after_all(1);
    in_order(2);
    one_iteration();
    variants(3);
    own_names(9);
    return CHECK_RESULT();
}
