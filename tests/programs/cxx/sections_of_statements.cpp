// Sections are statements one after another, with and without braces.
#include <cstdio>
template <class T> T work(T from) {
    T sum = from, k = 0, m = 0;
#pragma omp target map(tofrom: sum, k, m)
#pragma omp parallel sections
    {
        sum += 1;
        sum += 2;
        for (int i = 0; i < 3; i++) sum += i;
#pragma omp section
        int t = 2;
        k = t;
#pragma omp section
#pragma omp atomic
        m += 4;
        if (m > 3)
            m += 1;
        else
            m += 2;
#pragma omp section
        { ; }
    }
    return sum + 10 * k + 100 * m;
}
int main() {
    int host = 0, other = 0;
#pragma omp parallel sections
    {
        host += 1;
        host += 2;
#pragma omp section
        other += 1;
        other += 2;
    }
    std::printf("%d %d\n", work(0), host + other); return work(0) != 526 || host + other != 6; }
