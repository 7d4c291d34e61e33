// Tasks, sections and transformed loops of regions in templates and methods.
#include "check.hpp"
#include <omp.h>

template <class T> struct Work {
    T sums[3];
    int n;
    explicit Work(int n) : sums{}, n(n) {}
    T tasks()
    {
        T total = 0, last = 0;
        const int count = n;
#pragma omp target parallel num_threads(4) map(tofrom : total, last)
        {
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
            for (int i = 1; i <= count; ++i) {
#pragma omp task in_reduction(+ : total)
                total += T(i);
            }
#pragma omp masked taskloop lastprivate(last)
            for (int i = 0; i < count; ++i)
                last = T(2 * i);
        }
        return total + last;
    }
    T sections()
    {
        T a = 0, b = 0, c = 0;
#pragma omp target map(tofrom : a, b)
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            a = T(n);
#pragma omp section
            {
                b = T(2 * n);
            }
        }
#pragma omp target map(tofrom : c)
        {
            T own = 0;
#pragma omp parallel num_threads(3) private(own)
            {
#pragma omp single copyprivate(own)
                own = T(n);
#pragma omp atomic
                c += own;
#pragma omp single nowait
                c -= 0;
            }
            c = c > 0 ? T(1) : T(0);
        }
        return a + b + c;
    }
    T tiled(T *p) const
    {
#pragma omp target map(tofrom : p[0:n * n])
#pragma omp tile sizes(2, 3)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                p[i * n + j] += T(i + j);
        T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : p[0:n * n])
#pragma omp reverse
        for (int i = 0; i < n * n; ++i)
            sum += p[i];
        return sum;
    }
};

int main()
{
    Work<int> work(6);
    Work<double> real(5);
    check("tasks", work.tasks(), 21 + 10);
    check("tasks with doubles", real.tasks(), 15.0 + 8.0);
    check("sections", work.sections(), 19);
    check("sections with doubles", real.sections(), 16.0);
    int values[36] = {};
    check("tiles", work.tiled(values), 180);
    struct {
        int low, high;
    } pair = {1, 2};
    const int host = omp_get_num_devices() < 0, two = 2;
#pragma omp target map(tofrom : pair)
    {
#pragma omp assume holds(two == 2)
        pair.low += two + host;
        pair.high += two;
    }
    check("a type without a name", pair.low * 10 + pair.high, 34);
    return report();
}
