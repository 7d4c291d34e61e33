/* The iterations of loops and their threads: counters of collapsed loops, and schedules. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

/* The counter of the innermost of several collapsed loops, which runs `trips` times. `rest` is divided by that, for the
 * outer loops. Neither is negative. A GPU divides 32-bit numbers several times faster than 64-bit ones, and all threads
 * take the same branch unless the loops have 2^32 or more iterations. */
REX_FN long long rex_innermost(long long &rest, long long trips)
{
    if (((rest | trips) >> 32) == 0) {
        const unsigned int number = static_cast<unsigned int>(rest), divisor = static_cast<unsigned int>(trips);
        const unsigned int quotient = number / divisor;
        rest = quotient;
        return number - quotient * divisor;
    }
    const long long quotient = rest / trips, remainder = rest - quotient * trips;
    rest = quotient;
    return remainder;
}

REX_FN int rex_innermost(int &rest, int trips)
{
    const unsigned int number = static_cast<unsigned int>(rest), divisor = static_cast<unsigned int>(trips);
    const unsigned int quotient = number / divisor;
    rest = static_cast<int>(quotient);
    return static_cast<int>(number - quotient * divisor);
}

/* The sections of a construct, which a region's threads take in turns. */
#ifndef REX_SECTIONS
#define REX_SECTIONS(section, count)                                                                                   \
    int section = omp_get_thread_num(); section < (count); section += omp_get_num_threads()
#endif

/* Chunks of a loop that threads take in turns. */
struct rex_static_schedule {
    long long trip, chunk;       /* iterations */
    long long chunks, next, num; /* the number of chunks, this thread's next chunk, the number of threads */
};

/* `trip` and `chunk` are in iterations. The calling thread is number `id` of `num`. */
REX_FN void XOMP_static_sched_init(rex_static_schedule *s, long long trip, long long chunk, long long num, long long id)
{
    s->trip = trip;
    s->chunk = chunk > 0 ? chunk : 1;
    s->chunks = trip / s->chunk + (trip % s->chunk != 0);
    s->next = id;
    s->num = num;
}

/* Gives the first and last iteration of the thread's next chunk. Returns false if there is none. */
REX_FN bool XOMP_static_sched_next(rex_static_schedule *s, long long *lower, long long *upper)
{
#ifdef REX_DEVICE_CHECK
    rex_check_iteration(s->next < s->chunks && s->num > 1 ? s->next : -1); /* one thread runs a chunk in order */
#endif
    if (s->next >= s->chunks)
        return false;
    *lower = s->next * s->chunk;
    *upper = s->trip - *lower > s->chunk ? *lower + s->chunk - 1 : s->trip - 1;
    s->next = s->chunks - s->next > s->num ? s->next + s->num : s->chunks;
    return true;
}
