/* requires unified_shared_memory: variables of declare target, and those that device functions use, are the host's. */
// guard: off
// device: cpu
// reference: -fno-openmp -Wno-unknown-pragmas
#include "check.h"

#pragma omp requires unified_shared_memory

#pragma omp declare target
int counter = 5;
double table[4] = {1, 2, 3, 4};
int *chosen;
const int offset = 3;
#pragma omp end declare target
static int reached = 1;
static long rows[2][3] = {{1, 2, 3}, {4, 5, 6}};

static int used(int x)
{
    return x + reached++ + (int)rows[1][2];
}

int main(void)
{
    double sum = 0;
    int found = 0;
    long total = 0;

    counter = 9;
    table[2] = 30;
    reached = 10;
    rows[1][2] = 60;
    chosen = &counter;
#pragma omp target map(tofrom : sum, found)
    {
        for (int i = 0; i < 4; ++i)
            sum += table[i] * counter + offset;
        found = used(2) + *chosen;
        counter = 4;
        rows[0][0] = 8;
    }
    CHECK(sum == (1 + 2 + 30 + 4) * 9 + 12.0);
    CHECK(found == 72 + 9);
    CHECK(counter == 4 && reached == 11 && rows[0][0] == 8);
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : table)
    for (int i = 0; i < counter; ++i) {
        total += (long)table[i];
#pragma omp atomic
        rows[0][1] += 1;
    }
    CHECK(total == 37 && rows[0][1] == 6);
    return CHECK_RESULT();
}
