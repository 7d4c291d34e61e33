// ordered blocks of a loop run in the order of the iterations.
#include "check.hpp"

int main()
{
    int log[20] = {}, at = 0;
#pragma omp target parallel for ordered map(tofrom: log, at)
    for (int i = 0; i < 20; ++i) {
        int v = i * i;
#pragma omp ordered
        {
            log[at] = v;
            ++at;
        }
    }
    check("count", at, 20);
    for (int i = 0; i < 20; ++i)
        check("order", log[i], i * i);
    return report();
}
