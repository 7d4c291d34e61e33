/* The omp_* functions inside regions: their relations hold on every device. */
#include "check.h"
#include "headers/device.h"

#pragma omp declare target
static int schedule_is(omp_sched_t kind, int chunk)
{
    omp_sched_t now;
    int size;
    omp_get_schedule(&now, &size);
    return now == kind && size == chunk;
}
#pragma omp end declare target

int main(void)
{
    const int host = regions_on_host(), threads_before = omp_get_max_threads();
    const int levels_before = omp_get_max_active_levels();
    omp_sched_t schedule_before;
    int chunk_before;
    omp_get_schedule(&schedule_before, &chunk_before);
    int wrong = 0, procs = 0, max_threads = 0, initial = 0, device = -1, devices = -1, host_number = -1;
    double elapsed = -1, tick = 0;

#pragma omp target map(tofrom: wrong) \
    map(from: procs, max_threads, initial, elapsed, tick, device, devices, host_number)
    {
        const double start = omp_get_wtime();
        wrong += omp_get_thread_num() != 0;
        wrong += omp_get_num_threads() != 1;
        wrong += omp_in_parallel() != 0;
        wrong += omp_get_level() != 0 || omp_get_active_level() != 0;
        wrong += omp_get_team_num() != 0 || omp_get_num_teams() != 1;
        wrong += omp_get_ancestor_thread_num(0) != 0 || omp_get_team_size(0) != 1;
        wrong += omp_get_ancestor_thread_num(1) != -1 || omp_get_team_size(-1) != -1;
        procs = omp_get_num_procs();
        max_threads = omp_get_max_threads();
        initial = omp_is_initial_device();
        device = omp_get_device_num();
        devices = omp_get_num_devices();
        host_number = omp_get_initial_device();
        tick = omp_get_wtick();
        elapsed = omp_get_wtime() - start;
    }
    CHECK(wrong == 0 && procs >= 1 && max_threads >= 1 && elapsed >= 0 && tick > 0);
    CHECK(initial == host && host_number == omp_get_initial_device());
    CHECK(host || (device == omp_get_default_device() && devices == omp_get_num_devices()));

    int most[2] = {0, 0};
#pragma omp target parallel map(tofrom: most)
    if (omp_get_thread_num() == 0)
        most[0] = omp_get_num_threads();
#pragma omp target parallel for map(tofrom: most)
    for (int i = 0; i < 100000; ++i)
        if (omp_get_thread_num() == 0)
            most[1] = omp_get_num_threads();
    CHECK(most[0] > 0 && most[0] <= max_threads && most[1] > 0 && most[1] <= max_threads);

    int threads = 0, numbers = 0;
#pragma omp target parallel num_threads(8) map(from: threads) reduction(+: wrong, numbers)
    {
        const int me = omp_get_thread_num(), n = omp_get_num_threads();
        wrong += me < 0 || me >= n;
        wrong += n > omp_get_thread_limit();
        wrong += omp_get_level() != 1;
        wrong += omp_in_parallel() != (n > 1);
        wrong += omp_get_active_level() != (n > 1);
        wrong += omp_get_ancestor_thread_num(1) != me || omp_get_ancestor_thread_num(0) != 0;
        wrong += omp_get_team_size(1) != n;
        numbers += me;
        if (me == 0)
            threads = n;
    }
    CHECK(wrong == 0 && threads >= 1 && threads <= 8 && numbers == threads * (threads - 1) / 2);

#pragma omp target teams num_teams(3) map(tofrom: wrong)
    {
        const int team = omp_get_team_num(), teams = omp_get_num_teams();
#pragma omp parallel num_threads(4)
        {
            int bad = team >= teams || omp_get_team_num() != team || omp_get_num_teams() != teams;
            bad += omp_get_thread_num() >= omp_get_num_threads();
            if (bad) {
#pragma omp atomic
                wrong += bad;
            }
        }
    }
    CHECK(wrong == 0);

    /* In worksharing regions. */
    static int team_of[1000], thread_of[1000];
    int teams = 0;
#pragma omp target teams distribute parallel for reduction(+: wrong) reduction(max: teams)
    for (int i = 0; i < 1000; ++i) {
        team_of[i] = omp_get_team_num();
        thread_of[i] = omp_get_thread_num();
        wrong += team_of[i] >= omp_get_num_teams() || thread_of[i] >= omp_get_num_threads();
        teams = omp_get_num_teams() > teams ? omp_get_num_teams() : teams;
    }
    CHECK(wrong == 0 && teams >= 1);

    /* Each task has settings of its own, at first those of the task that makes it. */
#pragma omp target map(tofrom: wrong)
    {
        omp_set_num_threads(5);
        omp_set_schedule(omp_sched_dynamic, 7);
#pragma omp task shared(wrong) if(0)
        {
            omp_set_num_threads(9);
            wrong += omp_get_max_threads() != 9;
        }
#pragma omp parallel num_threads(4) reduction(+: wrong)
        {
            const int me = omp_get_thread_num();
            wrong += omp_get_max_threads() != 5 || schedule_is(omp_sched_dynamic, 7) == 0;
            omp_set_num_threads(me + 1);
            omp_set_schedule(omp_sched_guided, me + 2);
#pragma omp barrier
#pragma omp parallel num_threads(1)
            omp_set_num_threads(77);
#pragma omp task if(0)
            omp_set_schedule(omp_sched_static, 99);
            wrong += omp_get_max_threads() != me + 1 || schedule_is(omp_sched_guided, me + 2) == 0;
        }
        wrong += omp_get_max_threads() != 5 || schedule_is(omp_sched_dynamic, 7) == 0;
#pragma omp parallel reduction(+: wrong)
        wrong += omp_get_num_threads() > 5 || omp_get_max_threads() != 5;
        omp_set_max_active_levels(0);
#pragma omp parallel num_threads(4) reduction(+: wrong)
        wrong += omp_get_num_threads() != 1 || omp_in_parallel() != 0;
        wrong += omp_get_max_active_levels() != 0;
        omp_set_max_active_levels(1);
#pragma omp parallel num_threads(4) reduction(+: wrong)
        wrong += omp_in_parallel() != (omp_get_num_threads() > 1) || omp_get_max_active_levels() != 1;
    }
    CHECK(wrong == 0);
    int owner[100], count = 0;
#pragma omp target map(from: owner, count)
    {
        omp_set_schedule(omp_sched_static, 3);
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(runtime)
            for (int i = 0; i < 100; ++i)
                owner[i] = omp_get_thread_num();
#pragma omp single
            count = omp_get_num_threads();
        }
    }
    for (int i = 0; i < 100; ++i)
        wrong += owner[i] != i / 3 % count;
    CHECK(wrong == 0);
    /* None of this is left on the host. */
    CHECK(omp_get_max_threads() == threads_before && omp_get_max_active_levels() == levels_before);
    CHECK(schedule_is(schedule_before, chunk_before));
#pragma omp target teams distribute parallel for reduction(+: wrong)
    for (int i = 1; i <= 1000; ++i) {
        omp_set_num_threads(i);
        omp_set_schedule(omp_sched_dynamic, i);
        wrong += omp_get_max_threads() != i || schedule_is(omp_sched_dynamic, i) == 0;
    }
    CHECK(wrong == 0);

    /* On the host the same names mean the host. */
    CHECK(omp_is_initial_device() == 1 && omp_in_parallel() == 0 && omp_get_num_procs() >= 1);
    return CHECK_RESULT();
}
