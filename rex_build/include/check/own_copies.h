/* A region's own copies of scalars that it changes and that no clause mentions. Included by runtime.c. */

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
