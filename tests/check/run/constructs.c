/* Constructs that decide where and when a region runs, and what its iterations may rely on. */
#include <omp.h>
#include <stdio.h>

enum { N = 64 };
static int a[N], b[N], seen;

static void detached(void) {
    omp_event_handle_t e;
#pragma omp task detach(e) depend(out: a)
    {
#pragma omp target map(tofrom: a)
        a[0] += 1;
        omp_fulfill_event(e);
    }
#pragma omp task depend(in: a)
    seen += a[0];
#pragma omp taskwait
}

static void on_host(int n) {
#pragma omp target map(to: a) if(n > 100)
    a[1] = 5;
    seen += a[1];
#pragma omp target map(to: a) device(omp_get_initial_device())
    a[2] = 5;
    seen += a[2];
#pragma omp target data map(to: a) if(n > 100)
    {
#pragma omp target map(tofrom: a)
        a[3] = 5;
        seen += a[3];
    }
}

static void in_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp target map(tofrom: a)
            a[4] = 1;
        }
#pragma omp task
        {
#pragma omp target map(tofrom: b)
            b[4] = 1;
        }
#pragma omp taskwait
        seen += a[4] + b[4];
    }
}

static void in_parallel(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; ++i) {
        int own[16] = {0};
#pragma omp target map(tofrom: own)
        own[i] = i;
        int local = own[i];
#pragma omp atomic
        seen += local;
    }
}

static int always(void) {
    int s = 0;
#pragma omp target data map(tofrom: s)
    {
        s = 3;
#pragma omp target map(always, tofrom: s)
        s += 1;
        seen += s;
#pragma omp target map(tofrom: s)
        s += 1;
        seen += s; // rex-expect: stale-read-on-host
    }
    return s;
}

static void present(void) {
#pragma omp target enter data map(to: b)
#pragma omp target map(present, tofrom: b)
    b[3] = 3;
#pragma omp target exit data map(from: b)
    seen += b[3];
}

static void counts(void) {
#pragma omp target enter data map(to: b)
#pragma omp target enter data map(to: b)
#pragma omp target
    b[6] = 3;
#pragma omp target exit data map(from: b)
    seen += b[6]; // rex-expect: stale-read-on-host
#pragma omp target exit data map(from: b)
    seen += b[6];
}

static void big(void) {
    static double big[1 << 16];
#pragma omp target teams distribute parallel for simd map(from: big)
    for (int i = 0; i < 1 << 16; ++i) big[i] = i;
    seen += big[5];
#pragma omp target teams distribute parallel for simd map(tofrom: big)
    for (int i = 0; i < (1 << 16) - 1; ++i) big[i] = big[i + 1]; // rex-expect: race
}

static void scans(void) {
    int s = 0; int t[N];
#pragma omp target parallel for reduction(inscan, +: s) map(from: t)
    for (int i = 0; i < N; ++i) {
        s += i;
#pragma omp scan inclusive(s)
        t[i] = s;
    }
    seen += t[5];
#pragma omp target parallel for lastprivate(s) map(tofrom: t)
    for (int i = 0; i < N; ++i) { s = i; t[i] = s; }
    seen += s;
#pragma omp target parallel for ordered map(tofrom: t)
    for (int i = 1; i < N; ++i) {
        t[i] += 1;
#pragma omp ordered
        t[0] += t[i];
    }
    seen += t[0];
}

static void dynamic_loops(void) {
    int x[N] = {0}, s = 0;
#pragma omp target parallel num_threads(4) map(tofrom: x, s)
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < N; ++i) x[i] = i;
#pragma omp for schedule(guided) reduction(+: s)
        for (int i = 0; i < N; ++i) s += x[N - 1 - i];
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; ++i) x[i] += 1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; ++i) x[i] += 1;
    }
    seen += s + x[3];
    int y[N] = {0};
#pragma omp target parallel num_threads(4) map(tofrom: y)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; ++i) y[i] = i;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; ++i) y[i] += y[N - 1 - i]; // rex-expect: race
    }
    seen += y[3];
}
int main(void) { detached(); on_host(1); in_tasks(); in_parallel(); seen += always(); present(); counts(); big(); scans(); dynamic_loops(); printf("%d\n", seen); return 0; }
