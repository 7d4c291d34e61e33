/* What is mapped: calls of libomptarget, and variables of `declare target`. Included by runtime.c. */

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

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

/* Whether a row only holds the members of a structure, which have rows of their own. */
static int is_parent(const struct call *call, int32_t row)
{
    int32_t i;
    for (i = row + 1; i < call->count; ++i)
        if ((int32_t)((uint64_t)call->types[i] >> 48) == row + 1)
            return 1;
    return 0;
}

/* What a row for the storage of a structure copies: what a row for all of it does, as for `s` in map(to: s, s.x[0:n]). */
static int64_t type_of_parent(const struct call *call, int32_t row)
{
    int32_t i;
    for (i = row + 1; i < call->count; ++i)
        if ((int32_t)((uint64_t)call->types[i] >> 48) == row + 1 && !(call->types[i] & ROW_PTR_AND_OBJ)
            && call->pointers[i] == call->pointers[row] && call->sizes[i] == call->sizes[row])
            return call->types[row] | (call->types[i] & (ROW_TO | ROW_FROM));
    return call->types[row];
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

/* ---- variables of `declare target` ----------------------------------------------------------------------------------------- */

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
        if (!begin || begin == pointer || device_block(begin) || !is_readable(begin))
            continue; /* the third: the program has associated memory of its own */
        block = new_block(MAPPED, begin, (size_t)call->sizes[i]);
        block->host = pointer;
        block->device = device;
        block->initial = DEVICE_UNSET;
        block->name = call->names ? call->names[i] : NULL;
        block->where = call->location ? call->location->source : NULL;
        block->is_parent = (uint8_t)is_parent(call, i);
        block->type = block->is_parent ? type_of_parent(call, i) : call->types[i];
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
