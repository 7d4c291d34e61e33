/* Unions, bit-fields, anonymous members, flexible use of enumerations, packed records. */
#include "check.h"

#include <stdint.h>
#include <string.h>

#define N 40

struct flags {
    unsigned ready : 1;
    unsigned kind : 3;
    signed delta : 5;
    unsigned long long wide : 40;
};

struct value {
    enum { INTEGER, REAL } type;
    union {
        long long i;
        double d;
    };
    struct {
        short low, high;
    };
};

struct __attribute__((packed)) packet {
    uint8_t id;
    uint32_t length;
    uint16_t checksum;
};

/* Unions that begin with bit-fields, initialised where they are defined. */
union word {
    signed low : 11;
    unsigned all;
    _Bool bit : 1;
};

#pragma omp declare target
static union word words[3] = {{-2}, {.all = 0x80000001u}, {.bit = 7}};
static const struct {
    int before;
    union word inside;
} holder = {5, {1023}};
#pragma omp end declare target

static double number(struct value v)
{
    return v.type == INTEGER ? (double)v.i : v.d;
}

union pixel {
    uint32_t all;
    struct {
        unsigned char blue, green, red, alpha;
    };
};

struct counted {
    int count;
    union {
        long whole;
        unsigned few : 3;
        struct {
            short low[3];
            union {
                short high;
                unsigned parts : 4;
            };
        };
    };
};

/* Designators that lead into anonymous members other than a union's first. */
static void anonymous_members(int n)
{
    union pixel pixels[2];
    struct counted counts[4];
#pragma omp target map(from : pixels, counts)
    {
        union pixel made = {.alpha = 255, .green = n};
        struct counted first = {.low = {1, n}, .count = 2, .parts = 9}, second = {n, .few = n};
        pixels[0] = made;
        pixels[1].all = (union pixel){.red = n}.all;
        counts[0] = first;
        counts[1] = second;
        counts[2] = (struct counted){.count = (struct counted){.few = 6}.few, .high = n};
        counts[3] = (struct counted){n, {n + 1}};
    }
    CHECK(pixels[0].alpha == 255 && pixels[0].green == n && pixels[0].red == 0 && pixels[1].red == n);
    CHECK(counts[0].count == 2 && counts[0].low[0] == 1 && counts[0].low[1] == n && counts[0].low[2] == 0);
    CHECK(counts[0].parts == 9 && counts[1].count == n && counts[1].few == n);
    CHECK(counts[2].count == 6 && counts[2].low[0] == 0 && counts[2].high == n && counts[3].whole == n + 1);
}

/* The same in objects with static storage duration, whose initialisers have to be constant. */
#pragma omp declare target
static const union pixel opaque = {.alpha = 255, .green = 7};
struct counted table[5] = {{1, .low = {2, 3}, .parts = 9}, {.few = 6}, {.high = -4, .count = 6}, {3, {5}}};
static const struct {
    const union pixel *pixel;
    const struct counted *counted;
} parts[] = {{&opaque, &table[2]}, {&(const union pixel){.red = 11}, &(const struct counted){.few = 5}}};
#pragma omp end declare target

static void static_members(void)
{
    long seen[14];
#pragma omp target map(from : seen)
    {
        static const union pixel inside = {.blue = 1, .red = 2};
        static const struct counted *const last = &table[4];
        seen[0] = opaque.all;
        seen[1] = inside.all;
        for (int i = 0; i < 5; i++)
            seen[2 + i] = table[i].whole + table[i].count;
        seen[7] = table[0].low[1];
        seen[8] = table[0].parts;
        seen[9] = table[2].high;
        seen[10] = parts[0].pixel->green + parts[0].counted->high;
        seen[11] = parts[1].pixel->all;
        seen[12] = parts[1].counted->whole;
        seen[13] = last->whole;
    }
    CHECK(seen[0] == 0xff000700 && seen[1] == 0x20001);
    CHECK(seen[2] == 0x30003 && seen[3] == 6 && seen[4] == 6 && seen[5] == 8 && seen[6] == 0);
    CHECK(seen[7] == 3 && seen[8] == 9 && seen[9] == -4 && seen[10] == 3);
    CHECK(seen[11] == 11 << 16 && seen[12] == 5 && seen[13] == 0);
}

int main(void)
{
    struct flags f[N];
    struct value v[N];
    struct packet p[N];
    double sum = 0;

    memset(f, 0, sizeof f);
    memset(p, 0, sizeof p);
    for (int i = 0; i < N; ++i) {
        v[i].type = i % 2 ? REAL : INTEGER;
        if (i % 2)
            v[i].d = i + 0.5;
        else
            v[i].i = i;
        v[i].low = (short)i;
        v[i].high = (short)-i;
    }

#pragma omp target teams distribute parallel for map(tofrom: f, p) map(to: v) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        f[i].ready = i & 1;
        f[i].kind = i;
        f[i].delta = -(i % 16);
        f[i].wide = 1ULL << (i % 40);
        p[i].id = (uint8_t)i;
        p[i].length = 100000u * (uint32_t)i;
        p[i].checksum = (uint16_t)(p[i].length ^ p[i].id);
        sum += number(v[i]) + v[i].low + v[i].high;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(f[i].ready == (unsigned)(i & 1) && f[i].kind == (unsigned)i % 8 && f[i].delta == -(i % 16));
        CHECK(f[i].wide == 1ULL << (i % 40));
        CHECK(p[i].length == 100000u * (uint32_t)i && p[i].checksum == (uint16_t)(p[i].length ^ (uint32_t)i));
    }
    CHECK(sizeof(struct packet) == 7);

    /* Reading bytes through a union. */
    unsigned char first = 0;
#pragma omp target map(from: first)
    {
        union {
            uint32_t word;
            unsigned char bytes[4];
        } view = {.word = 0x11223344u};
        first = view.bytes[0];
    }
    printf("%.1f %x\n", sum, first);

    int n = 3;
    unsigned seen[8];
#pragma omp target map(from: seen) map(to: n)
    {
        union word own = {-1}, several[2] = {{n}, {700}}, other = {n + 1};
        seen[0] = words[0].all, seen[1] = words[1].all, seen[2] = words[2].all;
        seen[3] = (unsigned)holder.inside.low, seen[4] = own.all, seen[5] = several[0].all + other.all - 4, seen[6] = several[1].all;
        seen[7] = ((union word){.low = 9}).all;
    }
    CHECK(seen[0] == 0x7fe && seen[1] == 0x80000001u && seen[2] == 1 && seen[3] == 1023);
    CHECK(seen[4] == 0x7ff && seen[5] == 3 && seen[6] == 700 && seen[7] == 9);
    anonymous_members(5);
    static_members();
    return CHECK_RESULT();
}
