/* Cells: what is known of a few bytes of a block, and sites: the places of loads and stores. Included by runtime.c. */

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

static struct grid *new_grid(const struct block *block, unsigned int shift)
{
    const size_t count = (block->size + ((size_t)1 << shift) - 1) >> shift;
    const size_t bytes = sizeof(struct grid) + count * sizeof(struct cell);
    struct grid *grid = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t i;
    if (grid == MAP_FAILED)
        return NULL;
    madvise(grid, bytes, MADV_HUGEPAGE); /* most of it is used soon */
    grid->shift = shift;
    grid->mask = ((size_t)1 << shift) - 1;
    grid->count = count;
    if (block->initial)
        for (i = 0; i < count; ++i)
            grid->cells[i].state = block->initial;
    return grid;
}

static void drop_grid(struct block *block)
{
    if (block->grid)
        syscall(SYS_munmap, block->grid, sizeof(struct grid) + block->grid->count * sizeof(struct cell));
    block->grid = NULL;
}

/* What other threads have noted in a grid before this call is visible afterwards. What they note later, they note again,
 * because then they see that the grid is replaced. This makes fences of the threads' side needless, which would be slow. */
static void finish_accesses(void)
{
    static int is_registered;
    if (!is_registered)
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    is_registered = 1;
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* The block's cells, fine enough for an access at `offset` of `size` bytes. With the lock held. */
static struct grid *refined(struct block *block, size_t offset, size_t size)
{
    unsigned int shift = 3;
    struct grid *grid = block->grid, *finer;
    size_t i;
    while (shift && ((offset | size) & (((size_t)1 << shift) - 1)))
        --shift;
    if (!grid) {
        grid = new_grid(block, shift);
    } else if (grid->shift > shift) {
        finer = new_grid(block, shift);
        if (finer) {
            __atomic_store_n(&grid->is_replaced, 1, __ATOMIC_SEQ_CST);
            finish_accesses();
        }
        for (i = 0; finer && i < finer->count; ++i)
            finer->cells[i] = grid->cells[i << shift >> grid->shift];
        if (finer)
            grid = finer; /* other threads may still use the old one, so it stays */
    }
    __atomic_store_n(&block->grid, grid, __ATOMIC_RELEASE);
    return grid;
}

static SLOW struct grid *fine_grid(struct block *block, size_t offset, size_t size)
{
    struct grid *grid;
    pthread_mutex_lock(&lock);
    grid = refined(block, offset, size);
    pthread_mutex_unlock(&lock);
    return grid;
}

static inline struct grid *grid_for(struct block *block, size_t offset, size_t size)
{
    struct grid *grid = __atomic_load_n(&block->grid, __ATOMIC_ACQUIRE);
    if (UNLIKELY(!grid) || UNLIKELY((offset | size) & grid->mask) || UNLIKELY(grid->is_replaced))
        grid = fine_grid(block, offset, size);
    return grid;
}

/* Of a granule, which has at most 8 bytes. */
static uint16_t digest(const char *memory, size_t size)
{
    uint64_t value = 0;
    if (size == 8)
        __builtin_memcpy(&value, memory, 8);
    else if (size == 4)
        __builtin_memcpy(&value, memory, 4);
    else
        for (size_t i = 0; i < size; ++i)
            value = value << 8 | (unsigned char)memory[i];
    return (uint16_t)(value * 0x9e3779b97f4a7c15u >> 48);
}

static uint16_t host_digest(const struct block *block, const struct grid *grid, size_t number)
{
    const size_t begin = number << grid->shift, end = begin + ((size_t)1 << grid->shift);
    return block->host ? digest(block->host + begin, (end < block->size ? end : block->size) - begin) : 0;
}

/* ---- sites: the places of loads and stores --------------------------------------------------------------------------- */

static inline struct site *site_of(const char *caller)
{
    uint32_t at = ((uintptr_t)caller * 2654435761u) >> 12 & (SITES - 1);
    for (;;) {
        const char *known = sites[at].caller;
        if (LIKELY(known == caller))
            return &sites[at];
        if (!known) {
            const char *expected = NULL;
            if (__atomic_compare_exchange_n(&sites[at].caller, &expected, caller, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
                || expected == caller)
                return &sites[at];
        }
        at = (at + 1) & (SITES - 1);
    }
}

#define SITE_NUMBER(site) ((uint32_t)((site)-sites))

/* Whether device memory is as it was when it was allocated, or has what was copied of such memory of the host. Without a
 * store: gcc's instrumentation is silent about `a[i] = f(x)` where f returns a structure or a complex number. */
static int is_untouched(const struct block *block, size_t offset, size_t size)
{
    const char *const memory = block->begin + offset;
    return holds_unset(memory, size, memory) || (block->host && holds_unset(memory, size, block->host + offset));
}
