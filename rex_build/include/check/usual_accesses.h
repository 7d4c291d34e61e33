/* What nearly all accesses of device code come to. Included by runtime.c.
 *
 * A place in the code mostly accesses one granule of the block that it has accessed before, holds no lock, and only meets
 * what earlier launches or its own thread did there. Then there is nothing to report, and little to note. All else is left
 * to shared_access in device_accesses.h, which decides alike.
 */

static pthread_key_t views_of_thread;

/* A thread begins to run device code: it gets views of its own. */
static void own_views(void)
{
    struct view *views;
    if (self.views != no_views || !(views = __libc_calloc(VIEWS, sizeof(struct view))))
        return;
    self.views = views;
    pthread_setspecific(views_of_thread, views);
}

/* The thread ends. */
static void drop_views(void *views)
{
    self.views = no_views;
    __libc_free(views);
}

/* A call instruction has five bytes, so places within the same two kilobytes of code have views of their own. */
static inline struct view *view_for(const char *caller)
{
    return &self.views[(uintptr_t)caller >> 2 & (VIEWS - 1)];
}

/* The next access at a site may be to the same block. `now` is the generation before the block was found. */
static inline void look_at(const struct block *block, const struct grid *grid, size_t size, const struct site *site, uint64_t now)
{
    struct view *view;
    if (grid->mask + 1 != size || block->kind > GLOBAL || self.views == no_views)
        return;
    view = view_for(site->caller);
    view->caller = site->caller;
    view->begin = block->begin;
    view->limit = block->size - size + 1;
    view->cells = (struct cell *)grid->cells;
    view->grid = grid;
    view->generation = now;
    view->site = SITE_NUMBER(site);
}

/* Whether device code uses memory that no other thread sees. */
static inline int is_own_stack(const char *address)
{
    return (size_t)(address - self.stack) < self.stack_size;
}

/* Whether two accesses of one interval are not ordered: they are of different threads, or of different iterations of a loop. */
static inline int are_side_by_side(who a, who b)
{
    const who iteration = ((who)1 << ITERATION_BITS) - 1, differs = a ^ b;
    if (differs >> (ITERATION_BITS + LOOP_BITS))
        return !(differs >> INTERVAL_SHIFT);
    return !(differs >> ITERATION_BITS) && (a & iteration) && (b & iteration) && !self.uses_number;
}

/* Returns whether all is done for an access of `size` bytes. */
static inline __attribute__((always_inline)) int is_quick(const char *address, size_t size, int is_write, const char *caller)
{
    const struct view *const view = view_for(caller);
    const size_t offset = (size_t)(address - view->begin);
    const who me = self.who, earlier = self.earlier;
    struct cell *cell;
    who reader;
    if (UNLIKELY(view->caller != caller) || UNLIKELY(offset >= view->limit) || UNLIKELY(offset & (size - 1))
        || UNLIKELY(view->generation != generation) || UNLIKELY(self.is_ordered) || UNLIKELY(open_count))
        return 0;
    cell = (struct cell *)((char *)view->cells + offset * (sizeof(struct cell) / size));
    if (cell->writer != me && cell->writer >= earlier)
        return 0;
    reader = cell->reader;
    if (is_write) {
        if ((cell->state | MANY_READERS) != (HOST_OLD | MANY_READERS)
            || (reader >= earlier && (reader != me || (cell->state & MANY_READERS))))
            return 0;
        cell->writer = me;
        cell->writer_site = view->site;
        cell->writer_lock = 0;
    } else {
        if (cell->state & (DEVICE_OLD | DEVICE_UNSET | LACKING))
            return 0;
        if (reader == me) {
            cell->reader_lock = 0;
        } else if (reader < earlier) {
            cell->reader = me;
            cell->reader_site = view->site;
            cell->reader_lock = 0;
            if (cell->state & MANY_READERS)
                cell->state &= (uint8_t)~MANY_READERS;
        } else if (!are_side_by_side(reader, me)) {
            return 0;
        } else if (!(cell->state & MANY_READERS)) {
            cell->state |= MANY_READERS;
        }
    }
    ++self.accesses;
    return LIKELY(!__atomic_load_n(&view->grid->is_replaced, __ATOMIC_ACQUIRE));
}
