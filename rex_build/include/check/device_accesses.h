/* What happens at each load and store of device code, and what may be wrong with it. Included by runtime.c. */

/* ---- what is wrong with an access on the device -------------------------------------------------------------------------- */

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

enum { ELEMENT = 256, VARIABLE = 160 };

/* The finding is about what a load reads. Writes the names of the element and of its variable, too. */
static void place_read(struct finding *finding, const struct block *block, size_t offset, size_t size, const struct site *site,
                       char *element, char *variable)
{
    element_of(element, ELEMENT, block, (int64_t)offset, size);
    variable_of(variable, VARIABLE, block->name);
    finding->at = place_of(site->caller);
    spell_like(&finding->at, block->where);
    finding->variable = strdup(element);
}

static SLOW void report_value(struct block *block, size_t offset, size_t size, struct site *site, struct cell *cell)
{
    char element[ELEMENT], variable[VARIABLE];
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
        place_read(finding, block, offset, size, site, element, variable);
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

/* A team's own variables are on a stack, where those of another team take their place, or are allocated by device code.
 * The calling thread does `b` now. */
static int are_concurrent_here(const struct block *block, who a, who b)
{
    const int is_local = block->kind == STACK || block->kind == HEAP;
    const uint32_t interval_a = a >> INTERVAL_SHIFT, interval_b = b >> INTERVAL_SHIFT;
    const uint64_t iteration = ((uint64_t)1 << ITERATION_BITS) - 1;
    if (interval_a != interval_b && UNLIKELY(open_count) && intervals[interval_a].launch != intervals[interval_b].launch)
        return !is_local && !(intervals[interval_a].held & intervals[interval_b].held)
               && (is_unordered(intervals[interval_a].task, intervals[interval_b].task) || is_of_other_thread(&intervals[interval_a]));
    if (interval_a != interval_b && intervals[interval_a].launch != intervals[interval_b].launch)
        return !is_local && is_of_other_thread(&intervals[interval_a]);
    if (interval_a != interval_b && intervals[interval_a].phase != intervals[interval_b].phase)
        return !is_local && intervals[interval_a].team != intervals[interval_b].team;
    if ((a ^ b) >> (ITERATION_BITS + LOOP_BITS) & (((who)1 << THREAD_BITS) - 1)) /* another thread */
        return 1;
    if (!((a ^ b) >> ITERATION_BITS & (((who)1 << LOOP_BITS) - 1)) && ((a ^ b) & iteration) && (a & iteration) && (b & iteration)
        && !self.uses_number && block->kind != HEAP)
        return 1; /* another iteration of the same loop; what a thread has allocated it may use in all of them, and in its tasks */
    return interval_a != interval_b && block->kind != HEAP && is_open_for(intervals[interval_a].device_task, intervals[interval_b].device_task);
}

/* Most often an earlier region has used the memory, and nothing else is going on. */
static inline int are_concurrent(const struct block *block, who a, who b)
{
    if (LIKELY(!open_count && !self.host) && intervals[a >> INTERVAL_SHIFT].launch != intervals[b >> INTERVAL_SHIFT].launch)
        return 0;
    return are_concurrent_here(block, a, b) && !(UNLIKELY(known.count) && knows(&known, a));
}

/* Whether the calling thread itself has done something since the last barrier, perhaps before an atomic access that has given
 * it a new interval. */
static inline int is_by_me(who a)
{
    const struct interval *const one = &intervals[a >> INTERVAL_SHIFT], *const mine = &intervals[self.who >> INTERVAL_SHIFT];
    return a == self.who || (UNLIKELY(is_handed_on) && !((a ^ self.who) << (64 - INTERVAL_SHIFT)) && one->phase == mine->phase);
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
        else if ((cell->state & MANY_READERS) && is_by_me(reader) && !with && !self.is_fenced && !known.count)
            report_race(block, number << grid->shift, grid->mask + 1, site, 1, reader, cell->reader_site, 0);
        if ((cell->state & ~MANY_READERS) != HOST_OLD) {
            cell->host_value = host_digest(block, grid, number);
            cell->state = HOST_OLD | (cell->state & MANY_READERS);
        }
        if (self.is_fenced)
            return;
        cell->writer_lock = is_by_me(writer) ? common_lock(cell->writer_lock, with) : with;
        cell->writer_site = SITE_NUMBER(site);
        __atomic_store_n(&cell->writer, me, __ATOMIC_RELEASE);
    } else {
        const who reader = cell->reader;
        if (reader == me || (reader && is_by_me(reader))) {
            cell->reader_lock = common_lock(cell->reader_lock, with);
            cell->reader = me;
            return;
        }
        if (self.is_fenced)
            return;
        if (reader && are_concurrent(block, reader, me) && !is_protected(cell->reader_lock, with, reader)) {
            if (!(cell->state & MANY_READERS))
                cell->state |= MANY_READERS;
            return;
        }
        cell->reader_lock = with;
        cell->reader_site = SITE_NUMBER(site);
        __atomic_store_n(&cell->reader, me, __ATOMIC_RELEASE); /* the last: other threads ask for the lock of who has read */
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

static void shared_access(const char *address, size_t size, int is_write, uint16_t with, const char *caller)
{
    struct site *site;
    struct block *block;
    struct grid *grid;
    size_t offset, number, first, last;
    const uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
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
    if (UNLIKELY(self.watching))
        touches_claimed(block, address, size, is_write, with, site);
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
    look_at(block, grid, size, site, now);
}
