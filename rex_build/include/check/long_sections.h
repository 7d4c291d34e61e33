/* Sections that are too long for what they are in. Included by runtime.c. */

/* What it is in ends at `end`. It is allocated memory, or a variable of so many bytes. */
static SLOW void report_long_section(const struct block *block, uintptr_t end, const struct header *memory, size_t size)
{
    char at[320] = "", name[160];
    struct finding *finding;
    const size_t longer = (uintptr_t)block->host + block->size - end;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("section-too-long", block->where, block->name, NULL);
    if (finding) {
        field(name, sizeof(name), block->name, 0);
        finding->at = place_of_directive(block->where);
        finding->variable = strdup(name);
        finding->message = text("'%s' goes %zu bytes beyond the end of the memory that it is in", name, longer);
        if (memory) {
            struct place allocated = place_of(memory->caller);
            spell_like(&allocated, block->where);
            place_in_text(at, sizeof(at), &allocated);
        }
        note(finding, memory ? text("%s: %zu bytes are allocated here", at, size) : text("this variable has %zu bytes", size));
        finding->help = text("make the section shorter, or what it is in %zu bytes longer", longer);
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* Whether a section goes beyond the memory, or the variable, that it begins in. */
static void check_end(const struct block *block)
{
    const uintptr_t section_end = (uintptr_t)block->host + block->size;
    struct header memory;
    struct range variable;
    if (memory_around(block->host, &memory)) {
        if (memory.owner == BY_PROGRAM && section_end > memory.node.end)
            report_long_section(block, memory.node.end, &memory, memory.size);
    } else if (variable_around(block->host, &variable) && section_end > variable.high) {
        report_long_section(block, variable.high, NULL, variable.high - variable.low);
    }
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

/* The elements of a strided section are rows of one name. Those in front are mapped, and this one is not. */
static void check_strided(const struct call *call, int32_t row)
{
    struct node *node, *before;
    const struct block *mapped;
    if (!call->names || call->names[row] != call->names[row - 1] || !omp_target_is_present
        || omp_target_is_present(call->pointers[row], device_of(call)))
        return;
    pthread_mutex_lock(&lock);
    node = find(host_tree, (uintptr_t)call->pointers[row], NULL);
    before = find(host_tree, (uintptr_t)call->pointers[row - 1], NULL);
    mapped = before && before->end > (uintptr_t)call->pointers[row - 1] ? BLOCK_ON_HOST(before) : NULL;
    pthread_mutex_unlock(&lock);
    if (mapped && mapped->kind == MAPPED && !mapped->is_residue && !(node && node->end > (uintptr_t)call->pointers[row]))
        report_longer(call, row, mapped);
}

/* Before the call, because libomptarget ends a program whose sections overlap. Returns whether it is going to. */
static int check_sections(const struct call *call)
{
    int32_t i, is_end = 0;
    for (i = 0; i < call->count; ++i)
        if (!(call->types[i] & (ROW_LITERAL | ROW_PRIVATE)) && call->sizes[i] > 0 && call->pointers[i])
            is_end |= check_extension(call, i);
    for (i = 0; i < call->count; ++i) {
        char *const pointer = call->pointers[i];
        if ((call->types[i] & (ROW_LITERAL | ROW_PRIVATE)) || call->sizes[i] <= 0 || !pointer)
            continue;
        const struct block block = {.host = pointer, .size = (size_t)call->sizes[i],
                                    .name = call->names ? call->names[i] : NULL,
                                    .where = call->location ? call->location->source : NULL};
        check_end(&block);
        if (call->is_update && i > 0)
            check_strided(call, i);
    }
    return is_end;
}
