#include "vec.hpp"

double other(geo::Vec<float> *v, int n, const double *m)
{
    geo::normalise(v, n);
    double k = 0;
#pragma omp target teams distribute parallel for map(to : v[0 : n]) reduction(+ : k)
    for (int i = 0; i < n; i++)
        k += std::round(v[i].length());
    return geo::energy(m, n) + k;
}
