// Objects with constructors that the threads of a team share: each iteration of the team constructs them anew.
#include "check.hpp"
#include <complex>

using Complex = std::complex<double>;

struct Sum {
    double value = 0;
    int count = 5;
    void add(double x) { value += x; }
};

struct Counter {
    int n;
    Counter() : n(3) {}
    explicit Counter(int start) : n(start) {}
};

struct Outer {
    Counter inner;
    int own;
};

struct Started {
    int n;
    explicit Started(int start) : n(start) {}
};

struct Plain {
    int n;
    Plain() = default;
    Plain(int start) : n(start) {}
};

int main()
{
    double sums[8] = {};
    Complex complex[8];
    int counts[8] = {}, sizes[8] = {};
#pragma omp target teams distribute num_teams(2) map(tofrom: sums, complex, counts, sizes)
    for (int i = 0; i < 8; ++i) {
        Sum sum;
        Complex plain, given(1, i);
        Counter first, second(4), array[2], listed[2] = {Counter(1), Counter(2)};
        Started started{i}, copied = Started(2);
        Outer outer;
        Plain made(3), row[4], copy = made;
        for (int k = 0; k < 4; ++k)
            row[k] = 2 * k;
        outer.own = 0;
        int threads = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp critical
            {
                sum.add(1);
                plain += given;
                given += Complex(0, 0);
                first.n++;
                second.n++;
                array[1].n++;
                listed[1].n++;
                started.n++;
                copied.n++;
                outer.inner.n++;
                outer.own++;
                made.n++;
                row[3].n++;
                copy.n++;
                threads++;
            }
        }
        sums[i] = sum.value + sum.count - threads;
        complex[i] = plain - Complex(threads, threads * i) + given;
        counts[i] = first.n - 3 + second.n - 4 + array[1].n - 3 + listed[1].n - 2 - 4 * threads;
        counts[i] += made.n - 3 + row[3].n - 6 + copy.n - 3 - 3 * threads;
        sizes[i] = started.n - i + copied.n - 2 + outer.inner.n - 3 + outer.own - 4 * threads + listed[0].n + array[0].n;
    }
    for (int i = 0; i < 8; ++i) {
        check("members with values", sums[i], 5.);
        check("complex numbers", complex[i] == Complex(1, i), true);
        check("constructors", counts[i], 0);
        check("objects without a default", sizes[i], 4);
    }
    return report();
}
