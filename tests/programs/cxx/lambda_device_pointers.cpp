// Closures with pointers of omp_target_alloc(), of mapped storage, and of parts of it.
// reference: -O1
#include "check.hpp"
#include <omp.h>
#include <vector>

template <class F>
void launch(int n, F f)
{
#pragma omp target teams distribute parallel for firstprivate(f)
    for (int i = 0; i < n; ++i)
        f(i);
}

struct Grid {
    int n;
    double *cells;
};

int main()
{
    const int n = 50;
    std::vector<double> host(n, 1), more(n, 2);
    double *x = host.data(), *half = x + n / 2, *none = nullptr;
    const double *y = more.data();
#pragma omp target data map(tofrom: x[0:n]) map(to: y[0:n])
    {
        launch(n, [=](int i) {
            if (none == nullptr)
                x[i] += y[i];
        });
        launch(n / 2, [=](int i) { half[i] *= 10; });
    }
    check("the first half", x[3], 3.0);
    check("the second half", x[40], 30.0);
    float *device = static_cast<float *>(omp_target_alloc(n * sizeof(float), omp_get_default_device()));
    float back[n];
#pragma omp target teams distribute parallel for is_device_ptr(device)
    for (int i = 0; i < n; ++i)
        device[i] = 1;
    launch(n, [device](int i) { device[i] += static_cast<float>(i); });
    omp_target_memcpy(back, device, sizeof back, 0, 0, omp_get_initial_device(), omp_get_default_device());
    omp_target_free(device, omp_get_default_device());
    check("omp_target_alloc", back[7], 8.0f);
    return report();
}
