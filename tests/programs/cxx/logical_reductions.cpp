// Reductions over references and, through local names, over members; min, max and logical ones.
#include "check.hpp"
#include <algorithm>
#include <limits>

class Stats
{
  public:
    void update(const float *v, int n)
    {
        float lo = std::numeric_limits<float>::max(), hi = std::numeric_limits<float>::lowest();
        double &acc = sum_;
        bool all = true, any = false;
#pragma omp target teams distribute parallel for map(to : v[0 : n]) reduction(min : lo) reduction(max : hi) reduction(+ : acc) reduction(&& : all) reduction(|| : any) map(tofrom : acc, lo, hi, all, any)
        for (int i = 0; i < n; ++i) {
            lo = std::min(lo, v[i]);
            hi = std::max(hi, v[i]);
            acc += v[i];
            all = all && v[i] > -100.f;
            any = any || v[i] > 100.f;
        }
        lo_ = lo;
        hi_ = hi;
        all_ = all;
        any_ = any;
    }
    float lo_{}, hi_{};
    double sum_ = 1.0;
    bool all_{}, any_{};
};

int main()
{
    float v[500];
    for (int i = 0; i < 500; i++)
        v[i] = static_cast<float>((i * 37) % 501) - 50.f;
    Stats s;
    s.update(v, 500);
    check("lo", s.lo_, *std::min_element(v, v + 500));
    check("hi", s.hi_, *std::max_element(v, v + 500));
    double want = 1;
    for (float x : v)
        want += x;
    check("sum", s.sum_, want);
    check("all", s.all_, true);
    check("any", s.any_, true);
    return report();
}
