/* C that is not C++: what regions may contain although a C++ compiler rejects it. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N 32

/* C++ keywords as names. */
struct class {
    int new, delete;
    struct template *this;
};
struct template {
    int private, public;
};
enum operator { namespace, virtual = 4 };
static int typename(int try, int catch)
{
    return try - catch;
}

/* A tag and a function of the same name; a tag declared inside another structure; a tentative definition. */
struct stat {
    struct nested {
        int depth;
    } nested;
};
static struct nested stat(int depth)
{
    struct nested result = {depth};
    return result;
}
static int tentative;
static int tentative;
static int tentative = 3;

typedef struct list list;
struct list {
    list *next;
    int value;
};

static void *opaque(int *p)
{
    return p;
}

static int total(const int *restrict a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i];
    return sum;
}

static int kind_of(enum operator o)
{
    return o == virtual;
}

static int declared_without_types();
static int defined_without_prototype();

/* A jump back into a block, past what it declares. */
static int into_a_block(int times)
{
    int sum = 0;
    if (times > 0) {
        int first = 10, second[2] = {1, 2};
        sum += first + second[1];
    inside:
        first = 3;
        second[0] = times;
        sum += first + second[0];
        for (int i = 0; i < 2; i++)
            sum += i;
    }
    if (times-- > 0)
        goto inside;
    return sum;
}


/* Functions that end without the value that their type promises: nobody reads it. */
static int no_return(int *p)
{
    *p += 1;
}
static struct nested one_return(int *p, int early)
{
    if (early) {
        struct nested result = {*p};
        return result;
    }
    *p += 2;
}
static int only_returns(int x)
{
    while (1)
        switch (x) {
        case 3:
            x = 4;
            break;
        default:
            return x;
        }
}

/* extern in a block names the file's variable, though a local one hides it. */
int hidden = 3;
static int uncovered(void)
{
    int hidden = 4;
    {
        extern int hidden;
        hidden += 10;
    }
    return hidden;
}

static int now(void) { return hidden; }

#pragma omp declare target
int shown[4] = {1, 2, 3, 4}, export = 13;
int plus_one(int x) { return x + 1; }
int minus_one(int x) { return x - 1; }
#pragma omp end declare target
int mapped = 7, table[3] = {10, 20, 30};

/* The same in regions, for variables and functions. */
static int hides_function(int minus_one)
{
    int (*plus_one)(int) = 0, sum = plus_one == 0 && minus_one == 5;
    {
        extern int plus_one(int);
        int minus_one(int);
        sum += plus_one(10) + minus_one(20);
    }
    return sum;
}

static void extern_in_regions(int got[5])
{
    int shown[1] = {100}, export = 200, r;

#pragma omp target map(from: r)
    {
        int minus_one = 50;
        r = shown[0] + minus_one + hides_function(5);
        extern int shown[4], plus_one(int);
        r += shown[3] + plus_one(1000);
    }
    got[0] = r;
    r = 0;
#pragma omp target teams distribute parallel for reduction(+: r)
    for (int i = 0; i < N; ++i) {
        int shown = 5;
        {
            extern int shown[4];
            r += shown[1];
        }
        r += shown;
    }
    got[1] = r;
#pragma omp target map(tofrom: r)
    {
        int export = 1, sum = 0;
#pragma omp parallel num_threads(4) reduction(+: sum)
        {
            int shown[4] = {7, 7, 7, 7};
            {
                extern int shown[4], export;
#pragma omp atomic
                ++shown[2];
                sum += export == 13;
            }
            sum += shown[2] + export;
        }
        r = sum + export;
    }
    got[2] = r;
#pragma omp target map(tofrom: mapped, table, r)
    {
        int mapped = 3, table[1] = {4};
        {
            extern int mapped, table[3];
            r = mapped++ + table[2]++;
        }
        r += mapped + table[0];
    }
    got[3] = r + 100 * mapped + 1000 * table[2];
    /* A copy that host code has is not the variable. */
#pragma omp parallel num_threads(1) private(export)
    {
        export = 4;
        extern int export;
#pragma omp target
        export += 6;
#pragma omp target update from(export)
        got[4] = export;
    }
    got[4] += export;
}

/* What ++ makes of types narrower than int is converted, not out of range; arguments of __builtin_prefetch are evaluated. */
static void narrow(int *out)
{
    struct {
        signed char wide, bits : 4;
        short pair[2];
    } s = {127, 7, {32767, -32768}};
    signed char c;
    short n = -2;
    int *p, moved[2] = {0};
    out[0] = 0;
    for (c = 2; c != 0; c++)
        ++out[0];
    while (n < 0) {
        --n;
        ++out[0];
    }
    out[1] = (s.wide++ == 127) + (s.wide == -128) + (s.pair[1]-- == -32768) + (s.pair[1] == 32767) + (++s.pair[0] < 0);
    out[2] = (s.bits++ == 7) + (s.bits == -8);
    __builtin_prefetch(p = moved + 1);
    out[3] = p == &moved[1];
}

/* Parts of structures that are no objects: elements that C takes addresses of, copies that nothing changes. */
struct part {
    int values[3];
    struct inner {
        short s[2];
    } inner;
};
struct whole {
    struct part parts[2];
    int rows[2][3];
    char text[8];
};
static struct whole made(int n)
{
    return (struct whole){
        {{{n, n + 1, n + 2}, {{7, 8}}}, {{3 * n, 4 * n, 5 * n}, {{9, n}}}}, {{1, 2, 3}, {4, 5, n}}, "words"};
}
static int first_two(const int *p)
{
    return 10 * p[0] + p[1];
}
static int of_part(const struct part *p)
{
    return 100 * p->values[1] + p->inner.s[0];
}
static int values(int n)
{
    struct whole one = made(n), two = made(5);
    int sum = made(n).parts[1].values[n % 3] + made(n).parts[0].inner.s[1] + made(4).rows[1][2];
    sum += first_two(made(n).parts[1].values) + first_two(&made(n).parts[0].values[1]) + first_two(made(8).rows[1]);
    sum += of_part(&made(n).parts[1]) + of_part(made(9).parts + 1) + *made(n).rows[1] + *&made(6).rows[n & 1][2];
    sum += *&made(n).parts[1].inner.s[1] + (int)strlen(made(n).text) + !made(n).text + (int)sizeof made(n).rows;
    sum += (n > 4 ? one : two).parts[1].values[2] + first_two((n > 4 ? one : two).parts[n & 1].values);
    sum += (one = two).rows[1][2];
    sum += of_part(&(one = made(3)).parts[0]);
    sum += (n++, two).parts[0].inner.s[0];
    return sum;
}
/* Compound literals last as long as their block, also where pointers lead into them. */
static int *const of_file = ((struct part){{51, 52, 53}}).values;
static int literals(int n)
{
    int *kept = ((struct part){{31, n}}).values, *second = &((struct whole){.rows = {{1, n, 41}}}).rows[0][1];
    const char *text = ((struct whole){.text = "xy"}).text;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        struct whole other = made(i);
        sum += first_two(((struct part){{i, other.rows[1][2]}}).values) + first_two(&i[made(3).rows[1]]);
    }
    return sum + kept[1] + second[1] + text[1] + of_file[2];
}
/* Whether values stay what they were while what they were copied from changes, which gcc 12 does not see to. */
static int stays(int n)
{
    struct whole one = made(n), two = made(5);
    int *kept, same = (kept = (n ? one : two).parts[0].values, one.parts[0].values[1] = 1000, kept[1] == n + 1);
    same += (kept = (one = two).rows[1], one.rows[1][2] = 2000, kept[2] == 5);
    return same + (kept = (n--, two).parts[1].values, two.parts[1].values[2] = 3000, kept[2] == 25);
}

int main(void)
{
    int out[N] = {0}, wrapped[4] = {0}, local = 0, file = 0;

#pragma omp target map(tofrom: wrapped, local, file)
    {
        narrow(wrapped);
        local = uncovered();
        file = now();
    }
    CHECK(wrapped[0] == 254 + 32767 && wrapped[1] == 5 && wrapped[2] == 2 && wrapped[3] == 1);
    CHECK(local == 4 && file == 13);
    int got[5];
    extern_in_regions(got);
    for (int i = 0; i < 5; ++i)
        printf("%d ", got[i]);
    printf("\n");

#pragma omp target map(tofrom: out)
    {
        struct class class = {.delete = 2, .new = 1};
        struct template template = {.public = 7};
        class.this = &template;
        out[0] = class.new + class.delete + class.this->public + typename(9, 4);

        /* Implicit conversions from void * and between enumerations and integers. */
        int local[4] = {1, 2, 3, 4};
        int *p = opaque(local);
        void *v = p;
        char *bytes = v;
        out[1] = p[3] + (bytes[0] == 1);
        enum operator o = 4;
        o = o + namespace;
        out[2] = kind_of(o) + kind_of(1);
        unsigned char narrow[] = {300 - 45, -1};
        out[3] = narrow[0] + narrow[1];

        /* Compound literals, designated initialisers out of order and nested. */
        out[4] = total((int[]){5, 6, 7}, 3) + (struct template){.public = 1, .private = 2}.private;
        int sparse[8] = {[5] = 50, [1] = 10, 20};
        out[5] = sparse[1] + sparse[2] + sparse[5] + sparse[6];
        struct { int a; struct { int b[3]; } c; } deep = {.c.b[1] = 8, .a = 1};
        out[6] = deep.a + deep.c.b[1] + deep.c.b[2];
        const struct stat s = {.nested = {.depth = 3}};
        struct nested n = stat(s.nested.depth + 1);
        out[7] = n.depth * 10 + tentative;

        /* sizeof of character constants and of _Bool expressions, comma, assignments as values. */
        out[8] = (int)(sizeof 'a' + sizeof(1 == 1));
        int x, y;
        x = y = 5;
        out[9] = (x++, y--, x * y);
        _Bool truth = 0.5;
        out[10] = truth + (_Bool)2;

        /* goto over declarations, switch into a block, labels. */
        int tries = 0;
    again:
        if (++tries < 5)
            goto again;
        if (tries == 5)
            goto skip;
        int never = 100;
        out[11] = never;
    skip:
        out[12] = tries;
        switch (tries) {
            int inner;
        case 5:
            inner = 55;
            out[13] = inner;
            break;
        default:
            out[13] = -1;
        }

        /* Strings to char *, a list on the stack, conditional expressions of pointers. */
        char *text = "text";
        list tail = {NULL, 2}, head = {&tail, 1};
        int sum = 0;
        for (list *l = &head; l; l = l->next)
            sum += l->value;
        out[14] = sum + text[0];
        const int *chosen = sum > 2 ? local : NULL;
        out[15] = chosen ? chosen[0] : 0;
        out[16] = declared_without_types(4);
        {
            struct template { char letter; } hides = {'h'};
            out[17] = hides.letter + (int)sizeof(struct template);
        }
        double real = 7 / 2 + 7 / 2.0;
        out[18] = (int)(real * 2) + (int)-1.9 + !real;
        int auto_sized[] = {1, 2, 3};
        register int fast = (int)(sizeof auto_sized / sizeof *auto_sized);
        out[19] = 2 [auto_sized] + fast;
        out[20] = 0;
        no_return(&out[20]);
        one_return(&out[20], 0);
        signed char letters[2] = {'a', 'b'};
        out[20] += 10000 * into_a_block(2) + 1000000 * defined_without_prototype(letters, 2, 1.5f);
        out[22] = literals(2);
        out[21] = values(4) + values(7) + (omp_is_initial_device() ? 3 : stays(4));
        out[20] += 100 * one_return(&out[20], 1).depth + only_returns(3);
    }
    for (int i = 0; i < 23; ++i)
        printf("%d ", out[i]);
    printf("\n");
    return CHECK_RESULT();
}

static int declared_without_types(int x)
{
    return x * x;
}

static int defined_without_prototype(text, length, by)
    char *text;
    short length;
    float by;
{
    return (text[length - 1] - 'a') * (int)(by * 2);
}
