// Members that are defaulted outside of their classes: of a class that only the host has, and of one in a region.
#include <cstdio>
#include <memory>

struct Engine;

class Solver {
public:
    explicit Solver(int n);
    ~Solver();
    Solver(Solver &&) noexcept;
    double energy() const;

private:
    std::unique_ptr<Engine> engine;
};

struct Length {
    double metres;
    Length(double m) : metres(m) {}
    Length(const Length &other) : metres(other.metres + 0.25) {}
    ~Length() { metres = -1; }
};

struct Box {
    Length width, height;
    Box();
    Box(const Box &);
    ~Box();
};

Box::Box(const Box &) = default;
Box::~Box() = default;
Box::Box() : width(2), height(3) {}

struct Engine {
    double *x;
    int n;
    explicit Engine(int count) : x(new double[count]), n(count)
    {
        for (int i = 0; i < n; ++i)
            x[i] = i;
#pragma omp target enter data map(to: x[0:n])
    }
    ~Engine()
    {
#pragma omp target exit data map(delete: x[0:n])
        delete[] x;
    }
};

Solver::Solver(int n) : engine(std::make_unique<Engine>(n)) {}
Solver::~Solver() = default;
Solver::Solver(Solver &&) noexcept = default;

double Solver::energy() const
{
    const double *x = engine->x;
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < engine->n; ++i) {
        Box box;
        Box other(box);
        s += x[i] * other.width.metres * other.height.metres;
    }
    return s;
}

int main()
{
    Solver first(40);
    Solver second = std::move(first);
    std::printf("%.4f\n", second.energy());
}
