/* Pointers in structures that are on the device before a region: loops inside may share the grid where the device's own
   pointers are those of the host and lead to different memory, and run in order where they are not, or do not. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 40
#define M 25
#define COUNT (N * (M + 1))

struct field {
    int rows, columns;
    double *from, *to;
};

struct inner {
    int more;
    struct field field;
};

static int device;

static void put(struct field *f)
{
#pragma omp target enter data map(to: f[0:1])
#pragma omp target enter data map(to: f->from[0:COUNT], f->to[0:COUNT])
}

static void get(struct field *f)
{
#pragma omp target exit data map(from: f->to[0:COUNT]) map(release: f->from[0:COUNT])
#pragma omp target exit data map(release: f[0:1])
}

/* A row is its own recurrence where both pointers lead to the same elements. */
static void step(struct field *f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < f->rows; i++)
        for (int j = 0; j < f->columns; j++)
            f->to[i * (f->columns + 1) + j + 1] = f->from[i * (f->columns + 1) + j] + 1;
}

static void step_of_constant_size(struct field *f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            f->to[i * (M + 1) + j + 1] = f->from[i * (M + 1) + j] + 1;
}

static void step_inside(struct inner *f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < f->field.rows; i++)
        for (int j = 0; j < f->field.columns; j++)
            f->field.to[i * (f->field.columns + 1) + j + 1] = f->field.from[i * (f->field.columns + 1) + j] + 1;
}

/* Each element is updated once, whichever loop runs: threads of tiles must not repeat each other's iterations. */
static void update(struct field *f)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= M; j++)
            for (int k = 0; k < 4; k++)
                f->to[i * (M + 1) + j] += f->from[i * (M + 1) + j] * (k == 1) + 1;
}

static double updated(struct field *f)
{
    double total = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: total) map(tofrom: total)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= M; j++) {
            for (int k = 0; k < 4; k++)
                f->to[i * (M + 1) + j] += f->from[i * (M + 1) + j] * (k == 1) + 1;
            total += f->to[i * (M + 1) + j];
        }
    return total;
}

/* The result is in memory of the region's own. */
static double sum(struct field *f, double *rows)
{
    double total = 0;
#pragma omp target teams distribute parallel for map(from: rows[0:N]) map(tofrom: total) reduction(+: total)
    for (int i = 0; i < f->rows; i++) {
        rows[i] = 0;
        for (int j = 0; j <= f->columns; j++)
            rows[i] += f->to[i * (f->columns + 1) + j];
        total += rows[i];
    }
    return total;
}

static void lead_to_one(struct field *f)
{
#pragma omp target
    f->from = f->to; // rex-ignore: lost-result: only the device changes
}

static int is_recurrence(const double *x)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= M; j++)
            if (x[i * (M + 1) + j] != 3 + j)
                return 0;
    return 1;
}

static int is_step(const double *x)
{
    for (int i = 0; i < N; i++)
        for (int j = 1; j <= M; j++)
            if (x[i * (M + 1) + j] != 4)
                return 0;
    return 1;
}

static void fill(struct field *f)
{
    for (int i = 0; i < COUNT; i++)
        f->from[i] = f->to[i] = 3;
}

static void on_device_before(struct field *f, struct field *same, void (*run)(struct field *))
{
    double rows[N], *const from = f->from;
    fill(f), put(f), run(f);
    CHECK(sum(f, rows) == N * (3 + 4 * M) && rows[N - 1] == 3 + 4 * M);
    get(f);
    CHECK(is_step(f->to));
    fill(same), put(same), run(same), get(same);
    CHECK(is_recurrence(same->to));
    fill(f), put(f), lead_to_one(f), run(f), get(f); /* the host does not know of this */
    CHECK(is_recurrence(f->to));
    f->from = from;
}

static void updates(struct field *f)
{
    double *const from = f->from, totals[2];
    for (int same = 0; same < 2; same++) {
        fill(f), put(f);
        if (same)
            lead_to_one(f); /* the host does not know of this */
        update(f);
        totals[same] = updated(f);
        get(f);
        for (int i = 0; i < COUNT; i++)
            if (f->to[i] != (same ? 27 : 17)) {
                CHECK(f->to[i] == (same ? 27 : 17));
                break;
            }
        f->from = from;
    }
    CHECK(totals[0] == 17.0 * COUNT && totals[1] == 27.0 * COUNT);
}

/* The host must not look into a structure that only the device has. */
static void of_the_device(const struct field *f)
{
    const size_t size = sizeof(double) * COUNT;
    const int host = omp_get_initial_device();
    struct field *there = (struct field *)omp_target_alloc(sizeof(*there), device);
    double *from = (double *)omp_target_alloc(size, device), *to = (double *)omp_target_alloc(size, device);
    struct field inside = {N, M, from, to};
    fill((struct field *)f);
    CHECK(there && from && to);
    CHECK(!omp_target_memcpy(there, &inside, sizeof(inside), 0, 0, device, host));
    CHECK(!omp_target_memcpy(from, f->from, size, 0, 0, device, host));
    CHECK(!omp_target_memcpy(to, f->to, size, 0, 0, device, host));
    step(there);
    step_of_constant_size(there);
    CHECK(!omp_target_memcpy(f->to, to, size, 0, 0, host, device));
    CHECK(is_step(f->to));
    omp_target_free(there, device), omp_target_free(from, device), omp_target_free(to, device);
}

int main(void)
{
    double *a = (double *)malloc(sizeof(double) * COUNT), *b = (double *)malloc(sizeof(double) * COUNT);
    struct field apart = {N, M, a, b}, same = {N, M, b, b};
    struct inner deep = {0, {N, M, a, b}}, *const d = &deep;
    device = omp_get_default_device();
    on_device_before(&apart, &same, step);
    on_device_before(&apart, &same, step_of_constant_size);
    updates(&apart);
    of_the_device(&apart);
    fill(&deep.field);
#pragma omp target enter data map(to: d[0:1])
#pragma omp target enter data map(to: d->field.from[0:COUNT], d->field.to[0:COUNT])
    step_inside(d);
#pragma omp target exit data map(from: d->field.to[0:COUNT]) map(release: d->field.from[0:COUNT])
#pragma omp target exit data map(release: d[0:1])
    CHECK(is_step(b));
    free(a), free(b);
    return CHECK_RESULT();
}
