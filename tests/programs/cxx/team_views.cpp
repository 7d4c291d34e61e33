// Teams with arrays and parallel regions inside, as C++ authors write them: in methods, templates and lambdas, with views,
// references, functions of the standard library, and statements without braces.
#include "check.hpp"
#include <algorithm>
#include <cmath>
#include <omp.h>

template <class T>
struct View {
    T *data;
    int columns;
    T &operator()(int row, int column) const { return data[row * columns + column]; }
};

template <class T>
T squared(const T &x) { return x * x; }

inline void move_on(unsigned &seed, int &steps)
{
    seed = seed * 1664525u + 1013904223u;
    ++steps;
}

template <class T, int Block>
class Normaliser {
  public:
    Normaliser(int rows, int columns) : rows_(rows), columns_(columns), x_(new T[rows * columns])
    {
        for (int i = 0; i < rows * columns; ++i)
            x_[i] = static_cast<T>((i * 7 + i / 13) % 101);
    }
    ~Normaliser() { delete[] x_; }

    double run(int threads)
    {
        T *x = x_;
        const int rows = rows_, columns = columns_;
        View<T> view{x, columns};
#pragma omp target teams distribute num_teams(rows) thread_limit(Block) map(tofrom: x[0:rows * columns]) firstprivate(view)
        for (int row = 0; row < rows; ++row) {
            T most = 0, sum = 0;
            T kept[Block] = {};
            unsigned seed = row;
            int steps = 0;
#pragma omp parallel for num_threads(Block) reduction(max: most) reduction(+: sum)
            for (int i = 0; i < columns; ++i) {
                const T value = x[row * columns + i];
                most = std::max(most, value);
                sum += value;
            }
            move_on(seed, steps);
            T largest = std::max(most, sum / columns);
            T scale = largest > 0 ? T(1) / 64 : 1; // exact, whether or not products are fused with sums
            for (int pass = 0; pass < 3; ++pass)
#pragma omp parallel for num_threads(threads)
                for (int i = 0; i < columns; ++i)
                    kept[i % Block] = squared(x[row * columns + i]) * scale + static_cast<T>(pass + steps);
            for (int i = 0; i < 4; ++i)
                if (seed % 2)
                    kept[i] += 1;
                else
                    kept[i] -= static_cast<T>(i);
#pragma omp parallel for
            for (int i = 0; i < columns; ++i)
                x[row * columns + i] = kept[i % Block];
        }
        double all = 0;
        for (int i = 0; i < rows * columns; ++i)
            all += static_cast<double>(x_[i]) * (i % 5);
        return all;
    }

    double expected() const
    {
        double all = 0;
        for (int row = 0; row < rows_; ++row) {
            T most = 0, sum = 0;
            T kept[Block] = {};
            unsigned seed = row;
            int steps = 0;
            for (int i = 0; i < columns_; ++i) {
                most = std::max(most, x_[row * columns_ + i]);
                sum += x_[row * columns_ + i];
            }
            move_on(seed, steps);
            const T largest = std::max(most, sum / columns_), scale = largest > 0 ? T(1) / 64 : 1;
            for (int pass = 0; pass < 3; ++pass)
                for (int i = 0; i < columns_; ++i)
                    kept[i % Block] = squared(x_[row * columns_ + i]) * scale + static_cast<T>(pass + steps);
            for (int i = 0; i < 4; ++i)
                kept[i] += seed % 2 ? static_cast<T>(1) : -static_cast<T>(i);
            for (int i = 0; i < columns_; ++i)
                all += static_cast<double>(kept[i % Block]) * ((row * columns_ + i) % 5);
        }
        return all;
    }

  private:
    int rows_, columns_;
    T *x_;
};

template <class F>
void for_each_team(int teams, F body) { body(teams); }

struct Counter {
    int total = 0, calls = 0;
    void add(int n) { total += n, ++calls; }
};

int main()
{
    Normaliser<float, 32> narrow(5, 32);
    Normaliser<double, 64> wide(4, 64);
    const double of_narrow = narrow.expected(), of_wide = wide.expected();
    check("a method of a class template, with float", narrow.run(32), of_narrow);
    check("a method of a class template, with double", wide.run(8), of_wide);

    const int n = 40;
    int found[n] = {};
    int *at = found;
    for_each_team(n, [=](int teams) {
#pragma omp target teams num_teams(teams) thread_limit(32) map(tofrom: at[0:teams])
        for (int team = omp_get_team_num(); team < teams; team += omp_get_num_teams()) {
            int part[32], last = 0;
            Counter counter;
            counter.add(team);
#pragma omp parallel
            {
                const int thread = omp_get_thread_num();
                part[thread] = thread + team;
#pragma omp barrier
                if (thread == omp_get_num_threads() - 1)
                    last = part[0] * 10 + part[thread] - thread;
            }
            counter.add(squared(2) + 2);
            switch (team % 3) {
            case 0:
                at[team] = last;
                break;
            case 1:
                at[team] += 1;
            default:
                at[team] += last + 2;
            }
            if (at[team] > 0)
                at[team] += counter.total * 100 + counter.calls;
        }
    });
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int expected = i * 11 + (i % 3 == 1 ? 3 : i % 3 == 2 ? 2 : 0);
        if (expected > 0)
            expected += (i + 6) * 100 + 2;
        wrong += found[i] != expected;
    }
    check("a lambda", wrong, 0);

    // A reference from outside means what the kernel has in its place.
    int count = 3, &outside = count;
    int seen[1] = {};
#pragma omp target teams num_teams(1) thread_limit(32) map(tofrom: seen)
    {
        int own = outside;
        outside += 4; // rex-ignore: lost-result: the copy is what is asked for
        own += outside;
        int sums[32];
#pragma omp parallel for
        for (int i = 0; i < 32; ++i)
            sums[i] = own + i;
        seen[omp_get_team_num()] = sums[31] * 100 + outside;
    }
    check("references", seen[0], 41 * 100 + 7);
    check("what is outside", count, 3); // rex-ignore: dropped-result: the copy is what is asked for
    return report();
}
