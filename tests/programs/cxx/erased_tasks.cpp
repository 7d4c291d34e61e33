// Tasks behind a base class: virtual methods with regions of class templates whose arguments are closures.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Task {
    virtual ~Task() = default;
    virtual double run(double *p, int n) const = 0;
    virtual std::string name() const { return "task"; }
};

template <class F> class Each final : public Task {
public:
    explicit Each(F f) : f(f) {}
    Each(F f, std::string called) : f(f), called(std::move(called)) {}
    std::string name() const override { return called; }
    double run(double *p, int n) const override
    {
        F g = f;
        double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) reduction(+ : sum)
        for (int i = 0; i < n; ++i) {
            p[i] = g(p[i], i);
            sum += p[i];
        }
        return sum;
    }

private:
    F f;
    std::string called = "unnamed";
};

struct Between {
    double low, high;
    double operator()(double x, int) const { return low + (high - low) * x; }
};

template <class F> std::unique_ptr<Task> task(F f) { return std::make_unique<Each<F>>(f); }
template <class F> std::unique_ptr<Task> task(F f, const char *name) { return std::make_unique<Each<F>>(f, name); }

int main()
{
    const double factor = 0.3;
    std::vector<std::unique_ptr<Task>> tasks;
    tasks.push_back(task([factor](double x, int) { return x * factor; }, "scale"));
    tasks.push_back(task([](double x, int i) { return x + i % 3; }));
    tasks.push_back(task(Between{1, 2}, "between"));
    tasks.emplace_back(new Each([factor, shift = 2](double x, int i) { return factor - x * shift + i; }));
    struct Halve {
        double operator()(double x, int) const { return x / 2; }
    };
    tasks.push_back(task(Halve(), "halve"));
    double p[111];
    for (int i = 0; i < 111; ++i)
        p[i] = i;
    for (const auto &one : tasks)
        std::printf("%s %.6f\n", one->name().c_str(), one->run(p, 111));
}
