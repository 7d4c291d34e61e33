/* What happens at each load and store of host code. Included by runtime.c. */

static SLOW void report_host_value(struct block *block, size_t offset, size_t size, struct site *site, struct cell *cell,
                                   size_t number)
{
    char element[ELEMENT], variable[VARIABLE];
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
        place_read(finding, block, offset, size, site, element, variable);
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
