/* Structures that C copies and initialises and C++ does not: volatile ones, bit-fields given more than fits them,
 * packed ones with fields of no width and in others, packed members, constants that other variables point to, members
 * of a type with a name but without one of their own. */
// cflags: -std=gnu11 -Wno-overflow -fms-extensions
#include "../check.h"

#include <string.h>

struct inner {
    int a;
    volatile int b;
    const int c;
};
union holder {
    volatile struct inner inner;
    volatile long word;
};
struct outer {
    volatile struct inner pair[2];
    union holder holder;
};
struct point {
    int x, y;
};

#pragma omp declare target
static volatile struct inner both[2] = {{1, 2, 3}, {4, 5, 6}};
static volatile struct point first = {1, 2}, second = {3, 4};
static struct point plain;
static const short three = 3;
static const short *const to_three = &three;

static struct inner take(struct inner s) { return s; }
static volatile struct inner *pick(int i) { return &both[i]; }
static struct point get(void) { return first; }
#pragma omp end declare target

union number {
    int i;
    double d;
    const char *s;
};
static double read_number(union number n, int kind) { return kind == 0 ? n.i : kind == 1 ? n.d : n.s[1]; }

struct narrow {
    int a : 20;
    unsigned b : 3;
    signed char c : 4;
    _Bool d : 1;
    long e : 40;
};
#pragma omp declare target
static struct narrow narrowed = {0x5575024CL, 0xFFu, 0x1F, 4, 0xFFFFFFFFFFFFL};
static const struct narrow real = {1.5e5, -1, -100, 0.25, -3.7};
#pragma omp end declare target

#pragma pack(push, 1)
struct gaps {
    char first : 2;
    unsigned : 0;
    char c;
    int a : 3;
    unsigned short : 0;
    char d;
    long : 0;
    char e;
};
#pragma pack(pop)

/* Structures that only a block knows, in functions and in regions; prototypes and pointers in blocks name parameters. */
static double from_local_types(int i)
{
    const struct {
        unsigned bits : 5;
        struct {
            int deep;
        } in;
    } field = {(unsigned)i & 31u, {i}};
    union {
        int a;
        unsigned b;
    } u;
    struct pair {
        double v[2];
    } pair = {{i, 2.0 * i}};
    u.a = field.in.deep;
    return field.bits + u.b + pair.v[1];
}
static void of_blocks(double *out, int n)
{
#pragma omp target teams distribute parallel for map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        struct local {
            int z;
        } t = {i};
        double from_local_types(int z);
        out[i] = from_local_types(t.z) + t.z;
    }
}

/* Copies of which one member is used, where it is not aligned. */
struct loose {
    char c;
    int i;
    short s;
};
struct __attribute__((packed)) tight {
    char c;
    struct loose in;
    double d;
    int many[3];
};
struct around {
    char c;
    struct __attribute__((packed)) {
        char c;
        int i;
        short s;
    } in;
    double d;
};

static int part(struct tight x)
{
    return x.in.i;
}
static struct around same(struct around x)
{
    return x;
}

static void misaligned(void)
{
    enum { n = 20, parts = 10 };
    struct tight t[n];
    struct around a[n], first = {1, {2, 3, 4}, 5};
    int out[n][parts];
    for (int i = 0; i < n; i++) {
        t[i] = (struct tight){1, {2, 1000 + i, 3}, 4, {5, 6, 2000 + i}};
        a[i] = (struct around){1, {2, 3000 + i, 4000 + i}, 5};
    }
#pragma omp target teams distribute parallel for map(tofrom: t, a) map(from: out) firstprivate(first)
    for (int i = 0; i < n; i++) {
        struct tight b = t[i], c, two[2] = {t[i], t[i]};
        struct around d = a[i], e = i % 2 ? a[0] : d;
        struct loose f = t[i].in, g;
        c = t[i];
        g = b.in;
        out[i][0] = b.in.i;
        out[i][1] = part(t[i]);
        out[i][2] = two[i % 2].many[2];
        out[i][3] = d.in.s;
        out[i][4] = e.in.i;
        out[i][5] = f.i;
        out[i][6] = g.s + c.in.s;
        out[i][7] = same(a[i]).in.i;
        out[i][8] = first.in.i;
        out[i][9] = ({ a[i]; }).in.s;
        t[i].in = g;
        a[i].in = d.in; // rex-ignore: race: it writes what is there
    }
    for (int i = 0; i < n; i++) {
        const int *o = out[i];
        CHECK(o[0] == 1000 + i && o[1] == 1000 + i && o[2] == 2000 + i && o[3] == 4000 + i);
        CHECK(o[4] == 3000 + (i % 2 ? 0 : i) && o[5] == 1000 + i && o[6] == 6 && o[7] == 3000 + i);
        CHECK(o[8] == 3 && o[9] == 4000 + i && t[i].in.i == 1000 + i && a[i].in.i == 3000 + i);
    }
}

/* Members that need no alignment. */
struct members {
    char c;
    int i __attribute__((packed));
    short s;
    struct loose in __attribute__((__packed__));
    struct {
        char d;
        long l;
        union {
            char e;
            double both;
        } __attribute__((packed));
    } __attribute__((packed));
    unsigned wide : 20 __attribute__((packed));
    unsigned next : 15 __attribute__((packed));
    __attribute__((packed)) int x, y;
    float f[3] __attribute__((packed, aligned(2)));
    double *to __attribute__((packed));
    struct members *link;
};
union one {
    char c[5];
    long l __attribute__((packed));
};

/* A typedef may say that a vector is aligned, but not in a packed structure; what is complex is a class in C++. */
typedef float quad_of_words __attribute__((vector_size(16), aligned(4)));
struct parts {
    char tag;
    float _Complex z;
    quad_of_words v;
    struct {
        double _Complex both[2];
    } in;
} __attribute__((packed));
typedef struct parts loose_parts __attribute__((aligned(1)));

static void packed_parts(void)
{
    struct parts p[6];
    for (int i = 0; i < 6; i++)
        p[i] = (struct parts){(char)i, i + 2.0fi, {i, 1, 2, 3}, {{i, 1.0i}}};
#pragma omp target teams distribute parallel for map(tofrom: p)
    for (int i = 0; i < 6; i++) {
        loose_parts *at = &p[i], own = *at;
        own.z *= 2;
        own.v += own.v[1];
        at->z += own.z++;
        at->v = at->v * own.v;
        at->v[2]++;
        at->in.both[i & 1] *= at->in.both[1] + own.v[0];
        p[i].in.both[1] -= p[i].z * 1.0i;
        p[i].tag += own.v[3] == p[i].v[3];
    }
    for (int i = 0; i < 6; i++) {
        CHECK(p[i].z == 3 * i + 6.0fi && p[i].v[0] == i * (i + 1) && p[i].v[2] == 7 && p[i].v[3] == 12 && p[i].tag == i);
        const double _Complex first = i & 1 ? i : i * (i + 1 + 1.0i), second = i & 1 ? 1.0i * (i + 1 + 1.0i) : 1.0i;
        CHECK(p[i].in.both[0] == first && p[i].in.both[1] == second - (3 * i + 6.0fi) * 1.0i);
    }
}

static void packed_members(void)
{
    enum { n = 20 };
    struct members m[n];
    union one u[n];
    int sizes[6];
    for (int i = 0; i < n; i++) {
        m[i] = (struct members){1, i, 2, {3, 4 * i, 5}, .d = 6, .l = 7 * i, .both = i / 2., .wide = i, .next = i + 1};
        m[i].y = 8 * i;
        m[i].f[1] = 9;
        u[i].l = i << 20;
    }
#pragma omp target teams distribute parallel for map(tofrom: m, u) map(from: sizes)
    for (int i = 0; i < n; i++) {
        struct members own = m[i], *at = &own, made = {.i = 1, .in = m[i].in, .y = i};
        struct loose in = m[i].in;
        m[i].i += made.in.i + m[i].wide;
        m[i].s += in.s + made.y;
        own.l += at->in.i + m[i].y;
        m[i].both *= own.f[1] + m[i].next;
        own.in.s = made.i;
        m[i].f[2] = own.both;
        m[i].l = own.l;
        m[i].in = own.in;
        m[i].x = own.y;
        m[i].wide++;
        u[i].l += own.l;
        if (i == 0) {
            sizes[0] = sizeof(struct members);
            sizes[1] = __builtin_offsetof(struct members, both);
            sizes[2] = (char *)&own.f - (char *)&own;
            sizes[3] = (char *)&m[1].link - (char *)m;
            sizes[4] = sizeof(union one);
            sizes[5] = _Alignof(struct members);
        }
    }
    CHECK(sizes[0] == sizeof(struct members) && sizes[1] == __builtin_offsetof(struct members, both));
    CHECK(sizes[2] == __builtin_offsetof(struct members, f) && sizes[4] == sizeof(union one));
    CHECK(sizes[3] == sizeof(struct members) + __builtin_offsetof(struct members, link));
    CHECK(sizes[5] == _Alignof(struct members));
    for (int i = 0; i < n; i++) {
        CHECK(m[i].i == 6 * i && m[i].s == 7 + i && m[i].l == 19 * i && m[i].both == i / 2. * (9 + i + 1));
        CHECK(m[i].f[2] == i / 2.f && m[i].in.s == 1 && m[i].in.i == 4 * i && m[i].x == 8 * i && m[i].y == 8 * i);
        CHECK(m[i].wide == i + 1 && m[i].next == i + 1 && u[i].l == (i << 20) + 19 * i);
    }
    printf("%d %d %d\n", sizes[0], sizes[1], sizes[2]);
}

/* Typedefs that align a structure, or an array, less than it is elsewhere. */
struct deep {
    char c;
    double d;
    struct {
        short s[3];
        unsigned low : 5, high : 20;
    } in[2];
    union {
        long l;
        float f;
    };
};
typedef struct deep anywhere __attribute__((aligned(1)));
typedef struct deep in_words __attribute__((aligned(4)));
typedef struct {
    int a;
    long b;
} pair_anywhere __attribute__((aligned(1)));
typedef int row_anywhere[3] __attribute__((aligned(1)));
typedef double in_halves __attribute__((aligned(4)));
struct holds {
    char c;
    anywhere a;
    char d;
    in_words w;
    pair_anywhere p;
    char e;
    row_anywhere row;
    in_halves h[2];
    int last;
};

#pragma omp declare target
static double sum_of(const anywhere *p, int n)
{
    double sum = 0;
    for (const anywhere *end = p + n; p != end; p++)
        sum += p->d + p->in[1].s[2] + p->in[0].high + (*p).l;
    return sum;
}
static anywhere doubled(anywhere x)
{
    anywhere *at = &x;
    at->d *= 2;
    x.in[1].s[2] *= 2;
    return x;
}
static pair_anywhere pairs[2] = {{1, 2}, {3, 4}};
#pragma omp end declare target

struct fields {
    unsigned low : 3, high : 20;
    int sign : 5;
    char tail;
    _Bool on : 1;
    long wide : 40;
    union {
        unsigned u : 4;
        int v : 9;
    };
};
typedef struct fields fields_anywhere __attribute__((aligned(1)));
typedef struct fields fields_in_halves __attribute__((aligned(2)));

#pragma omp declare target
static long change_fields(char *bytes)
{
    fields_anywhere *p = (fields_anywhere *)(bytes + 1);
    fields_in_halves *h = (fields_in_halves *)(bytes + 26);
    long sum = p->high = 1 << 21 | 5;
    sum += p->low++;
    sum += ++p->low * 10;
    sum += (p->sign -= 7) * 100;
    sum += (p->sign *= -3);
    sum += p->on = p->tail;
    sum += p->wide = 0x123456789abcL;
    p->wide >>= 3;
    sum += p->u = 17;
    (*p).v += 3;
    h[0].high += 9;
    h[1].sign = h->high;
    sum += h[1].sign--;
    return sum;
}
#pragma omp end declare target

static void bit_fields_out_of_alignment(void)
{
    static char bytes[80], same[80];
    long sum = 0;
    for (int i = 0; i < 80; i++)
        bytes[i] = same[i] = (char)(i * 7);
#pragma omp target map(tofrom: bytes) map(from: sum)
    sum = change_fields(bytes);
    CHECK(sum == change_fields(same) && !memcmp(bytes, same, sizeof bytes));
}

static void loosely_aligned(void)
{
    enum { n = 20 };
    static char bytes[n * sizeof(struct deep) + 1], words[n * sizeof(struct deep) + 4], rows[12 * n + 3];
    static struct holds h[n];
    anywhere *a = (anywhere *)(bytes + 1), first;
    in_words *w = (in_words *)(words + 4);
    row_anywhere *r = (row_anywhere *)(rows + 3);
    double sums[n];
    int sizes[4];
    for (int i = 0; i < n; i++)
        a[i] = (struct deep){.c = i, .d = i / 2., .in = {{{1, 2, 3}, 4, 1000 + i}, {{5, 6, 7}, 8, 9}}, .l = 10 * i};
    first = a[0];
    first.d = 77;
#pragma omp target teams distribute parallel for map(tofrom: bytes, words, rows, h, pairs) map(to: first) \
    map(from: sums, sizes)
    for (int i = 0; i < n; i++) {
        anywhere *p = (anywhere *)(bytes + 1) + i, own = *p;
        in_words *q = &((in_words *)(words + 4))[i];
        row_anywhere *row = (row_anywhere *)(rows + 3) + i;
        sums[i] = sum_of(p, 1) + first.d + (own.in[0].s[1]++ == 2);
        p->d++;
        p->in[i & 1].s[2] -= own.c;
        p->f = own.d;
        *q = doubled(*p);
        q->in[1] = own.in[0];
        (*row)[i % 3] = i;
        h[i].a = i & 1 ? *q : own;
        h[i].w = h[i].a;
        h[i].w.d += 1;
        h[i].p = pairs[i & 1];
        h[i].p.b *= i;
        h[i].row[1] = i, h[i].row[2] += 2;
        h[i].h[1] += .5;
        struct holds copy = h[i], *at = &copy;
        at->row[0] = copy.row[1] + at->p.a;
        at->w.in[0].s[0] = 11;
        h[i] = copy;
        if (i == 0) {
            sizes[0] = sizeof(struct holds), sizes[1] = _Alignof(anywhere) + 10 * _Alignof(pair_anywhere);
            sizes[2] = __builtin_offsetof(struct holds, h), sizes[3] = _Alignof(struct holds);
        }
    }
    CHECK(sizes[0] == sizeof *h && sizes[1] == 11 && sizes[2] == __builtin_offsetof(struct holds, h) && sizes[3] == 4);
    for (int i = 0; i < n; i++) {
        const struct deep now = a[i], then = w[i];
        CHECK(sums[i] == i / 2. + 7 + 1000 + i + 10 * i + 77 + 1 && now.d == i / 2. + 1 && now.f == (float)(i / 2.));
        CHECK(now.in[i & 1].s[2] == (i & 1 ? 7 : 3) - i && then.d == i + 2);
        CHECK(then.in[1].s[1] == 3 && then.in[0].high == 1000u + i);
        CHECK(r[i][i % 3] == i && h[i].a.d == (i & 1 ? i + 2 : i / 2.) && h[i].w.d == h[i].a.d + 1);
        CHECK(h[i].p.b == (i & 1 ? 4 : 2) * i && h[i].row[0] == i + (i & 1 ? 3 : 1) && h[i].row[2] == 2);
        CHECK(h[i].w.in[0].s[0] == 11 && h[i].w.in[0].high == 1000u + i && h[i].a.c == i && h[i].h[1] == .5);
    }
}

/* Unnamed members of types that have names. */
struct base {
    int x;
    short h[2];
};
typedef struct {
    double d;
} real_part;
struct derived {
    char c;
    struct base;
    int y;
    real_part;
    union either {
        int i;
        float f;
    };
};
struct twice {
    char k;
    struct derived;
    struct base *at;
} __attribute__((packed));
union first {
    struct base;
    long l;
};
#pragma omp declare target
static struct twice constants = {'k', {'c', {1, {2, 3}}, 4, {5.0}, {6}}};
static int of_base(const struct base *b)
{
    return b->x * 100 + b->h[1];
}
static int of_derived(const struct derived *d)
{
    return of_base((const struct base *)&d->x) + d->c + d->y + (int)d->d + d->i;
}
static int of_values(struct base base, int n)
{
    struct derived d = {1, base, 3, {.d = 4}, {5}}, twin[2] = {d, {.y = n, .h = {1, 2}}};
    struct twice t = {'t', {'u', base, 6, {7}}, &base}, copy = t;
    union first first = {base};
    copy.h[1] += t.at->x;
    return of_derived(&d) + of_derived(&twin[1]) + copy.h[1] + t.x + first.x + constants.h[0] + constants.i +
           (int)sizeof(struct twice) + (int)__builtin_offsetof(struct twice, y) + of_derived(&(struct derived){2, base});
}
#pragma omp end declare target

static void unnamed(void)
{
    struct base base = {7, {8, 9}};
    struct twice whole = {'w', {'x', base, 10}};
    int result = 0;
#pragma omp target map(tofrom: result, whole)
    {
        result = of_values(base, 3);
        whole.x += whole.y;
        whole.f = 0.5f;
    }
    CHECK(result == of_values(base, 3) && whole.x == 17 && whole.f == 0.5f);
#pragma omp target map(tofrom: whole.x) map(to: whole.y)
    whole.x += whole.y;
    printf("%d %d\n", result, whole.x);
}

/* Members of nameless members that are called like their structures, which C++ does not allow. */
struct word {
    union {
        int word;
        struct {
            short half, class;
        };
    };
};

static int named_alike(void)
{
    struct word w = {.word = 0x20003};
    int seen = 0;
#pragma omp target map(tofrom: w, seen)
    {
        struct word copy = w;
        seen = copy.half + copy.class;
        w.word = seen;
    }
    return seen == 5 && w.word == 5;
}

int main(void)
{
    CHECK(named_alike());
    misaligned();
    loosely_aligned();
    packed_members();
    packed_parts();
    int out[40] = {0};
    struct gaps gaps[2] = {{1, 1, 2, 3, 4}, {1, 5, 1, 7, 8}};
#pragma omp target map(tofrom: out, gaps)
    {
        int n = 0;
        first = second;
        plain = first;
        second = plain;
        first = second = plain;
        struct point a = first;
        volatile struct point b = second, c;
        c = b;
        c = (a, b);
        a = out[0] ? b : c;
        volatile struct point *p = &c;
        *p = b;
        p[0] = get();
        b = *p;
        out[n++] = a.x + b.y + c.x + (a, b).y + (first = a).x;
        const struct inner s = take(*pick(1)), t = both[0];
        out[n++] = s.a + s.b + s.c + t.c;
        union holder u = {{7, 8, 9}};
        union holder v = u;
        union number cast = (union number)2.5;
        out[n++] = (int)(2 * cast.d + read_number((union number)n, 0) + read_number((union number)(n + 0.5), 1) * 2);
        out[n++] = (int)read_number((union number)(const char *)"abc", 2);
        out[n++] = v.inner.a + v.inner.b;
        struct outer whole = {{{1, 2, 3}, {4, 5, 6}}, u};
        struct outer copy = whole;
        volatile struct inner *middle = &copy.pair[1];
        out[n++] = middle->b + copy.holder.inner.b + copy.pair[0].a;
        volatile struct point row[3] = {{1, 2}, a, b};
        row[0] = row[2];
        out[n++] = row[0].x;

        const int big = 1234567;
        const double f = 77.7;
        int x = 7654321;
        struct narrow k = {big, x, big, big, x};
        struct narrow l = {.e = big * 3L, .a = f, .c = 'x', .b = x + big};
        const struct narrow m[2] = {{x, x, x, x, x}, {big, big, big, big, big}};
        const struct narrow *const all[] = {&k, &l, &m[0], &m[1], &real, &narrowed};
        for (int i = 0; i < 6; ++i) {
            out[n++] = all[i]->a + all[i]->b + all[i]->c;
            out[n++] = all[i]->d + (int)all[i]->e;
        }
        out[n++] = *to_three + (int)sizeof(struct gaps);
        gaps[1].a += gaps[0].a;
        gaps[1].e += gaps[0].e;
    }
    for (int i = 0; i < 20; ++i)
        printf("%d ", out[i]);
    printf("%d %d\n", gaps[1].a, gaps[1].e);
    unnamed();
    bit_fields_out_of_alignment();
    double blocks[40];
    of_blocks(blocks, 40);
    for (int i = 0; i < 40; ++i)
        CHECK(blocks[i] == from_local_types(i) + i);
    return CHECK_RESULT();
}
