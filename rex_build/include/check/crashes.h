/* What is said when device code or the host crashes. Included by runtime.c. */

static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

/* Whether code is a function of this library, whose memory the program has overwritten when it crashes. */
static int is_own(const char *code)
{
    Dl_info mine, info;
    return dladdr((const void *)&is_own, &mine) && dladdr(code, &info) && info.dli_fbase == mine.dli_fbase;
}

static void ends_anyway(int number)
{
    (void)number;
    syscall(SYS_exit_group, 66);
}

/* The signal ends the program when its handler returns. */
static void dies_of(int number)
{
    real_sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

/* Device code that crashes was not necessarily seen before: it may have used up its stack, or followed a null pointer. Where
 * the host crashes, that is not told, but what was found before probably is the reason, so it makes the status. */
static void crashed(int number, siginfo_t *what, void *context)
{
    const char *const code = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    static const void *first;
    const void *none = NULL;
    if (!__atomic_compare_exchange_n(&first, &none, &self, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        while (none != &self) /* other threads crash for the same reason, but do not end the program before all is said */
            pause();
        is_active = 0;
    }
    if (!is_active) {
        dies_of(number);
        return;
    }
    is_ended = 1; /* what is mapped now is no leak */
    real_sigaction(SIGALRM, &(struct sigaction){.sa_handler = ends_anyway}, NULL); /* whoever crashes may hold a lock of the C library for ever */
    alarm(self.in_device || error_count() ? 5 : 0);
    if (self.in_device && number != SIGABRT) {
        struct finding *const finding = new_finding("device-crash", code, NULL, NULL);
        const char *const directive = current_directive();
        self.in_device = 0;
        if (finding) {
            finding->at = is_own(code) && directive ? place_of_directive(directive) : place_of(code + 1);
            spell_like(&finding->at, self.call && self.call->location ? self.call->location->source : NULL);
            if (number == SIGFPE || number == SIGILL)
                finding->message = text(number == SIGFPE ? "device code divides by zero" : "device code ends the program here");
            else
                finding->message = text("device code crashes here, with the address %p%s", what->si_addr,
                                        is_own(code) ? ", after it has written over memory that is not its own" : "");
            publish(finding);
        }
    }
    if (error_count())
        at_exit();
    alarm(0);
    dies_of(number);
}
