/* firstprivate: copies that begin with the original's value: scalars, arrays, structures, for target, teams and threads. */
#include "check.h"

#include <omp.h>

#define N 128

struct options {
    int n;
    float factor;
    char name[6];
};

/* Variables that have no address in C, as older code has them. */
static int in_registers(n, step)
int n;
register int step;
{
    int sum = 0;
    register int i, first = 1, last = n;
#pragma omp target map(tofrom: sum)
    for (i = first; i < last; i += step)
        sum += i;
    for (register long k = 1; k < 3; ++k)
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
        for (int j = first; j < last; ++j)
            sum += (int)k * step;
    return sum;
}

struct sample {
    int count;
    double weight;
    short parts[2];
};

/* Copies of what is const or volatile, which C++ does not copy by itself. */
static void qualified(void)
{
    const int table[4] = {1, 2, 3, 4};
    volatile int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const struct sample fixed = {1, 2.5, {3, 4}};
    volatile struct sample loose = {5, 6.5, {7, 8}}, last, row[2];
    volatile double weight = 0.5;
    int sum = 0, ends[2] = {0};
    double weights = 0;
#pragma omp target teams distribute parallel for firstprivate(table, grid, fixed, loose, weight) \
    lastprivate(last, row) reduction(+: sum, weights)
    for (int i = 0; i < 8; i++) {
        sum += table[i % 4] + grid[1][i % 3] + fixed.parts[1] + loose.parts[0];
        weights += weight * fixed.weight + loose.weight;
        last.count = i;
        row[1].parts[0] = i;
    }
    CHECK(sum == 20 + 39 + 32 + 56 && weights == 8 * (0.5 * 2.5 + 6.5));
    CHECK(last.count == 7 && row[1].parts[0] == 7);
#pragma omp target map(tofrom: ends) firstprivate(table, loose)
    {
        loose.count += table[3]; // rex-ignore: lost-result: copies are tested
#pragma omp parallel num_threads(2) firstprivate(table, grid, loose)
#pragma omp single
        {
            grid[0][0] += loose.count;
            ends[0] = grid[0][0] + table[1];
        }
#pragma omp task firstprivate(loose) shared(ends)
        ends[1] = loose.count;
#pragma omp taskwait
    }
    CHECK(ends[0] == 1 + 9 + 2 && ends[1] == 9 && loose.count == 5 && grid[0][0] == 1);
}

int main(void)
{
    int a[N], offset = 10, table[4] = {1, 2, 3, 4}, result = 0;
    double d = 0.25;
    unsigned char byte = 200;
    struct options o = {N, 1.5f, "abc"};
    float out[N];

#pragma omp target firstprivate(offset, d, byte) map(from: result)
    {
        offset += (int)(d * 8) + byte;
        d = 0;
        result = offset;
    }
    CHECK(result == 212 && offset == 10 && d == 0.25 && byte == 200);

#pragma omp target firstprivate(table) map(from: result)
    {
        table[0] += 100;
        result = table[0] + table[3];
    }
    CHECK(result == 105 && table[0] == 1);

#pragma omp target teams distribute parallel for firstprivate(o, offset) map(from: out)
    for (int i = 0; i < o.n; ++i) {
        out[i] = o.factor * (float)i + (float)offset;
        if (o.name[1] != 'b')
            out[i] = -1;
    }
    for (int i = 0; i < N; ++i)
        CHECK(out[i] == 1.5f * (float)i + 10.0f);

    /* Every thread has its own array, with the first values, and keeps it over its iterations. */
#pragma omp target parallel for firstprivate(table) map(from: a) schedule(static, 1)
    for (int i = 0; i < N; ++i) {
        int before = table[1];
        table[1] = before;
        table[2] = i;
        a[i] = table[0] + table[1] + table[2] + table[3];
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 7 + i);
    CHECK(table[2] == 3);

    int wrong = 0;
#pragma omp target parallel firstprivate(offset, table) reduction(+: wrong) num_threads(8)
    {
        offset += omp_get_thread_num();
        table[0] += offset;
#pragma omp barrier
        wrong += offset != 10 + omp_get_thread_num();
        wrong += table[0] != 11 + omp_get_thread_num();
    }
    CHECK(wrong == 0 && offset == 10 && table[0] == 1);

#pragma omp target teams firstprivate(offset) reduction(+: wrong) num_teams(4)
    {
        offset += omp_get_team_num();
        wrong += offset != 10 + omp_get_team_num();
    }
    CHECK(wrong == 0 && offset == 10);

    /* A pointer's value, and a variable that is also changed inside. */
    int *p = a;
    int same = 0;
#pragma omp target data map(tofrom: a)
    {
#pragma omp target map(from: same)
        {
            p[0] = 1234;
            same = p == &a[0];
        }
    }
    CHECK(a[0] == 1234 && same == 1);
    /* Copies that nothing in the region mentions. */
    {
        int unused = 3, length = 4, vla[length], seen[8] = {0};
        struct {
            int member;
        } whole = {1};
        vla[0] = unused + whole.member;
#pragma omp target teams distribute parallel for firstprivate(unused, whole, vla) map(from : seen)
        for (int i = 0; i < 8; i++)
            seen[i] = i;
#pragma omp target map(tofrom : seen) firstprivate(unused, vla) private(length)
        {
#pragma omp parallel for firstprivate(unused, vla, whole)
            for (int i = 0; i < 8; i++)
                seen[i] += i;
#pragma omp parallel firstprivate(unused) private(vla) num_threads(2)
            seen[0] = 1; // rex-ignore: race: both write the same
        }
        CHECK(seen[0] == 1 && seen[7] == 14 && vla[0] == 4);
    }
    CHECK(in_registers(10, 2) == 1 + 3 + 5 + 7 + 9 + 9 * 2 * 3);
    qualified();
    return CHECK_RESULT();
}
