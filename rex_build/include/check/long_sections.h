/* Sections that are too long for what they are in. Included by runtime.c. */

static SLOW void report_long_section(const struct block *block, const struct header *memory)
{
    char at[320], name[160];
    struct finding *finding;
    const size_t longer = (uintptr_t)block->host + block->size - memory->node.end;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("section-too-long", block->where, block->name, NULL);
    if (finding) {
        struct place allocated = place_of(memory->caller);
        field(name, sizeof(name), block->name, 0);
        finding->at = place_of_directive(block->where);
        finding->variable = strdup(name);
        spell_like(&allocated, block->where);
        place_in_text(at, sizeof(at), &allocated);
        finding->message = text("'%s' goes %zu bytes beyond the end of the memory that it is in", name, longer);
        note(finding, text("%s: %zu bytes are allocated here", at, memory->size));
        finding->help = text("make the section shorter, or allocate %zu bytes more", longer);
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

static int device_of(const struct call *call)
{
    return call->device >= 0 ? (int)call->device : omp_get_default_device ? omp_get_default_device() : 0;
}

/* A row begins in a mapped block, or ends there, and is not all in it. libomptarget ends such a program. */
static SLOW void report_longer(const struct call *call, int32_t row, const struct block *mapped)
{
    char name[160], before[160];
    struct finding *finding;
    const char *const where = call->location ? call->location->source : NULL;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("section-too-long", where, call->names ? call->names[row] : NULL, NULL);
    if (finding) {
        field(name, sizeof(name), call->names ? call->names[row] : NULL, 0);
        field(before, sizeof(before), mapped->name, 0);
        finding->at = place_of_directive(where);
        finding->variable = strdup(name);
        finding->message = text("'%s' goes beyond '%s', which is mapped already and cannot get longer", name, before);
        note_mapping(finding, mapped);
        finding->help = text("map all that is used where it is mapped first");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

static int check_extension(const struct call *call, int32_t row)
{
    const char *const begin = call->pointers[row], *const end = begin + call->sizes[row];
    const struct block *block;
    struct node *above, *node;
    if (call->is_update || call->is_end || (call->types[row] & ROW_IMPLICIT) || !omp_target_is_present)
        return 0;
    pthread_mutex_lock(&lock);
    node = find(host_tree, (uintptr_t)begin, &above);
    if (!node || node->end <= (uintptr_t)begin)
        node = above && above->begin < (uintptr_t)end ? above : NULL;
    block = node ? BLOCK_ON_HOST(node) : NULL;
    pthread_mutex_unlock(&lock);
    if (!block || block->kind != MAPPED || block->is_residue || block->next || block->device != device_of(call)
        || (begin >= block->host && end <= block->host + block->size) || !omp_target_is_present(block->host, block->device))
        return 0;
    report_longer(call, row, block);
    return 1;
}

/* Before the call, because libomptarget ends a program whose sections overlap. Returns whether it is going to. */
static int check_sections(const struct call *call)
{
    struct header memory;
    int32_t i, is_end = 0;
    for (i = 0; i < call->count; ++i)
        if (!(call->types[i] & (ROW_LITERAL | ROW_PRIVATE)) && call->sizes[i] > 0 && call->pointers[i])
            is_end |= check_extension(call, i);
    for (i = 0; i < call->count; ++i) {
        char *const pointer = call->pointers[i];
        if ((call->types[i] & (ROW_LITERAL | ROW_PRIVATE)) || call->sizes[i] <= 0 || !memory_around(pointer, &memory)
            || memory.owner != BY_PROGRAM || (uintptr_t)pointer + (size_t)call->sizes[i] <= memory.node.end)
            continue;
        const struct block block = {.host = pointer, .size = (size_t)call->sizes[i],
                                    .name = call->names ? call->names[i] : NULL,
                                    .where = call->location ? call->location->source : NULL};
        report_long_section(&block, &memory);
    }
    return is_end;
}
