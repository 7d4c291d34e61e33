/* The state that threads of a team share. Included by the devices' rex_teams.h. */
#pragma once

enum rex_task_kind { rex_implicit_task, rex_explicit_task, rex_final_task };

/* The settings of a task: its last omp_set_num_threads or 0, its last omp_set_schedule, how many levels of regions may have
 * several threads (0 or 1), and what kind of task it is. */
struct rex_settings {
    int num_threads;
    omp_sched_t schedule;
    int chunk;
    int active_levels;
    rex_task_kind task;
};

/* The state that all threads of a team share. In the team's parallel region `level` is 1. Regions inside of it run on the
 * thread that encounters them, and rex_depth() counts those of the calling thread. */
struct rex_team_state {
    int level;          /* 0 or 1 */
    int region_threads; /* threads at that level */
    int thread_limit;   /* threads a region may have; 1 if every device thread is a team */
    unsigned int combining; /* the lock of declared reductions into the team's own variables, on GPUs */
    bool own_settings;     /* each thread has settings of its own; for REX_SEPARABLE */
    rex_settings settings; /* with which its regions begin */
#ifdef REX_SEPARABLE
    void *const *host_functions, *const *functions; /* indirect functions that the kernel's unit knows */
    int function_count;
#endif
};
