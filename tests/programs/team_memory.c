/* What a team's sequential part declares and parallel regions reach: by name, through pointers, too large for shared memory. */
#include "check.h"

#define N 100

struct node {
    int value;
    struct node *next;
};

static void bump(int *p)
{
#pragma omp atomic
    *p += 1;
}

static void through_pointers(void)
{
    int counts[4] = {0}, data[4] = {1, 2, 3, 4}, *given = data, start = 4, sum = 0;

#pragma omp target map(tofrom: counts, data, sum) firstprivate(start)
    {
        int list[4] = {1, 2, 3, 4}, *first = list, total = 0, *const to_total = &total, late;
        struct node last = {1, 0}, middle = {2, &last}, *chain = &(struct node){9, &middle};
        int *literal = (int[]){5, 6}, *to_start = &start, **to_given = &given, *to_late;
        to_late = &late;
        late = 3;
#pragma omp parallel for
        for (int i = 0; i < N; ++i) {
            bump(first + i % 4);
            bump(to_total);
            bump(&literal[i % 2]);
            if (i == 50)
                for (struct node *at = chain; at; at = at->next)
                    sum += at->value;
            if (i == 3)
                *to_late += 4;
            if (i == 60)
                *to_start += 3;
            if (i == 70)
                (*to_given)[1] += 10;
        }
        counts[0] = list[0] + list[3];
        counts[1] = total + late;
        counts[2] = literal[0] + literal[1];
        counts[3] = start;
    }
    CHECK(counts[0] == 26 + 29 && counts[1] == N + 7 && counts[2] == 111 && counts[3] == 7);
    CHECK(sum == 12 && data[1] == 12 && data[0] == 1);
}

/* A pointer that one thread changes for all of them. */
static void changed_pointer(void)
{
    int a[N], b[N], *p = a, wrong = 0;
    for (int i = 0; i < N; ++i)
        a[i] = 1, b[i] = 2;
#pragma omp target map(to: a, b) map(tofrom: wrong)
    {
        int round = 0;
        p = a;
#pragma omp parallel reduction(+: wrong)
        {
#pragma omp single
            p = b;
            wrong += p[5] != 2;
#pragma omp barrier
#pragma omp single
            p = a, ++round;
            wrong += p[7] != 1;
        }
        wrong += round != 1 || p[9] != 1;
    }
    CHECK(wrong == 0);
}

/* A pointer that the team's first thread sets between parallel regions, which use it. */
static void rows(void)
{
    int i, j, wrong = 0;
    double cells[6 * N], *row = cells;
    for (i = 0; i < 6 * N; ++i)
        cells[i] = 2 * i;
#pragma omp target map(tofrom: cells)
    for (i = 0; i < 6; ++i) {
        row = cells + i * N;
#pragma omp parallel for
        for (j = 0; j < N; ++j)
            row[j] /= 2;
    }
    for (i = 0; i < 6 * N; ++i)
        wrong += cells[i] != i;
    CHECK(wrong == 0 && row == cells);
}

/* Together more than a block's shared memory. */
static void large(void)
{
    long sum = 0, expected = 0;
#pragma omp target teams distribute num_teams(3) map(tofrom: sum)
    for (int team = 0; team < 5; ++team) {
        double wide[6000];
        struct {
            int counts[4000];
        } inside;
        int *counts = inside.counts, preset[3000] = {team, 1};
        for (int i = 0; i < 6000; ++i)
            wide[i] = team;
#pragma omp parallel for
        for (int i = 0; i < 4000; ++i) {
            counts[i] = i % 7;
            wide[i] += 1;
            if (i >= 1000)
                preset[i - 1000] += 2;
        }
        long part = sizeof wide;
        for (int i = 0; i < 4000; ++i)
            part += inside.counts[i] + (long)wide[i] + (i < 3000 ? preset[i] : 0);
#pragma omp atomic
        sum += part;
    }
    for (int team = 0; team < 5; ++team) {
        expected += 6000 * (long)sizeof(double) + 6000 + team + 1;
        for (int i = 0; i < 4000; ++i)
            expected += i % 7 + team + 1;
    }
    CHECK(sum == expected);

    double given[5000];
    int wrong = 0;
    for (int i = 0; i < 5000; ++i)
        given[i] = i % 3;
#pragma omp target teams distribute firstprivate(given) num_teams(2) map(tofrom: wrong)
    for (int team = 0; team < 2; ++team) {
#pragma omp parallel for
        for (int i = 0; i < 5000; ++i)
            given[i] += 1 + team;
        for (int i = 0; i < 5000; ++i)
            if (given[i] != i % 3 + 1 + team && given[i] != i % 3 + 3) {
#pragma omp atomic
                wrong += 1;
            }
    }
    CHECK(wrong == 0 && given[1] == 1);
}

#pragma omp declare target
static double in_a_switch(int n, int way)
{
    double total = 0;
    switch (way) {
        double many[9000];
    case 0:
        for (int i = 0; i < n; i++)
            many[i] = i;
        goto add;
    default:
        for (int i = 0; i < n; i++)
            many[i] = 1;
    add:
#pragma omp parallel for reduction(+: total)
        for (int i = 0; i < n; i++)
            total += many[i];
    }
    return total;
}
#pragma omp end declare target

/* Jumps past declarations of variables that are too large for shared memory. */
static void jumps(void)
{
    double out[4] = {0};
#pragma omp target map(tofrom: out)
    {
        out[0] = in_a_switch(9000, 0);
        out[1] = in_a_switch(9000, 1);
    }
#pragma omp target teams distribute map(tofrom: out)
    for (int k = 2; k < 4; k++) {
        int n = k;
        if (out[1] > 0)
            goto inside;
        {
            double many[10000];
            n = 0;
        inside:
            many[9999] = 4;
#pragma omp parallel for
            for (int i = 0; i < 9999; i++)
                many[i] = n;
            for (int i = 0; i < 10000; i++)
                out[k] += many[i];
        }
    }
    CHECK(out[0] == 8999 * 9000 / 2 && out[1] == 9000 && out[2] == 2 * 9999 + 4 && out[3] == 3 * 9999 + 4);
}

int main(void)
{
    through_pointers();
    changed_pointer();
    rows();
    large();
    jumps();
    return CHECK_RESULT();
}
