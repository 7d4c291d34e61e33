/* Accesses of device code outside of all blocks. Included by runtime.c. */

struct launch {
    uintptr_t low, high; /* the host's part of the stack of the thread that has launched it */
};
enum { LAUNCHES = 64 };
static struct launch launches[LAUNCHES];

/* Both ends of a range change with the lock held: the end of one launch with the begin of another means other memory. */
static int is_host_stack(const char *address)
{
    int i;
    pthread_mutex_lock(&lock);
    for (i = 0; i < LAUNCHES; ++i)
        if (launches[i].low && (uintptr_t)address >= launches[i].low && (uintptr_t)address < launches[i].high)
            break;
    pthread_mutex_unlock(&lock);
    return i < LAUNCHES;
}

static int is_standard_stream(const char *address)
{
    return address == (const char *)&stdin || address == (const char *)&stdout || address == (const char *)&stderr
           || address == dlsym(RTLD_DEFAULT, "stdout") || address == dlsym(RTLD_DEFAULT, "stderr")
           || address == dlsym(RTLD_DEFAULT, "stdin");
}

static SLOW void report_outside(const char *kind, const char *address, size_t size, int is_write, struct site *site,
                                const struct block *block, const char *what)
{
    char element[256], variable[160];
    struct finding *finding;
    const char *const directive = current_directive();
    pthread_mutex_lock(&report_lock);
    finding = new_finding(kind, block ? block->where : NULL, site, NULL);
    if (finding) {
        finding->at = place_of(site->caller);
        if (block) {
            spell_like(&finding->at, block->where);
            element_of(element, sizeof(element), block, address - block->begin, size);
            variable_of(variable, sizeof(variable), block->name);
            finding->variable = strdup(element);
        } else if (directive) {
            spell_like(&finding->at, directive);
        }
        if (block && block->ended) {
            finding->message = text("the device %s %s, which is not mapped any more", read_or_write(is_write), element);
            note_mapping(finding, block);
            note_directive(finding, "it was unmapped here", block->ended);
            finding->help = text("unmap %s behind its last use", variable);
        } else if (block) {
            const int64_t behind = address + size - (block->begin + block->size);
            finding->message = text("the device %s %s, which lies outside of what is mapped", read_or_write(is_write), element);
            note_mapping(finding, block);
            note(finding, behind > 0 ? text("it ends %" PRId64 " bytes behind the end of the section", behind)
                                     : text("it is %td bytes in front of the section", block->begin - address));
            finding->help = text("map a longer section of %s, or let the loop end earlier", variable);
        } else {
            finding->message = text("the device %s host memory: %s", read_or_write(is_write), what);
            if (directive)
                note_directive(finding, "this directive maps nothing there", directive);
            finding->help = text("map what the pointer points to, for example map(tofrom: p[0:n])");
        }
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* The block around an address that no block had when the caller looked: since then, another thread may have made one. */
static struct block *new_block_around(enum block_kind kind, const char *begin, const char *end, const char *address)
{
    struct node *above, *below;
    struct block *block;
    pthread_mutex_lock(&lock);
    below = find(device_tree, (uintptr_t)address, &above);
    if (below && below->end > (uintptr_t)address) {
        block = BLOCK_ON_DEVICE(below);
    } else {
        if (below && below->end > (uintptr_t)begin)
            begin = (const char *)below->end;
        if (above && above->begin < (uintptr_t)end)
            end = (const char *)above->begin;
        block = new_block(kind, (char *)begin, (size_t)(end - begin));
        insert(&device_tree, &block->on_device);
        ++generation;
    }
    pthread_mutex_unlock(&lock);
    return block;
}

/* Memory of the device that is only its own: copies for threads, the image's data. */
static struct block *plain_block(const char *begin, const char *end, const char *address)
{
    return new_block_around(PLAIN, begin, end, address);
}

/* Memory of the host that the device uses, too, because there is only one memory, or a static variable of device code. */
static struct block *shared_block(uintptr_t begin, uintptr_t end, const char *address)
{
    return new_block_around(GLOBAL, (const char *)begin, (const char *)end, address);
}

static int report_released(const char *address, size_t size, int is_write, struct site *site)
{
    struct block gone = {.size = 0};
    unsigned int i;
    pthread_mutex_lock(&lock);
    for (i = 1; i <= 1024 && i <= released_count && !gone.size; ++i) { /* the latest first */
        const struct block *const block = &released[(released_count - i) % 1024];
        if (address >= block->begin && address < block->begin + block->size)
            gone = *block;
    }
    pthread_mutex_unlock(&lock);
    if (gone.size)
        report_outside("released-access", address, size, is_write, site, &gone, NULL);
    return gone.size != 0;
}

enum { FAR = 1 << 30 };

static SLOW struct block *find_device(const char *address, size_t size, int is_write, struct site *site)
{
    struct node *low, *high;
    struct block *block, *near = NULL;
    struct header memory;
    struct range variable;
    Dl_info info;
    pthread_mutex_lock(&lock);
    low = find(device_tree, (uintptr_t)address, &high);
    block = low && (uintptr_t)address < low->end ? BLOCK_ON_DEVICE(low) : NULL;
    if (!block && low && BLOCK_ON_DEVICE(low)->kind <= ALLOCATED
        && (uintptr_t)address < low->end + 256 + BLOCK_ON_DEVICE(low)->size / 4)
        near = BLOCK_ON_DEVICE(low);
    if (!block && !near && high && BLOCK_ON_DEVICE(high)->kind <= ALLOCATED && high->begin - (uintptr_t)address <= 64)
        near = BLOCK_ON_DEVICE(high);
    pthread_mutex_unlock(&lock);
    if (block) {
        if (address + size <= block->begin + block->size)
            return block;
        if (block->kind <= GLOBAL)
            report_outside("outside-section", address, size, is_write, site, block, NULL);
        return NULL;
    }
    if (memory_around(address, &memory)) {
        if (memory.owner == BY_PROGRAM && has_one_memory)
            return shared_block(memory.node.begin, memory.node.end, address);
        if (memory.owner == BY_PROGRAM) {
            char at[320], what[480];
            struct place place;
            pthread_mutex_lock(&report_lock); /* what is known of places is not for two threads at once */
            place = place_of(memory.caller);
            pthread_mutex_unlock(&report_lock);
            place_in_text(at, sizeof(at), &place);
            snprintf(what, sizeof(what), "byte %zu of %zu that are allocated at %s",
                     (size_t)((uintptr_t)address - memory.node.begin), memory.size, at);
            report_outside("unmapped-access", address, size, is_write, site, NULL, what);
            return NULL;
        }
        if (memory.owner == BY_DEVICE)
            return new_block_around(HEAP, (char *)memory.node.begin, (char *)memory.node.end, address);
        if (!report_released(address, size, is_write, site) && near)
            report_outside("outside-section", address, size, is_write, site, near, NULL);
        return NULL; /* else it is a copy that libomptarget has made for the kernel */
    }
    if (near) {
        report_outside("outside-section", address, size, is_write, site, near, NULL);
        return NULL;
    }
    if (has_one_memory && (is_host_stack(address) || is_program(address))) {
        const uintptr_t page = (uintptr_t)address & ~(uintptr_t)4095;
        return shared_block(page, page + 4096, address);
    }
    if (is_host_stack(address)) {
        report_outside("unmapped-access", address, size, is_write, site, NULL, "a variable of a host function");
        return NULL;
    }
    pthread_mutex_lock(&lock);
    low = find(stack_tree, (uintptr_t)address, NULL);
    pthread_mutex_unlock(&lock);
    if (low && (uintptr_t)address < low->end)
        return BLOCK_ON_DEVICE(low);
    if (is_program(address)) {
        if (!is_standard_stream(address))
            report_outside("unmapped-access", address, size, is_write, site, NULL, "a static variable of the host");
        return NULL;
    }
    if (report_released(address, size, is_write, site))
        return NULL;
    if (is_static_of_user(address, &variable))
        return shared_block(variable.low, variable.high, address);
    if (dladdr(address, &info) && info.dli_fbase) {
        const uintptr_t page = (uintptr_t)address & ~(uintptr_t)4095;
        return plain_block((char *)page, (char *)page + 4096, address);
    }
    /* Far from everything that is known: where the same line was in a block before, it has left this one. */
    near = site->block;
    if (near && near->size && near->kind <= ALLOCATED && labs(address - near->begin) < FAR)
        report_outside("outside-section", address, size, is_write, site, near, NULL);
    return NULL;
}
