/* Claims of transformations, which device code made with --claims verifies (rex_claims.h). Included by runtime.c.
 *
 * The iterations that a claim calls independent are logical threads of one thread: each has a number, and a table says
 * which of them have read and written an element last. What stands in front of an inner loop is repeated by each of its
 * iterations, so it has a number of its own, which conflicts with all of them. Atomic updates conflict with each other unless
 * they are the same operation in the same type.
 */

struct claimed_memory { /* as in rex_claims.h */
    struct claim *apart, *unwritten;
    unsigned long long apart_names, unwritten_names;
    const char *const *names;
};

/* A false claim is a mistake of rex-build, after which nothing is certain: the program ends. */
static SLOW void claim_is_false(struct claim *claim, char *first, char *second)
{
    const struct claim *const known = &known_claim(claim)->claim;
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("false-claim", known, NULL, NULL);
    if (finding) {
        snprintf(finding->at.file, sizeof(finding->at.file), "%s", claim->file);
        finding->at.line = claim->line;
        finding->at.column = claim->column;
        finding->variable = text("%s %d", claim->transformation, claim->column);
        finding->message = text("'%s' relies on this, which is false: %s", claim->transformation, claim->about);
        note(finding, first);
        note(finding, second);
        if (current_directive())
            note_directive(finding, "the region is here", current_directive());
        finding->help = text("this is a mistake of rex-build: '--no-opt %s' leaves the transformation out", claim->transformation);
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
    if (finding && !is_continuing) {
        is_ended = 1;
        at_exit();
    }
}

EXPORT void rex_claim_holds(struct claim *claim, int holds, const char *otherwise)
{
    if (!is_active)
        return;
    has_verified(claim);
    if (UNLIKELY(!holds)) {
        char at[320];
        struct place place = place_of(CALLER);
        place_in_text(at, sizeof(at), &place);
        claim_is_false(claim, text("at %s: %s", at, otherwise), NULL);
    }
}

/* A number that is the same each time in a launch. */
EXPORT void rex_claim_number(struct claim *claim, long long number)
{
    struct known_claim *known;
    long long before;
    if (!is_active)
        return;
    known = known_claim(claim);
    pthread_mutex_lock(&claim_lock);
    if (known->launch != current_launch) {
        known->launch = current_launch;
        known->value = number;
    }
    before = known->value;
    ++known->verified;
    pthread_mutex_unlock(&claim_lock);
    if (UNLIKELY(before != number))
        claim_is_false(claim, text("it was %lld first, and then %lld", before, number), NULL);
}

/* ---- elements ----------------------------------------------------------------------------------------------------------- */

/* Who has touched a few bytes. What another instance has noted does not count. */
struct touched {
    uintptr_t address;
    uint64_t names; /* through which names they were reached */
    uint32_t instance, writer, reader, other; /* the last two: two iterations that have read them */
    uint32_t updater, update; /* which iteration has updated them, and by which operation */
    uint32_t writer_site, reader_site, other_site, updater_site;
    uint32_t written_by; /* the number of the name, and 1 */
};

struct touches {
    struct touched *elements;
    size_t room, count;
    uint32_t instance;
};

static struct touched *touched_in(struct touched *elements, size_t room, uintptr_t address, uint32_t instance)
{
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
    while (elements[at].instance == instance && elements[at].address != address)
        at = (at + 1) & (room - 1);
    return &elements[at];
}

/* The entry for a few bytes, which is new if its instance is another. */
static struct touched *touched(struct touches *table, uintptr_t address)
{
    struct touched *found;
    if (table->count * 2 >= table->room) {
        const size_t room = table->room ? table->room * 2 : 1024;
        struct touched *const elements = __libc_calloc(room, sizeof(struct touched));
        if (!elements)
            return NULL;
        for (size_t i = 0; i < table->room; ++i)
            if (table->elements[i].instance == table->instance)
                *touched_in(elements, room, table->elements[i].address, table->instance) = table->elements[i];
        __libc_free(table->elements);
        table->elements = elements;
        table->room = room;
    }
    found = touched_in(table->elements, table->room, address, table->instance);
    if (found->instance != table->instance) {
        real_memset(found, 0, sizeof(*found));
        found->address = address;
        found->instance = table->instance;
        ++table->count;
    }
    return found;
}

static void forget_touches(struct touches *table)
{
    ++table->instance;
    table->count = 0;
}

/* The bytes of one entry: four, unless an access is of single ones. */
static size_t step_of(uintptr_t address, size_t size)
{
    return (address | size) & 3 ? 1 : 4;
}

/* ---- iterations --------------------------------------------------------------------------------------------------------- */

enum { MAX_LEVELS = 5, MAX_WATCHES = 8, MAX_LEFT_OUT = 16 };

struct watch {
    struct claim *claim;
    struct watch *outer;
    uint32_t rows[MAX_LEVELS], index[MAX_LEVELS]; /* for each level: the number of what is around it, and its iterations so far */
    uint32_t now, used;                           /* the number of what runs now, and the highest one */
    struct {
        const char *begin;
        size_t size;
    } left_out[MAX_LEFT_OUT]; /* what the iterations combine with values, and counters */
    unsigned int left_out_count;
    struct touches touches;
};
static __thread struct watch watch_pool[MAX_WATCHES];
static __thread struct watch *watches;
static __thread unsigned int watch_count;

/* A call in which memory is reached through some variables. Elements that the text around it names are no business of the call:
 * these are the last ones that were reached in it. */
enum { MAX_CALLS = 32, MAX_NAMED = 64 };
static __thread struct {
    const struct claimed_memory *memory;
    uint64_t names;
    unsigned int named;
    const char *elements[MAX_NAMED];
} calls[MAX_CALLS];
static __thread unsigned int call_depth;

EXPORT void *rex_claim_watch(struct claim *claim)
{
    struct watch *watch;
    if (!is_active || watch_count == MAX_WATCHES)
        return NULL;
    watch = &watch_pool[watch_count++];
    watch->claim = claim;
    watch->outer = watches;
    watch->now = watch->used = watch->rows[1] = 1;
    watch->left_out_count = 0;
    forget_touches(&watch->touches);
    watches = watch;
    self.watching = 1;
    return watch;
}

EXPORT void rex_claim_unwatch(void *of)
{
    struct watch *const watch = of;
    if (!watch)
        return;
    watches = watch->outer;
    --watch_count;
    self.watching = watches != NULL || call_depth;
}

EXPORT void rex_claim_leave_out(void *of, const char *object, size_t size)
{
    struct watch *const watch = of;
    if (!watch || watch->left_out_count == MAX_LEFT_OUT)
        return;
    watch->left_out[watch->left_out_count].begin = object;
    watch->left_out[watch->left_out_count++].size = size;
}

static int is_left_out(const struct watch *watch, const char *address)
{
    for (unsigned int i = 0; i < watch->left_out_count; ++i)
        if ((size_t)(address - watch->left_out[i].begin) < watch->left_out[i].size)
            return 1;
    return 0;
}

EXPORT void rex_claim_level(void *of, int level)
{
    struct watch *const watch = of;
    if (watch)
        watch->index[level] = 0;
}

EXPORT void rex_claim_turn(void *of, int level, int is_last)
{
    struct watch *const watch = of;
    if (!watch)
        return;
    if (is_last) { /* in the loops of a level that run together, an iteration has the same number */
        watch->now = watch->rows[level] + ++watch->index[level];
        has_verified(watch->claim);
    } else {
        watch->now = watch->rows[level + 1] = watch->used + 1;
    }
    if (watch->used < watch->now)
        watch->used = watch->now;
}

EXPORT void rex_claim_level_end(void *of, int level)
{
    struct watch *const watch = of;
    if (watch)
        watch->now = watch->rows[level];
}

static char *told(const struct block *block, size_t offset, size_t size, uint32_t site, const char *who, int is_write)
{
    char element[256], at[320];
    struct place place = place_of(sites[site].caller);
    spell_like(&place, block->where);
    place_in_text(at, sizeof(at), &place);
    element_of(element, sizeof(element), block, (int64_t)offset, size);
    return text("%s %s %s%s%s", who, read_or_write(is_write), element, *at ? " at " : "", at);
}

static SLOW void report_conflict(struct watch *watch, const struct block *block, size_t offset, size_t size, int is_write, uint32_t site,
                                 int other_writes, uint32_t other_site)
{
    claim_is_false(watch->claim, told(block, offset, size, other_site, "one iteration", other_writes),
                   told(block, offset, size, site, "another one", is_write));
}

enum { SEVERAL = 0xffffffff }; /* iterations, or operations */

/* Whether the calling thread updates an element, in an order that may not matter. */
static int is_updated(const char *address)
{
    return self.update && (size_t)(address - self.updated) < self.updated_size;
}

/* Whether an update conflicts with none of another iteration. */
static int updates(struct touched *at, uint32_t now, uint32_t number)
{
    const int is_first = !at->updater, is_alike = is_first || at->update == self.update;
    if (!is_alike && at->updater != now)
        return 0;
    at->update = is_alike ? self.update : SEVERAL;
    at->updater = is_first || at->updater == now ? now : SEVERAL;
    at->updater_site = number;
    return 1;
}

/* An iteration of which something is claimed touches memory that others see. Of the region's own copies each thread has
   one, so an iteration only may not read what another one has written. */
static void touches(const struct block *block, const char *address, size_t size, int is_write, const struct site *site)
{
    const int is_update = is_updated(address);
    const size_t step = step_of((uintptr_t)address, size), offset = (size_t)(address - block->begin);
    const uint32_t number = SITE_NUMBER(site);
    const int is_shared = !block->is_own;
    for (struct watch *watch = watches; watch; watch = watch->outer)
        for (size_t i = 0; i < size && !is_left_out(watch, address); i += step) {
            struct touched *const at = touched(&watch->touches, (uintptr_t)address + i);
            if (!at)
                return;
            if (at->writer && at->writer != watch->now && (is_shared || !is_write))
                report_conflict(watch, block, offset, size, is_write, number, 1, at->writer_site);
            if (is_update ? !updates(at, watch->now, number) : at->updater && at->updater != watch->now)
                report_conflict(watch, block, offset, size, is_write || is_update, number, 1, at->updater_site);
            if (is_shared && is_write && at->reader && at->reader != watch->now)
                report_conflict(watch, block, offset, size, 1, number, 0, at->reader_site);
            else if (is_shared && is_write && at->other && at->other != watch->now)
                report_conflict(watch, block, offset, size, 1, number, 0, at->other_site);
            if (is_update) {
                continue;
            } else if (is_write) {
                at->writer = watch->now;
                at->writer_site = number;
            } else if (!at->reader) {
                at->reader = watch->now;
                at->reader_site = number;
            } else if (at->reader != watch->now) {
                at->other = watch->now;
                at->other_site = number;
            }
        }
}

/* ---- names of memory ---------------------------------------------------------------------------------------------------- */

static struct touches reached; /* by the present launch */
static uint32_t reached_launch;
static pthread_mutex_t reached_lock = PTHREAD_MUTEX_INITIALIZER;

static SLOW void report_reached(struct claim *claim, const struct claimed_memory *memory, unsigned int writer, unsigned int name,
                                const char *caller, int is_other)
{
    char at[320];
    struct place place = place_of(caller);
    spell_like(&place, current_directive());
    place_in_text(at, sizeof(at), &place);
    claim_is_false(claim,
                   is_other ? text("'%s' writes an element that '%s' reaches, too", memory->names[writer], memory->names[name])
                            : text("the kernel writes an element of '%s', through '%s'", memory->names[name], memory->names[writer]),
                   text("the second access is at %s", at));
}

/* An element is reached through a variable. */
static void reaches(const struct claimed_memory *memory, unsigned int name, int is_write, const char *address, size_t size,
                    const char *caller)
{
    const size_t step = step_of((uintptr_t)address, size);
    struct claim *wrong = NULL;
    unsigned int writer = 0, other = 0;
    if (memory->apart)
        has_verified(memory->apart);
    if (memory->unwritten)
        has_verified(memory->unwritten);
    pthread_mutex_lock(&reached_lock);
    if (reached_launch != current_launch) {
        reached_launch = current_launch;
        forget_touches(&reached);
    }
    for (size_t i = 0; i < size && !wrong; i += step) {
        struct touched *const at = touched(&reached, (uintptr_t)address + i);
        uint64_t others;
        if (!at)
            break;
        at->names |= 1ull << name;
        if (is_write)
            at->written_by = name + 1;
        if (!at->written_by)
            continue;
        writer = at->written_by - 1;
        others = at->names & ~(1ull << writer);
        if (!(memory->apart_names >> writer & 1))
            others &= memory->apart_names;
        if (memory->apart && others) {
            wrong = memory->apart;
            other = (unsigned int)__builtin_ctzll(others);
        } else if (memory->unwritten && at->names & memory->unwritten_names) {
            wrong = memory->unwritten;
            other = (unsigned int)__builtin_ctzll(at->names & memory->unwritten_names);
        }
    }
    pthread_mutex_unlock(&reached_lock);
    if (UNLIKELY(wrong != NULL))
        report_reached(wrong, memory, writer, other, caller, wrong == memory->apart);
}

EXPORT void rex_claim_enter(const struct claimed_memory *memory, unsigned long long names)
{
    if (call_depth++ < MAX_CALLS) {
        calls[call_depth - 1].memory = memory;
        calls[call_depth - 1].names = names;
        calls[call_depth - 1].named = 0;
    }
    self.watching = 1;
}

EXPORT void rex_claim_leave(void)
{
    --call_depth;
    self.watching = watches != NULL || call_depth;
}

/* An element is reached through one of several variables, and nobody knows which one. If one of them has reached it before, it was
 * that one. */
static void reaches_through(const struct claimed_memory *memory, uint64_t names, int is_write, const char *address, size_t size,
                            const char *caller)
{
    if (names & (names - 1)) {
        uint64_t before = 0;
        pthread_mutex_lock(&reached_lock);
        if (reached_launch == current_launch) {
            const struct touched *const at = touched(&reached, (uintptr_t)address);
            before = at ? at->names : 0;
        }
        pthread_mutex_unlock(&reached_lock);
        names &= before;
    }
    if (names)
        reaches(memory, (unsigned int)__builtin_ctzll(names), is_write, address, size, caller);
}

EXPORT void rex_claim_reached(const struct claimed_memory *memory, unsigned long long names, int is_write, const char *address,
                              size_t size)
{
    if (!is_active || is_own_stack(address))
        return;
    if (call_depth && call_depth <= MAX_CALLS)
        calls[call_depth - 1].elements[calls[call_depth - 1].named++ % MAX_NAMED] = address;
    reaches_through(memory, names, is_write, address, size, CALLER);
}

/* The thread touches memory that others see, in a call. */
static void reaches_within(const char *address, size_t size, int is_write, const char *caller)
{
    const unsigned int top = call_depth - 1;
    if (top >= MAX_CALLS)
        return;
    for (unsigned int i = 0; i < calls[top].named && i < MAX_NAMED; ++i)
        if (calls[top].elements[i] == address)
            return;
    reaches_through(calls[top].memory, calls[top].names, is_write, address, size, caller);
}

/* The thread touches memory that others see, while something is claimed of what it runs. */
static SLOW void touches_claimed(const struct block *block, const char *address, size_t size, int is_write, uint16_t with,
                                 const struct site *site)
{
    if (block->kind == STACK || block->kind == HEAP)
        return;
    if (call_depth)
        reaches_within(address, size, is_write, site->caller);
    if (!with || is_updated(address) || (with == ATOMIC && !self.updated))
        touches(block, address, size, is_write, site);
}
