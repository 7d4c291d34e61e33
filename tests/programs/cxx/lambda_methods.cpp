// Closures that methods and functions of namespaces make, and templates with regions in classes.
// reference: -O1
#include "check.hpp"

namespace app {
enum class Mode { plain, squared };
constexpr double unit = 0.5;
static int table[4] = {1, 2, 3, 4};

struct Executor {
    int teams;
    template <class F>
    void run(int n, F f) const
    {
#pragma omp target teams distribute parallel for num_teams(teams)
        for (int i = 0; i < n; ++i)
            f(i);
    }
    template <Mode mode, class F>
    static double sum(int n, const F &f)
    {
        double total = 0;
#pragma omp target teams distribute parallel for reduction(+: total)
        for (int i = 0; i < n; ++i)
            total += mode == Mode::plain ? f(i) : f(i) * f(i);
        return total;
    }
};

class Field {
    static constexpr int width = 4;
    static double weight(int i) { return i * unit; }
    int n_;
    double *data_;

public:
    explicit Field(int n) : n_(n), data_(new double[n]) {}
    ~Field() { delete[] data_; }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;
    void fill(double v)
    {
        double *data = data_;
        const int n = n_;
#pragma omp target data map(from: data[0:n])
        Executor{2}.run(n, [=](int i) {
            const int k = 2;
            data[i] = v * weight(i) + width + k;
        });
    }
    void add();
    double at(int i) const { return data_[i]; }
};

void Field::add()
{
    double *data = data_;
    const int n = n_;
    constexpr int step = 3;
#pragma omp target data map(tofrom: data[0:n])
    Executor{1}.run(n, [data](int i) { data[i] += weight(i) + step; });
}

double sums()
{
    struct Pair {
        int a, b;
    };
    const int n = 10;
    double s = Executor::sum<Mode::plain>(n, [](int i) {
        Pair p{i, 2 * i};
        return double(p.a + p.b);
    });
    s += Executor::sum<Mode::squared>(n, [n](auto i) { return double(i + n); });
    s += Executor::sum<Mode::plain>(n, [](int i) { return table[i % 4] * unit; });
    return s;
}
}  // namespace app

int main()
{
    app::Field field(8);
    field.fill(2);
    check("fill", field.at(6), 6 + 4 + 2.0);
    field.add();
    check("add", field.at(6), 12 + 3 + 3.0);
    double expected = 0;
    for (int i = 0; i < 10; ++i)
        expected += 3 * i + (i + 10) * (i + 10) + (i % 4 + 1) * 0.5;
    check("sums", app::sums(), expected);
    return report();
}
