/* Wrong: threads that share a variable write to it without an order between them. */
#define N 100

void temporary(double *x)
{
    double t;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) map(alloc: t)
    for (int i = 0; i < N; ++i) {
        t = x[i]; // rex-expect: race
        x[i] = t * t;
    }
}

void temporary_of_the_region(double *x)
{
    double t = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i) {
        t = 2 * x[i]; // rex-expect: race
        x[i] = t;
    }
}

void inner_index(double *x)
{
    int j;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        for (j = 0; j < 4; ++j) // rex-expect: race
            x[i] += j;
}

void declared_around_parallel(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
        double t;
#pragma omp parallel for
        for (int i = 0; i < N; ++i) {
            t = x[i]; // rex-expect: race
            x[i] = t + 1;
        }
    }
}

int last_one(int *x)
{
    int last;
#pragma omp target parallel for map(from: last) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        last = x[i]; // rex-expect: race
    return last;
}

int thread_number(void)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n)
    n = n * 2 + 1; // rex-expect: race
    return n;
}

void one_element(int *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[0] = i; // rex-expect: race
}

void teams_of_a_region(void)
{
    int n = 0;
#pragma omp target teams map(tofrom: n)
    n = n / 2 + 3; // rex-expect: race
}

void same_value(int *x, int *y)
{
    int found = 0;
#pragma omp target parallel for map(tofrom: found) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (x[i] > 10)
            found = 1; // rex-expect: race (likely)
    *y = found;
}

void all_rows(double a[N][4], double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 4; ++j)
            a[0][j] = x[i]; // rex-expect: race
}

int index_of(int *x)
{
    int where = -1;
#pragma omp target teams distribute parallel for map(tofrom: where) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (x[i] < 0)
            where = i; // rex-expect: race (likely)
    return where;
}

void maximum(int *x, int *y)
{
    int most = 0;
#pragma omp target teams distribute parallel for map(tofrom: most) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (x[i] > most)
            most = x[i]; // rex-expect: race
    *y = most;
}

void critical_of_teams(int *y)
{
    int n = 0;
#pragma omp target teams distribute parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        n = n + i; // rex-expect: race (likely)
    *y = n;
}

void read_beside_atomic(int *y)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i)
        if (n < 10) // rex-expect: race (likely)
#pragma omp atomic
            n++;
    *y = n;
}

#include <omp.h>
#pragma omp begin declare target
omp_lock_t one, other;
#pragma omp end declare target
void different_locks(int *y)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i) {
        omp_set_lock(&one);
        n++; // rex-expect: race (likely)
        omp_unset_lock(&one);
        omp_set_lock(&other);
        n -= 2;
        omp_unset_lock(&other);
    }
    *y = n;
}

void different_names(int *y)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i) {
#pragma omp critical(adding)
        n++; // rex-expect: race
#pragma omp critical(subtracting)
        n -= 2;
    }
    *y = n;
}

void for_teams(double *rows)
{
    double t;
#pragma omp target teams distribute map(tofrom: rows[0:N]) map(alloc: t)
    for (int i = 0; i < N; ++i) {
        t = i; // rex-expect: race
#pragma omp parallel for
        for (int j = 0; j < 1; ++j)
            rows[i] = t;
    }
}

void shared_by_clause(double *x)
{
    double t;
#pragma omp target map(tofrom: x[0:N])
#pragma omp parallel for shared(t)
    for (int i = 0; i < N; ++i) {
        t = x[i]; // rex-expect: race
        x[i] = t + 1;
    }
}

void elements_in_critical_sections(int *c)
{
#pragma omp target teams distribute parallel for map(tofrom: c[0:4])
    for (int i = 0; i < N; ++i) {
#pragma omp critical(one)
        for (int k = 0; k < 4; ++k)
            c[k]++; // rex-expect: race
#pragma omp critical(two)
        for (int k = 0; k < 4; ++k)
            c[k] -= 2;
    }
}

/* Right. */

void private_temporary(double *x)
{
    double t;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) private(t)
    for (int i = 0; i < N; ++i) {
        t = x[i];
        x[i] = t * t;
    }
}

void local_temporary(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i) {
        double t = x[i];
        x[i] = t * t;
    }
}

void own_index(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 4; ++j)
            x[i] += j;
}

int last_value(int *x)
{
    int last;
#pragma omp target parallel for map(from: last) lastprivate(last) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        last = x[i];
    return last;
}

int by_one_iteration(int *x)
{
    int last = 0;
#pragma omp target parallel for map(tofrom: last) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (i == N - 1)
            last = x[i];
    return last;
}

void by_one_thread(int *y)
{
    int n = 0;
#pragma omp target parallel map(tofrom: n)
    {
#pragma omp single
        n = 3;
    }
    *y = n;
}

void before_the_loop(double *x)
{
    double factor = 1;
#pragma omp target map(tofrom: x[0:N])
    {
        factor = 2;
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            x[i] *= factor;
    }
}

void per_team(double *rows)
{
#pragma omp target teams distribute map(tofrom: rows[0:N])
    for (int i = 0; i < N; ++i) {
        double t = i;
#pragma omp parallel for
        for (int j = 0; j < 1; ++j)
            rows[i] = t;
    }
}

void atomic_write(int *y)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i)
#pragma omp atomic write
        n = 1;
    *y = n;
}

void own_elements(int *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] = i;
}

void permuted(int *x, int *to)
{
#pragma omp target parallel for map(tofrom: x[0:N]) map(to: to[0:N])
    for (int i = 0; i < N; ++i)
        x[to[i]] = i;
}

void in_parallel_private(double *x)
{
    double t;
#pragma omp target map(tofrom: x[0:N])
#pragma omp parallel private(t)
    {
        t = 1;
#pragma omp for
        for (int i = 0; i < N; ++i)
            x[i] = t;
    }
}

void of_one_thread(int *y)
{
    int n;
#pragma omp target parallel num_threads(1) map(from: n)
    n = 1;
    *y = n;
}

void local_of_parallel(double *x)
{
#pragma omp target parallel map(tofrom: x[0:N])
    {
        double t = 2;
        t = t * 2;
#pragma omp for
        for (int i = 0; i < N; ++i)
            x[i] = t;
    }
}

void one_lock(int *y)
{
    int n = 0;
#pragma omp target parallel for map(tofrom: n)
    for (int i = 0; i < N; ++i) {
        omp_set_lock(&one);
        n++;
        omp_unset_lock(&one);
        omp_set_lock(&one);
        n -= 2;
        omp_unset_lock(&one);
    }
    *y = n;
}

void sections(int *y)
{
    int a = 0, b = 0;
#pragma omp target parallel sections map(tofrom: a, b)
    {
#pragma omp section
        a = 1;
#pragma omp section
        b = 1;
    }
    *y = a + b;
}
void elements_in_one_critical_section(int *c)
{
#pragma omp target parallel for map(tofrom: c[0:4])
    for (int i = 0; i < N; ++i) {
#pragma omp critical(one)
        for (int k = 0; k < 4; ++k)
            c[k]++;
#pragma omp critical(one)
        for (int k = 0; k < 4; ++k)
            c[k] -= 2;
    }
}
void one_thread_of_the_outer_team(int *levels)
{
#pragma omp target parallel map(tofrom: levels[0:1])
    {
#pragma omp parallel
        if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0)
            levels[0] = omp_get_level();
    }
}

int critical_in_teams(void)
{
    int s = 0;
#pragma omp target teams map(tofrom: s)
    {
#pragma omp critical(one)
        s += 1; // rex-expect: race (likely)
    }
    return s;
}

int critical_in_threads_of_teams(void)
{
    int s = 0;
#pragma omp target teams map(tofrom: s)
#pragma omp parallel for
    for (int i = 0; i < N; ++i)
#pragma omp critical
        s += i; // rex-expect: race (likely)
    return s;
}

void critical_in_each_team(int *x)
{
#pragma omp target teams num_teams(4) map(tofrom: x[0:4])
    {
        int s = 0;
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
#pragma omp critical
            s += i;
        x[omp_get_team_num()] = s;
    }
}

int a_lock_of_teams(void)
{
    int s = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp target teams distribute parallel for map(tofrom: s, lock)
    for (int i = 0; i < N; ++i) {
        omp_set_lock(&lock);
        s += i; // rex-expect: race (likely)
        omp_unset_lock(&lock);
    }
    return s;
}

void a_row_of_each_team(int a[8][N])
{
#pragma omp target teams distribute map(tofrom: a[0:8])
    for (int i = 0; i < 8; ++i) {
#pragma omp parallel for
        for (int k = 0; k < N; ++k)
#pragma omp critical
            a[i][0] += k;
    }
}

void regions_of_host_threads(int *x)
{
#pragma omp target data map(tofrom: x[0:N])
#pragma omp parallel num_threads(4)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = x[i] / 2 + i; // rex-expect: race
}
void mapped_by_host_threads(int *x)
{
#pragma omp parallel for
    for (int k = 0; k < 4; ++k) {
#pragma omp target map(tofrom: x[0:N])
        x[5] = 2 * x[5] + k; // rex-expect: race
    }
}
void sections_of_a_region(void)
{
    int one = 0;
#pragma omp target map(tofrom: one)
#pragma omp parallel sections
    {
        one = 1;
#pragma omp section
        one = 2; // rex-expect: race
    }
}
void sections_of_the_host(int *x, int *sum)
{
#pragma omp target data map(tofrom: x[0:N])
#pragma omp parallel sections
    {
#pragma omp section
#pragma omp target
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp section
#pragma omp target map(tofrom: sum[0:1])
        for (int i = 0; i < N; ++i)
            sum[0] += x[i]; // rex-expect: race
    }
}
void no_barrier(int *x, int *y)
{
#pragma omp target parallel map(tofrom: x[0:N], y[0:N])
    {
#pragma omp for nowait
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp for
        for (int i = 0; i < N; ++i)
            y[i] = x[N - 1 - i]; // rex-expect: race (likely)
    }
}
void one_element_without_a_barrier(int *x, int *y)
{
#pragma omp target parallel map(tofrom: x[0:N], y[0:1])
    {
#pragma omp for nowait
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp single
        y[0] = x[9]; // rex-expect: race (likely)
    }
}
void teams_do_not_wait(int *x, int *y)
{
#pragma omp target teams map(tofrom: x[0:N], y[0:N])
    {
#pragma omp distribute
        for (int i = 0; i < N; ++i)
            x[i] += y[i];
#pragma omp distribute
        for (int i = N - 1; i >= 0; --i)
            y[i] = 2 * x[i]; // rex-expect: race (likely)
    }
}
void tasks(int *x)
{
#pragma omp target data map(tofrom: x[0:N])
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp target
            x[0] = 1;
        }
#pragma omp task
        {
#pragma omp target
            x[0] += 2; // rex-expect: race
        }
    }
}
/* Right: the parts that may run at the same time use different elements, or something orders them. */
void parts_in_order(int *x, int *y, int *z)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i) {
#pragma omp parallel num_threads(3)
        x[i] += i;
    }
#pragma omp target data map(tofrom: x[0:N], y[0:N], z[0:N])
    {
#pragma omp parallel num_threads(2)
        {
            const int first = omp_get_thread_num() * N / 2;
#pragma omp target
            for (int i = first; i < first + N / 2; ++i)
                x[i] = i;
#pragma omp master
            {
#pragma omp target
                x[0] = 1;
            }
#pragma omp critical
            {
#pragma omp target
                y[0] += 1;
            }
        }
#pragma omp parallel for
        for (int k = 0; k < N / 4; ++k) {
            int own[4] = {k, k, k, k};
#pragma omp target map(tofrom: own)
            for (int i = 0; i < 4; ++i)
                x[4 * k + i] = own[i]++;
        }
#pragma omp parallel sections
        {
#pragma omp section
#pragma omp target
            for (int i = 0; i < N / 2; ++i)
                x[i] = i;
#pragma omp section
#pragma omp target
            for (int i = N / 2; i < N; ++i)
                x[i] = y[i];
        }
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out: x[0])
            {
#pragma omp target
                x[0] = 1;
            }
#pragma omp task depend(inout: x[0])
            {
#pragma omp target
                x[0] += 2;
            }
#pragma omp taskwait
#pragma omp task
            {
#pragma omp target
                x[0] += 2;
            }
        }
    }
#pragma omp target parallel map(tofrom: x[0:N], y[0:N], z[0:N])
    {
#pragma omp for nowait
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp for nowait
        for (int j = 0; j < N; ++j)
            y[j] = x[j];
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < N; ++i)
            z[i] = x[N - 1 - i];
#pragma omp for
        for (int i = 0; i < N; ++i)
            x[i] = z[N - 1 - i];
    }
}
void smoothed_in_place(int steps, double *x)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: x[0:100])
    for (int s = 0; s < steps; ++s)
        for (int i = 1; i < 99; ++i)
            x[i] *= (x[i - 1] + x[i + 1]) / 2; // rex-expect: race
}

int read_and_written_back(const int *x)
{
    int balance = 0, last = 0, turn = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: balance, last)
    for (int i = 0; i < N; ++i) {
        int seen, old;
#pragma omp atomic read
        seen = balance;
        seen += x[i];
#pragma omp atomic write
        balance = seen; // rex-expect: race (likely)
#pragma omp atomic read
        old = last;
        if (old < x[i]) {
#pragma omp atomic write
            last = x[i];
        }
    }
#pragma omp target parallel num_threads(4) map(tofrom: turn)
    {
        int seen;
        do {
#pragma omp atomic read
            seen = turn;
        } while (seen != omp_get_thread_num());
#pragma omp atomic write
        turn = seen + 1;
    }
    return balance + last + turn;
}
