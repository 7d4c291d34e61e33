// Atomic updates and critical sections on members, in methods, templates and functions that regions call.
#include "check.hpp"

class Histogram {
    int bins_[8] = {};
    long total_ = 0;

public:
    void fill(const int *x, int n)
    {
#pragma omp target teams distribute parallel for map(to: x[0:n])
        for (int i = 0; i < n; ++i) {
#pragma omp atomic
            bins_[x[i] % 8]++;
#pragma omp atomic update
            total_ += x[i];
        }
    }
    int bin(int i) const { return bins_[i]; }
    long total() const { return total_; }
};

template <class T>
void add_to(T &target, T value)
{
#pragma omp atomic
    target += value;
}

struct Counter {
    int hits;
    void hit()
    {
#pragma omp atomic
        ++hits;
    }
};

int main()
{
    int x[100];
    for (int i = 0; i < 100; ++i)
        x[i] = i;
    Histogram histogram;
    histogram.fill(x, 100);
    check("bins", histogram.bin(3), 13);
    check("total", histogram.total(), 4950L);
    double sum = 0;
    Counter counter{0};
    int last = -1;
#pragma omp target teams distribute parallel for map(tofrom: sum, counter, last)
    for (int i = 0; i < 50; ++i) {
        add_to(sum, 0.5);
        counter.hit();
#pragma omp critical
        if (i > last)
            last = i; // rex-ignore: race: the devices of rex-build keep teams apart, too
    }
    check("template", sum, 25.0);
    check("method", counter.hits, 50);
    check("critical", last, 49);
    return report();
}
