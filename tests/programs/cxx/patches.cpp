// Arrays of objects with pointers each, entered one by one and attached.
#include "check.hpp"
#include <vector>

struct Patch
{
    int n;
    double *cells;
};

int main()
{
    const int count = 5;
    std::vector<Patch> patches(count);
    for (int k = 0; k < count; k++) {
        patches[k].n = 10 + k;
        patches[k].cells = new double[10 + k]();
    }
    Patch *ps = patches.data();
#pragma omp target enter data map(to : ps[0 : count])
    for (int k = 0; k < count; k++) {
#pragma omp target enter data map(to : ps[k].cells[0 : ps[k].n])
    }
#pragma omp target teams distribute
    for (int k = 0; k < count; k++) {
#pragma omp parallel for
        for (int i = 0; i < ps[k].n; i++)
            ps[k].cells[i] = k * 100 + i;
    }
    for (int k = 0; k < count; k++) {
#pragma omp target exit data map(from : ps[k].cells[0 : ps[k].n])
    }
#pragma omp target exit data map(release : ps[0 : count])
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < ps[k].n; i++)
            check("cell", ps[k].cells[i], k * 100.0 + i);
        delete[] ps[k].cells;
    }
    return report();
}
