/* Tasks: thread limits, and detach clauses, which LLVM's runtime does not support for gcc's code; `error` directives. Included
 * by rex_kmp.h. */
#ifndef REX_HOST_TASKS_H
#define REX_HOST_TASKS_H

struct rex_dependence {
    const volatile void *address;
    rex_size size;
    unsigned char kind; /* 1 in, 3 out and inout, 4 mutexinoutset, 8 inoutset */
};

rex_int32 rex_kmp_thread(struct rex_location *) __asm__("__kmpc_global_thread_num");
void *rex_kmp_task_alloc(struct rex_location *, rex_int32, rex_int32, rex_size, rex_size,
                         rex_int32 (*)(rex_int32, void *)) __asm__("__kmpc_omp_task_alloc");
void *rex_kmp_event(struct rex_location *, rex_int32, void *) __asm__("__kmpc_task_allow_completion_event");
rex_int32 rex_kmp_task(struct rex_location *, rex_int32, void *, rex_int32, const struct rex_dependence *, rex_int32,
                       const void *) __asm__("__kmpc_omp_task_with_deps");

void rex_kmp_thread_limit(struct rex_location *, rex_int32, rex_int32) __asm__("__kmpc_set_thread_limit");

void rex_kmp_error(struct rex_location *, rex_int32, const char *) __asm__("__kmpc_error");

/* What an `error` directive says when it runs. Severity 1 is a warning, and 2 ends the program. */
static __inline__ void rex_error(rex_int32 severity, const char *message)
{
    rex_kmp_error(0, severity, message);
}

/* Limits the threads of teams in the rest of the current task. */
static __inline__ void rex_limit_threads(int most)
{
    rex_kmp_thread_limit(0, rex_kmp_thread(0), most);
}

static __inline__ rex_int32 rex_empty_task(rex_int32 thread, void *task)
{
    (void)thread;
    (void)task;
    return 0;
}

/* Makes an empty task that is complete when `event` is fulfilled, an omp_event_handle_t that this creates. */
static __inline__ void *rex_completion_task(struct rex_location *location, void *event)
{
    const rex_int32 thread = rex_kmp_thread(location), tied = 0x1, detachable = 0x40;
    void *task = rex_kmp_task_alloc(location, thread, tied | detachable, 40 /* bytes of a kmp_task_t */, 0, rex_empty_task);
    void *handle = rex_kmp_event(location, thread, task);
    __builtin_memcpy(event, &handle, sizeof(handle));
    return task;
}

static __inline__ void rex_start_task(struct rex_location *location, void *task, rex_int32 count,
                                      const struct rex_dependence *dependences)
{
    (void)rex_kmp_task(location, rex_kmp_thread(location), task, count, dependences, 0, 0);
}

#endif
