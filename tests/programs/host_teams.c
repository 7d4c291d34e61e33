/* What regions do with their teams, on device and host alike: there are as many as num_teams says, and without it no more
 * than omp_set_num_teams() has said, nor threads in them than omp_set_teams_thread_limit() has; inside host parallel
 * constructs, what binds to a team binds to the region's own, reductions of teams combine what one team has with the
 * values from before, and copies are aligned as allocate clauses ask. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#define N 64

/* Host threads that launch regions at the same time. The libgomp of gcc 13 may use a team that it has freed when the regions
 * of several host threads end, so the reference has one. */
#ifdef REFERENCE
#define LAUNCHING 1
#else
#define LAUNCHING 4
#endif

struct pair {
    int sum, product;
};
#pragma omp declare reduction(pairs : struct pair : omp_out.sum += omp_in.sum, omp_out.product *= omp_in.product) \
    initializer(omp_priv = {0, 1})

static int global = 3;

/* What stands in functions is the teams' own, too: each iteration is one team's. */
static void distributes(int *a, int n)
{
#pragma omp distribute
    for (int i = 0; i < n; ++i)
        a[i] += 5 + 0 * omp_get_num_teams();
}

/* A false condition on teams: one team, which runs all iterations in order. gcc 12 knows no such clause. */
static void conditions(int n)
{
#ifndef REFERENCE
    enum { STEPS = 20000 };
    static int steps[3][STEPS];
    const int many = n > 5;
    int counted = 0, least = 0, own = 0;
#pragma omp target teams num_teams(6) if (teams : many) map(tofrom : counted)
#pragma omp atomic
    counted += omp_get_num_teams();
#pragma omp target teams if (teams : many) map(tofrom : least)
    if (omp_get_team_num() == 0)
        least = omp_get_num_teams();
#pragma omp target map(tofrom : own) firstprivate(n)
#pragma omp teams num_teams(7) if (n > 5)
#pragma omp atomic
    own += omp_get_num_teams();
    CHECK(counted == (many ? 36 : 1) && own == (many ? 49 : 1));
    CHECK(many ? least >= 1 : least == 1);
#pragma omp target teams distribute num_teams(8) if (teams : many)
    for (int i = 1; i < STEPS; ++i)
        steps[0][i] = many ? i : steps[0][i - 1] + 1;
#pragma omp target teams distribute if (teams : many)
    for (int i = 1; i < STEPS; ++i)
        steps[1][i] = many ? i : steps[1][i - 1] + 1;
#pragma omp target teams distribute parallel for if (teams : many)
    for (int i = 1; i < STEPS; ++i)
        steps[2][i] = many || omp_get_num_teams() == 1 ? i : -1;
    CHECK(steps[0][STEPS - 1] == STEPS - 1 && steps[1][STEPS - 1] == STEPS - 1 && steps[2][STEPS - 1] == STEPS - 1);
#endif
    (void)n;
}

static void reductions(int n)
{
    int sum = 10, difference = 10, product = 3, low = 5, high = 5, ands = 6, ors = 6, xors = 6, all = 1, any = 0;
#pragma omp target teams num_teams(1) reduction(+ : sum) map(tofrom : sum)
    sum = 5;
    CHECK(sum == 15);
#pragma omp target teams num_teams(1) reduction(- : difference) reduction(* : product) reduction(min : low) \
    reduction(max : high) reduction(& : ands) reduction(| : ors) reduction(^ : xors) reduction(&& : all)    \
    reduction(|| : any)
    {
        difference = 2;
        product *= 2; /* of 1 */
        low = 7;
        high = 4;
        ands = 3;
        ors = 8;
        xors = 3;
        all = all && 5;
        any = any || 5;
    }
    CHECK(difference == 12 && product == 6 && low == 5 && high == 5 && ands == 2 && ors == 14 && xors == 5);
    CHECK(all == 1 && any == 1);

    int array[4] = {1, 2, 3, 4}, vla[n], *section = (int *)malloc(4 * sizeof *section), count = 2;
    for (int i = 0; i < 4; i++)
        section[i] = i;
    for (int i = 0; i < n; i++)
        vla[i] = i;
#pragma omp target map(tofrom : array, vla, section[0 : 4])
#pragma omp teams num_teams(1) firstprivate(count) reduction(+ : array, vla, section[1 : count])
    {
        count = 9;
        for (int i = 0; i < 4; i++)
            array[i] = 10;
        for (int i = 0; i < n; i++)
            vla[i] = count;
        section[1] = 7;
        section[2] = 8;
    }
    CHECK(count == 2 && array[0] == 11 && array[3] == 14 && vla[0] == 9 && vla[n - 1] == n + 8);
    CHECK(section[0] == 0 && section[1] == 8 && section[2] == 10 && section[3] == 3);
    free(section);

    struct pair pair = {4, 5};
#pragma omp target teams num_teams(1) reduction(pairs : pair) firstprivate(count) if (n > 100)
    {
        count++;
        pair.sum = count;
        pair.product *= 3;
    }
    CHECK(count == 2 && pair.sum == 7 && pair.product == 15);

    int own = 7;
#pragma omp target
#pragma omp teams num_teams(1) reduction(+ : own) /* into the copy that target makes */
    own = 5; // rex-ignore: lost-result
    CHECK(own == 7);

    int listed = 7, seen = 4;
#pragma omp parallel default(none) shared(listed, seen, global) num_threads(2)
#pragma omp single
#pragma omp target teams num_teams(1) default(none) reduction(+ : listed, global) shared(seen) map(tofrom : seen)
    {
        listed = 5;
        global = seen;
        seen = 2;
    }
    CHECK(listed == 12 && global == 7 && seen == 2);

    int inner = 2, split = 1;
#pragma omp target teams num_teams(1) reduction(+ : inner)
    {
        inner = 4;
#pragma omp parallel for reduction(+ : inner)
        for (int i = 0; i < 10; i++)
            inner += i;
    }
#pragma omp target teams num_teams(1) reduction(+ : split)
    {
        split = 4;
#pragma omp distribute
        for (int i = 0; i < 10; i++)
            split += i;
    }
    CHECK(inner == 51 && split == 50);
}

static void aligned(void)
{
    int own = 1, first = 2, wrong = 0;
    char block[5] = {1, 2};
#pragma omp target teams num_teams(1) private(own) firstprivate(block) \
    allocate(allocator(omp_default_mem_alloc), align(256) : own, block) map(tofrom : wrong)
    {
        own = block[1];
        wrong += (uintptr_t)&own % 256 != 0 || (uintptr_t)block % 256 != 0 || own != 2;
    }
#pragma omp target map(tofrom : wrong)
#pragma omp teams num_teams(1) private(own) allocate(allocator(omp_default_mem_alloc), align(512) : own) \
    firstprivate(first) allocate(align(128), allocator(omp_default_mem_alloc) : first)
    {
        own = first++;
        wrong += (uintptr_t)&own % 512 != 0 || (uintptr_t)&first % 128 != 0 || own != 2 || first != 3;
    }
    CHECK(!wrong && own == 1 && first == 2);
}

static int teams(void)
{
    return omp_get_num_teams();
}

/* Of leagues of three teams and more; what is wrong with them. */
static int leagues(int more, int device)
{
    int n = 3, count = 0, teams_seen[8] = {0}, threads_seen[20], wrong = 0;
#pragma omp target teams num_teams(n + more) reduction(+ : count) map(tofrom : teams_seen) if (target : device)
    {
        const int me = omp_get_team_num();
        int others = 0;
        count += 1;
#pragma omp parallel num_threads(2) reduction(max : others)
        others = teams() + omp_get_team_num() - me;
        teams_seen[me] += others;
    }
    for (int i = 0; i < 8; i++)
        wrong += teams_seen[i] != (i < 3 + more ? 3 + more : 0);
    wrong += count != 3 + more;

#pragma omp target map(tofrom : teams_seen) if (target : device)
#pragma omp teams num_teams(4) firstprivate(n) private(count)
    {
        count = n++; /* each team has its own */
        teams_seen[omp_get_team_num()] = count;
    }
    for (int i = 0; i < 4; i++)
        wrong += teams_seen[i] != 3;

    int sum = 0, reached = 0;
#pragma omp target map(tofrom : sum, reached) if (target : device)
#pragma omp teams num_teams(n) reduction(+ : sum, reached)
    {
        int own = 0;
        if (sum == 0)
#pragma omp distribute
            for (int i = 0; i < 100; i++)
                own += i;
        else
            own = 1;
        reached += own;
#pragma omp distribute parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
    }
    wrong += sum != 4950 || reached != 4950;

#pragma omp target teams distribute num_teams(5) map(from : threads_seen) if (target : device)
    for (int i = 0; i < 20; i++)
        threads_seen[i] = 100 * omp_get_num_teams() + 10 * omp_get_num_threads() + omp_get_thread_num();
    for (int i = 0; i < 20; i++)
        wrong += threads_seen[i] != 510;
#pragma omp target teams distribute parallel for num_teams(5) map(from : threads_seen) if (target : device) nowait \
    depend(out : threads_seen)
    for (int i = 0; i < 20; i++)
        threads_seen[i] = teams();
#pragma omp taskwait
    for (int i = 0; i < 20; i++)
        wrong += threads_seen[i] != 5;
    return wrong;
}

static void orphans(int *counts)
{
#pragma omp for
    for (int i = 1; i < N; ++i)
        counts[i]++;
#pragma omp single
    counts[0]++;
#pragma omp barrier
}

static int thread(void)
{
    return omp_get_thread_num();
}

int main(void)
{
    reductions(3);
    aligned();
    conditions(3);
    conditions(8);
    CHECK(leagues(1, 1) == 0 && leagues(2, 0) == 0);
    int sums[4] = {0}, singles[4] = {0}, last[4] = {0}, parts[4] = {0}, wrongs[4] = {0}, total = 0;
#pragma omp parallel for num_threads(LAUNCHING) reduction(+ : total)
    for (int t = 0; t < 4; ++t) {
        int counts[N] = {0}, wrong = leagues(t, t % 2), done = 0, other = -1, threads = -1;
#pragma omp target map(tofrom : counts)
        orphans(counts);
        for (int i = 0; i < N; ++i)
            wrong += counts[i] != 1;
#pragma omp target map(from : other, threads)
        {
            other = thread();
            threads = omp_get_num_threads();
        }
#pragma omp target map(tofrom : done)
        {
#pragma omp task shared(done)
            {
                for (volatile int i = 0; i < 100000; i++)
                    ;
                done = 1;
            }
        }
        wrongs[t] = wrong + (other != 0) + (threads != 1) + (done != 1);
        int sum = 0, count = 0, seen = -1, sections = 0;
#pragma omp target map(tofrom : sum, count, seen, sections)
        {
#pragma omp for reduction(+ : sum) lastprivate(seen)
            for (int i = 0; i < N; ++i) {
                sum += i + t;
                seen = i;
            }
#pragma omp single
            count += 1;
#pragma omp barrier
#pragma omp sections reduction(+ : sections)
            {
#pragma omp section
                sections += 1;
#pragma omp section
                sections += 10;
            }
#pragma omp masked
            count += 1;
        }
        sums[t] = sum;
        singles[t] = count;
        last[t] = seen;
        parts[t] = sections;
#pragma omp target map(tofrom : total)
#pragma omp for reduction(+ : total)
        for (int i = 0; i < N; ++i)
            total += 1;
    }
    for (int t = 0; t < 4; ++t)
        CHECK(sums[t] == N * (N - 1) / 2 + t * N && singles[t] == 2 && last[t] == N - 1 && parts[t] == 11 && !wrongs[t]);
    CHECK(total == 4 * N);

    int added[N] = {0};
#pragma omp target teams num_teams(3) map(tofrom : added)
    distributes(added, N);
    CHECK(added[0] == 5 && added[N - 1] == 5);

    int nested[2] = {0};
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(1)
    {
        int other = -1;
#pragma omp target map(from : other)
        other = 10 * omp_get_num_teams() + omp_get_team_num();
        for (int i = 0; i < 100; i++)
            other += leagues(1, i % 2);
        nested[omp_get_team_num()] = other;
    }
    CHECK(nested[0] == 10 && (nested[1] == 10 || nested[1] == 0));

    enum { STEPS = 20000 };
    static int steps[STEPS];
    int threads = 0;
    omp_set_num_teams(1); /* which runs all iterations, in order */
    omp_set_teams_thread_limit(3);
#pragma omp target teams distribute
    for (int i = 1; i < STEPS; ++i)
        steps[i] = steps[i - 1] + 1;
    CHECK(steps[STEPS - 1] == STEPS - 1);
#pragma omp target teams map(from : threads)
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
#ifdef REFERENCE
    threads = 1; /* gcc 12 has more */
#endif
    CHECK(threads >= 1 && threads <= 3);
    return CHECK_RESULT();
}
