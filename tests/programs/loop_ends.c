/* The last values of loop variables whose steps only the run knows: added or subtracted, and of either sign. */
#include "check.h"

int main(void)
{
    int i, ran[4] = {0}, three = 3, minus = -3;
#pragma omp target teams distribute parallel for map(tofrom: ran) lastprivate(i)
    for (i = 20; i > 0; i -= three) {
#pragma omp atomic
        ran[0]++;
    }
    CHECK(i == -1 && ran[0] == 7);
#pragma omp target teams distribute parallel for map(tofrom: ran) lastprivate(i)
    for (i = 20; i > 0; i += minus) {
#pragma omp atomic
        ran[1]++;
    }
    CHECK(i == -1 && ran[1] == 7);
#pragma omp target teams distribute parallel for map(tofrom: ran) lastprivate(i)
    for (i = 2; 20 > i; i -= minus) {
#pragma omp atomic
        ran[2]++;
    }
    CHECK(i == 20 && ran[2] == 6);
#pragma omp target teams distribute parallel for map(tofrom: ran) lastprivate(i)
    for (i = 2; i < 20; i = three + i) {
#pragma omp atomic
        ran[3]++;
    }
    CHECK(i == 20 && ran[3] == 6);
    return CHECK_RESULT();
}
