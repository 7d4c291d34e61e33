/* The settings of tasks, and what they say of a region. Included by the devices' rex_teams.h, which have the state. */
#pragma once

/* Whether each thread has settings of its own. It has in kernels of units with REX_OWN_SETTINGS, which all units define that
 * call functions of other units. Elsewhere nothing in a region changes the settings. */
REX_FN bool rex_has_own_settings()
{
#if defined(REX_SEPARABLE)
    return rex_team.own_settings; /* the kernel may be another unit's */
#elif defined(REX_OWN_SETTINGS)
    return true;
#else
    return false;
#endif
}

/* The settings of the calling thread's task, or of the team. */
REX_FN rex_settings &rex_current_settings()
{
    return rex_has_own_settings() ? rex_thread_settings() : rex_team.settings;
}

/* Lets the team's regions begin with the settings of the calling thread's task. */
REX_FN void rex_give_settings()
{
    if (rex_has_own_settings())
        rex_team.settings = rex_current_settings();
}

/* Gives the calling thread's task the settings with which the team's regions begin. */
REX_FN void rex_take_settings()
{
    if (rex_has_own_settings())
        rex_current_settings() = rex_team.settings;
}

/* Gives the rest of a block settings of its own, which begin as a copy of those around it. This is for explicit tasks, which
 * run at once; such a task is final if it is declared so or if the task around it is final. Without arguments it is for
 * implicit tasks. */
struct rex_own_settings {
#ifdef REX_OWN_SETTINGS
    const rex_settings around;
    __device__ rex_own_settings() : around(rex_current_settings()) { rex_current_settings().task = rex_implicit_task; }
    __device__ explicit rex_own_settings(bool is_final) : around(rex_current_settings())
    {
        const bool final = is_final || around.task == rex_final_task;
        rex_current_settings().task = final ? rex_final_task : rex_explicit_task;
    }
    __device__ ~rex_own_settings() { rex_current_settings() = around; }
#endif
};

REX_FN bool rex_in_team_region() { return rex_team.level == 1 && rex_depth() == 0; }

REX_FN void rex_team_reset(int level, int region_threads, int thread_limit)
{
    rex_team.level = level;
    rex_team.region_threads = region_threads;
    rex_team.thread_limit = thread_limit;
    rex_team.combining = 0;
#if defined(REX_SEPARABLE) && defined(REX_OWN_SETTINGS)
    rex_team.own_settings = true;
#elif defined(REX_SEPARABLE)
    rex_team.own_settings = false;
#endif
    rex_team.settings = {0, omp_sched_static, 0, 1, rex_implicit_task};
    rex_take_settings();
}

/* The number of threads of a region that a team's initial thread starts. */
REX_FN int rex_region_size(int requested, int available)
{
    if (rex_has_own_settings() && rex_current_settings().active_levels == 0)
        return 1;
    const int set = rex_current_settings().num_threads;
    const int wanted = requested > 0 ? requested : set > 0 ? set : available;
    return wanted < rex_team.thread_limit ? wanted : rex_team.thread_limit;
}

/* Runs a region on the calling thread alone. */
template <class Body>
REX_FN void rex_serial_region(Body body)
{
    [[maybe_unused]] const rex_own_settings settings{};
    ++rex_depth();
    body();
    --rex_depth();
}
