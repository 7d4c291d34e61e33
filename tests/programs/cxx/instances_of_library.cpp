// Templates with regions that only the library instantiates, and destructors of class templates, which nothing calls.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

template <class T> class Field {
public:
    explicit Field(int count) : p(new T[count]), n(count)
    {
        T *q = p;
#pragma omp target enter data map(alloc: q[0:count])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < count; ++i)
            q[i] = i;
    }
    Field(Field &&other) noexcept : p(other.p), n(other.n) { other.p = nullptr; }
    ~Field()
    {
        if (p == nullptr)
            return;
        T *q = p, sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += q[i];
#pragma omp target exit data map(delete: q[0:n])
        std::printf("ended with %g\n", double(sum));
        delete[] p;
    }

private:
    T *p;
    int n;
};

template <class F> void run(F f, double *p, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = f(p[i]);
}

struct Add {
    double amount;
    double operator()(double x) const { return x + amount; }
};
struct Scale {
    double factor;
    double operator()(double x) const { return x * factor; }
};
struct Square {
    double operator()(double x) const { return x * x; }
};

struct Visitor {
    double *p;
    template <class T> void operator()(T amount) const { run(Add{double(amount)}, p, 4); }
};

template <class F> struct Closing {
    F f;
    double *p;
    Closing(F f, double *p) : f(f), p(p) {}
    ~Closing()
    {
        F own = f;
        double *q = p;
#pragma omp target teams distribute parallel for map(tofrom: q[0:4])
        for (int i = 0; i < 4; ++i)
            q[i] = own(q[i]);
    }
};

// Destructors and virtual methods without regions that call templates with some.
template <class T> struct Adding {
    double *p;
    T amount;
    ~Adding() { run(Add{double(amount)}, p, 4); }
};
struct Holding {
    Adding<int> inner;
};
template <class T> struct Nested {
    double *p;
    ~Nested() { Adding<T> inner{p, T(7)}; }
};
template <class T> struct Deriving : Adding<T> {
    Deriving(double *p, T amount) : Adding<T>{p, amount} {}
};
template <class F> struct Guard {
    F f;
    Guard(F f) : f(f) {}
    ~Guard() { f(); }
};
struct Job {
    virtual void go(double *p) = 0;
    virtual ~Job() = default;
};
template <class F> struct Running : Job {
    void go(double *p) override { run(F(), p, 4); }
};

template <class Stages> void run_all(const Stages &stages, double *x, int n)
{
    std::apply([=](auto... stage) { (run(stage, x, n), ...); }, stages);
}

int main()
{
    Field<short> local(4);
    {
        auto owned = std::make_unique<Field<float>>(10);
        std::vector<Field<double>> several;
        several.emplace_back(5);
        several.emplace_back(6);
        std::optional<Field<long>> perhaps;
        perhaps.emplace(7);
    }
    double x[4] = {1, 2, 3, 4};
    std::variant<int, float> amount = 3;
    std::visit(Visitor{x}, amount);
    std::vector<int> factors{1, 2};
    std::for_each(factors.begin(), factors.end(), [&](auto k) { run(Scale{k + 0.5}, x, 4); });
    std::function<void(int)> later = [&](auto k) { run(Add{k * 10.0}, x, 4); };
    later(2);
    {
        const double step = 0.25;
        Closing first([step](double v) { return v * step; }, x);
    }
    run_all(std::make_tuple(Square(), [](double v) { return v - 1; }), x, 4);
    {
        Holding held{{x, 1}};
        Deriving<long> derived(x, 2);
        Adding<float> pair[2] = {{x, 0.5}, {x, 0.25}};
        Nested<unsigned> nested{x};
        Guard guard([&x] { run(Scale{2}, x, 4); });
    }
    Adding<short>{x, 4};
    delete new Adding<char>{x, 5};
    std::unique_ptr<Job> job(new Running<Square>);
    job->go(x);
    std::printf("%g %g\n", x[0], x[3]);
}
