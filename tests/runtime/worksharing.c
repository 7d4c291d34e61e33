#include "types.h"

#define KERNELS(X)                                                                                                     \
    INTEGER_TYPES(X, reduce_)                                                                                          \
    REAL_TYPES(X, reduce_)                                                                                             \
    X(cover) X(deal) X(far_chunks) X(queries_0) X(queries_1) X(free_of_state) X(facts) X(exclude)
#include "launch.h"

static const struct {
    unsigned blocks, threads;
} shapes[] = {{1, 1}, {1, 7}, {2, 32}, {3, 33}, {5, 100}, {2, 1024}};
enum { SHAPES = sizeof shapes / sizeof *shapes, N = 1000 };

/* Value i of two inputs: one keeps products small and is never 0, the other has all small values. */
static int input_value(int input, int i)
{
    if (input == 0)
        return i % 250 == 7 ? 3 : i % 331 == 3 ? -1 : 1;
    return i % 11 - 5;
}

#define EXPECT_REAL(T)                                                                                                 \
    expected[ADD] = (T)(expected[ADD] + x);                                                                            \
    const __auto_type product = expected[MUL] * x;                                                                     \
    expected[MUL] = (T)product;                                                                                        \
    expected[MIN] = x < expected[MIN] ? x : expected[MIN];                                                             \
    expected[MAX] = x > expected[MAX] ? x : expected[MAX];                                                             \
    expected[LAND] = expected[LAND] && x;                                                                              \
    expected[LOR] = expected[LOR] || x;

#define EXPECT_INTEGER(T)                                                                                              \
    EXPECT_REAL(T)                                                                                                     \
    expected[BAND] = (T)(expected[BAND] & x);                                                                          \
    expected[BOR] = (T)(expected[BOR] | x);                                                                            \
    expected[BXOR] = (T)(expected[BXOR] ^ x);

#define REDUCTION_TEST(kernel, T, results, expect)                                                                     \
    static void test_##kernel(void)                                                                                    \
    {                                                                                                                  \
        for (int run = 0; run < 2 * SHAPES; ++run) {                                                                   \
            T in[N], out[results], expected[results];                                                                  \
            for (int r = 0; r < results; ++r)                                                                          \
                out[r] = expected[r] = (T)(r == BAND ? 0x7d : r == LOR ? 0 : 2);                                       \
            for (int i = 0; i < N; ++i) {                                                                              \
                const T x = in[i] = (T)input_value(run % 2, i);                                                        \
                expect(T)                                                                                              \
            }                                                                                                          \
            const unsigned blocks = shapes[run / 2].blocks, threads = shapes[run / 2].threads;                         \
            LAUNCH(kernel, blocks, threads, SHAPE(blocks, threads), LITERAL(N), ARRAY(in), ARRAY(out));                \
            for (int r = 0; r < results; ++r)                                                                          \
                CHECK_EQUAL(out[r], expected[r], #kernel " result %d run %d", r, run);                                 \
        }                                                                                                              \
    }
#define INTEGER_TEST(kernel, T) REDUCTION_TEST(kernel, T, RESULTS, EXPECT_INTEGER)
#define REAL_TEST(kernel, T) REDUCTION_TEST(kernel, T, BITWISE, EXPECT_REAL)
INTEGER_TYPES(INTEGER_TEST, reduce_)
REAL_TYPES(REAL_TEST, reduce_)
#define RUN_TEST(kernel, T) test_##kernel();

static void test_cover(void)
{
    static int visits[100003];
    const unsigned trips[] = {0, 1, 255, 100003};
    for (int t = 0; t < 4; ++t) {
        memset(visits, 0, sizeof visits);
        LAUNCH(cover, 3, 256, LITERAL(trips[t]), ARRAY(visits));
        for (unsigned i = 0; i < 100003; ++i)
            CHECK_EQUAL(visits[i], i < trips[t], "iteration %u of %u", i, trips[t]);
    }
}

static void test_deal(void)
{
    const unsigned chunks[] = {1, 3, 64, N, 5000};
    for (int c = 0; c < 5; ++c) {
        int owner[N] = {0};
        LAUNCH(deal, 3, 33, SHAPE(3, 33), LITERAL(N), LITERAL(chunks[c]), ARRAY(owner));
        for (int i = 0; i < N; ++i)
            CHECK_EQUAL(owner[i], 1 + i / chunks[c] % 99, "iteration %d, chunk %u", i, chunks[c]);
    }
}

static void test_far_chunks(void)
{
    const long long last = INT64_MAX - 1, chunk = INT64_C(1) << 61;
    const struct {
        long long trip, chunk, num, id, bounds[8];
    } cases[] = {
        {INT64_MAX, chunk, 2, 1, {chunk, 2 * chunk - 1, 3 * chunk, last, -1, -1, -1, -1}},
        {INT64_MAX, INT64_MAX, 2, 0, {0, last, -1, -1, -1, -1, -1, -1}},
        {INT64_MAX, INT64_MAX, 2, 1, {-1, -1, -1, -1, -1, -1, -1, -1}},
        {INT64_MAX, 1, INT64_MAX / 2, INT64_MAX / 2 - 1,
         {INT64_MAX / 2 - 1, INT64_MAX / 2 - 1, INT64_MAX - 2, INT64_MAX - 2, -1, -1, -1, -1}},
        {0, 4, 2, 0, {-1, -1, -1, -1, -1, -1, -1, -1}},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; ++c) {
        long long bounds[8];
        memset(bounds, -1, sizeof bounds);
        LAUNCH(far_chunks, 1, 1, SHAPE(1, 1), LITERAL(cases[c].trip), LITERAL(cases[c].chunk), LITERAL(cases[c].num),
               LITERAL(cases[c].id), ARRAY(bounds));
        for (int b = 0; b < 8; ++b)
            CHECK_EQUAL(bounds[b] == cases[c].bounds[b], 1, "case %u bound %d: %lld", c, b, bounds[b]);
    }
}

enum { BLOCKS = 3, THREADS = 33, GRID = BLOCKS * THREADS, QUERIES = 14 };

static void test_queries(int level)
{
    static int own[GRID][QUERIES], called[GRID][QUERIES], nested[GRID][QUERIES], max_threads[GRID];
    if (level == 1)
        LAUNCH(queries_1, BLOCKS, THREADS, SHAPE(BLOCKS, THREADS), ARRAY(own), ARRAY(called), ARRAY(nested),
               ARRAY(max_threads));
    else
        LAUNCH(queries_0, BLOCKS, THREADS, SHAPE(BLOCKS, THREADS), ARRAY(own), ARRAY(called), ARRAY(nested),
               ARRAY(max_threads));
    for (int i = 0; i < GRID; ++i) {
        const int team = i / THREADS, thread = i % THREADS;
        const int expected[2][QUERIES] = {{i, GRID, 0, 1, 1, 0, 0, 0, 0, -1, -1, 1, -1, -1},
                                          {team, BLOCKS, thread, THREADS, THREADS, 1, 1, 1, 0, thread, -1, 1, THREADS,
                                           -1}};
        const int inside[2][QUERIES] = {{i, GRID, 0, 1, 1, 1, 0, 0, 0, 0, -1, 1, 1, -1},
                                        {team, BLOCKS, 0, 1, THREADS, 2, 1, 1, 0, thread, 0, 1, THREADS, 1}};
        for (int q = 0; q < QUERIES; ++q) {
            CHECK_EQUAL(own[i][q], expected[level][q], "level %d thread %d query %d", level, i, q);
            CHECK_EQUAL(called[i][q], expected[level][q], "level %d thread %d query %d in a function", level, i, q);
            CHECK_EQUAL(nested[i][q], inside[level][q], "level %d thread %d query %d in a region", level, i, q);
        }
        CHECK_EQUAL(max_threads[i], 256, "level %d thread %d", level, i); /* regions of this size may follow */
    }
}

static void test_facts(void)
{
    int values[9] = {0};
    const int expected[9] = {3, 2, 4096, 0, 3, 1, 0, 1, 11};
    LAUNCH(facts, 1, 1, SHAPE(1, 1), ARRAY(values));
    for (int i = 0; i < 9; ++i)
        CHECK_EQUAL(values[i], expected[i], "fact %d", i);
}

static void test_exclude(void)
{
    long long sums[4] = {0}, total = 0, kept = 0;
    struct {
        unsigned int word[4] __attribute__((aligned(8)));
    } lock = {{0}}, nest_lock = {{0}};
    for (int i = 0; i < N; ++i) {
        total += i;
        kept += i % 3 != 1 ? i : 0;
    }
    LAUNCH(exclude, 2, 100, LITERAL(N), ARRAY(sums), array_argument(&lock, sizeof lock),
           array_argument(&nest_lock, sizeof nest_lock));
    CHECK_EQUAL(sums[0], kept, "critical");
    CHECK_EQUAL(sums[1], N, "nested critical");
    CHECK_EQUAL(sums[2], total, "lock");
    CHECK_EQUAL(sums[3], N, "nestable lock");
}

static void test_free_of_state(void)
{
    int sum[1] = {5};
    LAUNCH(free_of_state, 2, 64, LITERAL(N), ARRAY(sum));
    CHECK_EQUAL(sum[0], N + 5, "atomic");
}

int main(void)
{
    INTEGER_TYPES(RUN_TEST, reduce_)
    REAL_TYPES(RUN_TEST, reduce_)
    test_cover();
    test_deal();
    test_far_chunks();
    test_queries(0);
    test_queries(1);
    test_facts();
    test_exclude();
    test_free_of_state();
    return report();
}
