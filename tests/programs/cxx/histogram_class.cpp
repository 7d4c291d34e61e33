// Atomics on members, references, array elements, and with capture, in methods and templates.
#include "check.hpp"

template <class T> class Histogram
{
  public:
    static const int bins = 10;
    void count(const T *v, int n)
    {
#pragma omp target teams distribute parallel for map(to : v[0 : n]) map(tofrom : h_, total_)
        for (int i = 0; i < n; i++) {
            int b = static_cast<int>(v[i]) % bins;
#pragma omp atomic
            h_[b]++;
#pragma omp atomic update
            total_ += v[i];
        }
    }
    int h_[bins] = {};
    T total_ = 0;
};

static int pack(const int *v, int *out, int n)
{
    int pos = 0;
    int &p = pos;
#pragma omp target teams distribute parallel for map(to : v[0 : n]) map(tofrom : out[0 : n], p)
    for (int i = 0; i < n; i++)
        if (v[i] % 3 == 0) {
            int at;
#pragma omp atomic capture
            at = p++;
            out[at] = v[i];
        }
    return pos;
}

int main()
{
    double v[1000];
    for (int i = 0; i < 1000; i++)
        v[i] = i;
    Histogram<double> h;
    h.count(v, 1000);
    for (int b : h.h_)
        check("bin", b, 100);
    check("total", h.total_, 499500.0);
    int a[100], out[100] = {};
    for (int i = 0; i < 100; i++)
        a[i] = i;
    check("pack", pack(a, out, 100), 34);
    int s = 0;
    for (int o : out)
        s += o;
    check("packed", s, 1683);
    return report();
}
