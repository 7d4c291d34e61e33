/* Regions in the user's headers: included twice with different macros, and from a header that another one includes;
 * regions and directives whose statement, or whose pragma, stands in an included file. */
#include "check.h"

#define ELEMENT float
#define AXPY axpy_float
#include "headers/axpy.h"

#define ELEMENT double
#define AXPY axpy_double
#include "headers/axpy.h"

#include "headers/counting.h"
#include "headers/device.h"

int main(void)
{
    enum { N = 40 };
    float x[N], y[N];
    double u[N], v[N];
    int values[N];

    for (int i = 0; i < N; ++i) {
        x[i] = (float)i;
        u[i] = i;
        y[i] = 1;
        v[i] = 2;
        values[i] = i;
    }
    axpy_float(N, 0.5f, x, y);
    axpy_double(N, -1.0, u, v);
    for (int i = 0; i < N; ++i)
        CHECK(y[i] == 1 + 0.5f * (float)i && v[i] == 2.0 - i);
    printf("%d\n", count_multiples(values, N, 3));
    limit_all(values, N);
    CHECK(values[29] == 29 && values[30] == 30 && values[39] == UPPER_LIMIT);
    CHECK(regions_on_host() == 0 || regions_on_host() == 1);

#define VALUE(i) ((i) * 2)
#pragma omp target teams distribute parallel for map(from: values)
#include "headers/loop.inc"
    CHECK(values[0] == 0 && values[39] == 78 && LAST_OF_LOOP == 39);
#undef VALUE
#define VALUE(i) (first + (i))
    int first = 0;
#pragma omp target map(tofrom: first) map(from: values)
    {
        first = 5;
#include "headers/loop.inc"
    }
    CHECK(values[0] == 5 && values[LAST_OF_LOOP] == 44);
#include "headers/pragma.inc"
    for (int i = 0; i < N; ++i)
        values[i] = -i;
    CHECK(values[39] == -39);
    return CHECK_RESULT();
}
