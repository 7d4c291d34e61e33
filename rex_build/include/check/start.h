/* How a checked program begins, and what is said when it ends or crashes. Included by runtime.c. */

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    int *const number = data;
    uintptr_t low = UINTPTR_MAX, high = 0;
    int i;
    (void)size;
    for (i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (*number == 0 && segment_count < MAX_SEGMENTS)
            segments[segment_count++] = (struct range){info->dlpi_addr + header->p_vaddr,
                                                       info->dlpi_addr + header->p_vaddr + header->p_memsz};
        if (info->dlpi_addr + header->p_vaddr < low)
            low = info->dlpi_addr + header->p_vaddr;
        if (info->dlpi_addr + header->p_vaddr + header->p_memsz > high)
            high = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    }
    if (info->dlpi_name && strstr(info->dlpi_name, "libomptarget.so"))
        runtime_library = (struct range){low, high};
    if ((uintptr_t)&look >= low && (uintptr_t)&look < high)
        own_library = (struct range){low, high};
    ++*number;
    return 0;
}

/* Whether a directive has mapped more than a parent that is still mapped, or was when the host freed it. */
static int has_mapped_more(struct node *node, const char *where)
{
    const struct block *const block = node ? BLOCK_ON_HOST(node) : NULL;
    return block && ((!block->is_residue && !block->is_parent && block->where == where) || has_mapped_more(node->left, where)
                     || has_mapped_more(node->right, where));
}

static void report_leaks(struct node *node)
{
    struct block *block;
    struct finding *finding;
    char name[160], variable[160];
    if (!node)
        return;
    report_leaks(node->left);
    block = BLOCK_ON_HOST(node);
    if (!block->is_residue && !block->is_freed && block->kind == MAPPED
        && !(block->is_parent && has_mapped_more(host_tree, block->where))
        && (finding = new_finding("never-released", block->where, block->name, NULL))) {
        field(name, sizeof(name), block->name, 0);
        variable_of(variable, sizeof(variable), block->name);
        finding->at = place_of_directive(block->where);
        finding->variable = strdup(name);
        finding->message = text("'%s' is still mapped at the end of the program (%zu bytes)", name, block->size);
        finding->help = text("add '#pragma omp target exit data map(release: %s)', once for each time that it is mapped", variable);
        publish(finding);
    }
    report_leaks(node->right);
}

static int is_in_child;
static unsigned int errors_of_parent; /* found before the program made a process of itself that goes on here */

static unsigned int error_count(void)
{
    unsigned int i, errors = 0;
    for (i = 0; i < finding_count; ++i)
        errors += findings[i].is_advice == 0;
    return errors - errors_of_parent;
}

/* Says what is to be said at the end. Returns whether the status is to be 66. */
static int has_failed(void)
{
    unsigned int i, errors;
    if (!is_active)
        return 0;
    ++self.in_runtime;
    if (!is_ended) {
        report_leaks(host_tree);
        give_advice();
    }
    is_active = 0;
    errors = error_count();
    if (is_in_child && !errors && !regions)
        return 0;
    for (i = 0; i < finding_count; ++i)
        if (findings[i].count > 1 && findings[i].is_advice >= 0)
            fprintf(stderr, "rex-build check: %s:%d [%s] happened %" PRIu64 " times\n", findings[i].at.file, findings[i].at.line,
                    findings[i].kind, findings[i].count);
    fprintf(stderr, "rex-build check: %u finding%s; %" PRIu64 " target region%s, %" PRIu64 " accesses on the device, %" PRIu64
                    " bytes copied to it and %" PRIu64 " back were checked",
            errors, errors == 1 ? "" : "s", regions, regions == 1 ? "" : "s", device_accesses, copied_to, copied_from);
    if (suppressed_count)
        fprintf(stderr, "; %u suppressed", suppressed_count);
    fprintf(stderr, "\n");
    tell_claims();
    if (!is_in_child) /* which would replace its parent's file */
        write_output();
    return errors && !is_continuing;
}

static void at_exit(void)
{
    if (has_failed()) {
        fflush(NULL);
        syscall(SYS_exit_group, 66);
    }
}

/* The program ends without the functions that exit calls. Mapped memory is no leak then: nothing could release it. */
EXPORT void _exit(int status)
{
    is_ended = 1;
    if (is_active && (regions || error_count()) && has_failed())
        status = 66;
    for (;;)
        syscall(SYS_exit_group, status);
}
EXPORT void _Exit(int status) { _exit(status); }

/* In a process that the program has made of itself: only what happens there counts, and what is mapped is its parent's. */
static void is_child(void)
{
    is_in_child = 1;
    errors_of_parent += error_count();
    regions = device_accesses = copied_to = copied_from = suppressed_count = 0;
    for (unsigned int i = 0; i < finding_count; ++i)
        findings[i].count = 1;
    is_ended = 1;
}

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

/* The C library must not answer what this library has to see, as it does where only a shared library of the program is
 * checked, or a module that an interpreter loads. */
static void must_be_first(void)
{
    Dl_info info;
    if (is_in(dlsym(RTLD_DEFAULT, "memcpy"), &own_library))
        return;
    fprintf(stderr, "rex-build check: this program is not linked with the library of the check device, but a library of it is: build "
                    "the program for the check device, too, or run it with LD_PRELOAD=%s\n",
            dladdr((const void *)&look, &info) ? info.dli_fname : "its file");
    syscall(SYS_exit_group, 1);
}

__attribute__((constructor(101))) static void prepare(void)
{
    static char other_stack[64 << 10];
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
    const char *wanted = getenv("REX_CHECK"), *color = getenv("NO_COLOR");
    int number = 0;
    find_originals();
    if (wanted && !strcmp(wanted, "0"))
        return;
    is_continuing = wanted && !strcmp(wanted, "continue");
    has_color = isatty(2) && !(color && *color);
    dl_iterate_phdr(look, &number);
    must_be_first();
    stack_high = end_of_stack();
    intervals = mmap(NULL, INTERVALS * sizeof(*intervals), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (intervals == MAP_FAILED)
        return;
    pthread_key_create(&views_of_thread, drop_views);
    sigaltstack(&stack, NULL);
    *(void **)&real_sigaction = dlsym(RTLD_NEXT, "sigaction");
    for (number = 0; number < (int)(sizeof(deadly_signals) / sizeof(deadly_signals[0])); ++number)
        catch_crashes(deadly_signals[number]);
    atexit(at_exit);
    pthread_atfork(NULL, NULL, is_child);
    is_active = 1;
}
