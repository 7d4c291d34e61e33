/* GNU C that C++ does not have, or has otherwise: calls at the end of a variable's scope, labels of blocks,
   transparent unions, structures without members, arrays without elements. */
// cflags: -std=gnu11
#include "../check.h"

#define N 40

/* ---- calls at the end of a scope, in the order in which they are made ---- */

struct log {
    int count, what[100];
};
struct note {
    struct log *to;
    int what;
};

static void at_end(struct note *n)
{
    n->to->what[n->to->count++] = n->what;
}
static void clear(void *x)
{
    *(int *)x = -1;
}
static void clear_note(struct note *n)
{
    at_end(n);
    n->what = -1;
}
#define NOTE(name, number) __attribute__((cleanup(at_end))) struct note name = {log, number}

static int early(struct log *log, int i)
{
    NOTE(outer, 100 + i);
    for (int k = 0; k < 5; ++k) {
        struct note inner __attribute__((__cleanup__(at_end), unused)) = {log, 200 + k};
        if (k == 1)
            continue;
        if (k == i)
            return log->count;
        if (k == 3)
            break;
    }
    int result __attribute__((cleanup(clear))) = log->count;
    return result;
}

static struct note whole(struct log *log)
{
    struct note result __attribute__((cleanup(clear_note))) = {log, 300};
    return result;
}

static int jumps(struct log *log, int times)
{
again:;
    NOTE(first, 400 + times);
    {
        NOTE(second, 500 + times);
        if (--times > 0)
            goto again;
        if (times == 0)
            goto done;
    }
    at_end(&(struct note){log, 1});
done:
    return log->count;
}

static int chosen(struct log *log, int x)
{
    switch (x) {
    case 0: {
        NOTE(block, 600);
        break;
    }
    case 1:
        if (log->count >= 0) {
            NOTE(below, 601);
        }
        /* fall through */
    default:
        at_end(&(struct note){log, 602});
        NOTE(last, 603);
        x += 10;
    }
    at_end(&(struct note){log, 604});
    return x;
}

static int expressions(struct log *log)
{
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        sum += ({
            NOTE(inside, 700 + i);
            if (i == 1)
                continue;
            int value __attribute__((cleanup(clear))) = 10 + i;
            value;
        });
        sum += ({ struct note copied __attribute__((cleanup(clear_note))) = {log, 800 + i}; copied; }).what;
    }
    return sum;
}

/* What a for loop declares lasts until the loop is left. */
static int loops(struct log *log, int n)
{
    int sum = 0;
    for (struct note a __attribute__((cleanup(clear_note))) = {log, 1000}, b = {log, 1000 + n}; a.what < 1005; a.what++) {
        if (a.what == 1001)
            continue;
        if (a.what == b.what)
            return sum + a.what;
        if (b.what - a.what == 5)
            goto out;
        sum += a.what;
    }
    for (int i = 0; i < 2; ++i)
        for (NOTE(inner, 1100 + i);; inner.what += 10)
            if (inner.what > 1120)
                break;
    if (n < 0)
        for (NOTE(outer, 1200); outer.what < 1202; outer.what++)
            for (NOTE(inner, 1210); inner.what < 1212; inner.what++)
                sum++;
    sum += ({
        int found = 0;
        for (NOTE(inside, 1300); found < 3; inside.what++)
            found++;
        found;
    });
out:
    at_end(&(struct note){log, sum});
    return sum;
}

static void several(struct log *log, int n)
{
    struct note a __attribute__((cleanup(at_end))) = {log, 900}, b __attribute__((unused)) = {log, 901},
        c __attribute__((cleanup(at_end))) = {log, 902};
    __attribute__((cleanup(at_end))) struct note d = {log, 903}, e = {log, 904};
    int lengths[n];
    lengths[n - 1] = e.what;
    b.what = lengths[n - 1] + 1;
    if (n > 1)
        several(log, n - 1);
}

static void all(struct log *log, int *results)
{
    log->count = 0;
    results[0] = early(log, 2);
    results[1] = early(log, 7);
    results[2] = whole(log).what;
    results[3] = jumps(log, 3);
    results[4] = jumps(log, -1);
    results[5] = chosen(log, 0);
    results[6] = chosen(log, 1);
    results[7] = chosen(log, 2);
    results[8] = expressions(log);
    several(log, 2);
    results[9] = log->count;
    for (int i = 0; i < 4; ++i)
        results[10 + i] = loops(log, 3 * i - 1);
}

static void order(void)
{
    struct log expected, found = {0};
    int wanted[14], results[14];
    all(&expected, wanted);
#pragma omp target map(from: found, results)
    all(&found, results);
    CHECK(found.count == expected.count);
    for (int i = 0; i < expected.count; ++i)
        CHECK(found.what[i] == expected.what[i]);
    for (int i = 0; i < 14; ++i)
        CHECK(results[i] == wanted[i]);
    printf("%d calls: %d %d %d\n", found.count, results[0], results[3], results[8]);
}

/* ---- in the threads of loops and of teams ---- */

struct guard {
    int *count, by;
};
static void leave(struct guard *g)
{
#pragma omp atomic
    *g->count += g->by;
}

static void count_in_parallel(int *count, int by)
{
    struct guard own __attribute__((cleanup(leave))) = {count, by};
#pragma omp parallel num_threads(4)
    {
        struct guard each __attribute__((cleanup(leave))) = {own.count, 1};
#pragma omp single
        own.by += 4;
    }
}

static void threads(void)
{
    int count = 0, a[N], per_team[3] = {0};
#pragma omp target teams distribute parallel for map(tofrom: count) map(from: a)
    for (int i = 0; i < N; ++i) {
        struct guard g __attribute__((cleanup(leave))) = {&count, i};
        a[i] = i;
        if (i % 2)
            continue;
        g.by = 1;
    }
    printf("%d\n", count);
    CHECK(count == N / 2 + N / 2 * (N / 2));
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i);

    count = 0;
#pragma omp target teams distribute num_teams(3) map(tofrom: count, per_team)
    for (int team = 0; team < 3; ++team) {
        int sum __attribute__((cleanup(clear))) = 0;
        struct guard g __attribute__((cleanup(leave))) = {&per_team[team], 1};
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; ++i) {
            struct guard each __attribute__((cleanup(leave))) = {&count, 1};
            sum += i;
        }
#pragma omp parallel num_threads(2)
        {
#pragma omp single
            g.by = sum;
        }
        count_in_parallel(&per_team[team], team);
    }
    printf("%d %d %d %d\n", count, per_team[0], per_team[1], per_team[2]);
    CHECK(count == 3 * N);
}

struct sum {
    int *to, value;
};
static void add(struct sum *s)
{
    int value = s->value;
#pragma omp parallel for reduction(+ : value)
    for (int i = 0; i < 10; ++i)
        value += i;
    *s->to += value;
}

/* What a construct does at its end comes after the calls. */
static void before_the_end(void)
{
    int sum = 0, last = 0, parts = 0, count = 0;
#pragma omp target map(tofrom: sum)
    {
        struct sum s __attribute__((cleanup(add))) = {&sum, 1000};
        s.value += sum;
    }
#pragma omp target teams num_teams(2) reduction(+ : parts) map(tofrom: parts)
    {
        struct guard g __attribute__((cleanup(leave))) = {&parts, 100};
        g.by += parts;
    }
#pragma omp target parallel num_threads(4) reduction(+ : count) map(tofrom: count)
    {
        struct guard g __attribute__((cleanup(leave))) = {&count, 3};
        g.by += count;
    }
#pragma omp target parallel for lastprivate(last) map(from: last)
    for (int i = 0; i < N; ++i) {
        struct guard g __attribute__((cleanup(leave))) = {&last, 1};
        last = i;
    }
    CHECK(count > 0 && count % 3 == 0);
    printf("%d %d %d\n", sum, parts, last);
}

/* ---- labels of blocks ---- */

/* The first factor of n that is greater than one. */
#define FACTOR(n)                                                             \
    ({                                                                        \
        __label__ found, next;                                                \
        int factor = 2;                                                       \
    next:                                                                     \
        if ((n) % factor == 0)                                                \
            goto found;                                                       \
        factor++;                                                             \
        goto next;                                                            \
    found:                                                                    \
        factor;                                                               \
    })

static int around(int n)
{
    int steps = 0;
    {
        __label__ again, done;
        __label__ never;
    again:
        if (n == 1)
            goto done;
        if (n < 1)
            goto never;
        {
            __label__ again;
            goto again;
            steps += 1000;
        again:
            steps++;
        }
        n = n % 2 ? 3 * n + 1 : n / 2;
        goto again;
    never:
        return -1;
    done:;
    }
    goto again;
    steps += 10000;
again:
    return steps;
}

static void labels(void)
{
    int factors = 0, steps[N];
#pragma omp target map(tofrom: factors)
    factors = 100 * FACTOR(35) + FACTOR(FACTOR(77) * FACTOR(13));
    CHECK(factors == 507);
#pragma omp target teams distribute parallel for map(from: steps)
    for (int i = 0; i < N; ++i) {
        __label__ skip;
        steps[i] = -2;
        if (i % 4 == 3)
            goto skip;
        steps[i] = around(i);
    skip:;
    }
    for (int i = 0; i < N; ++i)
        CHECK(steps[i] == (i % 4 == 3 ? -2 : around(i)));
    printf("%d %d\n", factors, steps[38]);
}

/* ---- transparent unions ---- */

struct pair {
    float low, high;
};
typedef union {
    int *i;
    const float *f;
    struct pair *p;
} either __attribute__((transparent_union));
union __attribute__((__transparent_union__)) value {
    long number;
    const char *text;
    struct pair pair;
};
typedef union {
    unsigned bits;
    float value;
} __attribute__((transparent_union, may_alias)) word;
union small {
    int number;
    short part;
} __attribute__((transparent_union));

static int first(either x)
{
    return x.p ? *x.i : -1;
}
static __attribute__((noinline)) long with_value(int what, union value x)
{
    return what == 0 ? x.number : what == 1 ? x.text[1] : x.pair.low * 10 + x.pair.high;
}
static unsigned bits(word x, either y, union small z)
{
    *y.i += z.number;
    return x.bits;
}

static void unions(void)
{
    int results[15] = {0}, as_int;
    float half = 0.5f;
    __builtin_memcpy(&as_int, &half, sizeof half);
#pragma omp target map(from: results) map(to: half)
    {
        int one = 1, two[2] = {2, 3};
        struct pair pair = {3, 4};
        const int *constant = &two[1];
        void *any = two;
        either whole = {&two[1]};
        union value number = {5};
        int (*by_address)(either) = first;
        results[0] = first(&one);
        results[1] = first(two);
        results[2] = first(&half);
        results[3] = first(&pair) != 0;
        results[4] = first(0) + first((void *)0);
        results[5] = first(any);
        results[6] = first(whole);
        results[7] = *constant;
        results[8] = by_address(&one);
        results[9] = with_value(0, 4L) + with_value(0, number);
        results[10] = with_value(1, "abc");
        results[11] = with_value(2, pair);
        results[12] = bits(half, two, 100) + bits(2u, &two[0], one);
        results[13] = two[0];
        results[14] = with_value(2, (union value)pair);
    }
    CHECK(results[0] == 1 && results[1] == 2 && results[2] == as_int && results[3] == 1);
    CHECK(results[4] == -2 && results[5] == 2 && results[6] == 3 && results[7] == 3 && results[8] == 1);
    CHECK(results[9] == 9 && results[10] == 'b' && results[11] == 34 && results[14] == 34);
    CHECK(results[12] == as_int + 2 && results[13] == 103);
    printf("%d %d\n", results[11], results[13]);
}

/* ---- structures and unions without a size ---- */

typedef struct {
} lock;
struct none {
};
union never {
};
struct held {
    lock before;
    char c;
    struct none two[2], *at;
    union never u;
    struct {
    };
    int value;
    struct both {
        struct none n;
        lock l;
    } both;
    struct none last[];
};
struct aligned {
    char c;
    struct none nothing __attribute__((aligned(8)));
    int none[0];
    char d;
};

static void take(lock *l, int *count)
{
    ++*count;
}
static struct none passed(struct none n, int by, lock l, int *count)
{
    lock own;
    struct none copy = n;
    take(&own, count);
    *count += by;
    return copy;
}
static struct both whole_both(struct both b, int *count)
{
    passed(b.n, 100, b.l, count);
    b.n = passed((struct none){}, 1000, (lock){}, count);
    struct none unused __attribute__((unused)) = passed(b.n, 10000, b.l, count);
    return b;
}

static void nothing(void)
{
    int results[12], count = 0;
    struct none outside = {}, firsts;
    struct held held[3] = {{.c = 1, .value = 2}, {{}, 3, {{}, {}}, &outside, {}, {}, 4}}, back[3] = {{{}}};
#pragma omp target map(from: results, back) map(tofrom: count, outside) map(to: held) firstprivate(firsts)
    {
        struct held own = held[1], made = {{}, 5, {}, &own.two[1], {}, {}, 6, {{}, {}}};
        struct none local = own.two[1], *at = &local, again;
        struct none (*by_address)(struct none, int, lock, int *) = passed;
        lock taken = {};
        struct both both = whole_both(own.both, &count);
        own.two[0] = *at;
        own.both = both;
        again = outside = firsts;
        *at = count ? local : again;
        take(&own.before, &count);
        take(&taken, &count);
        by_address(again, 20, taken, &count);
        *at = ({ struct none value; value; });
        results[0] = sizeof(struct none) + sizeof local + sizeof(struct both) + sizeof own.two;
        results[1] = sizeof(struct held);
        results[2] = __builtin_offsetof(struct held, value);
        results[3] = (char *)&own.u - (char *)&own;
        results[4] = own.c + 10 * own.value;
        results[5] = made.c + 10 * made.value;
        results[6] = made.at == own.two;
        results[7] = at + 5 == at && &held[0].last[3] == held[0].last;
        results[8] = sizeof(struct aligned);
        results[9] = (char *)&((struct aligned *)0)->d - (char *)0;
        back[1] = own;
        back[2] = made;
    }
    CHECK(results[0] == 0 && results[1] == sizeof(struct held) && results[8] == sizeof(struct aligned));
    CHECK(results[2] == __builtin_offsetof(struct held, value) && results[3] == __builtin_offsetof(struct held, u));
    CHECK(results[4] == 43 && results[5] == 65 && results[6] && results[7]);
    CHECK(results[9] == __builtin_offsetof(struct aligned, d));
    CHECK(back[1].value == 4 && back[2].c == 5);

    int sum = 0;
#pragma omp target parallel for private(firsts) firstprivate(outside) reduction(+ : sum) map(tofrom: sum)
    for (int i = 0; i < N; ++i) {
        lock each;
        firsts = outside;
        take(&each, &sum);
    }
    CHECK(sum == N);
    printf("%d %d %d\n", count, results[1], results[9]);
}

/* ---- arrays and variables of static storage without a size ---- */

#pragma omp declare target
struct none known;
static struct none row[3], rows[2][2] = {{{}}};
int empty[0];
static const double numbers[2][0];
static struct {
    int *elements;
    struct none *at, *rest;
    const double (*numbers)[0];
} addresses = {empty, &known, row, numbers};

static struct none counted(int *count)
{
    ++*count;
    return (struct none){};
}
static int without_elements(int n)
{
    int none[0], table[3][0], lists[0][4], many[0][n], count = 0;
    static int kept[0];
    static struct none own __attribute__((unused)), others[2];
    struct none several[2] = {counted(&count), counted(&count)}, again[2] = {[1] = several[0]};
    int *first = none, (*third)[0] = &table[2], (*list)[4] = lists, (*whole)[0] = &none;
    _Static_assert(sizeof several == 0 && sizeof kept == 0 && sizeof table == 0, "");

    __builtin_memset(none, -1, sizeof none);
    for (int i = 0; i < (int)sizeof table; ++i)
        table[i][0] = i;
    known = several[1];
    own = others[1] = again[0] = row[2] = rows[1][1] = known;
    count += 10 * (first == none) + 20 * (third == table) + 40 * (list == lists) + 80 * ((void *)whole == none);
    count += 200 * (&several[1] == several) + 400 * (row + 1 == row) + 800 * (&rows[1] == rows);
    int *nowhere = (int[0]){};
    struct none *nothing = &(struct none){};
    count += 2000 * (nowhere != 0 && nothing != 0) + 4000 * ((long)none % 4 == 0);
    return count + sizeof lists + sizeof many + sizeof(int[0]){};
}
static struct none (*rows_of(void))[2]
{
    return rows;
}
#pragma omp end declare target

static void no_elements(void)
{
    int results[8], sum = 0, none[0], table[2][0];
    struct none several[3], one;
#pragma omp target map(from: results)
    {
        int local[0];
        results[0] = without_elements(3);
        results[1] = addresses.elements == empty && addresses.at == &known && addresses.rest == row;
        results[2] = addresses.numbers == numbers && rows_of() == rows;
        results[3] = sizeof none + sizeof table + sizeof several + sizeof local;
        results[4] = local == &local[0] && table + 1 == table;
        several[1] = known;
        for (int i = 0; i < (int)sizeof none; ++i)
            results[5] = none[i];
    }
    CHECK(results[0] == without_elements(3) && results[0] == 7552);
    CHECK(results[1] && results[2] && results[3] == 0 && results[4]);

#pragma omp target parallel for private(none) firstprivate(several, table) lastprivate(one) reduction(+ : sum)
    for (int i = 0; i < N; ++i) {
        one = several[1];
        sum += none == &none[0] && table == &table[1];
    }
#pragma omp target teams distribute firstprivate(several) reduction(+ : sum) map(tofrom: none, table)
    for (int team = 0; team < 3; ++team) {
        int shared[0];
#pragma omp parallel for firstprivate(several) lastprivate(one) reduction(+ : sum)
        for (int i = 0; i < N; ++i) {
            one = several[2];
            sum += shared == &shared[0];
        }
    }
    CHECK(sum == 4 * N);
    printf("%d %d\n", results[0], sum);
}

int main(void)
{
    nothing();
    no_elements();
    unions();
    labels();
    order();
    before_the_end();
    threads();
    return CHECK_RESULT();
}
