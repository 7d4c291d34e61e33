/* What is mapped: calls of libomptarget, their copies, and blocks that come and go. Included by runtime.c. */

extern void *omp_get_mapped_ptr(const void *pointer, int device) __attribute__((weak));
extern int omp_target_is_present(const void *pointer, int device) __attribute__((weak));
extern int omp_get_default_device(void) __attribute__((weak));
extern int omp_get_initial_device(void) __attribute__((weak));

/* ---- blocks --------------------------------------------------------------------------------------------------------------- */

/* Blocks that are used no more. Sites still refer to them, so other threads may be looking at one, and each rests for a while. */
enum { RESTING = 256 };
static struct block *resting, **last_resting = &resting;
static unsigned int resting_count;

static struct block *new_block(enum block_kind kind, char *begin, size_t size)
{
    struct block *block = NULL;
    pthread_mutex_lock(&lock);
    if (resting_count > RESTING) {
        block = resting;
        resting = block->next;
        --resting_count;
    }
    pthread_mutex_unlock(&lock);
    if (block)
        real_memset(block, 0, sizeof(*block));
    else
        block = __libc_calloc(1, sizeof(*block));
    block->kind = kind;
    block->on_device.begin = (uintptr_t)begin;
    block->on_device.end = (uintptr_t)begin + size;
    __atomic_store_n(&block->begin, begin, __ATOMIC_RELEASE);
    __atomic_store_n(&block->size, size, __ATOMIC_RELEASE); /* the last: see is_in_block */
    return block;
}

/* With the lock held, as the next ones. */
static void is_used_no_more(struct block *block)
{
    __atomic_store_n(&block->size, 0, __ATOMIC_RELEASE);
    block->next = NULL;
    *last_resting = block;
    last_resting = &block->next;
    ++resting_count;
}

static int order_residues; /* those that keep order only */
static void forget_on_host(struct block *block);

/* Memory that was only the device's is something else now. */
static void end_plain(struct node *node)
{
    take_out(&device_tree, node);
    is_used_no_more(BLOCK_ON_DEVICE(node));
}

static void list_on_device(struct block *block)
{
    struct node *above, *below;
    /* What is left of memory that was plain until now. */
    while ((below = find(device_tree, block->on_device.begin, &above)), below && below->end > block->on_device.begin
           && BLOCK_ON_DEVICE(below)->kind == PLAIN)
        end_plain(below);
    while (above && above->begin < block->on_device.end && BLOCK_ON_DEVICE(above)->kind == PLAIN) {
        end_plain(above);
        find(device_tree, block->on_device.begin, &above);
    }
    while (below && below->end > block->on_device.begin && BLOCK_ON_DEVICE(below)->kind == MAPPED) {
        forget_on_host(BLOCK_ON_DEVICE(below)); /* it was unmapped in a way that is not seen here */
        take_out(&device_tree, below);
        below = find(device_tree, block->on_device.begin, NULL);
    }
    insert(&device_tree, &block->on_device);
    ++generation;
}

/* What is known of the bytes of a residue from `begin` to `end`, as a residue of its own. */
static void keep_part(const struct block *residue, uintptr_t begin, uintptr_t end)
{
    const struct grid *const grid = residue->grid;
    const uintptr_t host = (uintptr_t)residue->host;
    struct block *part;
    size_t first, last;
    if (!grid || begin >= end)
        return;
    first = (begin - host + ((size_t)1 << grid->shift) - 1) >> grid->shift;
    last = end == host + residue->size ? grid->count : (end - host) >> grid->shift;
    if (first >= last)
        return;
    part = new_block(MAPPED, residue->begin + (first << grid->shift), end - host - (first << grid->shift));
    part->host = residue->host + (first << grid->shift);
    part->is_residue = 1;
    part->keeps_order = residue->keeps_order;
    order_residues += part->keeps_order;
    part->skipped = residue->skipped + (first << grid->shift);
    part->whole = residue->whole ? residue->whole : residue->size;
    part->name = residue->name;
    part->where = residue->where;
    part->ended = residue->ended;
    part->type = residue->type;
    part->dropped = residue->dropped;
    part->initial = residue->initial;
    part->grid = new_grid(part, grid->shift);
    if (part->grid)
        real_memcpy(part->grid->cells, grid->cells + first, (last - first) * sizeof(struct cell));
    part->on_host.begin = (uintptr_t)part->host;
    part->on_host.end = (uintptr_t)part->host + part->size;
    part->is_listed = 1;
    insert(&host_tree, &part->on_host);
}

static void list_on_host(struct block *block)
{
    struct node *node, *above;
    block->on_host.begin = (uintptr_t)block->host;
    block->on_host.end = (uintptr_t)block->host + block->size;
    for (;;) {
        node = find(host_tree, block->on_host.begin, &above);
        if (node && node->end <= block->on_host.begin)
            node = NULL;
        if (!node && above && above->begin < block->on_host.end)
            node = above;
        if (!node)
            break;
        if (BLOCK_ON_HOST(node)->is_residue) {
            struct block residue = *BLOCK_ON_HOST(node);
            forget_on_host(BLOCK_ON_HOST(node));
            keep_part(&residue, node->begin, block->on_host.begin);
            keep_part(&residue, block->on_host.end, node->end);
            continue;
        }
        block->next = BLOCK_ON_HOST(node)->next; /* the same memory on another device */
        BLOCK_ON_HOST(node)->next = block;
        ++generation;
        return;
    }
    block->is_listed = 1;
    insert(&host_tree, &block->on_host);
    ++generation;
}

static void forget_on_host(struct block *block)
{
    struct node *node;
    struct block *other;
    if (!block->host)
        return;
    order_residues -= block->keeps_order;
    if (block->is_listed) {
        take_out(&host_tree, &block->on_host);
        other = block->next;
        block->next = NULL;
        block->is_listed = 0;
        if (other) {
            other->is_listed = 1;
            insert(&host_tree, &other->on_host);
        }
    } else {
        node = find(host_tree, (uintptr_t)block->host, NULL);
        for (other = node ? BLOCK_ON_HOST(node) : NULL; other; other = other->next)
            if (other->next == block) {
                other->next = block->next;
                break;
            }
    }
    block->host = NULL;
    ++generation;
}

static struct block *on_host_and_device(const char *address, int device)
{
    struct block *block;
    struct node *node;
    pthread_mutex_lock(&lock);
    node = find(host_tree, (uintptr_t)address, NULL);
    block = node && (uintptr_t)address < node->end ? BLOCK_ON_HOST(node) : NULL;
    while (block && (block->device != device || block->is_residue))
        block = block->next;
    pthread_mutex_unlock(&lock);
    return block;
}

static uintptr_t stack_high; /* of the program's first thread */

static int is_on_stack(const char *address)
{
    return (const char *)address >= (char *)__builtin_frame_address(0) && (uintptr_t)address < stack_high;
}

static int stack_residues;

/* Whether the present call copies this memory back. */
static int is_row_from(const char *host)
{
    const struct call *const call = self.call;
    int32_t i;
    for (i = 0; call && i < call->count; ++i)
        if (call->pointers[i] == host && !(call->types[i] & ROW_LITERAL))
            return (call->types[i] & ROW_FROM) != 0;
    return 0;
}

/* The block leaves the device. What the host's memory lacks afterwards stays known as a residue. */
static void release_block(struct block *block, const char *ended)
{
    char *const host = block->host;
    struct grid *grid = block->grid;
    size_t i;
    int is_lacking = 0;
    struct past *watched = NULL;
    pthread_mutex_lock(&lock);
    take_out(&device_tree, &block->on_device);
    forget_on_host(block);
    block->ended = ended;
    block->grid = NULL;
    for (i = 0; grid && i < grid->count; ++i) {
        struct cell *const cell = &grid->cells[i];
        cell->state &= HOST_OLD | HOST_UNSET | HOST_LOST | LACKING | MANY_READERS;
        is_lacking |= cell->state & ~MANY_READERS;
    }
    if (!grid && (block->initial & HOST_UNSET))
        is_lacking = 1;
    block->host = host;
    if (host && ended)
        watched = was_unmapped(block, !is_lacking, !is_lacking && is_row_from(host));
    block->host = NULL;
    if (host && (is_lacking || watched || (self.host && grid))) {
        struct block *residue = new_block(MAPPED, block->begin, block->size);
        residue->host = host;
        residue->grid = grid;
        residue->initial = block->initial & HOST_UNSET;
        residue->is_residue = 1;
        residue->keeps_order = !is_lacking && !watched;
        order_residues += residue->keeps_order;
        residue->dropped = block->dropped;
        residue->watched = watched;
        residue->name = block->name;
        residue->where = block->where;
        residue->ended = ended;
        residue->type = block->type;
        stack_residues += !residue->keeps_order && is_on_stack(host);
        list_on_host(residue);
    } else if (grid) {
        syscall(SYS_munmap, grid, sizeof(*grid) + grid->count * sizeof(struct cell));
    }
    released[released_count % 1024] = *block; /* for the reports of later accesses */
    released[released_count++ % 1024].host = host;
    is_used_no_more(block);
    ++generation;
    pthread_mutex_unlock(&lock);
}

static SLOW void report_freed(const struct block *block, const char *caller)
{
    char name[160], variable[160];
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("freed-while-mapped", block->where, caller, NULL);
    if (finding) {
        field(name, sizeof(name), block->name, 0);
        variable_of(variable, sizeof(variable), block->name);
        finding->at = place_of(caller);
        spell_like(&finding->at, block->where);
        finding->variable = strdup(name);
        finding->message = text("the host frees the memory of '%s', which is still mapped", name);
        note_mapping(finding, block);
        finding->help = text("put '#pragma omp target exit data map(release: %s)' in front, as often as it was mapped", variable);
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* Nothing that was known of the host's memory holds any more: `caller` frees it, or its function has returned (null). Returns
 * whether it was still mapped when it was freed. */
static int host_memory_ends(char *memory, size_t size, const char *caller)
{
    int is_mapped = 0;
    uintptr_t begin = (uintptr_t)memory;
    struct node *node, *above;
    pthread_mutex_lock(&lock);
    for (;;) {
        struct block *block;
        node = find(host_tree, begin, &above);
        if (!node || node->end <= begin)
            node = above;
        if (!node || node->begin >= (uintptr_t)memory + size)
            break;
        block = BLOCK_ON_HOST(node);
        if (caller && is_active && !self.in_runtime && !block->is_residue && block->kind == MAPPED
            && omp_target_is_present && omp_target_is_present(block->host, block->device)) {
            report_freed(block, caller);
            block->is_freed = 1;
            is_mapped = 1;
            begin = node->end;
            continue;
        }
        if (block->is_residue && block->grid)
            drop_grid(block);
        forget_on_host(block);
    }
    while (has_one_memory && (node = find(device_tree, (uintptr_t)memory + size - 1, NULL)) && node->end > (uintptr_t)memory) {
        take_out(&device_tree, node);
        is_used_no_more(BLOCK_ON_DEVICE(node));
        ++generation;
    }
    pthread_mutex_unlock(&lock);
    return is_mapped;
}

/* What is between two addresses is not used by the same threads any more. */
static void forget_order(const char *begin, const char *end)
{
    struct node *node, *above;
    uintptr_t from = (uintptr_t)begin;
    pthread_mutex_lock(&lock);
    while (order_residues) {
        struct block *block;
        node = find(host_tree, from, &above);
        if (!node || node->end <= from)
            node = above;
        if (!node || node->begin >= (uintptr_t)end)
            break;
        block = BLOCK_ON_HOST(node);
        from = node->end;
        if (block->keeps_order) {
            drop_grid(block);
            forget_on_host(block);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* What the host's memory lacks is lacking in a new mapping of it, too, and the regions that have used it are known. With the
 * lock held, before the residues go. */
static void inherit(struct block *block)
{
    const uintptr_t end = (uintptr_t)block->host + block->size;
    struct node *above, *node = find(host_tree, (uintptr_t)block->host, &above);
    if (!node || node->end <= (uintptr_t)block->host)
        node = above;
    while (node && node->begin < end) {
        struct block *const residue = BLOCK_ON_HOST(node);
        const struct grid *const grid = residue->is_residue ? residue->grid : NULL;
        size_t i;
        for (i = 0; grid && i < grid->count; ++i) {
            const struct cell *const old = &grid->cells[i];
            const size_t size = (size_t)1 << grid->shift;
            char *const address = residue->host + (i << grid->shift);
            struct grid *mine;
            size_t number;
            const int is_lacking = (old->state & (HOST_OLD | LACKING)) && !(old->state & REPORTED)
                                   && old->host_value == host_digest(residue, grid, i);
            const int is_used = self.host && (old->reader || old->writer);
            if ((!is_lacking && !is_used) || address < block->host || (uintptr_t)address + size > end)
                continue;
            mine = refined(block, (size_t)(address - block->host), size);
            for (number = (size_t)(address - block->host); mine && number < (size_t)(address - block->host) + size;
                 number += (size_t)1 << mine->shift) {
                struct cell *const cell = &mine->cells[number >> mine->shift];
                if (is_used) {
                    cell->writer = old->writer;
                    cell->reader = old->reader;
                    cell->writer_lock = old->writer_lock;
                    cell->reader_lock = old->reader_lock;
                    cell->reader_site = old->reader_site;
                    cell->state |= old->state & MANY_READERS;
                }
                cell->writer_site = old->writer_site;
                if (is_lacking) {
                    cell->host_value = host_digest(block, mine, number >> mine->shift);
                    cell->state |= LACKING;
                }
            }
            if (is_lacking)
                block->dropped = old->state & HOST_OLD ? residue : residue->dropped;
        }
        find(host_tree, node->end - 1, &above);
        node = above;
    }
}

/* ---- copies --------------------------------------------------------------------------------------------------------------- */

/* With the lock held, as the next ones. */
static void set_states(struct block *block, size_t offset, size_t size, uint8_t state, uint8_t kept)
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
    for (number = offset >> grid->shift; number <= last; ++number)
        grid->cells[number].state = (grid->cells[number].state & (MANY_READERS | kept)) | state;
}

static int is_unset(const char *from, size_t size)
{
    return size >= 4 && ((uintptr_t)from & 3) == 0 && *(const uint32_t *)from == unset_word((uintptr_t)from);
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
    copied_to += copy->size;
    set_states(block, offset, copy->size, 0, copy->from == block->host + offset ? LACKING : 0);
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
    copied_from += size;
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
        else if ((cell->state & DEVICE_OLD) && memcmp(to + begin - offset, from + begin - offset, length))
            cell->state = HOST_LOST;
        else
            cell->state &= MANY_READERS | LACKING;
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

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

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


/* ---- a region's own copies of scalars --------------------------------------------------------------------------------- */

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
    block->is_used = 1;
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

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

/* What is already mapped keeps its bytes. Returns whether libomptarget is going to end the program. */
static int before_call(struct call *call)
{
    const int device = device_of(call);
    const int is_end = check_sections(call);
    for (int32_t i = 0; i < call->count; ++i)
        call->is_new[i] = omp_get_mapped_ptr && call->pointers[i] && !omp_get_mapped_ptr(call->pointers[i], device);
    return is_end;
}

/* New memory of the device gets known bytes where the call has copied nothing. */
static void fill_new(const struct call *call, struct block *block)
{
    size_t k, at = 0;
    while (at < block->size) {
        size_t end = block->size;
        for (k = 0; k < call->copy_count; ++k) {
            const struct copy *const copy = &call->copies[k];
            if (copy->to + copy->size <= block->begin + at || copy->to >= block->begin + end)
                continue;
            if (copy->to <= block->begin + at) {
                at = (size_t)(copy->to + copy->size - block->begin);
                break;
            }
            end = (size_t)(copy->to - block->begin);
        }
        if (k < call->copy_count)
            continue;
        fill_unset(block->begin + at, end - at);
        at = end;
    }
}

/* Attaching a pointer on the device writes it there, but libomptarget leaves out the copy if it would change nothing. */
static void attach(const struct call *call, int32_t row, int device)
{
    char *const pointer = call->bases[row];
    struct block *block = (call->types[row] & ROW_PTR_AND_OBJ) && pointer ? on_host_and_device(pointer, device) : NULL;
    struct grid *grid;
    size_t offset, number;
    if (!block || pointer + sizeof(void *) > block->host + block->size)
        return;
    offset = (size_t)(pointer - block->host);
    grid = block->grid ? grid_for(block, offset, sizeof(void *)) : NULL;
    for (number = offset; grid && number < offset + sizeof(void *); number += (size_t)1 << grid->shift)
        grid->cells[number >> grid->shift].state &= (uint8_t)~(DEVICE_OLD | DEVICE_UNSET);
}

/* ---- variables of `declare target` ---------------------------------------------------------------------------------------- */

enum { MAX_GLOBALS = 4096 };
static struct block *globals[MAX_GLOBALS]; /* whose place on the device is not known yet */
static int global_count;

/* The name of a variable as the user knows it. Static ones have their function and a number of their file behind their names. */
static const char *name_of_global(const char *name)
{
    static char *(*demangled)(const char *, char *, size_t *, int *);
    static const char member[] = "rex_static_"; /* of a class: its name follows as the compiler has it */
    size_t length;
    int status = 1;
    char *readable;
    if (!strncmp(name, member, sizeof(member) - 1))
        name += sizeof(member) - 1;
    length = strlen(name);
    if (length > 10 && name[length - 9] == '_' && strspn(name + length - 8, "0123456789abcdef") == 8)
        for (size_t end = length - 10; end > 0; --end)
            if (name[end] == '_' && name[end + 1] == '_')
                return text(";%.*s;;;;", (int)end, name);
    if (!demangled)
        *(void **)&demangled = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    readable = demangled && name[0] == '_' ? demangled(name, NULL, NULL, &status) : NULL;
    return text(";%s;;;;", readable && !status ? readable : name);
}

/* A unit is loaded. The host may write its variables before they are on the device, which begins with their initial values. */
static void register_global(const struct entry *entry)
{
    struct block *block;
    if (!is_active || has_one_memory || global_count == MAX_GLOBALS)
        return;
    block = new_block(GLOBAL, NULL, entry->size);
    block->host = entry->address;
    block->name = name_of_global(entry->name);
    pthread_mutex_lock(&lock);
    list_on_host(block);
    globals[global_count++] = block;
    pthread_mutex_unlock(&lock);
}

/* The device has the variables of the units that are loaded. */
static SLOW void place_globals(int device)
{
    int i, left = 0;
    pthread_mutex_lock(&lock);
    for (i = 0; i < global_count; ++i) {
        struct block *const block = globals[i];
        char *const begin = block->host ? omp_get_mapped_ptr(block->host, device) : NULL;
        if (!begin || begin == block->host) {
            globals[left++] = block;
            continue;
        }
        block->begin = begin;
        block->device = device;
        block->on_device.begin = (uintptr_t)begin;
        block->on_device.end = (uintptr_t)begin + block->size;
        list_on_device(block);
    }
    global_count = left;
    pthread_mutex_unlock(&lock);
}

/* Lists the blocks that the call has made, and carries out its copies to the device in the cells. */
static void begin_call(struct call *call)
{
    const int device = device_of(call);
    size_t k;
    if (call->is_begun || !omp_get_mapped_ptr)
        return;
    call->is_begun = 1;
    if (global_count)
        place_globals(device);
    for (int32_t i = 0; i < call->count; ++i) {
        char *const pointer = call->pointers[i];
        struct block *block;
        char *begin;
        Dl_info info;
        if ((call->types[i] & (ROW_LITERAL | ROW_PRIVATE)) || call->sizes[i] <= 0 || !pointer)
            continue;
        begin = omp_get_mapped_ptr(pointer, device);
        block = on_host_and_device(pointer, device);
        if (block && (!begin || begin == block->begin + (pointer - block->host)))
            continue;
        if (block) /* it was unmapped in a way that is not seen here */
            release_block(block, NULL);
        if (!begin || begin == pointer || device_block(begin))
            continue; /* the last: the program has associated memory of its own */
        block = new_block(MAPPED, begin, (size_t)call->sizes[i]);
        block->host = pointer;
        block->device = device;
        block->initial = DEVICE_UNSET;
        block->name = call->names ? call->names[i] : NULL;
        block->where = call->location ? call->location->source : NULL;
        block->type = call->types[i];
        if (dladdr(begin, &info) && info.dli_fbase) {
            block->kind = GLOBAL; /* a variable of an image: its value is the host's, and it stays mapped */
            block->initial = 0;
        } else if (call->is_new && call->is_new[i]) {
            fill_new(call, block);
        }
        was_mapped(block);
        pthread_mutex_lock(&lock);
        inherit(block);
        list_on_device(block);
        list_on_host(block);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    for (k = 0; k < call->copy_count; ++k)
        copied_to_device(&call->copies[k]);
    call->copy_count = 0;
    for (int32_t i = 0; i < call->count && !call->is_update && !call->is_end; ++i)
        attach(call, i, device);
    pthread_mutex_unlock(&lock);
}

static SLOW void report_double_release(const struct call *call, int32_t row, int device)
{
    const char *const pointer = call->pointers[row], *const where = call->location ? call->location->source : NULL;
    struct finding *finding;
    unsigned int i;
    for (i = 1; i <= 1024 && i <= released_count; ++i) { /* the latest first; regions do not change them */
        const struct block *const block = &released[(released_count - i) % 1024];
        char name[160];
        if (block->host != pointer || block->device != device || block->kind != MAPPED)
            continue;
        pthread_mutex_lock(&report_lock);
        finding = new_finding("double-release", where, pointer, NULL);
        if (finding) {
            field(name, sizeof(name), call->names ? call->names[row] : NULL, 0);
            finding->at = place_of_directive(where);
            finding->variable = strdup(name);
            finding->message = text("'%s' is released, but it is not mapped any more", name);
            note_mapping(finding, block);
            note_directive(finding, "it was unmapped here", block->ended);
            finding->help = text("remove one of the two directives, or map it once more before");
            publish(finding);
        }
        pthread_mutex_unlock(&report_lock);
        return;
    }
}

static void end_call(struct call *call, int is_end)
{
    const int device = device_of(call);
    begin_call(call);
    drop_changed(call);
    for (int32_t i = 0; omp_target_is_present && i < call->count; ++i) {
        struct block *block;
        if (!call->pointers[i] || (call->types[i] & ROW_LITERAL))
            continue;
        block = on_host_and_device(call->pointers[i], device);
        if (block && block->kind == MAPPED && !omp_target_is_present(block->host, device))
            release_block(block, call->location ? call->location->source : NULL);
    }
    (void)is_end;
    __libc_free(call->copies);
}
