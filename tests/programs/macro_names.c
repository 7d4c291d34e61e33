/* Names that are macros in C++, or in headers that this program does not include, but not here. */
// cflags: -std=c11
#include "check.h"

#define M_PI 3
enum { EOF_ = -1, FP_ZERO = 4 };
static double M_E = 2.5;
#pragma omp declare target to(M_E)

struct limits {
    int LINE_MAX, PATH_MAX;
};

#pragma omp declare target
static int isascii(int RTLD_LAZY) { return RTLD_LAZY + FP_ZERO; }
#pragma omp end declare target

int main(void)
{
    struct limits limits = {.LINE_MAX = 7};
    double sum = 0, M_PI_2 = 1.5;
    int CLOCK_TAI = 2, RTLD_NOW = 0;
#pragma omp target map(tofrom: sum, limits, RTLD_NOW)
    {
        double M_SQRT2 = M_PI + M_E + M_PI_2;
        int INT8_C = 2, NAME_MAX = 1;
        limits.PATH_MAX = limits.LINE_MAX * INT8_C + CLOCK_TAI;
        sum = M_SQRT2 + NAME_MAX;
        RTLD_NOW = isascii(NAME_MAX) + EOF_;
    }
    CHECK(sum == 8 && limits.PATH_MAX == 16 && RTLD_NOW == 4);
    return CHECK_RESULT();
}
