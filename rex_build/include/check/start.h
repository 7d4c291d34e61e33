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

static void at_exit(void)
{
    unsigned int i, errors = 0;
    if (!is_active)
        return;
    ++self.in_runtime;
    if (!is_ended) {
        report_leaks(host_tree);
        give_advice();
    }
    is_active = 0;
    for (i = 0; i < finding_count; ++i) {
        errors += findings[i].is_advice == 0;
        if (findings[i].count > 1 && findings[i].is_advice >= 0)
            fprintf(stderr, "rex-build check: %s:%d [%s] happened %" PRIu64 " times\n", findings[i].at.file, findings[i].at.line,
                    findings[i].kind, findings[i].count);
    }
    fprintf(stderr, "rex-build check: %u finding%s; %" PRIu64 " target region%s, %" PRIu64 " accesses on the device, %" PRIu64
                    " bytes copied to it and %" PRIu64 " back were checked",
            errors, errors == 1 ? "" : "s", regions, regions == 1 ? "" : "s", device_accesses, copied_to, copied_from);
    if (suppressed_count)
        fprintf(stderr, "; %u suppressed", suppressed_count);
    fprintf(stderr, "\n");
    write_output();
    if (errors && !is_continuing) {
        fflush(NULL);
        _exit(66);
    }
}

/* Whether code is a function of this library, whose memory the program has overwritten when it crashes. */
static int is_own(const char *code)
{
    Dl_info mine, info;
    return dladdr((const void *)&is_own, &mine) && dladdr(code, &info) && info.dli_fbase == mine.dli_fbase;
}

/* Device code that crashes was not necessarily seen before: it may have used up its stack, or followed a null pointer. */
static void crashed(int number, siginfo_t *what, void *context)
{
    const char *const code = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    signal(number, SIG_DFL);
    if (is_active && self.in_device) {
        struct finding *const finding = new_finding("device-crash", code, NULL, NULL);
        const char *const directive = current_directive();
        self.in_device = 0;
        is_ended = 1; /* what is mapped now is no leak */
        if (finding) {
            finding->at = is_own(code) && directive ? place_of_directive(directive) : place_of(code + 1);
            spell_like(&finding->at, self.call && self.call->location ? self.call->location->source : NULL);
            finding->message = text("device code crashes here, with the address %p%s", what->si_addr,
                                    is_own(code) ? ", after it has written over memory that is not its own" : "");
            publish(finding);
        }
        at_exit();
    }
}

__attribute__((constructor(101))) static void prepare(void)
{
    static char other_stack[64 << 10];
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const char *wanted = getenv("REX_CHECK"), *color = getenv("NO_COLOR");
    int number = 0;
    find_originals();
    if (wanted && !strcmp(wanted, "0"))
        return;
    is_continuing = wanted && !strcmp(wanted, "continue");
    has_color = isatty(2) && !(color && *color);
    dl_iterate_phdr(look, &number);
    stack_high = end_of_stack();
    intervals = mmap(NULL, INTERVALS * sizeof(*intervals), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (intervals == MAP_FAILED)
        return;
    pthread_key_create(&views_of_thread, drop_views);
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    atexit(at_exit);
    is_active = 1;
}
