#include "xomp_cuda_lib_inlined.cu"

/* What one thread of a region saw. */
struct record {
    int thread, threads, level, active_level, in_parallel, team, teams;
};

static __device__ record observe()
{
    return {omp_get_thread_num(),   omp_get_num_threads(), omp_get_level(),    omp_get_active_level(),
            omp_in_parallel(), omp_get_team_num(),    omp_get_num_teams()};
}

/* ---- regions of every size, in generic and in spmd kernels ------------------------------------------------------- */

/* Runs in a region: every thread leaves a record, writes its slot in each of `phases` rounds and reads its neighbour's
 * after the barrier. */
static __device__ void exercise(record *records, int *slots, int *errors, int phases)
{
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    records[me] = observe();
    for (int phase = 0; phase < phases; ++phase) {
        if (me % 3 == phase % 3) /* arrive at different times */
            for (volatile int spin = 0; spin < 50 * me;)
                spin = spin + 1;
        slots[me] = phase * 10000 + me;
        rex_barrier();
        if (slots[(me + 1) % threads] != phase * 10000 + (me + 1) % threads)
            rex_atomic_update<rex_add>(errors, 1);
        rex_barrier();
    }
}

extern "C" __global__ void __launch_bounds__(256)
    generic(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long num_threads, record *records,
            int *slots, int *errors, record *outside)
{
    REX_CPU_TEAMS(shape, generic(__rex_kernel_launch_env, shape, num_threads, records, slots, errors, outside));
    if (!rex_team_begin())
        return;
    REX_TEAM_SHARED int *mine;
    mine = slots + 256 * omp_get_team_num();
    outside[2 * omp_get_team_num()] = observe();
    record *team_records = records + 256 * omp_get_team_num();
    rex_parallel(static_cast<int>(num_threads), REX_REGION { exercise(team_records, mine, errors, 5); });
    outside[2 * omp_get_team_num() + 1] = observe();
    rex_team_end();
}

extern "C" __global__ void __launch_bounds__(256)
    spmd(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long num_threads, record *records,
         int *slots, int *errors)
{
    REX_CPU_TEAMS(shape, spmd(__rex_kernel_launch_env, shape, num_threads, records, slots, errors));
    rex_parallel_spmd(static_cast<int>(num_threads), REX_REGION { exercise(records, slots, errors, 5); });
}

/* ---- sequential parts and many regions --------------------------------------------------------------------------- */

static __device__ void orphaned_loop(long long n, int *visits)
{
    const long long _dev_thread_num = omp_get_num_threads(), _dev_thread_id = omp_get_thread_num();
    for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n)) {
        rex_atomic_update<rex_add>(&visits[i], 1);
    }
    rex_barrier();
}

static __device__ void orphaned_region(long long n, int *visits)
{
    rex_parallel(0, REX_REGION { orphaned_loop(n, visits); });
}

/* Round r: the initial thread decides, a region of r threads counts itself and runs an orphaned loop. */
extern "C" __global__ void __launch_bounds__(128)
    rounds(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long count, int *sizes, int *visits)
{
    REX_CPU_TEAMS(shape, rounds(__rex_kernel_launch_env, shape, count, sizes, visits));
    if (!rex_team_begin())
        return;
    if (count == 0) {
        rex_team_end();
        return;
    }
    REX_TEAM_SHARED int counted;
    for (int round = 1; round <= static_cast<int>(count); ++round) {
        counted = 0;
        rex_parallel(round, REX_REGION {
            rex_atomic_update<rex_add>(&counted, 1);
            orphaned_loop(10, visits);
        });
        if (counted != round)
            break;
        rex_atomic_update<rex_add>(&sizes[round], 1);
        orphaned_region(10, visits);
    }
    orphaned_loop(10, visits);
    rex_team_end();
}

static __device__ void count_in_function(int *counted)
{
    *counted = 0;
    rex_parallel(3, REX_REGION {
        rex_atomic_update<rex_add>(counted, 1);
        rex_reduce_team<rex_add>(counted, 10);
    });
}

/* A region in a region: levels, sizes, an orphaned loop and functions with regions of their own. */
extern "C" __global__ void __launch_bounds__(128)
    nested(void *__rex_kernel_launch_env, unsigned long long shape, record *records, int *ancestors, int *visits,
           int *counts)
{
    REX_CPU_TEAMS(shape, nested(__rex_kernel_launch_env, shape, records, ancestors, visits, counts));
    if (!rex_team_begin())
        return;
    rex_parallel(33, REX_REGION {
        const int me = omp_get_thread_num();
        if (me % 2 == 0)
            rex_parallel(4, REX_REGION {
                records[me] = observe();
                rex_barrier();
                for (int level = 0; level < 4; ++level) {
                    ancestors[8 * me + level] = omp_get_ancestor_thread_num(level);
                    ancestors[8 * me + 4 + level] = omp_get_team_size(level);
                }
                orphaned_region(10, visits);
                count_in_function(&counts[me]);
            });
        else
            records[me] = observe();
    });
    rex_parallel(1, REX_REGION { records[33] = observe(); });
    count_in_function(&counts[33]);
    rex_team_end();
}

/* ---- data: captures, reductions, single, critical ---------------------------------------------------------------- */

struct block {
    double values[100];
};

REX_DEFINE_LOCK(rex_lock_region);

extern "C" __global__ void __launch_bounds__(1024)
    data(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long num_threads, double *sums,
         long long *counts, float *largest, int *league)
{
    REX_CPU_TEAMS(shape, data(__rex_kernel_launch_env, shape, num_threads, sums, counts, largest, league));
    if (!rex_team_begin())
        return;
    block captured;
    for (int i = 0; i < 100; ++i)
        captured.values[i] = i;
    REX_TEAM_SHARED double sum;
    REX_TEAM_SHARED float top;
    REX_TEAM_SHARED bool all;
    REX_TEAM_SHARED short product;
    REX_TEAM_SHARED int singles, exclusive, threads;
    sum = 0.5;
    top = -5;
    all = true;
    product = 3;
    singles = exclusive = 0;
    rex_parallel(static_cast<int>(num_threads), REX_REGION {
        double partial = rex_identity<rex_add, double>();
        for (REX_STRIDED_LOOP(i, omp_get_thread_num(), omp_get_num_threads(), 100)) {
            partial += captured.values[i];
        }
        rex_reduce_team<rex_add>(&sum, partial);
        rex_reduce_team<rex_max>(&top, static_cast<float>(omp_get_thread_num()) - 0.5f);
        rex_reduce_team<rex_land>(&all, omp_get_thread_num() != 6);
        rex_reduce_team<rex_mul>(&product, static_cast<short>(omp_get_thread_num() == 0 ? 5 : 1));
        if (rex_single()) {
            singles = singles + 1;
            threads = omp_get_num_threads();
        }
        REX_CRITICAL(rex_lock_region)
        {
            exclusive = exclusive + 1;
        }
        rex_barrier();
        if (rex_master()) {
            const int team = omp_get_team_num();
            sums[team] = sum;
            largest[team] = top;
            counts[6 * team] = all;
            counts[6 * team + 1] = product;
            counts[6 * team + 2] = singles;
            counts[6 * team + 3] = exclusive;
            counts[6 * team + 4] = threads;
        }
    });
    int team_local = 0;
    rex_reduce_team<rex_add>(&team_local, omp_get_team_num());
    rex_reduce_league<rex_add>(league, team_local);
    rex_team_end();
}

/* Settings of the initial thread: max[0..2] before, after, inside a region; schedule likewise. */
extern "C" __global__ void __launch_bounds__(64)
    settings(void *__rex_kernel_launch_env, unsigned long long shape, int *seen)
{
    REX_CPU_TEAMS(shape, settings(__rex_kernel_launch_env, shape, seen));
    if (!rex_team_begin())
        return;
    omp_sched_t kind;
    seen[0] = omp_get_max_threads();
    omp_get_schedule(&kind, &seen[1]);
    seen[2] = static_cast<int>(kind);
    omp_set_num_threads(5);
    omp_set_schedule(omp_sched_dynamic, 7);
    seen[3] = omp_get_max_threads();
    omp_get_schedule(&kind, &seen[4]);
    seen[5] = static_cast<int>(kind);
    rex_parallel(0, REX_REGION {
        omp_set_num_threads(2);
        if (rex_master())
            seen[6] = omp_get_num_threads();
    });
    seen[7] = omp_get_max_threads();
    seen[8] = omp_get_thread_limit();
    rex_parallel(1000, REX_REGION {
        if (rex_master())
            seen[9] = omp_get_num_threads();
    });
    rex_team_end();
}
