/* What C23 added: attributes, digit separators, empty initialisers and unnamed parameters, which gcc 12 has; and, where
 * the compiler knows them (gcc 13, clang 19), the new keywords, constexpr, auto and enumerations of a fixed type. */
// cflags: -std=gnu2x
// reference: -Wno-unknown-pragmas
#include "../check.h"

#if __STDC_VERSION__ >= 202311L || (defined __GNUC__ && __GNUC__ >= 13)
#define KEYWORDS 1
#else
#define KEYWORDS 0
#endif

[[nodiscard]] static int twice(int x, int) { return 2 * x; }
static int last(int, [[maybe_unused]] double, int x);
[[gnu::noinline]] static int labels(int n)
{
    if (n)
        goto end;
    n++;
end:
    int declared_after_a_label = n;
    return declared_after_a_label;
}
#pragma omp declare target(twice, last, labels)
static int last(int, double, int x) { return x; }

_Static_assert(sizeof(int) == 4);
static const int big = 1'000'000, hexadecimal = 0xa'b, octal = 01'7, binary = 0b1111'0000;
static const char quotes[] = "don't 1'0", apostrophe = '\'';

struct [[gnu::packed]] packed {
    char c;
    int x;
};
/* Attributes of GNU C in brackets: of a type, of all that is declared, of one name. */
typedef float quad [[gnu::vector_size(16)]];
[[gnu::vector_size(16), gnu::aligned(4)]] typedef float quad_anywhere;
struct [[gnu::unused]] mixed {
    char c;
    [[gnu::aligned(16)]] int x, y;
    int z [[gnu::packed]], w;
    [[maybe_unused]] quad_anywhere v;
};
union [[gnu::transparent_union]] number {
    int i;
    float f;
};
enum [[gnu::packed]] small_enum { none, one [[deprecated("not packed")]], few };
static int released;
static void release(int *x) { released += *x; }
[[gnu::noreturn, gnu::cold]] static void never(void) { __builtin_trap(); }
static int as_int(union number n) { return n.i; }
static quad halves([[maybe_unused]] int unused, quad v [[gnu::unused]]) { return v / 2; }
#pragma omp declare target(released, release, never, as_int, halves)

static void in_brackets(void)
{
    static struct mixed m[4];
    float x[8];
    int sizes[5];
    for (int i = 0; i < 8; i++)
        x[i] = i;
    released = 0;
#pragma omp target map(tofrom : m, x) map(from : sizes) map(always, tofrom : released)
    {
        [[gnu::aligned(64)]] char near = 1, other [[gnu::aligned(32)]] = 2;
        for (int i = 0; i < 4; i++) {
            [[gnu::cleanup(release)]] int k = i;
            m[i].v = *(quad_anywhere *)&x[i + 1];
            m[i].y = as_int(k + 10);
            m[i].z = sizeof(enum small_enum);
            if (near > other)
                never();
        }
        *(quad_anywhere *)&x[3] = halves(1, m[3].v);
        sizes[0] = sizeof(struct mixed), sizes[1] = __builtin_offsetof(struct mixed, z);
        sizes[2] = (unsigned long)&near % 64 + (unsigned long)&other % 32, sizes[3] = _Alignof(quad_anywhere);
        sizes[4] = __builtin_offsetof(struct mixed, v);
    }
    CHECK(released == 6 && sizes[2] == 0 && sizes[3] == 4 && sizes[4] == __builtin_offsetof(struct mixed, v));
    CHECK(sizes[0] == sizeof(struct mixed) && sizes[1] == __builtin_offsetof(struct mixed, z));
    for (int i = 0; i < 4; i++)
        CHECK(m[i].v[1] == i + 2 && m[i].y == 10 + i && m[i].z == 1);
    CHECK(x[2] == 2 && x[3] == 2 && x[6] == 3.5f && x[7] == 7);
}

static void without_keywords(void)
{
    double r[1'0] = {};
    int v[3] = {};
    struct packed tight = {1, 2};
#pragma omp target map(tofrom : r[0:1'0], v, tight)
    {
        r[6] = sizeof(tight);
        tight.x += 40;
        [[maybe_unused]] int zeros[4] = {}, one = 1'0 / 10;
        r[0] = twice(3, 1) + last(1, 2, 3) + labels(3) + labels(0);
        r[1] = big + hexadecimal + octal + binary;
        r[2] = 1'234.5'6e1 + 0x1.8p1;
        r[3] = quotes[3] == apostrophe && quotes[7] == '\'';
        switch (one) {
        case 1:
            r[4] += 1;
            [[fallthrough]];
        default:
            r[4] += 10 + zeros[3];
        }
        struct {
            int x, y;
        } pair = {};
        r[5] = pair.x + pair.y;
        for (int i = 0; i < 3; i++)
            v[i] += i + 1'0;
    }
    CHECK(r[0] == 6 + 3 + 3 + 1 && r[1] == 1000000 + 171 + 15 + 240 && r[2] == 12345.6 + 3);
    CHECK(r[6] == 5 && tight.x == 42 && r[3] == 1 && r[4] == 11 && r[5] == 0 && v[0] == 10 && v[2] == 12);
}

#if KEYWORDS
constexpr int size = 1'000;
constexpr int four = 4;
constexpr double half = .5;
constexpr long bits = 0b1111'0000L;
constexpr long same = true;
constexpr char letters[] = "abc";
static_assert(size == 1000);
enum kind : unsigned char { small, large = 0b1010'1010 };
enum : short { tiny = 3 };
enum wide : unsigned long long { huge = 0xFFFF'FFFF'FFFF };
enum forward : signed char;
struct point {
    alignas(16) double x;
    bool flag;
    enum kind kind;
    enum forward forward;
};
typedef typeof(nullptr) null_type;
thread_local int own = 3;
static auto pi = 3.25;
static double grid[four][bits / 60];
static int is_null(null_type p) { return p == nullptr; }
static bool flip(bool b)
{
    switch ((int)b) {
    case true:
        return false;
    case false:
        return true;
    }
    return b;
}
#pragma omp declare target(is_null, flip, grid)

static void with_keywords(void)
{
    double r[12] = {};
    bool yes = true;
    constexpr int five = 5;
    int v[five] = {}, a[size] = {}, *nothing = nullptr;
    struct point p = {};
#pragma omp target map(tofrom : r, v, p) map(tofrom : yes) if (true)
    {
        static_assert(sizeof(int) == 4);
        alignas(16) static const double table[] = {1, half, 1'0.5};
        auto inferred = 2.5f;
        typeof_unqual(half) own_half = half;
        r[0] = tiny + (huge > 0xffffffff) + sizeof(enum wide) + sizeof(enum forward) + sizeof(tiny) + sizeof(p);
        r[1] = pi + four + letters[1] + half + sizeof inferred + inferred;
        r[2] = sizeof(grid) + sizeof(true) + sizeof(nullptr) + alignof(struct point);
        r[3] = is_null(nullptr) + flip(false) + bits + same;
        r[4] = _Generic(true, bool: 1, int: 2) + _Generic(pi, double: 10, default: 20) + _Generic(tiny, short: 100);
        r[5] = table[1] + table[2] + ++own_half;
        switch (four) {
        case five:
            r[6] = 2;
            break;
        case four:
            r[6] = 1;
        }
        int (*function)(int, int) = nullptr;
        function = function ? nullptr : twice;
        r[7] = function(7, 0) + *&four;
        p.x = half, p.flag = !false, p.kind = large, p.forward = -1;
        for (int i = 0; i < five; i++)
            v[i] = i * five;
        yes = !yes;
    }
    CHECK(r[0] == 3 + 1 + 8 + 1 + 2 + 16 && r[1] == 3.25 + 4 + 'b' + .5 + 4 + 2.5 && r[2] == 128 + 1 + 8 + 16);
    CHECK(r[3] == 1 + 1 + 240 + 1 && r[4] == 111 && r[5] == .5 + 10.5 + 1.5 && r[6] == 1 && r[7] == 14 + 4);
    CHECK(p.x == .5 && p.flag && p.kind == 170 && p.forward == -1 && v[4] == 20 && !yes && own == 3);
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < size; i++) {
        const bool odd = i % 2 == 1;
        a[i] = odd == true ? size : nothing == nullptr ? four : -1;
    }
    CHECK(a[0] == 4 && a[999] == 1000);
}
#else
static void with_keywords(void) {}
#endif

int main(void)
{
    without_keywords();
    in_brackets();
    with_keywords();
    return CHECK_RESULT();
}
