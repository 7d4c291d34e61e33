/* Directives that move or hold data for nothing, and some that do not. */
#include <stdlib.h>

enum { N = 1000 };

static int unchanged_again(const int *a)
{
    int sum = 0;
    for (int k = 0; k < 10; ++k) {
#pragma omp target map(to: a[0:N]) map(tofrom: sum) // rex-advice: needless-transfer
        for (int i = 0; i < N; ++i)
            sum += a[i] * k;
    }
    return sum;
}

static void there_and_back(int *a)
{
    for (int k = 0; k < 10; ++k) {
#pragma omp target map(tofrom: a[0:N]) // rex-advice: needless-transfer unread-result
        for (int i = 0; i < N; ++i)
            a[i] += k;
    }
}

static int never_read(const int *a)
{
    int *b = calloc(N, sizeof(int)), sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N]) map(tofrom: sum) // rex-advice: unread-result
    for (int i = 0; i < N; ++i)
        sum += b[i] = a[i];
    free(b);
    return sum;
}

static int never_used(int *a, int *b)
{
#pragma omp target map(tofrom: a[0:N]) map(to: b[0:N]) // rex-advice: unused-mapping
    a[0] += 1;
    return a[0];
}

static void held_for_nothing(int *a)
{
    for (int k = 0; k < 10; ++k) {
#pragma omp target data map(alloc: a[0:N]) // rex-advice: unused-mapping
        a[k] = k;
    }
}

static int allocated_again(int *t)
{
    int sum = 0;
    for (int k = 0; k < 10; ++k) {
#pragma omp target map(alloc: t[0:N]) map(tofrom: sum) // rex-advice: repeated-allocation
        for (int i = 0; i < N; ++i)
            sum += t[i] = k;
    }
    return sum;
}

static int updated_again(int *a)
{
    int sum = 0;
#pragma omp target data map(to: a[0:N])
    for (int k = 0; k < 4; ++k) {
#pragma omp target update to(a[0:N]) // rex-advice: needless-transfer
#pragma omp target map(tofrom: sum)
        for (int i = 0; i < N; ++i)
            sum += a[i];
    }
    return sum;
}

static int updated_for_nothing(int *a)
{
#pragma omp target data map(to: a[0:N])
    for (int k = 0; k < 4; ++k) {
#pragma omp target
        for (int i = 0; i < N; ++i)
            a[i] += 1;
#pragma omp target update from(a[0:N]) // rex-advice: unread-result
    }
    return a[3];
}

static int always_other_data(int *a, int *b)
{
    int sum = 0;
    for (int k = 0; k < 20; ++k) {
        for (int i = 0; i < N; ++i)
            a[i] = i + k;
#pragma omp target map(to: a[0:N]) map(from: b[0:N]) // rex-advice: repeated-allocation
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + 1;
        sum += b[k];
    }
#pragma omp target data map(alloc: a[0:N], b[0:N])
    for (int k = 0; k < 20; ++k) {
        for (int i = 0; i < N; ++i)
            a[i] = i + k;
#pragma omp target map(always, to: a[0:N]) map(always, from: b[0:N])
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + 1;
        sum += b[k];
    }
    return sum;
}

/* Two arrays change places: what comes back goes to the device again at once. */
static int in_turns(int *a, int *b)
{
    for (int k = 0; k < 10; ++k) {
#pragma omp target map(to: a[0:N]) map(from: b[0:N]) // rex-advice: needless-transfer unread-result
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + i;
        int *const t = a;
        a = b;
        b = t;
    }
    return a[3];
}

static int used_by_the_next(int *a)
{
    int sum = 0;
#pragma omp target map(from: a[0:N]) // rex-advice: unread-result
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target map(to: a[0:N]) map(tofrom: sum) // rex-advice: needless-transfer
    for (int i = 0; i < N; ++i)
        sum += a[i];
    return sum;
}

static int updated_for_use(int *a)
{
    int sum = 0;
#pragma omp target data map(to: a[0:N])
    for (int k = 0; k < 4; ++k) {
#pragma omp target
        for (int i = 0; i < N; ++i)
            a[i] += 1;
#pragma omp target update from(a[0:N])
        sum += a[k];
    }
    return sum;
}

/* What `exit data` copies is its matter, not that of `enter data`. */
static int left_for_nothing(void)
{
    static int a[N];
#pragma omp target enter data map(to: a)
#pragma omp target
    for (int i = 0; i < N; ++i)
        a[i] += i;
#pragma omp target exit data map(from: a) // rex-advice: unread-result
    return 1;
}

static int all_of_use(int *a, int *b)
{
    int sum = 0;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < N; ++i)
            a[i] = i + k;
#pragma omp target map(to: a[0:N]) map(from: b[0:N])
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + 1;
        sum += b[k];
    }
#pragma omp target data map(to: a[0:N])
    for (int k = 0; k < 4; ++k) {
        a[k] += 100;
#pragma omp target update to(a[0:N])
#pragma omp target map(tofrom: sum)
        for (int i = 0; i < N; ++i)
            sum += a[i];
    }
    return sum;
}

int main(void)
{
    int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int)), sum = 0;
    sum += unchanged_again(a);
    there_and_back(a);
    held_for_nothing(b);
    sum += a[3] + never_read(a) + never_used(a, b) + allocated_again(b) + updated_again(a);
    sum += updated_for_nothing(a) + updated_for_use(a) + all_of_use(a, b);
    sum += left_for_nothing() + in_turns(a, b) + used_by_the_next(a) + always_other_data(a, b);
    free(a);
    free(b);
    return sum == 1;
}
