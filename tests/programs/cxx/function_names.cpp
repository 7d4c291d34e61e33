/* __func__ and its like in regions, device functions, lambdas and local classes: the user's functions, not the kernels. */
#include <cassert>
#include <cstdio>
#include <cstring>

namespace app {

struct Grid {
    int cells(int k) const
    {
        int sum = 0;
#pragma omp target map(tofrom: sum)
        {
            sum = __func__[0] + (int)sizeof(__func__);
            for (const char *p = __PRETTY_FUNCTION__; *p; ++p)
                sum += k;
        }
        return sum;
    }

    int operator()(int k)
    {
#pragma omp target map(tofrom: k)
        k += sizeof __FUNCTION__;
        return k;
    }
};

} // namespace app

template <class T> int of_template(T k)
{
    int sum = 0;
#pragma omp target map(tofrom: sum)
    sum = __func__[3] + (int)sizeof(__FUNCTION__) + k;
    return sum;
}

#pragma omp declare target
static int on_device()
{
    int sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < 3; ++i)
        sum += __func__[i];
    assert(sum > 0);
    auto lambda = [] { return (int)sizeof(__func__); }; // g++ 12 does not compile one in a region
    return sum + lambda() + (int)strlen(__PRETTY_FUNCTION__);
}
#pragma omp end declare target

int main()
{
    int r[6] = {0}, device = 0;
    app::Grid grid;
#pragma omp target map(from: r)
    {
        r[0] = __func__[0];
        r[1] = __FUNCTION__[1];
        r[2] = __PRETTY_FUNCTION__[2];
        r[3] = (int)sizeof(__func__);
        r[4] = "__func__"[2];
        struct Local {
            int method() { return (int)sizeof(__func__); }
        };
        r[5] = Local().method();
    }
    auto on_host = [](int k) {
#pragma omp target teams distribute parallel for reduction(+: k)
        for (int i = 0; i < (int)sizeof(__func__); ++i) { // in a head, too
            k += sizeof(__func__);
            assert(i >= 0);
        }
        return k;
    };
#pragma omp target map(from: device)
    device = on_device();
#pragma omp target map(tofrom: device)
    {
        const char *shared = __func__;
#pragma omp parallel for reduction(+: device)
        for (int i = 0; i < (int)sizeof(__func__); ++i)
            device += shared[i];
        shared = nullptr;
    }
    for (int x : r)
        printf("%d ", x);
    printf("%d %d %d %d %d\n", grid.cells(1), grid(1), of_template(3), on_host(1), device);
    return 0;
}
