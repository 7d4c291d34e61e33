/* Transfers that the program could do without. Included by runtime.c. */

/* One list item of a directive, in all the times that it was carried out. */
struct item {
    const char *name, *where; /* as rex-build hands them to libomptarget */
    int64_t type;
    int is_update, is_exit; /* of `target update`, or of a directive that ends what another one has begun */
    uint64_t times, repeated, same, same_bytes, unread, unread_bytes, unused, unused_bytes, bytes;
    const struct item *with; /* another item that copies the same memory the other way, between which the host does not use it */
};

/* What the host's memory held when it was mapped or unmapped for the last time. */
struct past {
    const char *host;
    size_t size;
    uint64_t contents; /* 0: the device had something else */
    struct item *by;   /* that has mapped it */
    struct item *item; /* that has copied it back, until the host reads it */
};

/* So often is memory allocated for data that has to be copied each time before that is said. */
enum { MANY_TIMES = 8 };
enum { MAX_ITEMS = 1024, MAX_PASTS = 4096, LEAST_BYTES = 1024, LEAST_WATCHED = 256 };
static struct item items[MAX_ITEMS];
static struct past pasts[MAX_PASTS];

static uint64_t contents_of(const char *memory, size_t size)
{
    uint64_t value = size + 1, word;
    size_t i;
    for (i = 0; i + 8 <= size; i += 8) {
        real_memcpy(&word, memory + i, 8);
        value = (value ^ word) * 1099511628211u;
        value ^= value >> 29;
    }
    for (; i < size; ++i)
        value = (value ^ (unsigned char)memory[i]) * 1099511628211u;
    return value ? value : 1;
}

static struct item *item_of(const char *name, const char *where, int64_t type)
{
    uint32_t at = (uint32_t)((uintptr_t)name * 2654435761u ^ (uintptr_t)where) % MAX_ITEMS, tries;
    for (tries = 0; name && where && tries < MAX_ITEMS; ++tries, at = (at + 1) % MAX_ITEMS) {
        if (items[at].name == name && items[at].where == where)
            return &items[at];
        if (!items[at].name) {
            items[at] = (struct item){.name = name, .where = where, .type = type};
            return &items[at];
        }
    }
    return NULL;
}

static struct past *past_of(const char *host)
{
    return &pasts[((uintptr_t)host * 2654435761u >> 4) % MAX_PASTS];
}

/* What was copied back is not read any more: the memory is freed, or something else is copied there. */
static void is_not_read(struct past *past)
{
    if (!past || !past->item)
        return;
    ++past->item->unread;
    past->item->unread_bytes += past->size;
    past->item = NULL;
}

/* A call has made a block on the device, and has copied the host's memory there if its type says so. */
static void was_mapped(const struct block *block)
{
    struct item *const item = item_of(block->name, block->where, block->type);
    struct past *const past = past_of(block->host);
    const int is_copied = (block->type & ROW_TO) != 0;
    const uint64_t contents = is_copied ? contents_of(block->host, block->size) : 0;
    if (!item || block->kind != MAPPED)
        return;
    ++item->times;
    item->bytes += block->size;
    if (past->host == block->host && (past->size != block->size || !is_copied))
        is_not_read(past);
    if (past->host != block->host || past->size != block->size) {
        *past = (struct past){block->host, block->size, contents, item, NULL};
        return;
    }
    ++item->repeated;
    if (is_copied && past->contents == contents && (past->by == item || past->item)) {
        ++item->same;
        item->same_bytes += block->size;
    }
    if (past->item && is_copied && past->contents == contents) { /* there and back without a look of the host */
        ++past->item->unread;
        past->item->unread_bytes += block->size;
        if (past->item != item) {
            item->with = past->item;
            past->item->with = item;
        }
    }
    past->by = item;
    past->item = NULL;
}

/* A block leaves the device. `is_current` says whether the host's memory has the device's values, and `back` which list item
 * has copied them there, if any has. */
static struct past *was_unmapped(const struct block *block, int is_current, struct item *back)
{
    struct item *const item = item_of(block->name, block->where, block->type);
    struct past *const past = past_of(block->host);
    if (!item || block->kind != MAPPED)
        return NULL;
    if (!block->is_used) {
        ++item->unused;
        item->unused_bytes += block->size;
    }
    if (back && back != item)
        back->is_exit = 1;
    if (block->size < LEAST_WATCHED)
        back = NULL;
    *past = (struct past){block->host, block->size, is_current ? contents_of(block->host, block->size) : 0, item, back};
    return back ? past : NULL;
}

/* libomptarget is about to copy between memory of both sides that belongs together. */
static struct item *is_copied(const char *host, const char *device, size_t size)
{
    const struct call *const call = self.call;
    struct item *item;
    int32_t i;
    for (i = 0; call && call->is_update && call->names && i < call->count; ++i)
        if (host >= (char *)call->pointers[i] && host < (char *)call->pointers[i] + call->sizes[i]
            && (item = item_of(call->names[i], call->location ? call->location->source : NULL, call->types[i]))) {
            ++item->times;
            item->bytes += size;
            if (!memcmp(host, device, size)) {
                ++item->same;
                item->same_bytes += size;
            }
            item->is_update = 1;
            return item;
        }
    return NULL;
}

/* An update has copied all of a block back: is it read until the next one? */
static void watch_update(struct block *block, struct item *item, size_t size)
{
    struct past *const past = past_of(block->host);
    if (!item || size != block->size || size < LEAST_WATCHED || past->host != block->host || past->size != size)
        return;
    if (block->watched && past->item == item) {
        ++item->unread;
        item->unread_bytes += size;
    }
    past->item = item;
    block->watched = past;
}

static const char *amount(char *out, size_t room, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    snprintf(out, room, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return out;
}

static void advise(const struct item *item, const char *kind, char *message, char *help)
{
    struct finding *const finding = new_finding(kind, item->name, item->where, NULL);
    char name[160];
    if (!finding)
        return;
    finding->is_advice = 1;
    finding->at = place_of_directive(item->where);
    field(name, sizeof(name), item->name, 0);
    finding->variable = strdup(name);
    finding->message = message;
    finding->help = help;
    publish(finding);
}

/* That the data could stay on the device. */
static char *advice_to_keep(const struct item *item, const char *name, uint64_t size)
{
    static const char *const types[] = {"alloc", "to", "from", "tofrom"};
    const struct place here = place_of_directive(item->where);
    const struct place there = item->with ? place_of_directive(item->with->where) : here;
    const char *const type = types[(item->type | (item->with ? item->with->type : 0)) & 3];
    char bytes[32];
    amount(bytes, sizeof(bytes), size);
    if (here.line == there.line || strcmp(here.file, there.file))
        return text("'target data map(%s: %s)' around line %d saves %s", type, name, here.line, bytes);
    return text("'target data map(%s: %s)' around the lines %d and %d saves %s", type, name,
                here.line < there.line ? here.line : there.line, here.line < there.line ? there.line : here.line, bytes);
}

static void give_advice(void)
{
    char name[160], bytes[32];
    int i;
    for (i = 0; i < MAX_PASTS; ++i)
        is_not_read(&pasts[i]);
    for (i = 0; i < MAX_ITEMS; ++i) {
        const struct item *const item = &items[i];
        const int line = place_of_directive(item->where).line;
        if (!item->name)
            continue;
        field(name, sizeof(name), item->name, 0);
        if (item->unused == item->times && item->unused_bytes >= LEAST_BYTES) {
            advise(item, "unused-mapping", text("'%s' is mapped %" PRIu64 " time%s, and no region uses it (%s)", name, item->times,
                                                item->times == 1 ? "" : "s", amount(bytes, sizeof(bytes), item->unused_bytes)),
                   text("leave '%s' out of the directive", name));
            continue;
        }
        if (item->unread && item->unread_bytes >= LEAST_BYTES)
            advise(item, "unread-result",
                   text("'%s' is copied back %" PRIu64 " time%s although the host does not read it then (%s)", name, item->unread,
                        item->unread == 1 ? "" : "s", amount(bytes, sizeof(bytes), item->unread_bytes)),
                   item->is_update              ? text("leave out the update where the host does not read %s", name)
                   : item->is_exit && !item->with ? text("write map(release: %s)", name)
                   : item->times == 1 && !item->with
                       ? text("write map(to: %s), or map(alloc: %s) if the region writes all of it first", name, name)
                       : advice_to_keep(item, name, item->unread_bytes));
        if (item->same && item->same_bytes >= LEAST_BYTES)
            advise(item, "needless-transfer",
                   text("'%s' is copied %" PRIu64 " time%s, and %" PRIu64 " of these change nothing (%s)", name, item->times,
                        item->times == 1 ? "" : "s", item->same, amount(bytes, sizeof(bytes), item->same_bytes)),
                   item->type & ROW_LITERAL ? NULL
                   : item->repeated         ? advice_to_keep(item, name, item->same_bytes)
                                            : text("leave out the update, or carry it out only after a change"));
        else if (item->repeated >= (item->type & (ROW_TO | ROW_FROM) ? MANY_TIMES : 2) && item->bytes >= LEAST_BYTES
                 && !(item->unread && item->unread_bytes >= LEAST_BYTES))
            advise(item, "repeated-allocation",
                   text("'%s' is allocated on the device %" PRIu64 " times (%s)", name, item->times,
                        amount(bytes, sizeof(bytes), item->bytes)),
                   text("'target data map(alloc: %s)' around line %d allocates it once%s", name, line,
                        item->type & (ROW_TO | ROW_FROM) ? ", and 'target update' or 'always' copies what changes" : ""));
    }
}
