/* Kinds of variables: unions, flexible array members, const, volatile, _Bool, small integers, enumerations, static locals,
   variable-length arrays, structures passed by value, compound initialisers. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

union number {
    uint32_t bits;
    float value;
    unsigned char bytes[4];
};
struct message {
    int n;
    short values[];
};
struct point {
    signed char tag;
    double x, y;
};
enum color { RED = 1, BLUE = 7 };
const int table[4] = {1, 2, 4, 8};
static const double factor = 0.5;

static struct point moved(struct point p, const int n)
{
#pragma omp target map(tofrom : p) firstprivate(n)
    {
        p.x += n;
        p.tag = -p.tag;
    }
    return p;
}

static int counter(void)
{
    static int calls, history[3];
#pragma omp target map(tofrom : calls)
    {
        history[calls] = (calls + 1) * 10;
        ++calls;
    }
    return history[calls - 1];
}

static int vla(int n, int m, int t[n][m])
{
    int v[n], w[m][2], sum = 0;
    for (int i = 0; i < n; ++i)
        v[i] = i;
#pragma omp target map(to : v, t[0:n][0:m]) map(from : w) map(tofrom : sum)
    for (int j = 0; j < m; ++j) {
        w[j][0] = w[j][1] = 0;
        for (int i = 0; i < n; ++i) {
            w[j][1] += t[i][j] * v[i];
            sum += v[i];
        }
    }
    ABSENT(v);
    ABSENT(w);
    ABSENT(t);
#pragma omp target data map(tofrom : w[1:m-1])
#pragma omp target map(alloc : w[1:m-1])
    for (int j = 1; j < m; ++j)
        w[j][0] = (int)sizeof w[j];
    return sum + w[m - 1][1] + w[m - 1][0];
}

int main(void)
{
    union number u = {.value = 1.0f};
#pragma omp target map(tofrom : u)
    u.bits += 1u << 23;
    CHECK(u.value == 2.0f);
    uint32_t seen = 0;
#pragma omp target map(from : seen)
    seen = u.bytes[3];
    CHECK(seen == 0x40);

    struct message *m = malloc(sizeof *m + 5 * sizeof(short));
    m->n = 5;
    for (int i = 0; i < 5; ++i)
        m->values[i] = (short)i;
#pragma omp target map(tofrom : m->values[0:5], m->n)
    for (int i = 0; i < m->n; ++i)
        m->values[i] *= 2;
    CHECK(m->values[4] == 8 && m->n == 5);
    ABSENT(m);
    const size_t words = sizeof *m + 5 * sizeof(short);
    char *raw = (char *)m;
#pragma omp target map(tofrom : raw[0:words])
    ((struct message *)raw)->values[0] = 77;
    CHECK(m->values[0] == 77);
    free(m);

    int sum = 0;
#pragma omp target map(from : sum)
    sum = table[0] + table[3] + (int)(factor * 4);
    CHECK(sum == 11);
    const int local_table[3] = {5, 6, 7};
#pragma omp target map(from : sum)
    sum = local_table[2] + local_table[0];
    CHECK(sum == 12);
    volatile int v = 3;
    volatile double va[2] = {1, 2};
#pragma omp target map(tofrom : v)
    {
        v += 1;
        va[1] += v;
    }
    CHECK(v == 4 && va[1] == 6);

    bool yes = true, no = false;
    int8_t i8 = -100;
    uint8_t u8 = 200;
    int16_t i16 = -30000;
    uint16_t u16 = 60000;
    enum color c = BLUE;
    char text[8] = "abc";
    int64_t wide = INT64_MIN;
    int failures = -1;
#pragma omp target map(from : failures)
    {
        failures = !yes + no + (i8 != -100) + (u8 != 200) + (i16 != -30000) + (u16 != 60000) + (c != BLUE);
        failures += text[1] != 'b' || wide >= 0;
    }
    CHECK(failures == 0);
#pragma omp target map(tofrom : yes, no, i8, u8, i16, u16, c)
    {
        no = i8;
        yes = 0;
        i8 = (int8_t)(i8 - 100);
        ++u8;
        --i16;
        u16 += 10000;
        c = RED;
    }
    CHECK(no && !yes && i8 == 56 && u8 == 201 && i16 == -30001 && u16 == 4464 && c == RED);

    struct point p = moved((struct point){3, 1, 2}, 4);
    CHECK(p.tag == -3 && p.x == 5 && p.y == 2);
    CHECK(counter() == 10 && counter() == 20 && counter() == 30);
    int t[4][3];
    for (int i = 0; i < 12; ++i)
        t[i / 3][i % 3] = i;
    CHECK(vla(4, 3, t) == 18 + (5 + 16 + 33) + 8);

    struct {
        struct point a[2];
        struct {
            int z;
        };
    } nested = {{{1, 2, 3}, {4, 5, 6}}, {9}};
#pragma omp target map(tofrom : nested.a[1].y, nested.z)
    nested.a[1].y += nested.z;
    CHECK(nested.a[1].y == 15 && nested.a[0].y == 3);
    ABSENT(&nested);
    return CHECK_RESULT();
}
