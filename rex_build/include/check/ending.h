/* What is said when the program ends. Included by runtime.c. */

static int is_ended; /* in a way in which mapped memory is no leak */

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
        if (strcmp(variable, "this") == 0)
            finding->help = text("remove what this directive maps by 'exit data' with the same items, in the same object: one that was "
                                 "copied or moved is another one");
        else
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
