/* Regions in the user's headers: included twice with different macros, and from a header that another one includes. */
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
    return CHECK_RESULT();
}
