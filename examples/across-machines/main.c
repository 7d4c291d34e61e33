/* Calls all units. Unit number k adds k times x to y. The makefile defines UNITS(M) as M(1) M(2) and so on. */
#include <stdio.h>

#define DECLARED(k) void unit_##k(int n, const float *x, float *y);
#define CALLED(k) unit_##k(9, x, y);

UNITS(DECLARED)

int main(void)
{
    static float x[9], y[9];

    x[8] = 1;
    UNITS(CALLED)
    printf("y[8] = %g\n", y[8]);
    return 0;
}
