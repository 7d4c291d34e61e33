/* What happens at each load and store. Included by runtime.c. */

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

static struct grid *new_grid(const struct block *block, unsigned int shift)
{
    const size_t count = (block->size + ((size_t)1 << shift) - 1) >> shift;
    const size_t bytes = sizeof(struct grid) + count * sizeof(struct cell);
    struct grid *grid = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t i;
    if (grid == MAP_FAILED)
        return NULL;
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

static uint16_t digest(const char *memory, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i)
        value = value * 16777619u ^ (unsigned char)memory[i];
    return (uint16_t)(value ^ value >> 16);
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

/* ---- what is wrong with an access on the device -------------------------------------------------------------------------- */

static const char *read_or_write(int is_write)
{
    return is_write ? "writes" : "reads";
}

/* Whether another thread belongs to the contention group of this one. Critical regions and locks keep only the threads of one
 * such group apart, which a team is (OpenMP 5.2, sections 15.2 and 18.9). */
static inline int is_of_one_group(who a)
{
    const struct interval *const one = &intervals[a >> INTERVAL_SHIFT], *const mine = &intervals[self.who >> INTERVAL_SHIFT];
    const who iteration = ((who)1 << ITERATION_BITS) - 1;
    return one->launch == mine->launch && one->team == mine->team
           && !(self.over_teams && (a & iteration) && ((a ^ self.who) & iteration));
}

static inline int are_of_one_thread(who a, who b)
{
    return intervals[a >> INTERVAL_SHIFT].phase == intervals[b >> INTERVAL_SHIFT].phase
           && !((a ^ b) >> (ITERATION_BITS + LOOP_BITS) & (((who)1 << THREAD_BITS) - 1));
}

/* Races that were reported. A program may have millions of them. */
struct known_race {
    uint32_t site, other;
    const char *where;
    struct finding *finding;
};
enum { KNOWN_RACES = 4096 };
static struct known_race known_races[KNOWN_RACES];

/* A race is reported once for two lines of the source, at the later one of them. */
static SLOW void report_race(struct block *block, size_t offset, size_t size, struct site *site, int is_write, who other,
                             uint32_t other_site, int other_writes)
{
    const uint64_t mask = ((uint64_t)1 << ITERATION_BITS) - 1;
    char element[256], at[320], key[700];
    struct finding *finding;
    struct place here, there;
    unsigned long mine = self.who & mask, theirs = other & mask;
    const char *who;
    const uint32_t number = SITE_NUMBER(site);
    const struct interval *const earlier = &intervals[other >> INTERVAL_SHIFT];
    const int are_regions = intervals[self.who >> INTERVAL_SHIFT].launch != earlier->launch;
    const int of_threads = are_regions && is_of_other_thread(earlier);
    const int are_tasks = earlier->device_task != intervals[self.who >> INTERVAL_SHIFT].device_task && are_of_one_thread(other, self.who);
    struct known_race *const known = &known_races[(number * 31 + other_site) % KNOWN_RACES];
    if (known->finding && known->site == number && known->other == other_site && known->where == block->where) {
        __atomic_fetch_add(&known->finding->count, 1, __ATOMIC_RELAXED);
        return;
    }
    pthread_mutex_lock(&report_lock);
    here = place_of(site->caller);
    there = place_of(sites[other_site].caller);
    spell_like(&here, block->where);
    spell_like(&there, block->where);
    if (there.line > here.line) {
        const struct place place = here;
        const unsigned long iteration = mine;
        const int writes = is_write;
        here = there, there = place;
        mine = theirs, theirs = iteration;
        is_write = other_writes, other_writes = writes;
    }
    snprintf(key, sizeof(key), "%s:%d:%s:%d", here.file, here.line, there.file, there.line);
    finding = new_finding("race", block->where, (void *)text_number(key), NULL);
    if (finding) {
        element_of(element, sizeof(element), block, (int64_t)offset, size);
        finding->at = here;
        place_in_text(at, sizeof(at), &there);
        finding->variable = strdup(element);
        who = are_regions ? "region" : are_tasks ? "task" : mine && theirs ? "iteration" : "thread";
        finding->message = text("one %s %s %s while another one %s it, and nothing orders them", who, read_or_write(is_write),
                                element, read_or_write(other_writes));
        if (mine && theirs && !are_regions && !are_tasks)
            note(finding, text("iteration %lu %s it here, and iteration %lu %s it at %s (iterations are counted from 0)",
                               mine - 1, read_or_write(is_write), theirs - 1, read_or_write(other_writes), at));
        else
            note(finding, text("the other access is at %s", at));
        concerns(finding, &there);
        note_mapping(finding, block);
        if (self.lock && !is_of_one_group(other))
            note(finding, text("critical regions and locks keep only the threads of one team apart"));
        if (are_regions && of_threads)
            finding->help = text("put '#pragma omp barrier' between the regions, or both into '#pragma omp critical'");
        else if (are_regions)
            finding->help = text("put '#pragma omp taskwait' between the regions, or add 'depend' clauses to both");
        else if (are_tasks)
            finding->help = text("put '#pragma omp taskwait' between them, add 'depend' clauses to both tasks, or use "
                                 "'#pragma omp atomic'");
        else if (offset == 0 && block->size <= 16)
            finding->help = text("if every iteration adds to it: reduction(+: %s); if each needs its own: private(%s); else "
                                 "'#pragma omp atomic'", element, element);
        else
            finding->help = text("let each iteration use elements of its own, or use '#pragma omp atomic' or a reduction");
        publish(finding);
    }
    finding = same_finding("race", block->where, (void *)text_number(key), NULL);
    if (finding)
        *known = (struct known_race){number, other_site, block->where, finding};
    pthread_mutex_unlock(&report_lock);
}

static void note_dropped(struct finding *finding, const struct block *block, const char *variable)
{
    note_mapping(finding, block);
    if (block->ended && block->ended != block->where)
        note_directive(finding, "it is unmapped here", block->ended);
    finding->help = text("write map(%s: %s), or keep what the region changes in a variable of its own",
                         block->type & ROW_TO ? "tofrom" : "from", variable);
}

static SLOW void report_value(struct block *block, size_t offset, size_t size, struct site *site, struct cell *cell)
{
    char element[256], variable[160];
    struct finding *finding;
    const int is_unset = cell->state & DEVICE_UNSET, is_dropped = !is_unset && !(cell->state & DEVICE_OLD);
    const int is_lost = is_dropped && (cell->state & HOST_LOST);
    if (cell->state & REPORTED)
        return;
    if (is_unset && !is_untouched(block, offset, size)) {
        cell->state = HOST_OLD; /* code that is not checked has written it */
        cell->host_value = host_digest(block, block->grid, offset >> block->grid->shift);
        return;
    }
    if (is_dropped && cell->host_value != host_digest(block, block->grid, offset >> block->grid->shift)) {
        cell->state &= (uint8_t)~(LACKING | HOST_LOST); /* host code that is not checked has written it */
        return;
    }
    cell->state |= REPORTED;
    pthread_mutex_lock(&report_lock);
    finding = new_finding(is_unset     ? "uninitialised-read"
                          : is_lost    ? "lost-host-write"
                          : is_dropped ? "dropped-result"
                                       : "stale-read-on-device",
                          block->where, site, NULL);
    if (finding) {
        element_of(element, sizeof(element), block, (int64_t)offset, size);
        variable_of(variable, sizeof(variable), block->name);
        finding->at = place_of(site->caller);
        spell_like(&finding->at, block->where);
        finding->variable = strdup(element);
        if (is_unset) {
            finding->message = text("the device reads %s, which nothing has written", element);
            note_mapping(finding, block);
            if (block->kind == ALLOCATED)
                finding->help = text("write it on the device first, or copy it there with omp_target_memcpy");
            else if (block->type & ROW_TO)
                finding->help = text("the host had not written it when it was copied: initialise %s first", variable);
            else
                finding->help = text("map(%s) does not copy to the device: write map(%s: %s) if the host's values are meant",
                                     map_type(block), block->type & ROW_FROM ? "tofrom" : "to", variable);
        } else if (is_lost) {
            finding->message = text("the device reads %s, which the host had written; an older value of the device has replaced it",
                                    element);
            note_site(finding, "the host writes it at %s", cell->writer_site, block->where);
            note_mapping(finding, block->dropped);
            finding->help = text("put '#pragma omp target update to(%s)' behind the host's write", variable);
        } else if (is_dropped) {
            finding->message = text("the device reads %s, which it had changed before; the change was never copied back", element);
            note_site(finding, "the device writes it at %s", cell->writer_site, block->where);
            note_dropped(finding, block->dropped, variable);
        } else {
            finding->message = text("the device reads an old value of %s: the host has written it since it was copied", element);
            if (!cell->writer)
                note_site(finding, "the host writes it at %s", cell->writer_site, block->where);
            note_mapping(finding, block);
            finding->help = text("put '#pragma omp target update to(%s)' behind the host's write", variable);
        }
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* ---- accesses of device code -------------------------------------------------------------------------------------------- */

/* A team's own variables are on a stack, where those of another team take their place. `b` is what the calling thread does now. */
static int are_concurrent_here(const struct block *block, who a, who b)
{
    const uint32_t interval_a = a >> INTERVAL_SHIFT, interval_b = b >> INTERVAL_SHIFT;
    const uint64_t iteration = ((uint64_t)1 << ITERATION_BITS) - 1;
    if (interval_a != interval_b && UNLIKELY(open_count) && intervals[interval_a].launch != intervals[interval_b].launch)
        return block->kind != STACK && !(intervals[interval_a].held & intervals[interval_b].held)
               && (is_unordered(intervals[interval_a].task, intervals[interval_b].task) || is_of_other_thread(&intervals[interval_a]));
    if (interval_a != interval_b && intervals[interval_a].launch != intervals[interval_b].launch)
        return block->kind != STACK && is_of_other_thread(&intervals[interval_a]);
    if (interval_a != interval_b && intervals[interval_a].phase != intervals[interval_b].phase)
        return block->kind != STACK && intervals[interval_a].team != intervals[interval_b].team;
    if ((a ^ b) >> (ITERATION_BITS + LOOP_BITS) & (((who)1 << THREAD_BITS) - 1)) /* another thread */
        return 1;
    if (!((a ^ b) >> ITERATION_BITS & (((who)1 << LOOP_BITS) - 1)) && ((a ^ b) & iteration) && (a & iteration) && (b & iteration)
        && !self.uses_number)
        return 1; /* another iteration of the same loop */
    return interval_a != interval_b && is_open_for(intervals[interval_a].device_task, intervals[interval_b].device_task);
}

/* Most often an earlier region has used the memory, and nothing else is going on. */
static inline int are_concurrent(const struct block *block, who a, who b)
{
    if (LIKELY(!open_count && !self.host) && intervals[a >> INTERVAL_SHIFT].launch != intervals[b >> INTERVAL_SHIFT].launch)
        return 0;
    return are_concurrent_here(block, a, b);
}

static inline int is_protected(uint16_t a, uint16_t b, who by_a)
{
    if (!a || !b || (a != b && a != SEVERAL_LOCKS && b != SEVERAL_LOCKS))
        return 0;
    return (a & b & OF_ALL_TEAMS) || is_of_one_group(by_a);
}

/* What orders two accesses of the same thread alike. */
static inline uint16_t common_lock(uint16_t a, uint16_t b)
{
    return a == b || b == SEVERAL_LOCKS ? a : a == SEVERAL_LOCKS ? b : 0;
}

/* Copies of structures read padding, which nobody writes. So what is unset in a part of an access counts only if it is all of
 * the access, or longer than padding is. */
static SLOW int is_padding(const struct grid *grid, size_t number, size_t first, size_t last, uint8_t unset)
{
    const size_t padding = (size_t)64 >> grid->shift;
    size_t low = number, high = number;
    while (low > first && number - low < padding && (grid->cells[low - 1].state & unset))
        --low;
    while (high < last && high - number < padding && (grid->cells[high + 1].state & unset))
        ++high;
    return (low > first || high < last) && high - low + 1 < padding;
}

static inline void check_cell(struct block *block, struct grid *grid, size_t number, size_t first, size_t last, int is_write,
                              uint16_t with, struct site *site)
{
    struct cell *const cell = &grid->cells[number];
    const who me = self.who, writer = cell->writer;
    if (UNLIKELY(cell->state & (DEVICE_OLD | DEVICE_UNSET | LACKING)) && !is_write
        && !((cell->state & DEVICE_UNSET) && is_padding(grid, number, first, last, DEVICE_UNSET)))
        report_value(block, number << grid->shift, grid->mask + 1, site, cell);
    if (UNLIKELY(self.is_fenced)) {
        if (is_write)
            cell->writer = cell->reader = 0;
    } else if (writer != me && writer && are_concurrent(block, writer, me)
               && !is_protected(cell->writer_lock, with, writer)) {
        report_race(block, number << grid->shift, grid->mask + 1, site, is_write, writer, cell->writer_site, 1);
    }
    if (is_write) {
        const who reader = cell->reader;
        if (reader != me && reader && are_concurrent(block, reader, me) && !is_protected(cell->reader_lock, with, reader)
            && !self.is_fenced)
            report_race(block, number << grid->shift, grid->mask + 1, site, 1, reader, cell->reader_site, 0);
        else if ((cell->state & MANY_READERS) && reader == me && !with && !self.is_fenced)
            report_race(block, number << grid->shift, grid->mask + 1, site, 1, reader, cell->reader_site, 0);
        if ((cell->state & ~MANY_READERS) != HOST_OLD) {
            cell->host_value = host_digest(block, grid, number);
            cell->state = HOST_OLD | (cell->state & MANY_READERS);
        }
        if (self.is_fenced)
            return;
        cell->writer_lock = writer == me ? common_lock(cell->writer_lock, with) : with;
        cell->writer = me;
        cell->writer_site = SITE_NUMBER(site);
    } else {
        const who reader = cell->reader;
        if (reader == me) {
            cell->reader_lock = common_lock(cell->reader_lock, with);
            return;
        }
        if (self.is_fenced)
            return;
        if (reader && are_concurrent(block, reader, me) && !is_protected(cell->reader_lock, with, reader)) {
            if (!(cell->state & MANY_READERS))
                cell->state |= MANY_READERS;
            return;
        }
        cell->reader = me;
        cell->reader_site = SITE_NUMBER(site);
        cell->reader_lock = with;
        if (cell->state & MANY_READERS)
            cell->state &= (uint8_t)~MANY_READERS;
    }
}

/* Whether memory is in a block that a site refers to. Another thread may be giving the block to other memory: it sets the size
 * to 0, then the beginning, and then the size. */
static inline int is_in_block(const struct block *block, const char *address, size_t size)
{
    const size_t whole = __atomic_load_n(&block->size, __ATOMIC_ACQUIRE);
    const size_t offset = (size_t)(address - __atomic_load_n(&block->begin, __ATOMIC_ACQUIRE));
    return offset < whole && size <= whole - offset && __atomic_load_n(&block->size, __ATOMIC_ACQUIRE) == whole;
}

static SLOW struct block *find_device(const char *address, size_t size, int is_write, struct site *site);

static __attribute__((noinline)) void shared_access(const char *address, size_t size, int is_write, uint16_t with,
                                                    const char *caller)
{
    struct site *site;
    struct block *block;
    struct grid *grid;
    size_t offset, number, first, last;
    ++self.accesses;
    site = site_of(caller);
    block = __atomic_load_n(&site->block, __ATOMIC_ACQUIRE);
    if (UNLIKELY(!block) || UNLIKELY(!is_in_block(block, address, size))) {
        block = find_device(address, size, is_write, site);
        if (!block)
            return;
        __atomic_store_n(&site->block, block, __ATOMIC_RELEASE);
    }
    if (block->kind == PLAIN)
        return;
    if (!block->is_used)
        block->is_used = 1;
    offset = (size_t)(address - block->begin);
    do {
        grid = grid_for(block, offset, size);
        if (!grid)
            return;
        first = offset >> grid->shift;
        last = (offset + size - 1) >> grid->shift;
        number = first;
        do
            check_cell(block, grid, number, first, last, is_write, with, site);
        while (UNLIKELY(++number <= last));
    } while (UNLIKELY(__atomic_load_n(&grid->is_replaced, __ATOMIC_ACQUIRE)));
}

static inline void device_access(const char *address, size_t size, int is_write, uint16_t with, const char *caller)
{
    if ((size_t)(address - self.stack) >= self.stack_size) /* else no other thread sees it */
        shared_access(address, size, is_write, with, caller);
}

/* ---- accesses of host code ----------------------------------------------------------------------------------------------- */

static SLOW void report_host_value(struct block *block, size_t offset, size_t size, struct site *site, struct cell *cell,
                                   size_t number)
{
    char element[256], variable[160];
    struct finding *finding;
    const int state = cell->state, is_dropped = block->is_residue || (state & LACKING);
    const struct block *const dropped = (state & LACKING) ? block->dropped : block;
    if (state & REPORTED)
        return;
    if ((state & (HOST_OLD | LACKING)) && cell->host_value != host_digest(block, block->grid, number)) {
        cell->state = block->is_residue ? 0 : DEVICE_OLD; /* code that is not checked has written it */
        cell->writer_site = NO_SITE;
        return;
    }
    cell->state |= REPORTED;
    pthread_mutex_lock(&report_lock);
    finding = new_finding(state & HOST_UNSET    ? "uninitialised-read"
                          : state & HOST_LOST   ? "lost-host-write"
                          : is_dropped          ? "dropped-result"
                                                : "stale-read-on-host",
                          block->where, site, NULL);
    if (finding) {
        element_of(element, sizeof(element), block, (int64_t)offset, size);
        variable_of(variable, sizeof(variable), block->name);
        finding->at = place_of(site->caller);
        spell_like(&finding->at, block->where);
        finding->variable = strdup(element);
        if ((state & (HOST_OLD | LACKING)) && cell->writer_site != NO_SITE)
            note_site(finding, "the device writes it at %s", cell->writer_site, block->where);
        if ((state & HOST_LOST) && !cell->writer)
            note_site(finding, "the host writes it at %s", cell->writer_site, block->where);
        if (state & HOST_UNSET) {
            finding->message = text("the host reads %s, which was copied from the device although nothing has written it there",
                                    element);
            note_mapping(finding, block);
            finding->help = text("write all of %s on the device, or map(tofrom: %s)", variable, variable);
        } else if (state & HOST_LOST) {
            finding->message = text("the host reads %s, whose value an older one of the device has replaced", element);
            note_mapping(finding, block);
            finding->help = text("put '#pragma omp target update to(%s)' behind the host's write", variable);
        } else if (is_dropped) {
            finding->message = text("the host reads %s, which the device had changed; the change was never copied back", element);
            note_dropped(finding, dropped, variable);
        } else {
            finding->message = text("the host reads an old value of %s: the device has written it since", element);
            note_mapping(finding, block);
            finding->help = text("put '#pragma omp target update from(%s)' in front of the read", variable);
        }
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

static inline void host_cells(struct block *block, const char *address, size_t size, int is_write, struct site *site)
{
    const size_t offset = (size_t)(address - block->host);
    struct grid *grid = block->grid;
    size_t number, last;
    struct past *const watched = block->watched;
    if (UNLIKELY(watched) && !is_write) {
        watched->item = NULL;
        block->watched = NULL;
    }
    if (!grid && block->is_residue && !block->initial)
        return;
    if (!grid && !is_write && !(block->initial & (HOST_UNSET | HOST_OLD | HOST_LOST)))
        return;
again:
    grid = is_write ? grid_for(block, offset, size) : grid ? grid : fine_grid(block, offset, size);
    if (!grid)
        return;
    last = (offset + size - 1) >> grid->shift;
    for (number = offset >> grid->shift; number <= last; ++number) {
        struct cell *const cell = &grid->cells[number];
        if (is_write) {
            const uint8_t state = block->is_residue ? 0 : DEVICE_OLD;
            if (cell->state != state) {
                cell->state = state;
                cell->writer = 0;
                cell->writer_site = SITE_NUMBER(site);
            }
        } else if (UNLIKELY(cell->state & (HOST_OLD | HOST_UNSET | HOST_LOST | LACKING))
                   && !((cell->state & HOST_UNSET) && is_padding(grid, number, offset >> grid->shift, last, HOST_UNSET))) {
            report_host_value(block, number << grid->shift, (size_t)1 << grid->shift, site, cell, number);
        }
    }
    if (is_write && UNLIKELY(__atomic_load_n(&grid->is_replaced, __ATOMIC_ACQUIRE)))
        goto again;
}

static SLOW void report_device_pointer(struct block *block, const char *address, size_t size, int is_write, struct site *site)
{
    char element[256];
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("device-memory-on-host", block->where, site, NULL);
    if (finding) {
        element_of(element, sizeof(element), block, address - block->begin, size);
        finding->at = place_of(site->caller);
        spell_like(&finding->at, block->where);
        finding->variable = strdup(element);
        finding->message = text("the host %s device memory: %s", read_or_write(is_write), element);
        note_mapping(finding, block);
        finding->help = text("use the pointer in a target region with is_device_ptr, or copy with omp_target_memcpy");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

static SLOW void host_access_slow(const char *address, size_t size, int is_write, struct site *site)
{
    const uintptr_t begin = (uintptr_t)address;
    struct node *low, *high;
    struct block *block = NULL;
    uintptr_t gap_begin = 0, gap_end = UINTPTR_MAX;
    int is_device = 0, i;
    if (self.in_runtime)
        return;
    pthread_mutex_lock(&lock);
    for (i = 0; i < 2; ++i) {
        low = find(i ? device_tree : host_tree, begin, &high);
        if (low && begin < low->end) {
            block = i ? BLOCK_ON_DEVICE(low) : BLOCK_ON_HOST(low);
            is_device = i;
            break;
        }
        if (low && low->end > gap_begin)
            gap_begin = low->end;
        if (high && high->begin < gap_end)
            gap_end = high->begin;
    }
    if (!block) { /* other threads read it without the lock */
        __atomic_store_n(&site->gap_generation, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&site->gap_begin, gap_begin, __ATOMIC_RELEASE);
        __atomic_store_n(&site->gap_end, gap_end, __ATOMIC_RELEASE);
        __atomic_store_n(&site->gap_generation, generation, __ATOMIC_RELEASE);
    } else if (!is_device) {
        site->host_block = block;
    }
    if (block && is_device) {
        if (block->kind <= ALLOCATED)
            report_device_pointer(block, address, size, is_write, site);
    } else if (block) {
        for (; block; block = block->next) {
            size_t part = size;
            if (address < block->host || address >= block->host + block->size)
                continue;
            if (part > (size_t)(block->host + block->size - address))
                part = (size_t)(block->host + block->size - address);
            host_cells(block, address, part, is_write, site);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Whether memory lies where there is no block, as an earlier access at the same site has found. */
static inline int is_in_gap(const struct site *site, const char *address, size_t size)
{
    const uint64_t known = __atomic_load_n(&site->gap_generation, __ATOMIC_ACQUIRE);
    const uintptr_t begin = __atomic_load_n(&site->gap_begin, __ATOMIC_ACQUIRE);
    const uintptr_t end = __atomic_load_n(&site->gap_end, __ATOMIC_ACQUIRE);
    return known == __atomic_load_n(&generation, __ATOMIC_RELAXED) && (uintptr_t)address >= begin
           && (uintptr_t)address + size <= end && known == __atomic_load_n(&site->gap_generation, __ATOMIC_RELAXED);
}

/* If other threads map and unmap, blocks may go while they are looked at, so that is done with the lock held. */
static inline void host_access(const char *address, size_t size, int is_write, const char *caller)
{
    struct site *site = site_of(caller);
    struct block *block;
    if (UNLIKELY(transfer_count) && !self.in_runtime)
        check_pending(address, size, is_write, site);
    if (LIKELY(is_in_gap(site, address, size)))
        return;
    block = only_mapper == &self ? site->host_block : NULL;
    if (block && block->host && !block->next && address >= block->host && address + size <= block->host + block->size)
        host_cells(block, address, size, is_write, site);
    else
        host_access_slow(address, size, is_write, site);
}

static inline void access_memory(const void *address, size_t size, int is_write, int is_atomic, const char *caller)
{
    if (!is_active)
        return;
    if (self.in_device)
        device_access(address, size, is_write, is_atomic ? ATOMIC : self.lock, caller);
    else
        host_access(address, size, is_write, caller);
    if (UNLIKELY(is_atomic) && is_ordering())
        orders(address);
}
