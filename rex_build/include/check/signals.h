/* Signal handlers of the program, which interrupt anything: device code, or this library with its locks held. Included by
 * runtime.c.
 *
 * A handler of the program is called by one of ours, and what it does is not checked. The program sees its own handlers only.
 * Signals that end a program by default come to `crashed` in crashes.h unless the program handles them.
 */

enum { SIGNALS = 65 };
static const int deadly_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction program_actions[SIGNALS];

static void leave_handlers(void)
{
    if (!handling.depth)
        return;
    handling.depth = 0;
    self.in_device = handling.in_device;
    self.in_runtime = handling.in_runtime;
}

static void handles(int number, siginfo_t *what, void *context)
{
    const struct sigaction action = program_actions[number];
    if (!handling.depth++) {
        handling.in_device = self.in_device;
        handling.in_runtime = self.in_runtime;
    }
    self.in_device = 0;
    ++self.in_runtime;
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, what, context);
    else
        action.sa_handler(number);
    --self.in_runtime;
    if (handling.depth == 1)
        leave_handlers();
    else if (handling.depth)
        --handling.depth;
}

static void catch_crashes(int number)
{
    const struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    real_sigaction(number, &action, NULL);
}

static int is_deadly(int number)
{
    for (size_t i = 0; i < sizeof(deadly_signals) / sizeof(deadly_signals[0]); ++i)
        if (deadly_signals[i] == number)
            return 1;
    return 0;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    const int is_known = number > 0 && number < SIGNALS;
    struct sigaction before = {0}, ours;
    int result;
    if (!real_sigaction)
        *(void **)&real_sigaction = dlsym(RTLD_NEXT, "sigaction");
    if (!is_active || !is_known)
        return real_sigaction(number, action, old);
    before = program_actions[number];
    if (action) {
        ours = *action;
        if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
            program_actions[number] = *action; /* the first: the signal may come at once */
            ours.sa_sigaction = handles;
            ours.sa_flags |= SA_SIGINFO;
        }
    }
    result = real_sigaction(number, action ? &ours : NULL, old);
    if (old && !result && (old->sa_flags & SA_SIGINFO) && old->sa_sigaction == handles)
        *old = before;
    else if (old && !result && (old->sa_flags & SA_SIGINFO) && old->sa_sigaction == crashed)
        *old = (struct sigaction){.sa_handler = SIG_DFL};
    if (action && !result && action->sa_handler == SIG_DFL && is_deadly(number))
        catch_crashes(number);
    return result;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

/* A handler may be left by a jump. */
#define JUMP(name)                                                                                                            \
    EXPORT __attribute__((noreturn)) void name(struct __jmp_buf_tag *to, int value)                                           \
    {                                                                                                                         \
        static __attribute__((noreturn)) void (*real)(struct __jmp_buf_tag *, int);                                           \
        if (!real)                                                                                                            \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                        \
        leave_handlers();                                                                                                     \
        real(to, value);                                                                                                      \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
