// target update of members, references, sections and elements, in methods; with if, nowait, depend; several objects.
#include "check.hpp"

struct Halo
{
    double *cells;
    int n;
    double left = 0, right = 0;
    Halo(double *c, int n) : cells(c), n(n)
    {
#pragma omp target enter data map(to : this[0 : 1]) map(to : cells[0 : n])
    }
    ~Halo()
    {
#pragma omp target exit data map(release : cells[0 : this->n]) map(release : this[0 : 1])
    }
    void ends(double l, double r)
    {
        left = l;
        right = r;
#pragma omp target update to(left, this->right)
#pragma omp target
        {
            cells[0] = left;
            cells[n - 1] = right;
        }
#pragma omp target update from(cells[0 : 1], cells[n - 1 : 1])
    }
    void middle(bool wanted)
    {
#pragma omp target update from(cells[1 : n - 2]) if (wanted)
    }
    void step()
    {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            cells[i] += i;
    }
};

int main()
{
    double a[50] = {}, b[10] = {};
    Halo x(a, 50), y(b, 10);
    x.step();
    y.step();
    x.ends(7, 8);
    check("left", a[0], 7.0);
    check("right", a[49], 8.0);
    x.middle(false);
    x.middle(true);
    check("now", a[20], 20.0);
    Halo &r = y;
    r.step();
#pragma omp target update from(r.cells[2 : 3]) depend(out : b) nowait
#pragma omp taskwait
    check("reference", b[4], 8.0);
    b[5] = 100;
#pragma omp target update to(y.cells[5])
    double v = 0;
    double *c = y.cells;
#pragma omp target map(tofrom : v)
    v = c[5];
    check("element", v, 100.0);
    return report();
}
