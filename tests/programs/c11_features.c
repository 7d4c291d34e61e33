/* C11: _Generic, _Static_assert, anonymous members, _Alignas, flexible array members, variadic macros, long strings. */
#include "check.h"

#include <stdint.h>
#include <stdlib.h>

#define N 25
#define NAME(x) _Generic((x), int: "int", double: "double", float: "float", default: "other")
#define KIND(x) _Generic((x), int: 1, unsigned: 2, double: 3, float: 4, const int *: 5, int *: 6, default: 0)
#define SUM(...) sum_of((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

_Static_assert(sizeof(int) == 4, "32-bit int");

struct message {
    int length;
    short data[];
};

#pragma omp declare target
static int _Alignas(64) on_lines[3] = {1};
_Alignas(double) char in_words[3];
static int misaligned(void)
{
    static _Alignas(32) char inside[3];
    return (int)((uintptr_t)on_lines % 64 + (uintptr_t)in_words % sizeof(double) + (uintptr_t)inside % 32);
}
#pragma omp end declare target

static int sum_of(const int *values, size_t n)
{
    int sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum += values[i];
    return sum;
}

/* Wide characters are integers, in arrays and behind pointers. */
struct named {
    unsigned short name[4];
    int k;
};
static const int wide[] = L"ab" L"\x63d";
static const unsigned letters[5] = U"z\u00e9";
static const struct named named = {u"xyz", 3};
static const int *const words[2] = {L"one", L"two"};
static const char bytes[] = u8"\u00e9!";
static int length(const int *s)
{
    int n = 0;
    while (s[n])
        ++n;
    return n;
}
static int of_wide(int i)
{
    const unsigned short *euro = u"x\u20ac";
    const int literals = length(L"four" L"\u00e9") + L"xyz"[i] + euro[1] + (int)(U"\U0001F600"[0] + sizeof u"ab") +
                         length(i ? L"longer" : words[0]) + (&L"abc")[0][i] + (*u"\uffff" + 1 > 0);
    unsigned short local[] = u"h\u00e9";
    const int table[2][3] = {L"uvw", L"x"};
    return literals + wide[i] + 2 * (int)letters[i] + 3 * named.name[i] + 5 * words[1][i] + 7 * local[i] + 11 * table[0][i] +
           13 * table[1][i] + 17 * (unsigned char)bytes[i] + (int)(sizeof wide + sizeof local + sizeof bytes) + L'x';
}

static _Noreturn void never_called(void)
{
    abort();
}

int main(int argc, char **argv)
{
    int kinds[6], sums[N];
    (void)argv;
    if (argc > 1000)
        never_called();

#pragma omp target map(from: kinds)
    {
        _Static_assert(N > 20, "inside a region");
        int i = 0;
        kinds[0] = KIND(i);
        kinds[1] = KIND(1u);
        kinds[2] = KIND(1.0f * i);
        kinds[3] = KIND(1.0 * i);
        kinds[4] = KIND(&i);
        kinds[5] = KIND('a') + KIND(1L);
    }
    for (int k = 0; k < 6; ++k)
        printf("%d ", kinds[k]);
    printf("%s\n", NAME(1.0f));

#pragma omp target teams distribute parallel for map(from: sums)
    for (int i = 0; i < N; ++i) {
        _Alignas(16) int local[4] = {i, i + 1};
        sums[i] = SUM(1, 2, i) + local[1] + (int)((uintptr_t)local % 16);
    }
    for (int i = 0; i < N; ++i)
        CHECK(sums[i] == 2 * i + 4);

    int wrong = -1;
#pragma omp target map(from: wrong)
    wrong = misaligned();
    CHECK(wrong == 0);
    int in_order = 0;
#pragma omp target map(tofrom: in_order)
    for (int i = 0; i < 3; ++i)
        in_order = 31 * in_order + of_wide(i);
    int expected = 0;
    for (int i = 0; i < 3; ++i)
        expected = 31 * expected + of_wide(i);
    CHECK(in_order == expected);

    const int n = 10;
    struct message *m = malloc(sizeof *m + n * sizeof m->data[0]);
    m->length = n;
    for (int i = 0; i < n; ++i)
        m->data[i] = (short)i;
    int total = 0;
    const short *data = m->data;
#pragma omp target map(to: data[0:m->length]) map(tofrom: total)
    for (int i = 0; i < n; ++i)
        total += data[i];
    CHECK(total == 45);
    free(m);
    return CHECK_RESULT();
}
