#include "physics.h"

#include <stdio.h>

int main(void)
{
    double x[100];

    for (int i = 0; i < 100; i++)
        x[i] = i;
    damping = 0.25;
#pragma omp target update to(damping)
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < 100; i++)
        x[i] = step(x[i], 4);
    printf("x[99] = %g\n", x[99]);
    return 0;
}
