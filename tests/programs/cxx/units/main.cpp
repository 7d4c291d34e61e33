// Several units of C and C++ with a header of templates and inline functions that have regions.
// cflags: -Wall
#include "../check.hpp"
#include "vec.hpp"

double other(geo::Vec<float> *v, int n, const double *m);

int main()
{
    geo::Vec<float> v[10];
    geo::Vec<double> d[10];
    double m[10];
    for (int i = 0; i < 10; i++) {
        v[i] = {0, 3.f * (i + 1), 4.f * (i + 1)};
        d[i] = {2.0 * (i + 1), 0, 0};
        m[i] = i;
    }
    geo::normalise(v, 10);
    geo::normalise(d, 10);
    check("float", v[9].y > 0.59999f && v[9].y < 0.60001f, true);
    check("double", d[9].x, 1.0);
    check("energy", geo::energy(m, 10), 285.0);
    c_scale(m, 10, 2.0);
    check("scaled", m[9], 18.0);
    check("other", other(v, 10, m), 1140.0 + 10);
    int c[6] = {1, 0, 2, 0, 3, 0};
    check("count", c_count(c, 6), 3);
    return report();
}
