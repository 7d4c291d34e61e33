#define KERNELS(X) X(generic) X(spmd) X(rounds) X(nested) X(data) X(settings)
#include "launch.h"

struct record {
    int thread, threads, level, active_level, in_parallel, team, teams;
};

static void check_record(const struct record *actual, struct record expected, const char *where)
{
    CHECK_EQUAL(actual->thread, expected.thread, "%s", where);
    CHECK_EQUAL(actual->threads, expected.threads, "%s thread %d", where, expected.thread);
    CHECK_EQUAL(actual->level, expected.level, "%s thread %d", where, expected.thread);
    CHECK_EQUAL(actual->active_level, expected.active_level, "%s thread %d", where, expected.thread);
    CHECK_EQUAL(actual->in_parallel, expected.in_parallel, "%s thread %d", where, expected.thread);
    CHECK_EQUAL(actual->team, expected.team, "%s thread %d", where, expected.thread);
    CHECK_EQUAL(actual->teams, expected.teams, "%s thread %d", where, expected.thread);
}

/* num_threads 0 leaves the number to the device, anything else is kept up to the thread limit. */
static int region_size(int num_threads, int limit, int actual)
{
    if (num_threads == 0)
        return actual >= 1 && actual <= limit ? actual : limit;
    return num_threads < limit ? num_threads : limit;
}

static const int sizes[] = {0, 1, 2, 7, 31, 32, 33, 64, 100, 500};
enum { SIZES = sizeof sizes / sizeof *sizes, TEAMS = 2 };

static void test_regions(int threads)
{
    for (int s = 0; s < SIZES; ++s) {
        static struct record records[TEAMS][256], outside[TEAMS][2];
        static int slots[TEAMS][256];
        int errors[1] = {0};
        memset(records, -1, sizeof records);
        LAUNCH(generic, TEAMS, threads, SHAPE(TEAMS, threads), LITERAL(sizes[s]), ARRAY(records), ARRAY(slots),
               ARRAY(errors), ARRAY(outside));
        CHECK_EQUAL(errors[0], 0, "barriers of %d threads", sizes[s]);
        for (int team = 0; team < TEAMS; ++team) {
            const int size = region_size(sizes[s], threads, records[team][0].threads);
            for (int i = 0; i < size; ++i)
                check_record(&records[team][i], (struct record){i, size, 1, size > 1, size > 1, team, TEAMS}, "region");
            for (int i = size; i < 256; ++i)
                CHECK_EQUAL(records[team][i].thread, -1, "thread %d of %d", i, size);
            for (int i = 0; i < 2; ++i)
                check_record(&outside[team][i], (struct record){0, 1, 0, 0, 0, team, TEAMS}, "outside");
        }

        memset(records, -1, sizeof records);
        LAUNCH(spmd, 1, threads, SHAPE(1, threads), LITERAL(sizes[s]), ARRAY(records[0]), ARRAY(slots), ARRAY(errors));
        CHECK_EQUAL(errors[0], 0, "barriers of %d threads, spmd", sizes[s]);
        const int size = region_size(sizes[s], threads, records[0][0].threads);
        for (int i = 0; i < size; ++i)
            check_record(&records[0][i], (struct record){i, size, 1, size > 1, size > 1, 0, 1}, "spmd");
    }
}

static void test_rounds(void)
{
    int counted[65] = {0}, visits[10] = {0};
    LAUNCH(rounds, 2, 96, SHAPE(2, 96), LITERAL(0), ARRAY(counted), ARRAY(visits));
    CHECK_EQUAL(visits[0], 0, "leaves at once");
    LAUNCH(rounds, 2, 96, SHAPE(2, 96), LITERAL(40), ARRAY(counted), ARRAY(visits));
    for (int round = 1; round <= 40; ++round)
        CHECK_EQUAL(counted[round], 2, "round %d", round);
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(visits[i], 2 * (40 + 40 + 1), "iteration %d", i);
}

static void test_nested(void)
{
    static struct record records[34];
    static int ancestors[33][8], visits[10], counts[34];
    LAUNCH(nested, 1, 64, SHAPE(1, 64), ARRAY(records), ARRAY(ancestors), ARRAY(visits), ARRAY(counts));
    for (int t = 0; t < 33; ++t) {
        const int expected[8] = {0, t, 0, -1, 1, 33, 1, -1};
        if (t % 2 == 0) {
            check_record(&records[t], (struct record){0, 1, 2, 1, 1, 0, 1}, "inner region");
            CHECK_EQUAL(counts[t], 11, "region in a function, called by thread %d", t);
            for (int a = 0; a < 8; ++a)
                CHECK_EQUAL(ancestors[t][a], expected[a], "thread %d ancestor query %d", t, a);
        } else {
            check_record(&records[t], (struct record){t, 33, 1, 1, 1, 0, 1}, "beside inner regions");
        }
    }
    check_record(&records[33], (struct record){0, 1, 1, 0, 0, 0, 1}, "region of one thread");
    CHECK_EQUAL(counts[33], 33, "region in a function");
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(visits[i], 17, "iteration %d", i);
}

struct data {
    double sums[TEAMS];
    long long counts[TEAMS][6];
    float largest[TEAMS];
    int league[1];
};

static void launch_data(int num_threads, struct data *d)
{
    *d = (struct data){.league = {10}};
    LAUNCH(data, TEAMS, 1024, SHAPE(TEAMS, 1024), LITERAL(num_threads), ARRAY(d->sums), ARRAY(d->counts),
           ARRAY(d->largest), ARRAY(d->league));
}

static void check_data(int num_threads, const struct data *d)
{
    for (int team = 0; team < TEAMS; ++team) {
        const int size = region_size(num_threads, 1024, (int)d->counts[team][4]);
        CHECK_EQUAL(d->sums[team], 4950.5, "sum over %d threads", size);
        CHECK_EQUAL(d->largest[team], size - 1.5, "maximum over %d threads", size);
        CHECK_EQUAL(d->counts[team][0], size < 7, "&& over %d threads", size);
        CHECK_EQUAL(d->counts[team][1], 15, "product over %d threads", size);
        CHECK_EQUAL(d->counts[team][2], 1, "single of %d threads", size);
        CHECK_EQUAL(d->counts[team][3], size, "critical of %d threads", size);
        CHECK_EQUAL(d->counts[team][4], size, "threads of %d", size);
    }
    CHECK_EQUAL(d->league[0], 11, "league");
}

static void test_data(void)
{
    for (int s = 0; s < SIZES; ++s) {
        struct data d;
        launch_data(sizes[s], &d);
        check_data(sizes[s], &d);
    }
}

/* Launches from a parallel region of the host, which the cpu device's own regions are then nested in. */
static void test_concurrent_launches(void)
{
    struct data d[4];
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; ++i)
        launch_data(7 + i, &d[i]);
    for (int i = 0; i < 4; ++i)
        check_data(7 + i, &d[i]);
}

static void test_settings(void)
{
    int seen[10] = {0};
    const int expected[10] = {256, 0, 1, 5, 7, 2, 5, 5, 64, 64};
    LAUNCH(settings, 1, 64, SHAPE(1, 64), ARRAY(seen));
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(seen[i], expected[i], "setting %d", i);
}

int main(void)
{
    test_regions(1);
    test_regions(64);
    test_regions(100);
    test_regions(256);
    test_rounds();
    test_nested();
    test_data();
    test_concurrent_launches();
    test_settings();
    return report();
}
