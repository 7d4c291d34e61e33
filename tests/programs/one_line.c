/* Several regions on one line, regions beside other statements, long lines continued with backslashes, digraphs, and a
 * form feed between regions. */
#include "check.h"

#define N 12
#define T _Pragma("omp target map(tofrom: a)")
#define L _Pragma("omp target teams distribute parallel for map(tofrom: a)") for (int i = 0; i < N; ++i)

int main(void)
{
    int a[N], x = 0;
    for (int i = 0; i < N; ++i) a[i] = i;

    T a[0] = 5; T a[1] = a[0] + 1; T { a[2] = a[1] + 1; }
    CHECK(a[0] == 5 && a[1] == 6 && a[2] == 7);

    x = 3; L a[i] += x; x = 4; L { a[i] += x; } CHECK(a[3] == 10); L a[i] -= 7;
    CHECK(a[0] == 5 && a[11] == 11);

    if (x == 4) { T a[4] = 40; } else { T a[4] = 41; }
    if (x == 5) T a[5] = 50; else T a[5] = 51;
    CHECK(a[4] == 40 && a[5] == 51);

    for (int k = 0; k < 3; ++k) T a[6] += k;
    switch (x) { case 4: T a[7] = 70; break; default: T a[7] = 71; }
    CHECK(a[6] == 9 && a[7] == 70);

    int y = 1; /* a comment */ _Pragma("omp target map(tofrom: y)") { y += 1; /* in the region */ } y *= 10; CHECK(y == 20);

#pragma omp target \
    map(tofrom: a) \
    map(tofrom: \
        y)
    { a[8] = y; \
      y = 0; }
    CHECK(a[8] == 20 && y == 0);

#pragma omp target map(tofrom: y) // a comment behind the directive
    y = 11; // and one behind the region
    CHECK(y == 11);

#pragma omp target map(/* inside */ tofrom: y) /* and
    one over two lines */
    y = 12;
    CHECK(y == 12);

    int b<:3:> = <%1, 2, 3%>; const char *const digraphs = "<%:>";
%:pragma omp target map(tofrom: b)
    <% b<:0:> += b<:2:>; %>

#pragma omp target map(tofrom: y)
    y += b[0];
    CHECK(y == 16 && b[0] == 4 && digraphs[0] == '<');
    for (int i = 0; i < 3; ++i) y += b[i];
    CHECK(y == 25);

    /* a comment that ends in front of a directive
     */#pragma omp target map(tofrom: y) /* and ( one
    behind it */
    { y -= 5; } /* one behind a region,
#if 0
    with code behind */ y += 3; /*
#endif
    */ const int line = __LINE__;
#pragma omp target update to(y) /* one behind a directive without a region,
    with code behind */ if (y == 23)
    y *= 2;
    CHECK(y == 46 && line == __LINE__ - 4);
    return CHECK_RESULT();
}
