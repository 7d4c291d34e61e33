// The directive that does nothing, between the loops of a nest, which gcc 12 does not accept.
// reference: -O1
#include <cstdio>

int main()
{
    int on_device = 0, on_host = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : on_device)
    for (int i = 0; i < 3; ++i) {
#pragma omp nothing
        for (int j = 0; j < 4; ++j)
            on_device += i + j;
    }
#pragma omp parallel for collapse(2) reduction(+ : on_host)
    for (int i = 0; i < 3; ++i) {
#pragma omp nothing
        for (int j = 0; j < 4; ++j)
            on_host += 2 * (i + j);
    }
#pragma omp target map(tofrom : on_device)
#pragma omp nothing
    ++on_device;
    std::printf("%d %d\n", on_device, on_host);
}
