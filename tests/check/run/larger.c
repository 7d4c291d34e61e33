/* Five kinds of mistakes as they come in larger programs: each wrong one has its right twin behind it. */
#include <omp.h>
#include <stdlib.h>

enum { ROWS = 12, COLUMNS = 10, COUNT = ROWS * COLUMNS };
static volatile double kept;

struct image {
    int height, width;
    double *pixels;
};
struct series {
    long length;
    double *values;
    double scale;
};
#pragma omp declare mapper(struct series s) map(to: s.length, s.scale) map(tofrom: s.values[0:s.length])
#pragma omp declare mapper(inputs: struct series s) map(to: s.length, s.scale) map(alloc: s.values[0:s.length])

static double *numbers(long n)
{
    double *made = malloc((size_t)n * sizeof *made);
    for (long i = 0; i < n; ++i)
        made[i] = 1.0 + (double)i;
    return made;
}

static struct image blank(int height, int width)
{
    struct image made = {height, width, numbers((long)height * width)};
    return made;
}

/* ---- barrier */

static void phases_wrong(double *sums)
{
#pragma omp target parallel num_threads(4) map(tofrom: sums[0:4])
    {
        const int id = omp_get_thread_num();
        sums[id] = id;
        switch (id % 2) {
        case 0: {
#pragma omp barrier // rex-expect: barrier
            sums[id] += 2;
            break;
        }
        default:
            break;
        }
    }
}
static void phases_right(double *sums)
{
#pragma omp target parallel num_threads(4) map(tofrom: sums[0:4])
    {
        const int id = omp_get_thread_num();
        sums[id] = id;
#pragma omp barrier
        switch (id % 2) {
        case 0:
            sums[id] += sums[id + 1];
            break;
        default:
            break;
        }
    }
}

static void meet_here(double *where)
{
#pragma omp barrier // rex-expect: barrier
    where[0] = 1;
}
static void helper_wrong(double *cells)
{
#pragma omp target parallel num_threads(3) map(tofrom: cells[0:3])
    {
        int id = omp_get_thread_num();
        cells[id] = 1;
        if (id > 0)
            meet_here(cells + id);
    }
}
static void meet_there(double *where)
{
#pragma omp barrier
    where[0] = 1;
}
static void helper_right(double *cells)
{
#pragma omp target parallel num_threads(3) map(tofrom: cells[0:3])
    {
        int id = omp_get_thread_num();
        cells[id] = 1;
        if (omp_get_num_threads() > 0)
            meet_there(cells + id);
    }
}

static void early_wrong(struct image *picture)
{
    double *line = picture->pixels;
#pragma omp target parallel num_threads(4) map(tofrom: line[0:ROWS])
    {
        int id = omp_get_thread_num();
        for (int step = 0; step < 3; ++step) {
            if (step == id)
                break;
            line[id] += 1;
#pragma omp barrier // rex-expect: barrier
        }
    }
}
static void early_right(struct image *picture)
{
    double *line = picture->pixels;
#pragma omp target parallel num_threads(4) map(tofrom: line[0:ROWS])
    {
        int id = omp_get_thread_num();
        for (int step = 0; step < 3; ++step) {
            if (step != id)
                line[id] += 1;
#pragma omp barrier
        }
    }
}

static void single_wrong(double *total)
{
#pragma omp target parallel num_threads(4) map(tofrom: total[0:4])
    {
        if (omp_get_thread_num() != 3) {
#pragma omp single // rex-expect: barrier
            total[0] = 5;
        }
        total[omp_get_thread_num()] += 1;
    }
}
static void single_right(double *total)
{
#pragma omp target parallel num_threads(4) map(tofrom: total[0:4])
    {
        if (omp_get_thread_num() != 3) {
#pragma omp single nowait
            total[0] = 5;
        }
#pragma omp barrier
        total[omp_get_thread_num()] += 1;
    }
}

/* ---- stale-read-on-device */

static void fill(struct image *picture, double with)
{
    for (int y = 0; y < picture->height; ++y)
        for (int x = 0; x < picture->width; ++x)
            picture->pixels[y * picture->width + x] = with;
}
static void brighten(struct image *picture)
{
    double *p = picture->pixels;
    int n = picture->height * picture->width;
#pragma omp target teams distribute parallel for map(present, alloc: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] *= 2; // rex-expect: stale-read-on-device
}
static void brighten_fresh(struct image *picture)
{
    double *p = picture->pixels;
    int n = picture->height * picture->width;
#pragma omp target update to(p[0:n])
#pragma omp target teams distribute parallel for map(present, alloc: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] *= 2;
}
static void picture_wrong(void)
{
    struct image picture = blank(ROWS, COLUMNS);
#pragma omp target enter data map(to: picture.pixels[0:COUNT])
    fill(&picture, 3);
    brighten(&picture);
#pragma omp target exit data map(delete: picture.pixels[0:COUNT])
}
static void picture_right(void)
{
    struct image picture = blank(ROWS, COLUMNS);
#pragma omp target enter data map(to: picture.pixels[0:COUNT])
    fill(&picture, 3);
    brighten_fresh(&picture);
#pragma omp target exit data map(from: picture.pixels[0:COUNT])
    kept = picture.pixels[4];
}

static void halo_wrong(void)
{
    double grid[ROWS][COLUMNS], sum = 0;
    for (int y = 0; y < ROWS; ++y)
        for (int x = 0; x < COLUMNS; ++x)
            grid[y][x] = y;
#pragma omp target data map(to: grid)
    {
        for (int x = 0; x < COLUMNS; ++x)
            grid[0][x] = grid[ROWS - 1][x] = -1;
#pragma omp target update to(grid[0:1][0:COLUMNS])
#pragma omp target map(tofrom: sum)
        for (int y = 0; y < ROWS; ++y)
            sum += grid[y][1]; // rex-expect: stale-read-on-device
    }
    kept = sum;
}
static void halo_right(void)
{
    double grid[ROWS][COLUMNS], sum = 0;
    for (int y = 0; y < ROWS; ++y)
        for (int x = 0; x < COLUMNS; ++x)
            grid[y][x] = y;
#pragma omp target data map(to: grid)
    {
        for (int x = 0; x < COLUMNS; ++x)
            grid[0][x] = grid[ROWS - 1][x] = -1;
#pragma omp target update to(grid[0:1][0:COLUMNS])
#pragma omp target update to(grid[ROWS - 1:1][0:COLUMNS])
#pragma omp target map(tofrom: sum)
        for (int y = 0; y < ROWS; ++y)
            sum += grid[y][1];
    }
    kept = sum;
}

static double settings[4] = {1, 2, 3, 4};
#pragma omp declare target to(settings)
static void choose(int which, double value) { settings[which] = value; }
static void settings_wrong(void)
{
    double got = 0;
    choose(2, 7.5);
#pragma omp target map(from: got)
    got = settings[2] + settings[1]; // rex-expect: stale-read-on-device
    kept = got;
}
static void settings_right(void)
{
    double got = 0;
    choose(2, 7.5);
#pragma omp target update to(settings)
#pragma omp target map(from: got)
    got = settings[2] + settings[1];
    kept = got;
}

static void again_wrong(struct series *s)
{
#pragma omp target enter data map(to: s[0:1])
    for (int round = 0; round < 2; ++round) {
        s->values[round] = -1;
#pragma omp target map(alloc: s[0:1])
        s->values[round] = s->values[round] * s->scale; // rex-expect: stale-read-on-device
    }
#pragma omp target exit data map(from: s[0:1])
    kept = s->values[0];
}
static void again_right(struct series *s)
{
#pragma omp target enter data map(to: s[0:1])
    for (int round = 0; round < 2; ++round) {
        s->values[round] = -1;
#pragma omp target update to(s->values[round:1])
#pragma omp target map(alloc: s[0:1])
        s->values[round] = s->values[round] * s->scale;
    }
#pragma omp target exit data map(from: s[0:1])
    kept = s->values[0];
}

/* ---- outside-section */

static void columns_wrong(void)
{
    double table[ROWS][COLUMNS] = {{0}};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: table[0:ROWS - 2][0:COLUMNS])
    for (int y = 0; y < ROWS - 1; ++y)
        for (int x = 0; x < COLUMNS; ++x)
            table[y][x] += x; // rex-expect: outside-section
    kept = table[1][1];
}
static void columns_right(void)
{
    double table[ROWS][COLUMNS] = {{0}};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: table[0:ROWS - 1][0:COLUMNS])
    for (int y = 0; y < ROWS - 1; ++y)
        for (int x = 0; x < COLUMNS; ++x)
            table[y][x] += x;
    kept = table[1][1];
}

static void add_up(const double *from, double *to, int n)
{
    for (int i = 0; i < n; ++i)
        to[0] += from[i]; // rex-expect: outside-section
}
static void member_wrong(struct series *s)
{
    double *values = s->values, sum = 0;
    const int n = (int)s->length;
#pragma omp target map(to: values[0:n - 4]) map(tofrom: sum)
    add_up(values, &sum, n);
    kept = sum;
}
static void add_them(const double *from, double *to, int n)
{
    for (int i = 0; i < n; ++i)
        to[0] += from[i];
}
static void member_right(struct series *s)
{
    double *values = s->values, sum = 0;
    const int n = (int)s->length;
#pragma omp target map(to: values[0:n - 4]) map(tofrom: sum)
    add_them(values, &sum, n - 4);
    kept = sum;
}

static void window_wrong(double *all)
{
    double out[8];
#pragma omp target data map(to: all[16:8])
#pragma omp target map(from: out)
    for (int i = 0; i < 8; ++i)
        out[i] = all[16 + i] - all[15 + i]; // rex-expect: outside-section
    kept = out[3];
}
static void window_right(double *all)
{
    double out[8];
#pragma omp target data map(to: all[15:9])
#pragma omp target map(from: out)
    for (int i = 0; i < 8; ++i)
        out[i] = all[16 + i] - all[15 + i];
    kept = out[3];
}

static void tasks_wrong(double *data)
{
    double *left = data, *right = data + 32;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out: left[0])
        left[0] = 2;
#pragma omp target nowait depend(inout: left[0]) map(tofrom: left[0:32])
        for (int i = 0; i < 32; ++i)
            left[i] = 2 * left[i];
#pragma omp target nowait depend(out: right[0]) map(from: right[0:31])
        for (int i = 0; i < 32; ++i)
            right[i] = i; // rex-expect: outside-section
#pragma omp taskwait
    }
    kept = left[3] + right[3];
}
static void tasks_right(double *data)
{
    double *left = data, *right = data + 32;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out: left[0])
        left[0] = 2;
#pragma omp target nowait depend(inout: left[0]) map(tofrom: left[0:32])
        for (int i = 0; i < 32; ++i)
            left[i] = 2 * left[i];
#pragma omp target nowait depend(out: right[0]) map(from: right[0:32])
        for (int i = 0; i < 32; ++i)
            right[i] = i;
#pragma omp taskwait
    }
    kept = left[3] + right[3];
}

/* ---- double-release */

static void load(struct image *picture)
{
#pragma omp target enter data map(to: picture->pixels[0:COUNT])
}
static void unload(struct image *picture)
{
#pragma omp target exit data map(release: picture->pixels[0:COUNT]) // rex-expect: double-release
}
static void unload_safely(struct image *picture)
{
    if (omp_target_is_present(picture->pixels, omp_get_default_device())) {
#pragma omp target exit data map(release: picture->pixels[0:COUNT])
    }
}
static void images_wrong(void)
{
    struct image picture = blank(ROWS, COLUMNS);
    load(&picture);
    unload(&picture);
    unload(&picture);
}
static void images_right(void)
{
    struct image picture = blank(ROWS, COLUMNS);
    load(&picture);
    unload_safely(&picture);
    unload_safely(&picture);
}

static void nested_wrong(double *a)
{
#pragma omp target data map(tofrom: a[0:40]) // rex-expect: double-release
    {
#pragma omp target
        a[2] = 2;
#pragma omp target exit data map(delete: a[0:40])
    }
}
static void nested_right(double *a)
{
#pragma omp target data map(tofrom: a[0:40])
    {
#pragma omp target
        a[2] = 2;
#pragma omp target update from(a[0:40])
    }
    kept = a[2];
}

static void rows_wrong(void)
{
    double *rows[ROWS];
    for (int y = 0; y < ROWS; ++y) {
        rows[y] = numbers(COLUMNS);
#pragma omp target enter data map(to: rows[y][0:COLUMNS])
    }
    for (int y = ROWS - 1; y >= 0; --y) {
#pragma omp target exit data map(release: rows[y][0:COLUMNS]) // rex-expect: double-release
        if (y == 3) {
#pragma omp target exit data map(release: rows[y - 1][0:COLUMNS])
        }
    }
}
static void rows_right(void)
{
    double *rows[ROWS];
    for (int y = 0; y < ROWS; ++y) {
        rows[y] = numbers(COLUMNS);
#pragma omp target enter data map(to: rows[y][0:COLUMNS])
    }
    for (int y = ROWS - 1; y >= 0; --y) {
        if (y == 3) {
#pragma omp target exit data map(release: rows[y - 1][0:COLUMNS])
        }
        if (y != 2) {
#pragma omp target exit data map(release: rows[y][0:COLUMNS])
        }
    }
}

static void counted_wrong(double *a, int again)
{
#pragma omp target enter data map(to: a[0:40])
    if (again) {
#pragma omp target enter data map(to: a[0:40])
    }
#pragma omp target
    a[1] = 1;
#pragma omp target exit data map(release: a[0:40])
#pragma omp target exit data map(release: a[0:40])
#pragma omp target exit data map(release: a[0:40]) // rex-expect: double-release
}
static void counted_right(double *a, int again)
{
#pragma omp target enter data map(to: a[0:40])
    if (again) {
#pragma omp target enter data map(to: a[0:40])
    }
#pragma omp target
    a[1] = 1;
#pragma omp target exit data map(release: a[0:40])
    if (again) {
#pragma omp target exit data map(from: a[0:40])
    }
}

/* ---- uninitialised-read */

static void counts_wrong(const int *of, int n)
{
    int bins[8];
#pragma omp target teams distribute parallel for map(to: of[0:n]) map(from: bins)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic // rex-expect: uninitialised-read
        bins[of[i] & 7]++;
    }
    kept = bins[2];
}
static void counts_right(const int *of, int n)
{
    int bins[8] = {0};
#pragma omp target teams distribute parallel for map(to: of[0:n]) map(tofrom: bins)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
        bins[of[i] & 7]++;
    }
    kept = bins[2];
}

static void scaled_wrong(struct series *s)
{
    double sum = 0;
#pragma omp target map(mapper(inputs), tofrom: s[0:1]) map(tofrom: sum)
    for (long i = 0; i < s->length; ++i)
        sum += s->scale * s->values[i]; // rex-expect: uninitialised-read
    kept = sum;
}
static void scaled_right(struct series *s)
{
    double sum = 0;
#pragma omp target map(to: s[0:1]) map(tofrom: sum)
    for (long i = 0; i < s->length; ++i)
        sum += s->scale * s->values[i];
    kept = sum;
}

static void triangle_wrong(void)
{
    double lower[ROWS][ROWS], trace = 0;
#pragma omp target data map(alloc: lower) map(tofrom: trace)
    {
#pragma omp target teams distribute parallel for
        for (int y = 0; y < ROWS; ++y)
            for (int x = 0; x < y; ++x)
                lower[y][x] = x + y;
#pragma omp target map(tofrom: trace)
        for (int y = 0; y < ROWS; ++y)
            trace += lower[y][y]; // rex-expect: uninitialised-read
    }
    kept = trace;
}
static void triangle_right(void)
{
    double lower[ROWS][ROWS], trace = 0;
#pragma omp target data map(alloc: lower) map(tofrom: trace)
    {
#pragma omp target teams distribute parallel for
        for (int y = 0; y < ROWS; ++y)
            for (int x = 0; x <= y; ++x)
                lower[y][x] = x + y;
#pragma omp target map(tofrom: trace)
        for (int y = 0; y < ROWS; ++y)
            trace += lower[y][y];
    }
    kept = trace;
}

static void scratch_wrong(double *a)
{
    double *work = malloc(16 * sizeof *work);
#pragma omp target enter data map(alloc: work[0:16])
#pragma omp target nowait depend(out: work[0]) map(to: a[0:16])
    for (int i = 0; i < 15; ++i)
        work[i] = a[i] + a[i + 1];
#pragma omp target nowait depend(inout: work[0]) map(from: a[0:16])
    for (int i = 0; i < 16; ++i)
        a[i] = work[i]; // rex-expect: uninitialised-read
#pragma omp taskwait
#pragma omp target exit data map(delete: work[0:16])
    kept = a[1];
    free(work);
}
static void scratch_right(double *a)
{
    double *work = malloc(16 * sizeof *work);
#pragma omp target enter data map(alloc: work[0:16])
#pragma omp target nowait depend(out: work[0]) map(to: a[0:16])
    for (int i = 0; i < 15; ++i)
        work[i] = a[i] + a[i + 1];
#pragma omp target nowait depend(inout: work[0]) map(from: a[0:15])
    for (int i = 0; i < 15; ++i)
        a[i] = work[i];
#pragma omp taskwait
#pragma omp target exit data map(delete: work[0:16])
    kept = a[1];
    free(work);
}

int main(void)
{
    int bytes[64];
    for (int i = 0; i < 64; ++i)
        bytes[i] = i * 7;
    struct image picture = blank(ROWS, COLUMNS);
    struct series one = {40, numbers(40), 0.5};
    phases_wrong(numbers(4)), phases_right(numbers(4));
    helper_wrong(numbers(3)), helper_right(numbers(3));
    early_wrong(&picture), early_right(&picture);
    single_wrong(numbers(4)), single_right(numbers(4));
    picture_wrong(), picture_right();
    halo_wrong(), halo_right();
    settings_wrong(), settings_right();
    again_wrong(&one), again_right(&one);
    columns_wrong(), columns_right();
    member_wrong(&one), member_right(&one);
    window_wrong(numbers(40)), window_right(numbers(40));
    tasks_wrong(numbers(64)), tasks_right(numbers(64));
    images_wrong(), images_right();
    nested_wrong(numbers(40)), nested_right(numbers(40));
    rows_wrong(), rows_right();
    counted_wrong(numbers(40), 1), counted_right(numbers(40), 1);
    counts_wrong(bytes, 64), counts_right(bytes, 64);
    scaled_wrong(&one), scaled_right(&one);
    triangle_wrong(), triangle_right();
    scratch_wrong(numbers(16)), scratch_right(numbers(16));
    return 0;
}
