/* Reductions over a team, a grid and a league, and broadcasts of one thread's value. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

/* Gives every thread of the current region the first thread's value of a private variable, for copyprivate. */
template <class T>
REX_FN void rex_broadcast(T *x)
{
    if (omp_get_num_threads() == 1)
        return;
    if (rex_ran_single())
        *rex_broadcast_place = x;
    rex_barrier();
    if (!rex_ran_single())
        memcpy(x, *rex_broadcast_place, sizeof(T));
    rex_barrier();
}

/* A reduced array. Each thread has a copy, on the heap if only the run knows its length. */
#define REX_HAS_ROOM(count, room) ((void)(room), true)
#define REX_WAIT_FOR_TEAM() ((void)0)
#define REX_FOR_TEAM(i, count) for (long i = 0; i < (count); ++i)
#define REX_TEAM_ARRAY(type, name, count, room, original)                                                              \
    type name##__rex_storage[count];                                                                                   \
    type *const name = name##__rex_storage
#define REX_TEAM_ARRAY_OF_RUN(type, name, count, room, original)                                                       \
    rex_local_array<type> name##__rex_storage(count);                                                                  \
    type *const name = name##__rex_storage.elements

template <class Op, class T, class V>
REX_FN void rex_team_update(T *x, V v)
{
    *x = static_cast<T>(Op::apply(*x, v));
}

#include "../rex_reductions.h"

template <class Op, class T>
REX_FN void rex_reduce_grid(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

template <class... Part>
REX_FN void rex_reduce_grid(Part... part)
{
    (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class... Part>
REX_FN void rex_reduce_tiles(Part... part)
{
    rex_reduce_grid(part...);
}

template <class Op, class T>
REX_FN void rex_reduce_grid_array(T *original, const T *partials, long count)
{
    for (long i = 0; i < count; ++i)
        rex_atomic_update<Op>(original + i, partials[i]);
}

template <class Op, class T>
REX_FN void rex_reduce_team_array(T *original, const T *partials, long count)
{
    for (long i = 0; i < count; ++i)
        rex_atomic_update<Op>(original + i, partials[i]);
}

template <class... Part>
REX_FN void rex_reduce_all(unsigned int &, Part... part)
{
    (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class Part>
REX_FN void rex_add_part(const Part &part)
{
    *part.original = static_cast<typename Part::type>(Part::operation::apply(*part.original, part.value));
}

/* Combines in the order of the device threads' numbers. */
template <class... Part>
REX_FN void rex_reduce_grid_ordered(unsigned long long *turn, Part... part)
{
    const unsigned long long own = static_cast<unsigned long long>(rex_cpu_id());
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != own)
        rex_yield();
    REX_CHECK_ACQUIRED(turn, true);
    (rex_add_part(part), ...);
    REX_CHECK_RELEASED();
    __atomic_store_n(turn, own + 1, __ATOMIC_RELEASE);
}

template <class... Part>
REX_FN void rex_reduce_league_ordered(unsigned long long *, Part... part)
{
    (rex_add_part(part), ...);
}

template <class... Part>
REX_FN void rex_reduce_all_ordered(unsigned int &, Part... part)
{
    for (int thread = 0; thread < rex_team.region_threads; ++thread) {
        rex_barrier();
        if (omp_get_thread_num() == thread)
            (rex_add_part(part), ...);
    }
}

/* Each thread combines its own copy, under one lock for all teams. */
#define REX_COMBINED_LANES(mine, ...) true
#define REX_OF_TEAM(lock) lock
#define REX_COMBINED_BY_ALL(lock, original, mine, ...) REX_COMBINING(lock) __VA_ARGS__(original, mine)

template <class Op, class T>
REX_FN void rex_reduce_team(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

template <class Op, class T>
REX_FN void rex_reduce_team_ordered(T *original, T partial)
{
    const int threads = omp_get_num_threads();
    for (int thread = 0; thread < threads; ++thread) {
        rex_barrier();
        if (omp_get_thread_num() == thread)
            rex_add_part(rex_part<Op>(original, partial));
    }
}

template <class Op, class T>
REX_FN void rex_reduce_region(T *original, T partial)
{
    rex_reduce_team<Op>(original, partial);
}

template <class Op, class T>
REX_FN void rex_reduce_region_ordered(T *original, T partial)
{
    rex_reduce_team_ordered<Op>(original, partial);
}
