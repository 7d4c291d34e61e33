/* Memory that is written in ways in which no store is instrumented, or that the runtime writes, is not uninitialised or old. */
#include <complex.h>
#include <omp.h>
#include <stdlib.h>

enum { N = 64 };

struct hit {
    int index;
    float distance, at[3];
};

static struct hit found(int i)
{
    struct hit h = {i, 2, {3, 4, 5}};
    return h;
}
static double complex turned(double complex z) { return z * I; }

/* gcc leaves out what a function returns in memory. */
static int results_of_functions(void)
{
    struct hit hits[N];
    double complex z[N];
    int sum = 0;
#pragma omp target teams distribute parallel for map(from: hits, z)
    for (int i = 0; i < N; ++i) {
        hits[i] = found(i);
        hits[i].at[0] += hits[i].at[1];
        z[i] = turned(i);
    }
    for (int i = 0; i < N; ++i)
        sum += hits[i].index + (int)hits[i].at[0] + (int)cimag(z[i]);
    return sum;
}

static int x[N], y[N], *global;

static int element(int *const *p, int i)
{
    int seen = -1;
#pragma omp target map(from: seen)
    seen = (*p)[i];
    return seen;
}

/* Mapping what a pointer leads to attaches the pointer. */
static int attached_again(void)
{
    int sum = 0;
    global = x;
#pragma omp target enter data map(to: global)
#pragma omp target enter data map(to: global[0:N])
    sum += element(&global, 2);
#pragma omp target exit data map(release: global[0:N])
    global = y;
#pragma omp target enter data map(to: global[0:N])
    sum += element(&global, 2);
#pragma omp target exit data map(release: global[0:N], global)
    return sum;
}

/* The program's own memory is the device's copy. */
static int associated(void)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    int a[N], b[N], sum = 0;
    int *there = omp_target_alloc(sizeof a, device);
    for (int i = 0; i < N; ++i)
        a[i] = i;
    omp_target_memset(there, 0, sizeof a, device);
    omp_target_associate_ptr(a, there, sizeof a, 0, device);
#pragma omp target map(tofrom: sum)
    sum += a[1];
#pragma omp target update to(a)
#pragma omp target
    a[5] = 50;
    sum += a[4];
    sum += a[5]; // rex-expect: stale-read-on-host
#pragma omp target update from(a)
    sum += a[5];
    omp_target_disassociate_ptr(a, device);
    omp_target_memcpy(b, there, sizeof b, 0, 0, host, device);
    omp_target_free(there, device);
#pragma omp target map(tofrom: b)
    b[0] += b[5];
    return sum + a[5] + b[0];
}

/* A comment at the directive that maps, or at the other access, silences a finding, too. */
static int silenced(void)
{
    int a[4] = {0}, b[4] = {0}, seen = 0;
#pragma omp target data map(to: a, b) // rex-ignore: stale: the device keeps what it has
    {
        a[0] = 1;
#pragma omp target map(tofrom: seen)
        seen += a[0];
    }
#pragma omp target data map(to: a, b)
    {
        a[1] = 1; // rex-ignore: stale
        b[1] = 1;
#pragma omp target map(tofrom: seen)
        seen += a[1] + b[1]; // rex-expect: stale-read-on-device
    }
    return seen;
}

int main(void)
{
    return results_of_functions() + attached_again() + associated() + silenced() == 1;
}
