/* Mutual exclusion: critical regions and locks. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

/* The check device takes a lock for one of a team's threads, as OpenMP has it, unless it is `of_all_teams`. */
REX_FN bool rex_try_acquire(unsigned int *lock, [[maybe_unused]] bool of_all_teams)
{
    if (rex_exchange_lock(lock, 1u) != 0u)
        return false;
    __threadfence();
    REX_CHECK_ACQUIRED(lock, of_all_teams);
    return true;
}

REX_FN void rex_acquire(unsigned int *lock, bool of_all_teams)
{
    while (!rex_try_acquire(lock, of_all_teams))
        __nanosleep(50);
}

REX_FN void rex_release(unsigned int *lock)
{
    __threadfence();
    REX_CHECK_RELEASED();
    rex_exchange_lock(lock, 0u);
}

#define REX_DEFINE_LOCK(name) [[maybe_unused]] REX_STATE __device__ unsigned int name

/* Lanes of a warp that reach a critical section together must not wait for each other at the end of the loop that acquires
 * the lock. Therefore the section is inside that loop: the lane that holds the lock runs the section and frees the lock
 * before the others try again. */
struct rex_critical_section {
    unsigned int *lock;
    bool done, of_all_teams;
    __device__ bool enter()
    {
        return !done && rex_try_acquire(lock, of_all_teams);
    }
    __device__ void leave()
    {
        rex_release(lock);
        done = true;
    }
};

/* Put in front of a statement, which must be left only at its end. */
#define REX_CRITICAL(name) REX_SECTION(name, false)
/* The same for what all teams combine. */
#define REX_COMBINING(name) REX_SECTION(name, true)
#define REX_SECTION(name, of_all_teams)                                                                                \
    for (rex_critical_section rex_section = {&name, false, of_all_teams}; !rex_section.done;)                          \
        for (; rex_section.enter(); rex_section.leave())

REX_FN void omp_init_lock(omp_lock_t *lock) { lock->held = 0; }
REX_FN void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t) { omp_init_lock(lock); }
REX_FN void omp_destroy_lock(omp_lock_t *) {}
REX_FN void omp_set_lock(omp_lock_t *lock) { rex_acquire(&lock->held, false); }
REX_FN void omp_unset_lock(omp_lock_t *lock) { rex_release(&lock->held); }
REX_FN int omp_test_lock(omp_lock_t *lock) { return rex_try_acquire(&lock->held, false); }

REX_FN void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    lock->held = 0;
    lock->depth = 0;
    lock->owner = 0;
}
REX_FN void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t) { omp_init_nest_lock(lock); }
REX_FN void omp_destroy_nest_lock(omp_nest_lock_t *) {}

/* The depth of the lock after the calling thread has entered it, or 0 if another thread holds it. */
REX_FN int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    const unsigned long long self = static_cast<unsigned long long>(rex_device_thread_num()) + 1;
    if (rex_atomic_read(&lock->owner) != self) {
        if (!rex_try_acquire(&lock->held, false))
            return 0;
        rex_atomic_write(&lock->owner, self);
    }
    return ++lock->depth;
}
REX_FN void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    while (!omp_test_nest_lock(lock))
        __nanosleep(50);
}
REX_FN void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    if (--lock->depth == 0) {
        rex_atomic_write(&lock->owner, 0);
        rex_release(&lock->held);
    }
}

REX_FN bool rex_master() { return !rex_in_team_region() || threadIdx.x == 0; }
#ifdef REX_DEVICE_CHECK
/* Any thread may run a `single`, so another one does each time, but not the first one, which does other things more often.
 * All threads of a region come to the same ones in the same order. */
REX_FN bool rex_ran_single()
{
    const int threads = rex_in_team_region() ? rex_team.region_threads : 1;
    return threads == 1 || static_cast<int>(threadIdx.x) == threads - 1 - rex_singles % (threads - 1);
}
REX_FN bool rex_single()
{
    rex_singles += rex_in_team_region();
    return rex_ran_single();
}
#else
REX_FN bool rex_single() { return rex_master(); }
REX_FN bool rex_ran_single() { return rex_master(); }
#endif

/* The error directive with at(execution). */
REX_FN void rex_error(bool fatal, const char *message)
{
    printf("%s: %s\n", fatal ? "fatal error" : "warning", message);
    if (fatal)
        rex_abort();
}
