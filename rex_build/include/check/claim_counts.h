/* How often each claim of a transformation was verified. Included by runtime.c. */

struct claim { /* as in rex_claims.h */
    const char *kind, *transformation, *about, *file;
    int line, column;
    unsigned int number;
};

/* What is remembered of a claim: images may be gone when the program ends. */
struct known_claim {
    struct claim claim;
    uint64_t verified;
    long long value;     /* what is the same in the launch */
    uint32_t launch;
};
enum { MAX_CLAIMS = 4096 };
static struct known_claim known_claims[MAX_CLAIMS]; /* the first one stands for those that have no room */
static unsigned int claim_count = 1;
static pthread_mutex_t claim_lock = PTHREAD_MUTEX_INITIALIZER;

static struct known_claim *known_claim(struct claim *claim)
{
    unsigned int number = __atomic_load_n(&claim->number, __ATOMIC_ACQUIRE);
    if (LIKELY(number))
        return &known_claims[number];
    pthread_mutex_lock(&claim_lock);
    if (!claim->number && claim_count < MAX_CLAIMS) {
        struct known_claim *const known = &known_claims[claim_count];
        ++self.in_runtime;
        known->claim = *claim;
        known->claim.kind = strdup(claim->kind);
        known->claim.transformation = strdup(claim->transformation);
        known->claim.about = strdup(claim->about);
        known->claim.file = strdup(claim->file);
        --self.in_runtime;
        __atomic_store_n(&claim->number, claim_count++, __ATOMIC_RELEASE);
    }
    number = claim->number;
    pthread_mutex_unlock(&claim_lock);
    return &known_claims[number];
}

static void has_verified(struct claim *claim)
{
    __atomic_fetch_add(&known_claim(claim)->verified, 1, __ATOMIC_RELAXED);
}

/* How many claims of each kind came to be verified, and how often. */
static void tell_claims(void)
{
    uint64_t times;
    unsigned int i, k, count;
    const char *comma = "";
    if (claim_count == 1)
        return;
    fprintf(stderr, "rex-build check: claims that were verified: ");
    for (i = 1; i < claim_count; ++i) {
        for (k = 1; k < i && strcmp(known_claims[k].claim.kind, known_claims[i].claim.kind); ++k)
            ;
        if (k < i)
            continue;
        for (times = count = 0; k < claim_count; ++k)
            if (!strcmp(known_claims[k].claim.kind, known_claims[i].claim.kind)) {
                times += known_claims[k].verified;
                ++count;
            }
        fprintf(stderr, "%s%s: %u (%" PRIu64 " times)", comma, known_claims[i].claim.kind, count, times);
        comma = ", ";
    }
    fprintf(stderr, "\n");
}
