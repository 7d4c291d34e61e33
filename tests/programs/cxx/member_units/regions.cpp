#include "counters.hpp"

int read_on_device()
{
    int sum = 0;
#pragma omp target map(from : sum)
    sum = Counter::made + Counter().get();
    return sum;
}
