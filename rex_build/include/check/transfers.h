/* Copies of libomptarget, and what they make of both sides. Included by runtime.c. */

/* What a copy leaves of a state: with the host's own memory, that lacks what it lacked before. */
static uint8_t kept_by_copy(uint8_t state, int is_same)
{
    return is_same && (state & LACKING) ? MANY_READERS | LACKING | HOST_LOST : MANY_READERS;
}

/* With the lock held, as the next ones. */
static void set_states(struct block *block, size_t offset, size_t size, uint8_t state, int is_same)
{
    struct grid *grid = block->grid;
    size_t number, last;
    if (!grid && offset == 0 && size == block->size) {
        block->initial = state;
        return;
    }
    if (!grid && block->initial == state)
        return;
    grid = grid_for(block, offset, size);
    if (!grid || !size)
        return;
    last = (offset + size - 1) >> grid->shift;
    for (number = offset >> grid->shift; number <= last; ++number) {
        struct cell *const cell = &grid->cells[number];
        const int is_overwritten = is_same && (cell->state & HOST_OLD) && cell->host_value == host_digest(block, grid, number);
        const uint8_t kept = kept_by_copy(cell->state, is_same) | (is_overwritten ? HOST_OLD | REPORTED : 0);
        cell->state = (cell->state & kept) | state; /* what replaces the device's value is still the host's old one */
    }
}

static int is_unset(const char *from, size_t size)
{
    return size >= 4 && ((uintptr_t)from & 3) == 0 && *(const uint32_t *)from == unset_word((uintptr_t)from);
}

/* Whether the program copies, and not what rex_offload_init() launches, whose rows have no names. */
static int is_programs_copy(const struct block *block)
{
    return block->kind != MAPPED || block->name;
}

static void copied_to_device(const struct copy *copy)
{
    struct block *block = device_block(copy->to);
    struct header memory;
    size_t offset, i;
    if (!block) {
        unsigned int k;
        for (k = 0; k < 1024 && k < released_count; ++k) /* a copy for a kernel takes the place of what was there */
            if (copy->to < released[k].begin + released[k].size && copy->to + copy->size > released[k].begin)
                released[k].size = 0;
        return;
    }
    if (copy->to + copy->size > block->begin + block->size)
        return;
    offset = (size_t)(copy->to - block->begin);
    copied_to += is_programs_copy(block) ? copy->size : 0;
    set_states(block, offset, copy->size, 0, copy->from == block->host + offset);
    if (!memory_around(copy->from, &memory) || memory.owner != BY_PROGRAM)
        return;
    for (i = 0; i + 4 <= copy->size; i += 4)
        if (is_unset(copy->from + i, copy->size - i))
            set_states(block, offset + i, 4, DEVICE_UNSET, 0);
}

static void copied_to_host(const char *to, const char *from, size_t size)
{
    struct block *block = device_block(from);
    struct grid *grid;
    size_t offset, number, last;
    if (!block || from + size > block->begin + block->size)
        return;
    copied_from += is_programs_copy(block) ? size : 0;
    offset = (size_t)(from - block->begin);
    if (block->kind == MAPPED && to != block->host + offset)
        return;
    grid = block->grid;
    if (!grid && !(block->initial & DEVICE_UNSET))
        return;
    if (!grid)
        grid = grid_for(block, 0, 4);
    if (!grid)
        return;
    last = (offset + size - 1) >> grid->shift;
    for (number = offset >> grid->shift; number <= last; ++number) {
        struct cell *const cell = &grid->cells[number];
        const size_t begin = number << grid->shift, length = (size_t)1 << grid->shift;
        if (begin < offset || begin + length > offset + size)
            continue;
        if ((cell->state & DEVICE_UNSET) && !is_untouched(block, begin, length))
            cell->state &= MANY_READERS; /* code that is not checked has written it */
        else if (cell->state & DEVICE_UNSET)
            cell->state |= HOST_UNSET;
        else if ((cell->state & DEVICE_OLD) && memcmp(to + begin - offset, from + begin - offset, length)) {
            cell->state = HOST_LOST;
            cell->host_value = digest(from + begin - offset, length);
        } else {
            cell->state &= kept_by_copy(cell->state, 1);
        }
    }
}

/* Called for each memcpy of libomptarget, before it is done. */
static SLOW void runtime_copies(char *to, const char *from, size_t size)
{
    struct call *const call = self.call;
    struct block *const source = device_block(from);
    const struct block *const target = device_block(to);
    if (source && source->kind <= GLOBAL && !target) {
        note_transfer(to, size, 1);
        struct item *const item = is_copied(to, from, size);
        pthread_mutex_lock(&lock);
        copied_to_host(to, from, size);
        if (item && source->host == to)
            watch_update(source, item, size);
        pthread_mutex_unlock(&lock);
        return;
    }
    if (target && target->kind <= GLOBAL) {
        note_transfer(from, size, 0);
        is_copied(from, to, size);
        const struct copy copy = {to, from, size};
        pthread_mutex_lock(&lock);
        copied_to_device(&copy);
        pthread_mutex_unlock(&lock);
        return;
    }
    if (!call)
        return;
    for (int32_t i = 0; open_count && i < call->count; ++i)
        if (from >= (char *)call->pointers[i] && from < (char *)call->pointers[i] + call->sizes[i])
            note_transfer(from, size, 0);
    if (call->copy_count == call->copy_room) {
        call->copy_room = call->copy_room ? 2 * call->copy_room : 16;
        call->copies = __libc_realloc(call->copies, call->copy_room * sizeof(struct copy));
    }
    call->copies[call->copy_count++] = (struct copy){to, from, size};
}

/* Called for each memset of libomptarget. */
static SLOW void runtime_sets(char *to, size_t size)
{
    struct block *block;
    pthread_mutex_lock(&lock);
    block = device_block(to);
    if (block && block->kind <= GLOBAL && to + size <= block->begin + block->size)
        set_states(block, (size_t)(to - block->begin), size, 0, 0);
    pthread_mutex_unlock(&lock);
}
