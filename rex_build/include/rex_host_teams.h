/* Teams of host code: their limits, and the leagues of host versions, whose teams run one after the other. Included by
 * rex_kmp.h.
 */
#ifndef REX_HOST_TEAMS_H
#define REX_HOST_TEAMS_H

extern int rex_omp_num_threads(void) __asm__("omp_get_num_threads");

static __inline__ int rex_limited(int wanted, int most)
{
    return most > 0 && wanted > most ? most : wanted;
}

/* The limits that device code has set for the number of teams and of threads in each. 0 means that it has set none. */
extern int rex_team_limits[2];
__attribute__((weak)) int rex_team_limits[2];

/* The internal control variables that limit a league, the host's too. 0 means that nothing sets them. */
extern int rex_host_max_teams(void) __asm__("omp_get_max_teams");
extern int rex_host_teams_thread_limit(void) __asm__("omp_get_teams_thread_limit");

static __inline__ int rex_omp_max_teams(void)
{
    const int most = rex_host_max_teams();
    return most > 0 ? rex_limited(most, rex_team_limits[0]) : rex_team_limits[0];
}

static __inline__ int rex_omp_teams_thread_limit(void)
{
    const int most = rex_host_teams_thread_limit();
    return most > 0 ? rex_limited(most, rex_team_limits[1]) : rex_team_limits[1];
}

extern int rex_level(void) __asm__("omp_get_level");
extern int rex_ancestor(int) __asm__("omp_get_ancestor_thread_num");
extern int rex_host_num_teams(void) __asm__("omp_get_num_teams");
extern int rex_host_team_num(void) __asm__("omp_get_team_num");

/* A league of teams. It belongs to the thread that made it, at nesting level `level`, and to that thread's descendants. */
struct rex_league {
    struct rex_league *next;
    int teams, rex_team, last, level, rex_once;
    rex_uint64 threads;
};

/* Put in front of a statement that only the first team runs. */
#define REX_FIRST_TEAM(league) for ((league).rex_once = (league).rex_team == 0; (league).rex_once; (league).rex_once = 0)

extern struct rex_league *rex_leagues; /* the newest first */
__attribute__((weak)) struct rex_league *rex_leagues;
extern int rex_leagues_lock;
__attribute__((weak)) int rex_leagues_lock;

/* A number that identifies the ancestors of the calling thread, and its team in a host construct if there is one. It is
 * exact for three levels of 2^16 threads. */
static __inline__ rex_uint64 rex_ancestors(int level)
{
    rex_uint64 threads = (rex_uint64)rex_host_team_num();
    int i;
    for (i = 1; i <= level; ++i)
        threads = threads * 65536 + (rex_uint64)rex_ancestor(i);
    return threads;
}

/* With `once`, the first team does everything that the other teams would do. */
static __inline__ void rex_enter_league(struct rex_league *league, int teams, int once)
{
    league->teams = teams < 1 ? 1 : teams;
    league->rex_team = 0;
    league->last = once ? 0 : league->teams - 1;
    league->level = rex_level();
    league->threads = rex_ancestors(league->level);
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    league->next = rex_leagues;
    rex_leagues = league;
    __sync_lock_release(&rex_leagues_lock);
}

/* Returns 0 if there is no other team. The league has ended then. */
static __inline__ int rex_next_team(struct rex_league *league)
{
    struct rex_league **place = &rex_leagues;
    if (league->rex_team < league->last) {
        ++league->rex_team;
        return 1;
    }
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    while (*place != league)
        place = &(*place)->next;
    *place = league->next;
    __sync_lock_release(&rex_leagues_lock);
    return 0;
}

/* The team's number or the number of teams in the calling thread's league, or `otherwise` if it is in none. */
static __inline__ int rex_of_league(int number, int otherwise)
{
    const int level = rex_level();
    const struct rex_league *league;
    int found = otherwise;
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    for (league = rex_leagues; league; league = league->next)
        if (league->level <= level && league->threads == rex_ancestors(league->level)) {
            found = number ? league->rex_team : league->teams;
            break;
        }
    __sync_lock_release(&rex_leagues_lock);
    return found;
}

static __inline__ int rex_num_teams(void)
{
    return rex_of_league(0, rex_host_num_teams());
}

static __inline__ int rex_team_num(void)
{
    return rex_of_league(1, rex_host_team_num());
}

#endif
