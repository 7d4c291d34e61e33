/* Blocks: what is on the device, and what is known of the host's memory after it was unmapped. Included by runtime.c. */

extern void *omp_get_mapped_ptr(const void *pointer, int device) __attribute__((weak));
extern int omp_target_is_present(const void *pointer, int device) __attribute__((weak));
extern int omp_get_default_device(void) __attribute__((weak));
extern int omp_get_initial_device(void) __attribute__((weak));

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
    drop_grid(BLOCK_ON_DEVICE(node));
    is_used_no_more(BLOCK_ON_DEVICE(node));
}

/* Device code gives memory back that it has allocated. */
static void device_memory_ends(const char *memory)
{
    struct node *node;
    pthread_mutex_lock(&lock);
    node = find(device_tree, (uintptr_t)memory, NULL);
    if (node && node->end > (uintptr_t)memory && BLOCK_ON_DEVICE(node)->kind == HEAP)
        end_plain(node);
    pthread_mutex_unlock(&lock);
}

static void list_on_device(struct block *block)
{
    struct node *above, *below;
    /* What is left of memory that was plain until now. */
    while ((below = find(device_tree, block->on_device.begin, &above)), below && below->end > block->on_device.begin
           && BLOCK_ON_DEVICE(below)->kind >= HEAP)
        end_plain(below);
    while (above && above->begin < block->on_device.end && BLOCK_ON_DEVICE(above)->kind >= HEAP) {
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

/* The list item by which the present call copies this memory back, or NULL if it does not. */
static struct item *copied_back_by(const char *host)
{
    const struct call *const call = self.call;
    int32_t i;
    for (i = 0; call && i < call->count; ++i)
        if (call->pointers[i] == host && !(call->types[i] & ROW_LITERAL))
            return call->types[i] & ROW_FROM && call->names && call->location
                       ? item_of(call->names[i], call->location->source, call->types[i])
                       : NULL;
    return NULL;
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
        watched = was_unmapped(block, !is_lacking, is_lacking ? NULL : copied_back_by(host));
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
    if (caller && UNLIKELY(transfer_count) && is_active && !self.in_runtime)
        check_pending(memory, size, FREES, site_of(caller));
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
        if (block->is_residue && block->watched && block->watched->host == block->host)
            is_not_read(block->watched);
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
            const int is_lacking = (old->state & (HOST_OLD | HOST_LOST | LACKING)) && !(old->state & REPORTED)
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
                    cell->state |= LACKING | (old->state & HOST_LOST);
                }
            }
            if (is_lacking)
                block->dropped = old->state & LACKING ? residue->dropped : residue;
        }
        find(host_tree, node->end - 1, &above);
        node = above;
    }
}
