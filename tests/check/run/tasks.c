/* Tasks in device code: what orders them is `taskwait`, the end of a `taskgroup`, `depend` and barriers. */
#include <stdio.h>

enum { N = 64 };
static int a[N], b[N];
struct pair { int first, second[4]; };

static void siblings(void)
{
    int x = 0, y = 0, z = 0;
#pragma omp target map(tofrom: x, y, z)
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
        x = 1;
#pragma omp task
        x = 2; // rex-expect: race
#pragma omp task
        y = 1;
#pragma omp taskwait
#pragma omp task
        y = 2;
        for (int i = 0; i < 8; ++i) {
#pragma omp task
#pragma omp atomic
            z += i;
        }
    }
}

static void counted(void)
{
    int x = 0, y = 0;
#pragma omp target map(tofrom: x, y)
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 8; ++i) {
#pragma omp task
        x += i; // rex-expect: race
#pragma omp task
#pragma omp critical
        y += i;
    }
}

/* The code that has made a task goes on beside it. */
static void code_behind(void)
{
    int x = 0, y = 0, z = 0;
#pragma omp target map(tofrom: x, y, z)
#pragma omp parallel num_threads(4)
#pragma omp masked
    {
        z = 1;
#pragma omp task
        x = z;
        y = x; // rex-expect: race
#pragma omp taskwait
        y = x;
#pragma omp task if(y > 100)
        z = 2;
        y = z;
    }
}

/* taskwait waits for the tasks that it has made, a taskgroup for those of them too. */
static void of_tasks(void)
{
    int x = 0, y = 0, z = 0;
#pragma omp target map(tofrom: x, y, z)
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            x = 1;
        }
#pragma omp taskwait
        y = x; // rex-expect: race
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                z = 1;
            }
        }
        y = z;
#pragma omp task
        {
#pragma omp task
            z = 3;
#pragma omp taskwait
            z++;
        }
#pragma omp taskwait
        y = z;
    }
}

static void barriers(void)
{
    int x = 0, y = 0;
#pragma omp target map(tofrom: x, y)
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
#pragma omp task
        x = 1;
#pragma omp single
        {
            y = 2;
#pragma omp task
            x = 2; // rex-expect: race
        }
#pragma omp single
        y += x;
    }
}

static void dependences(struct pair *p)
{
    int token = 0, x = 0, y = 0;
#pragma omp target map(tofrom: a, b, x, y, p[0:2])
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out: x)
        x = 1;
#pragma omp task depend(in: x) depend(out: y)
        y = 2;
#pragma omp task depend(in: x)
        a[0] = x;
#pragma omp task depend(in: y)
        x = 3; // rex-expect: race
        for (int i = 1; i < N; ++i)
#pragma omp task depend(inout: b[i]) depend(in: b[i - 1])
            b[i] += b[i - 1];
#pragma omp taskwait
        for (int i = 1; i < N; ++i)
#pragma omp task depend(inout: a[i])
            a[i] += a[i - 1]; // rex-expect: race
#pragma omp taskwait
#pragma omp task depend(out: p[0].second[1:2])
        p[0].second[1] = 1;
#pragma omp task depend(in: p->second[1])
        p->first = p->second[1];
#pragma omp task depend(in: p->second[2])
        p[1].first = p->second[1]; // rex-expect: race
#pragma omp taskwait
#pragma omp task depend(out: token)
        b[3] = 1;
#pragma omp task depend(in: token)
        a[3] = b[3];
#pragma omp task depend(mutexinoutset: token)
        b[3]++;
#pragma omp task depend(mutexinoutset: token)
        b[3]++;
#pragma omp taskwait depend(in: token)
        b[5] = b[3];
    }
}

static void loops(void)
{
    int s = 0, t = 0;
#pragma omp target map(tofrom: a, b, s, t)
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop
        for (int i = 1; i < N; ++i)
            a[i] = a[i - 1]; // rex-expect: race
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp taskloop collapse(2) num_tasks(3)
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
                t += a[8 * i + j]; // rex-expect: race
#pragma omp taskloop reduction(+: s)
        for (int i = 0; i < N; ++i) {
            if (i & 1)
                continue;
            s += a[i];
        }
#pragma omp taskloop nogroup
        for (int i = 0; i < N; ++i)
            b[i] = i;
        s += b[4]; // rex-expect: race
#pragma omp taskwait
        s += b[4];
#pragma omp taskloop num_tasks(1)
        for (int i = 1; i < N; ++i)
            b[i] += b[i - 1];
    }
}

/* More tasks than are kept in mind. */
static void many(void)
{
#pragma omp target map(tofrom: a)
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 5000; ++i) {
#pragma omp task
#pragma omp atomic
        a[i % N]++;
        if (i % 2000 == 0) {
#pragma omp taskwait
            a[0]++;
        }
    }
}

static void recursive(int *values, int n)
{
    if (n < 4) {
        for (int i = 1; i < n; ++i)
            values[i] += values[i - 1];
        return;
    }
#pragma omp task
    recursive(values, n / 2);
#pragma omp task
    recursive(values + n / 2, n - n / 2);
#pragma omp taskwait
    values[n - 1] += values[n / 2 - 1];
}

static void recursive_without_wait(int *values, int n)
{
    if (n < 4) {
        for (int i = 1; i < n; ++i)
            values[i] += values[i - 1];
        return;
    }
#pragma omp task
    recursive_without_wait(values, n / 2);
#pragma omp task
    recursive_without_wait(values + n / 2, n - n / 2);
    values[n - 1] += values[n / 2 - 1]; // rex-expect: race
}

static void divide(void)
{
#pragma omp target map(tofrom: a, b)
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        recursive(a, N);
        recursive_without_wait(b, N);
    }
}

int main(void)
{
    struct pair p[2] = {{0}};
    siblings();
    counted();
    code_behind();
    of_tasks();
    barriers();
    dependences(p);
    loops();
    many();
    divide();
    printf("%d %d\n", a[5], b[5]);
    return 0;
}
