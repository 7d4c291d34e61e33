/* declare target link: variables that live on the device only while they are mapped. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

int scalar = 5, table[8];
static double hidden[4] = {1, 2, 3, 4};
int *lkp;
struct state {
    int a;
    double b;
} state = {1, 2};
#pragma omp declare target link(scalar, table, hidden, lkp, state)

static int use(int i)
{
    return table[i] + scalar;
}

int main(void)
{
    int result = 0;
    for (int i = 0; i < 8; ++i)
        table[i] = i;

#pragma omp target map(from : result) map(to : scalar) map(tofrom : table)
    {
        result = use(3);
        table[7] = 70;
    }
    CHECK(result == 8 && table[7] == 70);
    ABSENT(table);
    ABSENT(&scalar);

    /* Mapped implicitly, scalars too. */
#pragma omp target
    {
        scalar += 1;
        hidden[2] = 30;
        state.a = 9;
    }
    CHECK(scalar == 6 && hidden[2] == 30 && state.a == 9 && state.b == 2);
    ABSENT(&scalar);
    ABSENT(hidden);
    ABSENT(&state);

#pragma omp target enter data map(to : table, scalar) // rex-ignore: stale: the device keeps what it has
    PRESENT(table);
    table[0] = 111;
#pragma omp target map(from : result)
    result = use(0);
    CHECK(result == (SEPARATE ? 6 : 117));
#pragma omp target update to(table[0:1])
#pragma omp target map(from : result)
    result = use(0);
    CHECK(result == 117);
#pragma omp target exit data map(release : table, scalar)
    ABSENT(table);
    ABSENT(&scalar);

#pragma omp target data map(tofrom : table[2:3])
    {
#pragma omp target map(alloc : table[2:3])
        table[3] = 33;
    }
    CHECK(table[3] == 33 && table[7] == 70);

    lkp = (int *)malloc(5 * sizeof *lkp);
    for (int i = 0; i < 5; ++i)
        lkp[i] = i;
    int *const host = lkp;
#pragma omp target map(tofrom : lkp[0:5])
    for (int i = 0; i < 5; ++i)
        lkp[i] *= 2;
    CHECK(lkp == host && lkp[4] == 8);
    ABSENT(lkp);
    ABSENT(&lkp);
    free(lkp);
    return CHECK_RESULT();
}
