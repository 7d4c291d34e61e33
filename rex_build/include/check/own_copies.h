/* A region's own copies of scalars that it changes and that no clause mentions, and private copies without a value. Included by
 * runtime.c. */

/* Whether a row is that of a variable. */
static int names_variable(const char *row, const char *name)
{
    const size_t length = strlen(name);
    return row && row[0] == ';' && !strncmp(row + 1, name, length) && row[1 + length] == ';';
}

/* The host's scalar that a row passes by value: the last one that was packed is that of the last literal row. */
static char *packed_by(const struct call *call, int32_t row)
{
    unsigned int back = 1;
    const char *scalar;
    int32_t i;
    if (!(call->types[row] & ROW_LITERAL))
        return call->pointers[row];
    for (i = row + 1; i < call->count; ++i)
        back += (call->types[i] & ROW_LITERAL) != 0;
    if (back > call->packed || back > MAX_PACKED)
        return NULL;
    scalar = call->packed_here[(call->packed - back) % MAX_PACKED];
    return memcmp(scalar, &call->pointers[row], (size_t)call->sizes[row]) ? NULL : (char *)scalar;
}

/* One thread of the region makes the copy, which belongs to the variable as if 'map(to: …)' had made it. With the lock held. */
static struct block *changed_copy(struct call *call, int32_t row, const void *value)
{
    const size_t size = (size_t)call->sizes[row];
    struct block *const block = new_block(MAPPED, owned_alloc(size, 16, BY_RUNTIME, CALLER, 0), size);
    real_memcpy(block->begin, value, size);
    block->device = device_of(call);
    block->name = call->names[row];
    block->where = call->location ? call->location->source : NULL;
    block->type = ROW_TO | ROW_PRIVATE;
    block->is_used = block->is_own = 1;
    block->host = packed_by(call, row);
    list_on_device(block);
    if (block->host && !on_host_and_device(block->host, block->device)) {
        list_on_host(block);
    } else {
        block->copied = block->host;
        block->host = NULL;
    }
    block->sibling = call->changed;
    call->changed = block;
    return block;
}

/* A region has changed its own copy of what is mapped around it. So the host's memory lacks a change, also while it is mapped. */
static void note_lacking(const struct block *copy)
{
    struct block *const block = on_host_and_device(copy->copied, copy->device), *dropped;
    const struct grid *const grid = copy->grid;
    struct grid *mine;
    size_t i, offset, number;
    if (!grid || !block || copy->copied + copy->size > block->host + block->size)
        return;
    pthread_mutex_lock(&lock);
    for (i = 0; i < grid->count; ++i) {
        if (!(grid->cells[i].state & HOST_OLD))
            continue;
        offset = (size_t)(copy->copied - block->host) + (i << grid->shift);
        mine = refined(block, offset, (size_t)1 << grid->shift);
        for (number = offset; mine && number < offset + ((size_t)1 << grid->shift); number += (size_t)1 << mine->shift) {
            struct cell *const cell = &mine->cells[number >> mine->shift];
            cell->writer_site = grid->cells[i].writer_site;
            cell->host_value = host_digest(block, mine, number >> mine->shift);
            cell->state |= LACKING;
        }
        if (!block->dropped || block->dropped->where != copy->where) {
            dropped = __libc_malloc(sizeof(*dropped));
            *dropped = *copy;
            dropped->grid = NULL;
            block->dropped = dropped;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void drop_changed(struct call *call)
{
    struct block *block;
    while ((block = call->changed)) {
        char *const memory = block->begin;
        call->changed = block->sibling;
        if (block->copied)
            note_lacking(block);
        release_block(block, block->where);
        free(memory);
    }
}

/* The private copies that the calling thread has made lately. They have the bytes of unset memory until something is written. */
enum { PRIVATE_COPIES = 32, MAX_PRIVATE = 1024 };
static __thread struct {
    const char *begin, *name;
    size_t size;
} private_copies[PRIVATE_COPIES];
static __thread unsigned int private_count;

/* Iterations have no values from each other, unless the program asks which thread runs them. */
EXPORT void *rex_check_private(volatile void *copy, uint64_t size, const char *name)
{
    char *const begin = (char *)(uintptr_t)copy;
    const who iteration = self.who & (((who)1 << ITERATION_BITS) - 1);
    if (is_active && is_own_stack(begin) && size <= MAX_PRIVATE && !(iteration && self.uses_number)) {
        const unsigned int at = private_count++ % PRIVATE_COPIES;
        fill_unset(begin, size);
        private_copies[at].begin = begin;
        private_copies[at].name = name;
        private_copies[at].size = size;
    }
    return begin;
}

/* Device code reads what may be a private copy without a value. */
static SLOW void read_own_copy(const char *address, size_t size, const char *caller)
{
    const char *const where = current_directive();
    struct finding *finding;
    unsigned int back = 1;
    if (!holds_unset(address, size, address))
        return;
    for (; back <= PRIVATE_COPIES; ++back) {
        const unsigned int at = (private_count - back) % PRIVATE_COPIES;
        const char *const name = private_copies[at].name;
        if ((size_t)(address - private_copies[at].begin) >= private_copies[at].size)
            continue;
        pthread_mutex_lock(&report_lock);
        finding = new_finding("uninitialised-read", where, site_of(caller), NULL);
        if (finding) {
            finding->at = place_of(caller);
            spell_like(&finding->at, where);
            finding->variable = strdup(name);
            finding->message = text("the device reads its private copy of %s, which nothing has written", name);
            finding->help = text("write firstprivate(%s) if the value from before is meant, or give it a value first", name);
            publish(finding);
        }
        pthread_mutex_unlock(&report_lock);
        return;
    }
}
