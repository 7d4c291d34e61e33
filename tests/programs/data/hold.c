/* ompx_hold: what a construct holds stays present until its end, whatever is deleted in between. */
// reference: -Wno-unknown-pragmas
#include "data.h"

int main(void)
{
    int a[8], x = 1;

    for (int i = 0; i < 8; ++i)
        a[i] = i;
#pragma omp target enter data map(to : a)
#pragma omp target data map(ompx_hold, tofrom : a) map(ompx_hold, always, to : x)
    {
#pragma omp target exit data map(delete : a)
        PRESENT(a);
#pragma omp target map(present, alloc : a) map(present, from : x)
        {
            a[1] = 10 + x;
            x = 5;
        }
        PRESENT(a);
    }
    ABSENT(a);
    ABSENT(&x);
#pragma omp target map(ompx_hold, tofrom : a[2:3])
    a[3] = 30;
    ABSENT(a);
    CHECK(a[1] == 11 && a[3] == 30);

    /* One part held holds the structure. */
    struct {
        int i, j;
    } s = {1, 2}, t = {3, 4};
#pragma omp target data map(tofrom : s) map(ompx_hold, tofrom : s.i)
#pragma omp target data map(tofrom : t.i) map(ompx_hold, tofrom : t.j)
    {
#pragma omp target map(tofrom : s, t.i, t.j)
        s.i = s.j = t.i = t.j = 9;
#pragma omp target exit data map(delete : s, t.i, t.j)
        PRESENT(&s.i);
        PRESENT(&s.j);
        PRESENT(&t.i);
        PRESENT(&t.j);
    }
    ABSENT(&s);
    ABSENT(&t);
    CHECK(s.i == 9 && s.j == 9 && t.i == 9 && t.j == 9);
    printf("%d %d\n", a[1], a[3]);
    return CHECK_RESULT();
}
