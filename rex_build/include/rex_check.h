/* What device code tells the run-time library of the check device (check/runtime.c): which kernel, team, thread and
 * iteration runs, and where threads wait for each other. On other devices all of this is empty.
 */
#pragma once

#ifdef REX_DEVICE_CHECK

extern "C" {
void rex_check_kernel(void);
void rex_check_kernel_end(void);
unsigned int rex_check_launch(void);
unsigned int rex_check_interval(unsigned int team);
unsigned int rex_check_new_team(void);
unsigned int rex_check_fork(unsigned int team);
void rex_check_enter(void *room, void *frame, unsigned int launch, unsigned int interval, unsigned int thread);
void rex_check_leave(const void *room);
void rex_check_go_on(unsigned int interval);
void rex_check_join(void *meeting, unsigned int threads, unsigned int team);
void rex_check_barrier(void);
void rex_check_part(void);
void rex_check_loop(int over_teams);
void rex_check_iteration(long long number);
int rex_check_uses_number(int set);
void rex_check_acquired(const void *lock, int of_all_teams);
void rex_check_released(void);
void rex_check_fenced(void);
void rex_check_hands_on(const volatile void *object);
void rex_check_gets_to_know(const volatile void *object);
void rex_check_updates(const volatile void *object, unsigned long size, unsigned int operation);
void *rex_check_private(volatile void *copy, unsigned long size, const char *name);
void *rex_check_changed(void *value, unsigned long size, const char *name);
void rex_check_dropped(void *value, unsigned long size, const char *name);
void rex_check_counted_twice(void);
struct rex_check_dependence;
void rex_check_task_begin(unsigned long long *around, int *ends_open, int is_deferred, const rex_check_dependence *depends,
                          unsigned int count);
void rex_check_task_end(unsigned long long around, int ends_open);
void rex_check_taskwait(const rex_check_dependence *depends, unsigned int count);
unsigned int rex_check_group(void);
void rex_check_group_end(unsigned int before);
}

/* The logical team of the calling thread: the iteration of `distribute` that it runs, or its own number. */
static thread_local unsigned int rex_check_team;
static thread_local bool rex_check_many_teams; /* the threads of the grid belong to several teams, or may */
/* Where the threads of a parallel region wait for each other. */
struct rex_check_meeting {
    unsigned long long room[16];
};

/* While this lives, the calling thread runs device code. */
struct rex_check_inside {
    unsigned long long room[8];
    const unsigned int team_before;
    const bool many_before;
    __attribute__((always_inline)) rex_check_inside(unsigned int launch, unsigned int team, unsigned int interval,
                                                    unsigned int thread)
        : team_before(rex_check_team), many_before(rex_check_many_teams)
    {
        rex_check_enter(room, __builtin_frame_address(0), launch, interval, thread);
        rex_check_team = team;
        rex_check_many_teams = false;
    }
    ~rex_check_inside()
    {
        rex_check_leave(room);
        rex_check_team = team_before;
        rex_check_many_teams = many_before;
    }
    rex_check_inside(const rex_check_inside &) = delete;
};

struct rex_check_launching {
    rex_check_launching() { rex_check_kernel(); }
    ~rex_check_launching() { rex_check_kernel_end(); }
    rex_check_launching(const rex_check_launching &) = delete;
};

/* Begins a loop that several threads share. The thread's number, which the loop itself needs, is not asked for by the user;
 * `asked` says whether the user has. The iterations may be `over_teams`. Returns whether its iterations are logical threads. A single thread keeps their order. */
static inline bool rex_check_begin_loop(long long asked, bool is_shared, bool over_teams = false)
{
    rex_check_uses_number(static_cast<int>(asked));
    rex_check_loop(over_teams);
    return is_shared;
}
static inline int rex_check_asked()
{
    const int asked = rex_check_uses_number(0);
    rex_check_uses_number(asked);
    return asked;
}
static inline bool rex_check_turn(bool more, long long iteration)
{
    rex_check_iteration(more ? iteration : -1);
    return more;
}
static inline bool rex_check_team_turn(bool more)
{
    if (!rex_check_asked()) {
        rex_check_team = rex_check_new_team();
        rex_check_go_on(rex_check_interval(rex_check_team));
    }
    return more;
}

/* A list item of `depend`. */
struct rex_check_dependence {
    const volatile void *address;
    int kind;
};
#define REX_DEPENDS_IN(item) {&(item), 0}
#define REX_DEPENDS_OUT(item) {&(item), 1}
#define REX_DEPENDS_IN_SET(item) {&(item), 2}
#define REX_DEPENDS_ON_ALL {nullptr, 3}

/* An item that device code has no variable for: a name, and indices. */
template <class... Indices>
static inline rex_check_dependence rex_check_named(int kind, const char *name, Indices... indices)
{
    unsigned long long value = 1;
    for (; *name; ++name)
        value = value * 1099511628211u + static_cast<unsigned char>(*name);
    ((value = value * 1099511628211u + static_cast<unsigned long long>(indices)), ...);
    return {reinterpret_cast<const void *>(value | 1ull << 63), kind}; /* no address of a variable */
}
#define REX_NAME_IN(...) rex_check_named(0, __VA_ARGS__)
#define REX_NAME_OUT(...) rex_check_named(1, __VA_ARGS__)
#define REX_NAME_IN_SET(...) rex_check_named(2, __VA_ARGS__)

/* While this lives, the calling thread runs a task. In a team of one thread it would run at any time, but beside nothing. */
struct rex_check_task {
    unsigned long long around;
    int ends_open;
    const bool is_shared;
    template <unsigned int Count>
    rex_check_task(bool is_deferred, int threads, const rex_check_dependence (&depends)[Count]) : is_shared(threads > 1)
    {
        if (is_shared)
            rex_check_task_begin(&around, &ends_open, is_deferred, depends + 1, Count - 1);
    }
    ~rex_check_task()
    {
        if (is_shared)
            rex_check_task_end(around, ends_open);
    }
    rex_check_task(const rex_check_task &) = delete;
};

/* While this lives, the calling thread is in a taskgroup, which waits at its end. */
struct rex_check_taskgroup {
    const unsigned int before = rex_check_group();
    rex_check_taskgroup() = default;
    ~rex_check_taskgroup() { rex_check_group_end(before); }
    rex_check_taskgroup(const rex_check_taskgroup &) = delete;
};

template <unsigned int Count>
static inline void rex_check_wait(const rex_check_dependence (&depends)[Count])
{
    rex_check_taskwait(depends + 1, Count - 1);
}

/* The rest of a block is a task. It runs at once, and may be deferred. What it depends on follows. */
#define REX_TASK(is_deferred, ...)                                                                                     \
    const rex_check_dependence rex_depends[] = {REX_DEPENDS_ON_ALL, ##__VA_ARGS__};                                    \
    const rex_check_task rex_task(is_deferred, omp_get_num_threads(), rex_depends)
#define REX_TASKGROUP() const rex_check_taskgroup rex_taskgroup{}
#define REX_TASKWAIT(...) rex_check_wait({REX_DEPENDS_ON_ALL, ##__VA_ARGS__})

#define REX_CHECK_NUMBER() (void)rex_check_uses_number(1)
#define REX_CHECK_ACQUIRED(lock, of_all_teams) rex_check_acquired(lock, of_all_teams)
#define REX_CHECK_RELEASED() rex_check_released()
#define REX_CHECK_FENCED() rex_check_fenced()
#define REX_CHECK_HANDS_ON(object) rex_check_hands_on(object)
#define REX_CHECK_GETS_TO_KNOW(object) rex_check_gets_to_know(object)

/* While this lives, the calling thread updates an object. Updates by one operation may change places, if it is not 0. */
struct rex_check_update {
    rex_check_update(const volatile void *object, unsigned long size, unsigned int operation)
    {
        rex_check_updates(object, size, operation);
    }
    ~rex_check_update() { rex_check_updates(nullptr, 0, 0); }
    rex_check_update(const rex_check_update &) = delete;
};
#define REX_CHECK_UPDATES(object, operation) const rex_check_update rex_update(object, sizeof *(object), operation)

/* The region's own copy of a variable that it changes and no clause mentions. All threads share it, as OpenMP has it. */
template <class T>
static inline T &rex_check_copy(T &value, const char *name)
{
    return *static_cast<T *>(rex_check_changed(&value, sizeof(value), name));
}
#define REX_CHANGED(value, name) rex_check_copy(value, name)
/* The result of a reduction goes to such a copy, and no further. */
#define REX_DROPPED(value, name) rex_check_dropped(value, sizeof *(value), name)

/* A private copy without a value. A constructor may give it one, and members may have none. */
template <class T>
struct rex_check_scalar {
    static constexpr bool value = !__is_class(T) && !__is_union(T);
};
template <class T, __SIZE_TYPE__ Count>
struct rex_check_scalar<T[Count]> : rex_check_scalar<T> {};
template <class T>
static inline T &rex_check_unset(T &copy, const char *name)
{
    if constexpr (rex_check_scalar<T>::value)
        return *static_cast<T *>(rex_check_private(&copy, sizeof(copy), name));
    else
        return copy;
}
#define REX_UNSET(copy, name) rex_check_unset(copy, name)

/* A reduction's copy begins with what the user's initialiser makes of the original. A copy that is the same as the original
 * must not change what it is combined with: it would be counted again for each thread. */
template <class T, class Combine>
static inline void rex_check_start(Combine combine, const T *copy, const T *original)
{
    if constexpr (__is_trivially_copyable(T)) {
        alignas(T) unsigned char room[3][sizeof(T)];
        T *const before = reinterpret_cast<T *>(room[0]), *const value = reinterpret_cast<T *>(room[1]);
        T *const other = reinterpret_cast<T *>(room[2]);
        __builtin_memcpy(room[0], original, sizeof(T));
        __builtin_memcpy(room[1], original, sizeof(T));
        __builtin_memcpy(room[2], copy, sizeof(T));
        __builtin_clear_padding(before);
        __builtin_clear_padding(other);
        if (__builtin_memcmp(before, other, sizeof(T)) != 0)
            return;
        combine(value, other);
        __builtin_clear_padding(value);
        if (__builtin_memcmp(before, value, sizeof(T)) != 0)
            rex_check_counted_twice();
    }
}
#define REX_FROM_ORIGINAL(initialise, combine, copy, original)                                                         \
    (initialise(copy, original), rex_check_start(combine, copy, original))

#else

#define REX_FROM_ORIGINAL(initialise, combine, copy, original) initialise(copy, original)

/* Elsewhere each thread may have a copy of its own, because no correct program can tell. */
#define REX_CHANGED(value, name) value
#define REX_DROPPED(value, name) ((void)0)
#define REX_UNSET(copy, name) copy

/* Tasks run at once, where a thread meets them. */
#define REX_TASK(...) ((void)0)
#define REX_TASKGROUP() ((void)0)
#define REX_TASKWAIT(...) ((void)0)

#define REX_CHECK_NUMBER() ((void)0)
#define REX_CHECK_ACQUIRED(lock, of_all_teams) ((void)0)
#define REX_CHECK_RELEASED() ((void)0)
#define REX_CHECK_FENCED() ((void)0)
#define REX_CHECK_HANDS_ON(object) ((void)0)
#define REX_CHECK_GETS_TO_KNOW(object) ((void)0)
#define REX_CHECK_UPDATES(object, operation) ((void)0)

#endif
