/* has_device_addr, is_device_ptr, use_device_ptr and use_device_addr in all their forms. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

#define N 16

struct pair {
    int a, b;
};

int main(void)
{
    int x = 11, y[N], m[3][4], *h = (int *)malloc(N * sizeof *h);
    struct pair s = {1, 2};
    double d = 0.5;
    for (int i = 0; i < N; ++i)
        y[i] = h[i] = i;
    for (int i = 0; i < 12; ++i)
        m[i / 4][i % 4] = i;

#pragma omp target data map(tofrom : x, y, s, m, d) use_device_addr(x, y, s, m)
    {
#pragma omp target has_device_addr(x, y, s, m)
        {
            y[0] = x + s.b;
            x = 80;
            s.a = 60;
            m[2][1] += 100;
        }
#pragma omp target teams distribute parallel for has_device_addr(y) firstprivate(d)
        for (int i = 1; i < N; ++i)
            y[i] += d == 0.5;
#pragma omp target has_device_addr(x) map(to : h[0:N])
        for (int i = 0; i < N; ++i)
            x += h[i];
    }
    CHECK(x == 200 && y[0] == 13 && y[1] == 2 && y[15] == 16 && s.a == 60 && s.b == 2 && m[2][1] == 109);
    ABSENT(&x);
    ABSENT(y);

    /* Sections, and pointers to them. */
#pragma omp target data map(tofrom : y[4:8], h[0:N]) use_device_addr(y[4:8], h[0:N])
    {
#pragma omp target has_device_addr(y[4:8]) has_device_addr(h[2:2])
        for (int i = 4; i < 12; ++i)
            y[i] = h[2] + i;
#pragma omp target is_device_ptr(h)
        h[3] = 333;
    }
    CHECK(y[4] == 6 && y[11] == 13 && y[12] == 13 && h[3] == 333);

    /* The mapping is an outer construct's. */
#pragma omp target data map(tofrom : x, y)
    {
        x = -1; // rex-ignore: stale: the device keeps its own
#pragma omp target data use_device_addr(x, y)
        {
            int *px = &x;
#pragma omp target is_device_ptr(px) has_device_addr(y)
            {
                *px += 1;
                y[1] = *px;
            }
#pragma omp target has_device_addr(x)
            x += 1;
        }
    }
#ifdef _OPENMP
    CHECK(x == (SEPARATE ? 202 : 1));
#endif

    /* Two pointers at once, one of them into the middle. */
    int *mid = h + 8;
#pragma omp target data map(tofrom : h[0:N])
    {
#pragma omp target data use_device_ptr(h, mid)
        {
            CHECK(mid == h + 8);
#pragma omp target is_device_ptr(h, mid)
            mid[1] = h[1] + 1000;
        }
        CHECK(mid == h + 8);
    }
    CHECK(h[9] == 1001);

    /* if(0): addresses stay the host's. */
    int *before = h;
#pragma omp target data map(tofrom : h[0:N]) use_device_ptr(h) if (x < -100)
    CHECK(h == before);
    /* A mapped pointer variable: its own storage and what it points to are two things. */
#pragma omp target data map(to : h) map(tofrom : h[0:N])
    {
#pragma omp target data use_device_ptr(h)
        {
#pragma omp target is_device_ptr(h)
            h[0] = 5;
        }
    }
    CHECK(h[0] == 5 && h == before);
    ABSENT(h);
    ABSENT(&h);
    free(h);
    struct {
        int a[2];
        double b;
    } nameless = {{1, 2}, 3}, row[2] = {{{4, 5}, 6}, {{7, 8}, 9}}, *there = row;
#pragma omp target data map(tofrom : nameless, row) use_device_addr(nameless, row)
    {
        double *b = &nameless.b;
        int *first = row[1].a;
#pragma omp target is_device_ptr(b, first)
        {
            *b += 1;
            first[1] += 1;
        }
    }
#pragma omp target data map(tofrom : there[0 : 2]) use_device_ptr(there)
    {
#pragma omp target is_device_ptr(there)
        there[0].b = 60;
    }
    CHECK(nameless.b == 4 && row[1].a[1] == 9 && row[0].b == 60);
    return CHECK_RESULT();
}
