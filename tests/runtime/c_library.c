#define KERNELS(X) X(c_library)
#include "launch.h"

#include <math.h>

int main(void)
{
    long long results[32] = {0};
    const long long expected[32] = {7, 1, 1, 1, 1, 1, 1, 1, 2, 1, 7, 3, 1, 1, 1, 1, 1, 1, -31, -31, 5000000003, 1, -10,
                                    2, 1234};
    char text[] = "offload";
    double numbers[] = {1e-310, NAN, INFINITY, 2.5};
    LAUNCH(c_library, 1, 1, SHAPE(1, 1), ARRAY(results), ARRAY(text), ARRAY(numbers));
    for (int i = 0; i < 32; ++i)
        CHECK_EQUAL(results[i], expected[i], "result %d", i);
    return report();
}
