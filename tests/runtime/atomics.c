#include "types.h"

#define KERNELS(X)                                                                                                     \
    INTEGER_TYPES(X, update_)                                                                                          \
    REAL_TYPES(X, update_)                                                                                             \
    X(forms) X(special) X(tickets) X(pointers)
#include "launch.h"

enum { N = 400 };

#define EXPECT_REAL(T)                                                                                                 \
    const __auto_type product = expected[MUL] * x;                                                                     \
    expected[ADD] = (T)(expected[ADD] + x);                                                                            \
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

#define UPDATE_TEST(kernel, T, results, expect)                                                                        \
    static void test_##kernel(void)                                                                                    \
    {                                                                                                                  \
        T in[N], out[results], expected[results];                                                                      \
        for (int r = 0; r < results; ++r)                                                                              \
            out[r] = expected[r] = (T)(r == BAND ? 0x7d : r == LOR ? 0 : 2);                                           \
        for (int i = 0; i < N; ++i) {                                                                                  \
            const T x = in[i] = (T)(i % 150 == 7 ? 3 : i % 131 == 3 ? -1 : 1);                                         \
            expect(T)                                                                                                  \
        }                                                                                                              \
        LAUNCH(kernel, 3, 128, LITERAL(N), ARRAY(in), ARRAY(out));                                                     \
        for (int r = 0; r < results; ++r)                                                                              \
            CHECK_EQUAL(out[r], expected[r], #kernel " result %d", r);                                                 \
    }
#define INTEGER_TEST(kernel, T) UPDATE_TEST(kernel, T, RESULTS, EXPECT_INTEGER)
#define REAL_TEST(kernel, T) UPDATE_TEST(kernel, T, BITWISE, EXPECT_REAL)
INTEGER_TYPES(INTEGER_TEST, update_)
REAL_TYPES(REAL_TEST, update_)
#define RUN_TEST(kernel, T) test_##kernel();

static void test_forms(void)
{
    int failed[1] = {0};
    double values[2] = {0};
    LAUNCH(forms, 1, 1, SHAPE(1, 1), ARRAY(failed));
    CHECK_EQUAL(failed[0], 0, "forms");
    LAUNCH(special, 1, 1, SHAPE(1, 1), ARRAY(failed), ARRAY(values));
    CHECK_EQUAL(failed[0], 0, "special values");
}

static void test_tickets(void)
{
    unsigned counter[1] = {0};
    unsigned char small_counter[5] = {0xff, 0xff, 0, 0xff, 0xff};
    int taken[N] = {0}, small_taken[256] = {0}, target[N] = {0};
    int *pointer[1] = {0};
    const struct argument kept = {target, sizeof target, REX_MAP_TOFROM};
    __tgt_target_data_begin(0, -1, 1, (void *[]){kept.base}, (void *[]){kept.base}, &kept.size, &kept.type, 0);
    const struct argument pointer_kept = {pointer, sizeof pointer, REX_MAP_TO};
    __tgt_target_data_begin(0, -1, 1, (void *[]){pointer}, (void *[]){pointer}, &pointer_kept.size, &pointer_kept.type, 0);
    LAUNCH(tickets, 3, 128, LITERAL(200), ARRAY(counter),
           (struct argument){small_counter + 2, 1, REX_MAP_TARGET_PARAM | REX_MAP_TOFROM}, ARRAY(taken),
           ARRAY(small_taken), ARRAY(target), ARRAY(pointer));
    LAUNCH(pointers, 3, 128, LITERAL(N), ARRAY(pointer));
    __tgt_target_data_end(0, -1, 1, (void *[]){pointer}, (void *[]){pointer}, &pointer_kept.size, &pointer_kept.type, 0);
    __tgt_target_data_end(0, -1, 1, (void *[]){kept.base}, (void *[]){kept.base}, &kept.size, &kept.type, 0);
    CHECK_EQUAL(counter[0], 200, "counter");
    CHECK_EQUAL(small_counter[2], 200, "narrow counter");
    for (int i = 0; i < 256; ++i)
        CHECK_EQUAL(small_taken[i], i >= 1 && i <= 200, "narrow ticket %d", i);
    int total = 0;
    for (int i = 0; i < N; ++i) {
        CHECK_EQUAL(taken[i], i < 200, "ticket %d", i);
        CHECK_EQUAL(target[i] > 0, 1, "slot %d", i);
        total += target[i];
    }
    CHECK_EQUAL(total, N * (N + 1) / 2, "slots");
}

int main(void)
{
    INTEGER_TYPES(RUN_TEST, update_)
    REAL_TYPES(RUN_TEST, update_)
    test_forms();
    test_tickets();
    return report();
}
