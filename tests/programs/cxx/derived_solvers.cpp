// CRTP: regions in the base call methods of the derived class.
#include "check.hpp"

template <class D> class Solver
{
  public:
    void solve(double *x, int n, int iters)
    {
        const D &self = static_cast<const D &>(*this);
#pragma omp target data map(tofrom : x[0 : n])
        for (int it = 0; it < iters; it++) {
#pragma omp target teams distribute parallel for map(to : self)
            for (int i = 0; i < n; i++)
                x[i] = self.update(x[i], i);
        }
    }
    double norm(const double *x, int n) const
    {
        double s = 0;
        const D &self = *derived();
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : x[0 : n], self)
        for (int i = 0; i < n; i++)
            s += self.weight() * x[i];
        return s;
    }

  protected:
    const D *derived() const { return static_cast<const D *>(this); }
};

class Decay : public Solver<Decay>
{
  public:
    explicit Decay(double r) : rate(r) {}
    double update(double v, int) const { return v * rate; }
    double weight() const { return 2; }

  private:
    double rate;
};
class Shift : public Solver<Shift>
{
  public:
    double update(double v, int i) const { return v + i + off; }
    double weight() const { return off; }
    double off = 4;
};

int main()
{
    double x[32];
    for (double &v : x)
        v = 8;
    Decay d(0.5);
    d.solve(x, 32, 3);
    check("decay", x[31], 1.0);
    check("norm", d.norm(x, 32), 64.0);
    Shift s;
    s.solve(x, 32, 2);
    check("shift", x[10], 29.0);
    check("norm2", s.norm(x, 2), 4.0 * (9 + 11));
    return report();
}
