// Regions that use a pointer and a number beside it, of an object in which several pointers were mapped at once.
#include "check.hpp"
#include <utility>

class State {
    int n;
    double *now, *next;
    double dt;

public:
    explicit State(int n) : n(n), now(new double[n]), next(new double[n]), dt(0.25)
    {
        for (int i = 0; i < n; i++)
            now[i] = i * i, next[i] = 0;
#pragma omp target enter data map(to : now[0 : n], next[0 : n])
    }
    ~State()
    {
#pragma omp target exit data map(delete : now[0 : n], next[0 : n])
        delete[] now;
        delete[] next;
    }
    State(const State &) = delete;
    void step()
    {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + dt * (now[i - 1] - 2 * now[i] + now[i + 1]);
        std::swap(now, next);
    }
    double sum() const
    {
        double e = 0;
#pragma omp target teams distribute parallel for reduction(+ : e)
        for (int i = 0; i < n; i++)
            e += now[i];
        return e;
    }
    double scaled(int i) const
    {
        double e = 0;
#pragma omp target map(tofrom : e)
        e = next[i] * dt;
        return e;
    }
};

int main()
{
    State s(20);
    s.step();
    check("a sum", s.sum(), 2118.0);
    check("the other array", s.scaled(18), 81.0);
    s.step();
    check("another sum", s.sum(), 2397.5);
    check("the first array", s.scaled(18), 81.125);
    return report();
}
