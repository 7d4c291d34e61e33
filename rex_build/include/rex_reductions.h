/* What the devices' reductions share. Included by their rex_reductions.h, which say where the threads of a team keep arrays. */
#pragma once

/* A pointer by which the array's first element has the index `first`. */
template <class T>
REX_FN T *rex_indexed_from(T *array, long long first)
{
    return array - first;
}

/* One of several variables that are combined in the same step. */
template <class Op, class T>
struct rex_reduction_part {
    using operation = Op;
    using type = T;
    T *original;
    T value;
};
template <class Op, class T>
REX_FN rex_reduction_part<Op, T> rex_part(T *original, T value)
{
    return {original, value};
}

/* Called by any thread, for tasks. */
template <class Op, class T>
REX_FN void rex_reduce_task(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

/* Called by the initial threads of the teams. */
template <class Op, class T>
REX_FN void rex_reduce_league(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

/* What is combined before it gets to the original. It is zero at first. */
template <class T>
struct alignas(alignof(T) > 64 ? alignof(T) : 64) rex_gathered {
    unsigned char value[sizeof(T)];
    unsigned long long arrived;
};

/* The place behind `count` places for values. */
template <class T>
REX_FN unsigned long long *rex_behind_gathered(unsigned long long *places, long count)
{
    return reinterpret_cast<unsigned long long *>(reinterpret_cast<rex_gathered<T> *>(places) + count);
}

/* Combines values whose first ones were made from the original. All `total` callers have made theirs when the last one
 * comes, so only this one combines something with the original. Called in a critical section. */
template <class T, class Combine>
REX_FN void rex_gather(unsigned long long *places, long number, Combine combine, T *original, T *partial, long long total)
{
    rex_gathered<T> *const place = reinterpret_cast<rex_gathered<T> *>(places) + number;
    T *const value = reinterpret_cast<T *>(place->value);
    if (place->arrived++ == 0)
        memcpy(place->value, partial, sizeof(T));
    else
        combine(value, partial);
    if (place->arrived == static_cast<unsigned long long>(total)) {
        REX_CHECK_FENCED(); /* all have read the original before they came here */
        combine(original, value);
    }
}

/* Called by all threads of a worksharing kernel's grid, before and after the loop. */
template <class Op, class T>
REX_FN void rex_begin_team_array(T *copy, long count, long room)
{
    if (!REX_HAS_ROOM(count, room))
        return;
    REX_FOR_TEAM (i, count)
        copy[i] = rex_identity<Op, T>();
    REX_WAIT_FOR_TEAM();
}

template <class Op, class T>
REX_FN void rex_end_team_array(T *original, const T *copy, long count, long room)
{
    if (!REX_HAS_ROOM(count, room))
        return;
    REX_WAIT_FOR_TEAM();
    REX_FOR_TEAM (i, count)
        rex_atomic_update<Op>(original + i, copy[i]);
}
