/* Wrong: every update of a shared variable needs a reduction, atomic or critical. */
#define N 100
typedef struct { double sum; int count; } totals;

void sum_of_mapped(double *x, double *result)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: s)
    for (int i = 0; i < N; ++i)
        s += x[i]; // rex-expect: reduction
    *result = s;
}

int sum_of_copy(int *x)
{
    int s = 0;
#pragma omp target parallel for map(to: x[0:N]) firstprivate(s)
    for (int i = 0; i < N; ++i)
        s += x[i];
    int t = 0;
#pragma omp target map(to: x[0:N]) map(tofrom: t)
#pragma omp parallel for
    for (int i = 0; i < N; ++i)
        t = t + x[i]; // rex-expect: reduction
    return t;
}

int counted(void)
{
    int n = 0;
#pragma omp target teams distribute parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i)
        n++; // rex-expect: reduction
    return n;
}

int counted_by_teams(void)
{
    int n = 0;
#pragma omp target teams distribute map(tofrom: n)
    for (int i = 0; i < N; ++i)
        ++n; // rex-expect: reduction
    return n;
}

double product(double *x)
{
    double p = 1;
#pragma omp target teams distribute parallel for map(tofrom: p) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        p *= x[i]; // rex-expect: reduction
    return p;
}

unsigned bits(unsigned *x)
{
    unsigned all = 0;
#pragma omp target parallel for map(tofrom: all) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        all |= x[i]; // rex-expect: reduction
    return all;
}

int differences(int *x)
{
    int d = 0;
#pragma omp target parallel for map(tofrom: d) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        d = d - x[i]; // rex-expect: reduction
    return d;
}

int positive(int *x)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (x[i] > 0)
            n++; // rex-expect: reduction (likely)
    return n;
}

void histogram_of_one(int *h)
{
#pragma omp target teams distribute parallel for map(tofrom: h[0:4])
    for (int i = 0; i < N; ++i)
        h[2] += i; // rex-expect: reduction
}

void columns(double sums[4], double a[N][4])
{
#pragma omp target teams distribute parallel for map(tofrom: sums[0:4]) map(to: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 4; ++j)
            sums[j] += a[i][j]; // rex-expect: reduction
}

void in_parallel(void)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n)
    n += 2; // rex-expect: reduction
}

void of_two_loops(double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: s) map(to: x[0:N])
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
            s += x[i * 10 + j]; // rex-expect: reduction
}

void of_a_pointer(double *s, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: s[0:1]) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        *s += x[i]; // rex-expect: reduction
}

static int total;
#pragma omp declare target(total)
void of_a_global(void)
{
#pragma omp target parallel for
    for (int i = 0; i < N; ++i)
        total += i; // rex-expect: reduction
}

void the_other_way(double *x)
{
    double s = 0;
#pragma omp target parallel for map(tofrom: s) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        s = x[i] + s; // rex-expect: reduction
}

void in_nested_parallel(double *rows)
{
#pragma omp target teams distribute map(tofrom: rows[0:N])
    for (int i = 0; i < N; ++i) {
        double s = 0;
#pragma omp parallel for
        for (int j = 0; j < 8; ++j)
            s += j; // rex-expect: reduction
        rows[i] = s;
    }
}

static void add_to(double *sum, double x)
{
    *sum += x; // rex-expect: reduction
}
double in_a_function(int n, const double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        add_to(&s, x[i]);
    return s;
}

/* Right. */

double with_reduction(double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: s) reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += x[i];
    return s;
}

double with_atomic(double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: s)
    for (int i = 0; i < N; ++i)
#pragma omp atomic
        s += x[i];
    return s;
}

int with_critical(void)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        n++;
    return n;
}

double in_order(double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:N]) map(tofrom: s)
    for (int i = 0; i < N; ++i)
        s += x[i];
    return s;
}

double of_one_team(double *x)
{
    double s = 0;
#pragma omp target teams distribute num_teams(1) map(to: x[0:N]) map(tofrom: s)
    for (int i = 0; i < N; ++i)
        s += x[i];
    return s;
}

void row_sums(double *sums, double *a)
{
#pragma omp target teams distribute parallel for map(from: sums[0:N]) map(to: a[0:N * 4])
    for (int i = 0; i < N; ++i) {
        sums[i] = 0;
        for (int j = 0; j < 4; ++j)
            sums[i] += a[i * 4 + j];
    }
}

void nested_reduction(double *rows)
{
#pragma omp target teams distribute map(tofrom: rows[0:N])
    for (int i = 0; i < N; ++i) {
        double s = 0;
#pragma omp parallel for reduction(+: s)
        for (int j = 0; j < 8; ++j)
            s += j;
        rows[i] = s;
    }
}

void own_sum(double *rows)
{
#pragma omp target teams distribute parallel for map(tofrom: rows[0:N])
    for (int i = 0; i < N; ++i) {
        double s = 0;
        for (int j = 0; j < 8; ++j)
            s += j;
        rows[i] += s;
    }
}

void private_sum(double *rows)
{
    double s;
#pragma omp target teams distribute parallel for map(tofrom: rows[0:N]) private(s)
    for (int i = 0; i < N; ++i) {
        s = 0;
        s += rows[i];
        rows[i] = s;
    }
}

int the_one_thread(void)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n)
    {
#pragma omp single
        n++;
    }
    return n;
}

int of_the_master(void)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n)
    {
#pragma omp masked
        n++;
    }
    return n;
}

void blocks(double *sums)
{
#pragma omp target teams distribute parallel for map(tofrom: sums[0:N * 4])
    for (int i = 0; i < N; ++i)
        for (int j = i * 4; j < i * 4 + 4; ++j)
            sums[j] += j;
}

void array_reduction(double sums[4], double a[N][4])
{
#pragma omp target teams distribute parallel for map(tofrom: sums[0:4]) map(to: a[0:N]) reduction(+: sums[0:4])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 4; ++j)
            sums[j] += a[i][j];
}

int parallel_reduction(void)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n) reduction(+: n)
    n += 2;
    return n;
}

int silenced(void)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n) num_threads(2)
    for (int i = 0; i < N; ++i)
        n++; // rex-ignore: reduction: any number will do here
    return n;
}

int omp_get_thread_num(void);
int counts_of_threads(int n, const int *x)
{
    int own[N] = {0};
#pragma omp target parallel num_threads(8) map(tofrom: own) map(to: x[0:n])
    {
        int me = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; ++i)
            own[me] += x[i];
    }
    return own[0];
}
static void add_atomically(double *sum, double x)
{
#pragma omp atomic
    *sum += x;
}
double atomic_in_a_function(int n, const double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i) {
        double own = 0;
        add_atomically(&own, x[i]);
        add_atomically(&s, own);
    }
    return s;
}

void histogram(const int *x, int *counts)
{
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: counts[0:16])
    for (int i = 0; i < N; ++i)
        counts[x[i] & 15]++; // rex-expect: reduction (likely)
}

void histogram_with_atomic(const int *x, int *counts)
{
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: counts[0:16])
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        counts[x[i] & 15]++;
    }
}

void histogram_of_each_thread(const int *x, int *counts)
{
#pragma omp target teams distribute parallel for map(to: x[0:N]) reduction(+: counts[0:16])
    for (int i = 0; i < N; ++i)
        counts[x[i] & 15]++;
}

int as_a_running_sum(const int *x, int *before, int *behind, int *rows)
{
    int s = 0, t = 0, u = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: before[0:N]) reduction(+: s)
    for (int i = 0; i < N; ++i) {
        before[i] = s; // rex-expect: reduction (likely)
        s += x[i];
    }
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: behind[0:N]) reduction(+: t)
    for (int i = 0; i < N; ++i) {
        t += x[i];
        behind[i] = t - x[i]; // rex-expect: reduction (likely)
    }
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: rows[0:N])
    for (int i = 0; i < N; ++i) {
        int row = 0;
#pragma omp simd reduction(+: row)
        for (int j = 0; j < N; ++j)
            row += x[j];
        rows[i] = row;
    }
#pragma omp target parallel for map(to: x[0:N]) map(from: rows[0:N]) reduction(inscan, +: u)
    for (int i = 0; i < N; ++i) {
        u += x[i];
#pragma omp scan inclusive(u)
        rows[i] = u;
    }
    return s + t + u;
}
