/* C11 atomic objects: plain reads, writes and updates of them are atomic. gcc maps no atomic variable by itself, so that
   they are members, elements behind pointers, variables of the region and of functions. */
// cflags: -std=c11 -fno-trapping-math
#include "../check.h"

#include <stdatomic.h>
#include <stdlib.h>

#define N 1000

enum colour { red, green, blue };
struct counters {
    char first;
    _Atomic int count, least;
    atomic_uchar small;
    atomic_ushort product;
    _Atomic(double) sum;
    _Atomic float ones;
    _Atomic _Bool any;
    _Atomic enum colour colour;
    int *_Atomic next;
    atomic_llong all[4];
};

#pragma omp declare target
static struct {
    _Atomic unsigned calls;
    atomic_flag taken;
} shared = {0, ATOMIC_FLAG_INIT};
static int counted(_Atomic int *count, int by)
{
    shared.calls++;
    return *count += by;
}
#pragma omp end declare target

/* Every operator, its value and that of the object after it, on a variable that one thread has. */
static int all_operators(int start)
{
    _Atomic int x = start;
    int sum = x++ * 3;
    sum += ++x * 5;
    sum += x-- * 7;
    sum += --x * 11;
    sum += (x += 9) * 13;
    sum += (x -= 2) * 17;
    sum += (x *= 3);
    sum += (x /= 2);
    sum += (x %= 1000);
    sum += (x <<= 2);
    sum += (x >>= 1);
    sum += (x |= 64);
    sum += (x &= 0x7ff);
    sum += (x ^= 5);
    sum += x > 3 ? x : -x;
    x = start;
    sum += !x + (x && start) + ~x + (int)sizeof x;
    _Atomic signed char narrow = 100;
    sum += (narrow += 100) + narrow++;
    _Atomic unsigned char wraps = 0;
    sum += --wraps;
    _Atomic float f = 1.5f;
    sum += (int)((f *= 3) + (f -= 0.25) + (f /= 2));
    _Atomic int row[3] = {1, 2, 3};
    for (x = 0; x < 3; x++)
        row[x] += x;
    switch (x) {
    case 3:
        sum += row[0] + row[1] * row[2];
    }
    __typeof__((void)0, row[1]) copy = row[1];
    return sum + copy++;
}

/* Structures, unions and complex numbers: as aligned as they are long, read and written as wholes. */
struct pair {
    int key, count;
};
union word {
    unsigned char bytes[4];
    float value;
};
typedef _Atomic struct pair atomic_pair;
struct holder {
    char first;
    atomic_pair last;
    _Atomic(struct { char c[2]; }) two;
    char after;
    _Atomic union word word;
    _Atomic float _Complex sum;
    atomic_pair once;
    _Atomic _Complex short steps;
};

#pragma omp declare target
static atomic_pair latest = {-1, 7};
static struct pair later(atomic_pair p)
{
    struct pair q = p;
    atomic_pair *at = &p;
    q.key++;
    *at = q;
    return *at;
}
static struct pair replaced(struct pair by)
{
    return atomic_exchange(&latest, by);
}
static void record(atomic_pair *p, int key)
{
    struct pair seen = *p, next;
    do {
        next = (struct pair){key > seen.key ? key : seen.key, seen.count + 1};
    } while (!atomic_compare_exchange_weak(p, &seen, next));
}
#pragma omp end declare target

static void of_several_parts(void)
{
    static struct holder h = {.first = 1, .after = 2};
    struct pair old = {0}, given = {4, 5}, kept[3];
    float _Complex steps[4];
    float parts[2];
    int sizes[5];
    h.sum = 1.5f;
#pragma omp target teams distribute parallel for map(tofrom: h)
    for (int i = 0; i < N; ++i) {
        atomic_pair mine = {8, 9};
        _Atomic float _Complex z = 2 + 1.0fi;
        record(&h.last, i);
        h.sum += 1 + 2.0fi;
        h.steps -= 1;
        mine = later(mine);
        if (i == 3)
            h.once = mine;
        if (i == 5) {
            union word w = {{1, 2, 3, 4}};
            h.word = w;
            z *= z;
            h.sum += z - (3 + 4.0fi);
        }
    }
    struct pair last = h.last, own = h.once;
    union word w = h.word;
    float _Complex sum = h.sum;
    CHECK(last.key == N - 1 && last.count == N && own.key == 9 && own.count == 9 && w.bytes[2] == 3);
    CHECK(sum == N + 1.5f + 2.0fi * N && h.steps == -N && h.first == 1 && h.after == 2);

#pragma omp target map(tofrom: h, old, given) map(from: kept, sizes, steps, parts)
    {
        atomic_pair local = given, row[2] = {{1, 2}}, *p = &h.once;
        int places = 0;
        volatile atomic_pair always = local;
        _Atomic float _Complex y = 1.0fi;
        old = replaced(given);
        kept[0] = local, kept[1] = row[1] = *p = local;
        atomic_store(&row[0], *p);
        local = always;
        kept[2] = later(atomic_load(row));
        for (atomic_pair each = {0, 3}, *at = &each; ({ struct pair now = *at; now.count; }) > 0;) {
            struct pair less = *at;
            less.count--;
            *at = less;
            places += (unsigned long)at % 8 + (unsigned long)(p = &(atomic_pair){1, 2}) % 8;
            given = *p;
        }
        given.key += places;
        given = given.count == 2 && given.key == 1 ? *(p = &local) : given;
        steps[0] = y++, steps[1] = --y, steps[2] = (y /= 2), steps[3] = y * y;
        parts[0] = __real__ h.sum - __imag__(y), parts[1] = __imag__(h.sum + y);
        h.two = (__typeof__((void)0, h.two)){{'a', 'b'}};
        sizes[0] = sizeof(struct holder), sizes[1] = _Alignof(atomic_pair);
        sizes[2] = __builtin_offsetof(struct holder, two);
        sizes[3] = __builtin_offsetof(struct holder, word), sizes[4] = __alignof__(h.sum);
    }
    CHECK(old.key == -1 && old.count == 7 && given.key == 4 && kept[0].count == 5 && kept[1].key == 4);
    CHECK(kept[2].key == 5 && kept[2].count == 5);
    CHECK(steps[0] == 1.0fi && steps[1] == 1.0fi && steps[2] == 0.5fi && steps[3] == -0.25f);
    CHECK(parts[0] == N + 1 && parts[1] == 2 * N + 0.5f);
    CHECK(sizes[0] == sizeof h && sizes[1] == 8 && sizes[2] == __builtin_offsetof(struct holder, two));
    CHECK(sizes[3] == __builtin_offsetof(struct holder, word) && sizes[4] == 8);
}

int main(void)
{
    of_several_parts();
    struct counters c = {0};
    int *base = calloc(N, sizeof *base);
    int swapped = 0, operators = 0, total = 0;
    c.least = N;
    c.product = 60000;
    struct counters *p = &c;

#pragma omp target teams distribute parallel for map(tofrom: p[0:1])
    for (int i = 0; i < N; ++i) {
        p->count++;
        p->small += 3;
        p->sum += i * 0.5;
        ++p->all[i & 3];
        atomic_fetch_add(&p->all[(i + 1) & 3], 2);
        if (i == 77)
            p->any = 1;
        counted(&p->count, 2);
        p->ones += 1;
        if (i % 100 == 0)
            p->colour = blue;
        for (int seen = p->least; i < seen && !atomic_compare_exchange_weak(&p->least, &seen, i);)
            ;
    }
    CHECK(c.count == 3 * N);
    CHECK(c.small == (3 * N) % 256);
    CHECK(c.sum == N * (N - 1) / 4.0);
    CHECK(c.all[0] == 750 && c.all[1] == 750 && c.all[2] == 750 && c.all[3] == 750);
    CHECK(c.any && c.ones == N && c.colour == blue && c.least == 0);

    p->next = base;
#pragma omp target map(tofrom: p[0:1], swapped) map(tofrom: base[0:N]) map(from: operators, total)
    {
        p->product /= 7;
        p->product >>= 1;
        p->next = base;
        p->next += 5;
        *p->next = 1;
        p->next--;
        *p->next++ = 2;
        total = (int)(p->next - base) + base[4] * 10 + base[5] * 100;
        int expected = 0;
        _Atomic int cell = 0;
        swapped = atomic_compare_exchange_strong(&cell, &expected, 6) + 2 * (cell == 6);
        while (atomic_flag_test_and_set(&shared.taken))
            ;
        atomic_flag_clear(&shared.taken);
        atomic_store(&p->all[0], p->all[1] + p->all[2]);
        operators = all_operators(12345);
    }
    CHECK(c.product == 60000 / 7 / 2);
    CHECK(total == 5 + 20 + 100);
    CHECK(swapped == 3);
    CHECK(c.all[0] == 1500);
    CHECK(operators == all_operators(12345));

    unsigned called = 0;
#pragma omp target map(from: called)
    called = shared.calls;
    CHECK(called == N);
    free(base);
    return CHECK_RESULT();
}
