/* <tgmath.h>: the function that fits the arguments, in device code as on the host. */
#include "../check.h"

#include <tgmath.h>

int main(void)
{
    float f = 2, roots[2];
    double d = 2, here[6], there[6];
    int n = 4;
    float complex c = 1 + 2 * I;
    double complex power = 0;

#pragma omp target map(from: there, power, roots) map(to: c)
    {
        there[0] = sqrt(f) * 1e8; /* as a float has it, */
        there[1] = sqrt(d) * 1e8; /* as a double, */
        there[2] = sqrt(n) + fabs(-f);
        there[3] = pow(f, d) + fmax(n, 1.5f);
        there[4] = sizeof(sin(f)) + 10 * sizeof(sin(n));
        there[5] = carg(c) - atan2(2.f, f / 2);
        power = exp(c * 0 + d * 0);
        roots[0] = sqrt(sqrt(f));
        roots[1] = ldexp(f, n);
    }
    here[0] = sqrt(f) * 1e8;
    here[1] = sqrt(d) * 1e8;
    CHECK(there[0] == here[0] && there[1] == here[1] && there[0] != there[1]);
    CHECK(there[2] == 4 && there[3] == 8 && there[4] == 84 && fabs(there[5]) < 1e-6);
    CHECK(power == 1 && roots[0] == sqrtf(sqrtf(f)) && roots[1] == 32);
    return CHECK_RESULT();
}
