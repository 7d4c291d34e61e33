// Bounds of loops that only the host can compute are computed there, once.
// reference: -O1
#include "check.hpp"
#include <algorithm>
#include <string>
#include <vector>

static int calls = 0;

static int counted(int n)
{
    ++calls;
    return n;
}

template <class T>
void scale(std::vector<T> &v, T by)
{
    T *p = v.data();
#pragma omp target teams distribute parallel for map(tofrom: p[0:v.size()])
    for (std::size_t i = 0; i < v.size(); ++i)
        p[i] *= by;
}

struct Mesh {
    std::vector<double> cells;
    double *p;
    int first() const { return 2; }
    void fill()
    {
        p = cells.data();
        const int n = static_cast<int>(cells.size());
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = first(); i < static_cast<int>(cells.size()); ++i)
            p[i] = i;
    }
};

int main()
{
    std::vector<double> v(10, 1.0);
    double *p = v.data();
#pragma omp target teams distribute parallel for map(tofrom: p[0:v.size()])
    for (std::size_t i = 0; i < v.size(); ++i)
        p[i] += 1;
    check("size", v[9], 2.0);
    scale(v, 3.0);
    check("in a template", v[9], 6.0);
    std::vector<int> k(5, 2);
    scale(k, 4);
    check("another instantiation", k[4], 8);
    Mesh mesh{std::vector<double>(6), nullptr};
    mesh.fill();
    check("first", mesh.cells[1], 0.0);
    check("in a method", mesh.cells[5], 5.0);
    const std::string text = "region";
    int length = 0;
#pragma omp target teams distribute parallel for reduction(+: length)
    for (int i = static_cast<int>(text.length()); i > 0; --i)
        length += i;
    check("a string's length", length, 21);
    int sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: sum)
    for (int i = 0; i < static_cast<int>(v.size()); ++i)
        for (int j = 0; j < static_cast<int>(k.size()); j += std::max<int>(1, k[0] - 7))
            sum += 1;
    check("collapsed", sum, 50);
    sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < counted(20); ++i)
        sum += i;
    check("a function that counts", sum, 190);
    check("its calls", calls > 0, true); // rex-ignore: stale: the host runs what the loop's head calls
    std::vector<std::vector<int>> rows(3, std::vector<int>(4));
    sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp teams distribute parallel for reduction(+: sum)
    for (std::size_t i = 0; i < rows.front().size(); ++i)
        sum += 1;
    check("in a construct of its own", sum, 4);
    return report();
}
