/* What atomic accesses of device code order that are not relaxed. Included by runtime.c.
 *
 * An atomic object knows the moments at which logical threads have written to it with an order other than relaxed, and what
 * these threads knew then. Who reads it with such an order, afterwards, gets to know these moments: what was done before them
 * is done before what it does next. A moment is the thread's `who`, which has a new interval behind each of them. Barriers and
 * the begin and end of parallel regions hand on what is known, too. What one iteration gets to know, the next one does not.
 * Where too much is known to be kept, all counts as ordered.
 */

enum { MOMENTS = 256, OBJECTS = 512, OBJECT_TRIES = 8 };
enum fullness { NOT_FULL, FULL_OF_ONE_TEAM, FULL_OF_TEAMS };

struct knowledge {
    uint32_t count;
    enum fullness is_full; /* what is not in `moments` may be known as well */
    who moments[MOMENTS];
};

/* Something that hands knowledge on. Those whose places in the table are taken share one. */
struct object_order {
    const volatile void *address;
    uint32_t launch;
    struct knowledge known;
};

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object_order object_orders[OBJECTS];
static int is_handed_on; /* something is, or was */
static __thread struct knowledge known;
static __thread uint32_t known_before_loop; /* the first moments, which all iterations know */
static __thread int has_forgotten;          /* what iterations of the present loop knew */

static inline int is_earlier(uint32_t a, uint32_t b)
{
    return ((b - a) & (INTERVALS - 1)) < INTERVALS / 2;
}

/* Whether what a thread does at `a` is done at the moment `b`, or with `b` before what comes next: the same thread comes to
 * it later, or its team has met at a barrier in between. Iterations of one loop are threads of their own. */
static int is_done_at(who a, who b)
{
    const struct interval *const one = &intervals[a >> INTERVAL_SHIFT], *const other = &intervals[b >> INTERVAL_SHIFT];
    const who differs = a ^ b, iteration = ((who)1 << ITERATION_BITS) - 1;
    if (one->launch != other->launch || one->team != other->team)
        return 0;
    if (one->phase != other->phase)
        return is_earlier(one->phase, other->phase);
    if (differs >> (ITERATION_BITS + LOOP_BITS) & (((who)1 << THREAD_BITS) - 1))
        return 0;
    return is_earlier((uint32_t)(a >> INTERVAL_SHIFT), (uint32_t)(b >> INTERVAL_SHIFT))
           && (!(differs & iteration) || !(a & iteration) || !(b & iteration)
               || (differs >> ITERATION_BITS & (((who)1 << LOOP_BITS) - 1)));
}

static int knows(const struct knowledge *all, who moment)
{
    uint32_t i;
    for (i = 0; i < all->count; ++i)
        if (is_done_at(moment, all->moments[i]))
            return 1;
    return 0;
}

static uint32_t team_of(who moment) { return intervals[moment >> INTERVAL_SHIFT].team; }

/* What this team has done may be known, too. */
static void becomes_full(struct knowledge *all, uint32_t team)
{
    uint32_t i;
    all->is_full = all->is_full == FULL_OF_TEAMS ? FULL_OF_TEAMS : FULL_OF_ONE_TEAM;
    for (i = 0; i < all->count; ++i)
        if (team_of(all->moments[i]) != team)
            all->is_full = FULL_OF_TEAMS;
}

/* The first `kept` moments stay as they are. */
static void learn(struct knowledge *all, uint32_t kept, who moment)
{
    uint32_t i;
    if (all->is_full ? all->is_full == FULL_OF_TEAMS || team_of(all->moments[0]) == team_of(moment) : knows(all, moment))
        return;
    for (i = kept; i < all->count && !is_done_at(all->moments[i], moment); ++i)
        ;
    if (i == MOMENTS || all->is_full) {
        becomes_full(all, team_of(moment));
    } else {
        all->moments[i] = moment;
        all->count += i == all->count;
    }
}

static void learn_all(struct knowledge *all, uint32_t kept, const struct knowledge *from)
{
    uint32_t i;
    if (!all->count && !all->is_full) {
        all->count = from->is_full ? 1 : from->count;
        all->is_full = from->is_full;
        real_memcpy(all->moments, from->moments, sizeof(who) * all->count);
    } else if (from->is_full) {
        becomes_full(all, team_of(from->moments[0]));
        if (from->is_full == FULL_OF_TEAMS)
            all->is_full = FULL_OF_TEAMS;
    } else {
        for (i = 0; i < from->count; ++i)
            learn(all, kept, from->moments[i]);
    }
}

/* A barrier orders all that the thread's team has done, so only what other teams have done must be known behind it. */
static void forget_own_team(void)
{
    const uint32_t team = team_of(self.who);
    uint32_t i, kept = 0;
    if (known.is_full == FULL_OF_ONE_TEAM && known.count && team_of(known.moments[0]) == team)
        known.is_full = NOT_FULL;
    for (i = 0; i < known.count; ++i)
        if (team_of(known.moments[i]) != team)
            known.moments[kept++] = known.moments[i];
    known.count = kept;
    known_before_loop = has_forgotten = 0;
}

/* With the lock held. What earlier launches have handed on is of no use any more. */
static struct object_order *order_of(const volatile void *object)
{
    const uint32_t first = (uint32_t)((uintptr_t)object >> 2 ^ (uintptr_t)object >> 12);
    struct object_order *order;
    uint32_t i = 0;
    do
        order = &object_orders[(first + i) % OBJECTS];
    while (order->address != object && order->launch == current_launch && ++i < OBJECT_TRIES);
    if (order->launch != current_launch) {
        order->address = object;
        order->launch = current_launch;
        order->known.count = 0;
        order->known.is_full = open_count || self.host ? FULL_OF_TEAMS : NOT_FULL; /* other launches may run beside this one */
    }
    return order;
}

/* Others that get to know what `object` knows know what this thread knows, and `with_me` what it has done. */
static SLOW void hand_on(const volatile void *object, int with_me)
{
    struct object_order *order;
    pthread_mutex_lock(&order_lock);
    is_handed_on = 1;
    order = order_of(object);
    if (self.is_fenced)
        order->known.is_full = FULL_OF_TEAMS;
    learn_all(&order->known, 0, &known);
    if (with_me)
        learn(&order->known, 0, self.who);
    pthread_mutex_unlock(&order_lock);
}

static SLOW void get_to_know(const volatile void *object)
{
    pthread_mutex_lock(&order_lock);
    learn_all(&known, known_before_loop, &order_of(object)->known);
    pthread_mutex_unlock(&order_lock);
    if (known.is_full)
        self.is_fenced = 1;
}

/* The calling thread begins to run device code for another thread, or another team. */
static void forget_order_of_thread(void)
{
    known.count = known_before_loop = 0;
    known.is_full = NOT_FULL;
    has_forgotten = 0;
}

/* Another iteration begins, or with number 0 the loop has ended. Then the thread knows what all of its iterations knew. */
static SLOW void other_iteration(int was_in_loop, int is_in_loop)
{
    if (was_in_loop && is_in_loop) {
        has_forgotten |= known.count > known_before_loop;
        known.count = known_before_loop;
    } else if (is_in_loop) {
        known_before_loop = known.count;
    } else {
        self.is_fenced |= (uint16_t)has_forgotten;
        known_before_loop = 0;
        has_forgotten = 0;
    }
}
