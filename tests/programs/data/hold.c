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
    printf("%d %d\n", a[1], a[3]);
    return CHECK_RESULT();
}
