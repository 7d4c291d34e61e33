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
void *rex_check_changed(void *value, unsigned long size, const char *name);
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

#define REX_CHECK_NUMBER() (void)rex_check_uses_number(1)
#define REX_CHECK_ACQUIRED(lock, of_all_teams) rex_check_acquired(lock, of_all_teams)
#define REX_CHECK_RELEASED() rex_check_released()
#define REX_CHECK_FENCED() rex_check_fenced()

/* The region's own copy of a variable that it changes and no clause mentions. All threads share it, as OpenMP has it. */
template <class T>
static inline T &rex_check_copy(T &value, const char *name)
{
    return *static_cast<T *>(rex_check_changed(&value, sizeof(value), name));
}
#define REX_CHANGED(value, name) rex_check_copy(value, name)

#else

/* Elsewhere each thread may have a copy of its own, because no correct program can tell. */
#define REX_CHANGED(value, name) value

#define REX_CHECK_NUMBER() ((void)0)
#define REX_CHECK_ACQUIRED(lock, of_all_teams) ((void)0)
#define REX_CHECK_RELEASED() ((void)0)
#define REX_CHECK_FENCED() ((void)0)

#endif
