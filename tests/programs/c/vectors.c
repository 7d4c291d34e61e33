/* GNU C's vector types and the types that the attribute mode makes, in regions and in functions that they call. */
#include "../check.h"

#include <omp.h>
#include <string.h>

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned int uint4 __attribute__((__vector_size__(4 * sizeof(unsigned int))));
typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef signed char byte4 __attribute__((vector_size(4)));
typedef unsigned short ushort8 __attribute__((vector_size(16)));
typedef char byte_pairs __attribute__ ((vector_size (2 * sizeof (char)))); /* a typedef by itself, with a size to work out */
typedef long long2 __attribute__((vector_size(16)));

typedef int narrow __attribute__((mode(QI)));
typedef unsigned int wide __attribute__((mode(DI)));
typedef float real __attribute__((__mode__(__DF__)));

struct particle {
    char kind;
    float4 position, velocity;
    int __attribute__((vector_size(8))) cell;
    int long_count __attribute__((mode(DI)));
};

#pragma omp declare target
static const float4 half = {0.5f, 0.5f, 0.5f, 0.5f};
static const struct particle prototypes[2] = {{'a', {1, 2, 3, 4}, {5}, {6, 7}, 8},
                                               {'b', {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10}, 11}};

static float dot(float4 a, float4 b)
{
    float4 products = a * b;
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += products[i];
    return sum;
}

static float4 step(float4 at, const float4 *by, float seconds)
{
    return at + *by * seconds;
}

static __attribute__((vector_size(16))) int clamped(int __attribute__((vector_size(16))) v, int most)
{
    const int4 above = v > most;
    return (above & most) | (~above & v);
}

static void swap_ends(float4 *v)
{
    const float end = (*v)[3];
    (*v)[3] = (*v)[0];
    (*v)[0] = end;
}
#pragma omp end declare target

enum { N = 200 };

static int same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Arithmetic, comparisons, shifts and conversions: the results on the device are those of the host compiler. */
enum { INTS = 24, FLOATS = 8, BYTES = 7 };

#pragma omp declare target
static void operations(int4 a, uint4 b, float4 x, byte4 c, int s, int4 *ints, float4 *floats, byte4 *bytes)
{
    int n = 0;
    byte_pairs pairs = ~((byte_pairs){1, 2} > 1);
    ints[n++] = a + a * (s + pairs[0] - pairs[1] + 1 - (int)sizeof(byte_pairs[1]) / 2) - a * -pairs[0];
    ints[n++] = a - 1;
    ints[n++] = 100 / (a | 1);
    ints[n++] = a % 3;
    ints[n++] = -a ^ ~a;
    ints[n++] = +a & s;
    ints[n++] = a << 1;
    ints[n++] = 1 << (a & 7);
    ints[n++] = a >> (int4)(b & 3);
    ints[n++] = a < s;
    ints[n++] = x >= 0.5f;
    ints[n++] = a == (int4){1, -2, 3, -4};
    ints[n++] = (int4)(a > (int4)b) != 0;
    ints[n++] = a * (int4){0x7fffffff, 2, 3, 4};
    ints[n++] = a[0] > 0 ? a : -a;
    ints[n++] = (int4)x;
    ints[n++] = (int4)(b / 3u);
    ints[n++] = (int4)(b >> 1);
    ints[n++] = __builtin_convertvector(x * 4, int4);
    ints[n++] = __builtin_shufflevector(a, (int4)b, 0, 5, 2, 7);
    ints[n++] = clamped(a, 2);
    ints[n] = a;
    ints[n] += s;
    ints[n] <<= 2;
    ints[n] *= a;
    ints[n][1] -= 7;
    ints[n][2]++;
    n++;
    volatile int4 kept = a;
    kept = kept + kept;
    ints[n++] = kept;
    int4 last = {a[3], 9};
    last[s & 3] = sizeof last + sizeof(last[0]) + (a + a)[1];
    ints[n++] = last;

    n = 0;
    floats[n++] = x + 1;
    floats[n++] = 2 * x - half;
    floats[n++] = x / (x + 3.0f);
    floats[n++] = -x;
    floats[n++] = step(x, &half, 2.0f);
    floats[n] = x;
    swap_ends(&floats[n++]);
    floats[n++] = __builtin_convertvector(a, float4);
    floats[n++] = (float4){dot(x, half), x[1], x[2]};

    n = 0;
    bytes[n++] = c + c;
    bytes[n++] = c * 3;
    bytes[n++] = c >> 1;
    bytes[n++] = c > (byte4){0, 1, 2, 3};
    bytes[n++] = (byte4)s;
    bytes[n++] = (byte4)(s > 2);
    int bits = (int)c;
    memcpy(&bytes[n++], &bits, sizeof bits);
}
#pragma omp end declare target

static void check_operations(void)
{
    int4 a = {1, -2, 3, -4}, ints[INTS] = {{0}}, expected[INTS] = {{0}};
    uint4 b = {1, 2, 0xfffffff0u, 4};
    float4 x = {0.25f, -0.5f, 1.5f, 3}, floats[FLOATS], reals[FLOATS];
    byte4 c = {100, -100, 3, -128}, bytes[BYTES], chars[BYTES];
    int s = 3;

    operations(a, b, x, c, s, expected, reals, chars);
#pragma omp target map(tofrom: ints) map(from: floats, bytes) map(to: a, b) firstprivate(x, c)
    operations(a, b, x, c, s, ints, floats, bytes);
    CHECK(same(ints, expected, sizeof ints));
    CHECK(same(floats, reals, sizeof floats));
    CHECK(same(bytes, chars, sizeof bytes));
}

#pragma omp declare reduction(sum : float4 : omp_out += omp_in) initializer(omp_priv = (float4){0})

static void in_loops(void)
{
    static struct particle all[N];
    for (int i = 0; i < N; i++) {
        all[i] = prototypes[i % 2];
        all[i].cell[1] = i;
    }
    float4 total = {0}, gravity = {0, -1, 0, 0};
    double2 pairs[N];
    ushort8 mask = {1, 2, 4, 8, 16, 32, 64, 128};
    int found = 0;
#pragma omp target teams distribute parallel for reduction(sum : total) reduction(+ : found) \
    map(tofrom: all) map(from: pairs)
    for (int i = 0; i < N; i++) {
        struct particle *p = &all[i];
        p->velocity += gravity * 2.0f;
        p->position = step(p->position, &p->velocity, 0.5f);
        p->cell[0] = p->cell[1] + (p->kind == 'b');
        p->long_count <<= 34;
        total += p->position;
        pairs[i] = (double2){i, p->position[1]};
        pairs[i] *= pairs[i];
        ushort8 bits = mask & (unsigned short)i;
        for (int k = 0; k < 8; k++)
            found += bits[k] != 0;
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += __builtin_popcount(i & 255);
        CHECK(all[i].cell[0] == i + i % 2);
        CHECK(all[i].long_count == (long)(i % 2 ? 11 : 8) << 34);
        CHECK(pairs[i][0] == (double)i * i && pairs[i][1] == (i % 2 ? 16 : 1));
    }
    CHECK(found == expected);
    CHECK(total[0] == N / 2 * (1 + 2.5f) + N / 2 * (1 + 2.5f));
}

/* Elements that no register holds. */
typedef __int128 wide2 __attribute__((vector_size(32)));
typedef unsigned __int128 wide1 __attribute__((vector_size(16)));

#pragma omp declare target
static void wide_operations(wide2 *out, const wide2 *in, const wide2 *others, wide1 c, long n)
{
    const wide2 a = *in, b = *others;
    wide2 sum = a * b + (b << 70) - (a >> (wide2){1, 65}), masks = (a < b) ^ (wide2)((__int128)1 - a == b);
    sum += -a / (b | 1) + ~b % 1000;
    sum[1] *= sum[0] - n;
    masks = __builtin_shufflevector(masks, sum, 3, 0);
    c = c * c + (c > 5) + (c >> 100);
    *out = masks[1] ? sum - masks - (__int128)c[0] : sum + n;
}
#pragma omp end declare target

static void of_wide_elements(void)
{
    static struct {
        char c;
        wide2 v;
    } in[N];
    static wide2 out[N];
    for (int i = 0; i < N; i++) {
        __int128 k = ((__int128)i << 80) * (i % 2 ? 3 : -7) + i * 1000003;
        in[i].v = (wide2){k, 1 - (__int128)i * 12345678987654321};
    }
#pragma omp target teams distribute parallel for map(to: in) map(from: out)
    for (int i = 0; i < N; i++)
        wide_operations(&out[i], &in[i].v, &in[N - 1 - i].v, (wide1)((unsigned __int128)i << 50), i);
    for (int i = 0; i < N; i++) {
        wide2 expected;
        wide_operations(&expected, &in[i].v, &in[N - 1 - i].v, (wide1)((unsigned __int128)i << 50), i);
        CHECK(same(&out[i], &expected, sizeof expected));
    }
}

/* One thread's vector is a variable like another: shared, private or another thread's by its address. */
static void in_teams(void)
{
    float4 sums[4];
    int4 set[4];
#pragma omp target teams num_teams(4) map(from: sums, set)
    {
        float4 local = {0, 0, 0, 0}, *const at = &local;
        int4 flags = {0};
#pragma omp parallel num_threads(4)
        {
            float4 mine = {1, 2, 3, 4};
            mine *= omp_get_thread_num() + 1.0f;
#pragma omp critical
            *at += mine;
            flags[omp_get_thread_num() & 3] = -1;
        }
        sums[omp_get_team_num()] = local;
        set[omp_get_team_num()] = flags;
    }
    for (int i = 0; i < 4; i++)
        CHECK(sums[i][1] == 2 * sums[i][0] && sums[i][3] == 4 * sums[i][0] && sums[i][0] >= 1 && set[i][0] == -1);
}

/* Vectors that are not aligned as their type wants. */
struct __attribute__((packed)) record {
    char kind;
    float4 v;
    int n;
    uint4 u;
};
struct loose_record {
    char kind;
    float4 v __attribute__((packed));
};

static void out_of_alignment(void)
{
    struct record all[3] = {{1, {1, 2, 3, 4}, 5}, {2, {5, 6, 7, 8}, 6}};
    struct loose_record other = {1, {1, 2, 3, 4}};
    float4 sum = {0};
    float element = 0;
    int4 counts = {-1, 2, 3, 4};
    all[1].u = (uint4){1, 2, 3, 4};
#pragma omp target map(tofrom: all, other, sum, element, counts)
    {
        counts = counts * all[1].u;
        struct record *last = &all[2];
        sum = all[0].v + all[1].v * 2;
        element = all[1].v[2] + other.v[1];
        *last = all[0];
        last->v[0] = element;
        all[1].v -= sum;
        other.v = all[1].v;
        all[0].v[3]++;
        (last--)->v *= 2;
        last->n++;
        sum = other.v;
    }
    CHECK(counts[0] == -1 && counts[3] == 16);
    CHECK(sum[0] == -6 && sum[3] == -12 && element == 9 && all[1].v[1] == -8 && other.v[2] == -10);
    CHECK(all[0].v[3] == 5 && all[2].v[0] == 18 && all[2].v[1] == 4 && all[1].n == 7 && all[2].n == 5);
}

/* Types for vectors anywhere in arrays of their elements. */
typedef float float4_anywhere __attribute__((vector_size(16), aligned(4)));
typedef int4 int4_of_bytes __attribute__((aligned(1)));
typedef double double4_in_halves __attribute__((vector_size(32), aligned(16)));
struct __attribute__((aligned(2))) in_between {
    char c;
    float4_anywhere v;
    short s;
    int4_of_bytes n;
};

#pragma omp declare target
static float4 load(const float *p)
{
    return *(const float4_anywhere *)p;
}
static void store(float *p, float4_anywhere v)
{
    *(float4_anywhere *)p = v;
}
#pragma omp end declare target

static void anywhere(void)
{
    enum { n = 64 };
    static float x[n + 4], y[n + 4], sums[n];
    static unsigned char bytes[16 * n + 1];
    static double d[4 * n + 2];
    static struct in_between all[n];
    for (int i = 0; i < n + 4; i++) {
        x[i] = i;
        y[i] = -1;
    }
    for (int i = 0; i < 16 * n; i++)
        bytes[i + 1] = i % 251;
    for (int i = 0; i < n; i++)
        all[i] = (struct in_between){1, {i, 1, 2, 3}, 4, {5, i, 7, 8}};
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: bytes, all, d) map(from: sums) map(tofrom: y)
    for (int i = 0; i < n; i++) {
        const float4_anywhere v = load(x + i), *at = (const float4_anywhere *)(x + 1);
        int4_of_bytes *words = (int4_of_bytes *)(bytes + 1), own = words[i];
        double4_in_halves *halves = (double4_in_halves *)(d + 2);
        if (i % 4 == 1)
            store(y + i, v * 2 + at[(i & ~3) / 4]);
        sums[i] = (v[0] + (*at)[i & 3] + (*(float4_anywhere *)(x + i))[1]) * sizeof v / _Alignof(float4_anywhere);
        words[i] += 1 << (own & 7);
        words[i][2] ^= own[0];
        words[i]++;
        (*(words + i))[3]--;
        halves[i] = (double4_in_halves){i, 1, 2, 3};
        halves[i] *= 2.5;
        halves[i][3]++;
        struct in_between *s = &all[i], copy = *s;
        s->v = copy.v + copy.v[0];
        s->v[1] *= 3;
        s->n -= copy.n[1] + s->s;
        copy.n = s->n;
        s->s = copy.n[0] + copy.n[3] + sizeof copy;
    }
    for (int i = 0; i < n; i++) {
        int4 word, was;
        unsigned char start[16];
        for (int k = 0; k < 16; k++)
            start[k] = (16 * i + k) % 251;
        memcpy(&was, start, sizeof was);
        memcpy(&word, bytes + 1 + 16 * i, sizeof word);
        int4 expected = was + (1 << (was & 7));
        expected[2] ^= was[0];
        expected++;
        expected[3]--;
        CHECK(same(&word, &expected, sizeof word));
        CHECK(sums[i] == (i + (1 + i % 4) + i + 1) * 4 && y[0] == -1 && y[n + 1] == -1);
        CHECK(y[1 + i] == 2 * (1 + i) + 1 + i);
        CHECK(d[2 + 4 * i] == 2.5 * i && d[3 + 4 * i] == 2.5 && d[5 + 4 * i] == 8.5);
        const struct in_between *s = &all[i];
        CHECK(s->v[0] == 2 * i && s->v[1] == 3 * (1 + i) && s->v[3] == 3 + i && s->n[2] == 7 - i - 4);
        CHECK(s->s == (5 - i - 4) + (8 - i - 4) + (int)sizeof *s);
    }
}

static void modes(void)
{
    narrow n = 120;
    wide w = 1;
    real r = 1.0;
    int quarter __attribute__((mode(HI))) = 30000;
    long sizes = 0;
#pragma omp target map(tofrom: n, w, r, quarter, sizes)
    {
        n = n + 120;
        w <<= 40;
        r /= 3;
        quarter += quarter;
        sizes = sizeof(narrow) + 10 * sizeof(w) + 100 * sizeof(real) + 1000 * sizeof(int __attribute__((mode(HI))));
    }
    CHECK(n == -16 && w == 1UL << 40 && r == 1.0 / 3 && quarter == -5536 && sizes == 2881);
}

int main(void)
{
    check_operations();
    in_loops();
    in_teams();
    out_of_alignment();
    anywhere();
    modes();
    of_wide_elements();
    return CHECK_RESULT();
}
