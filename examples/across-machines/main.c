/* Calls all 40 units. Unit number k adds k times x to y. */
#include <stdio.h>

#define UNITS(M)                                                            \
    M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) \
    M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19) M(20) \
    M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28) M(29) M(30) \
    M(31) M(32) M(33) M(34) M(35) M(36) M(37) M(38) M(39) M(40)

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
