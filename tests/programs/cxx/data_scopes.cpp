// target data in scopes with references, members and use_device_ptr; nested data regions; if clauses; device clauses.
#include "check.hpp"
#include <omp.h>
#include <vector>

class Chain
{
    std::vector<float> a_, b_;

  public:
    explicit Chain(int n) : a_(n, 1.f), b_(n, 2.f) {}
    float run(bool offload)
    {
        float *a = a_.data(), *b = b_.data();
        const int n = static_cast<int>(a_.size());
        float s = 0;
#pragma omp target data map(tofrom : a[0 : n]) map(to : b[0 : n]) if (offload)
        {
#pragma omp target teams distribute parallel for if (target : offload)
            for (int i = 0; i < n; i++)
                a[i] += b[i];
#pragma omp target data use_device_ptr(a)
            {
                float *dev = a;
#pragma omp target is_device_ptr(dev) if (offload)
                for (int i = 0; i < n; i++)
                    dev[i] *= 2;
            }
#pragma omp target teams distribute parallel for reduction(+ : s) device(omp_get_default_device()) if (offload)
            for (int i = 0; i < n; i++)
                s += a[i];
        }
        return s;
    }
};

int main()
{
    Chain c(100);
    check("first", c.run(true), 600.f);
    check("host", c.run(false), 1600.f);
    int n = 10;
    int &rn = n;
#pragma omp target data map(tofrom : rn)
    {
#pragma omp target map(tofrom : rn)
        rn += 5;
#pragma omp target update from(rn)
        check("update", n, 15);
    }
    check("end", n, 15);
    return report();
}
