// Methods of a class template defined outside of the class, nested class, two instantiations.
#include "check.hpp"

template <typename T, int N> class Grid
{
  public:
    struct Cell
    {
        T value;
        int hits;
    };
    Grid();
    void step(T dt);
    T total() const;
    static constexpr int size() { return N; }
    Cell cells[N];

  private:
    T weight(int i) const;
};

template <typename T, int N> Grid<T, N>::Grid()
{
    for (int i = 0; i < N; ++i)
        cells[i] = Cell{static_cast<T>(i), 0};
}

template <typename T, int N> void Grid<T, N>::step(T dt)
{
#pragma omp target teams distribute parallel for map(tofrom : cells)
    for (int i = 0; i < N; i++) {
        cells[i].value += dt * weight(i);
        cells[i].hits++;
    }
}

template <typename T, int N> T Grid<T, N>::total() const
{
    T sum{};
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : cells)
    for (int i = 0; i < size(); i++)
        sum += cells[i].value * cells[i].hits;
    return sum;
}

template <typename T, int N> T Grid<T, N>::weight(int i) const { return i % 2 ? T(1) : T(2); }

template class Grid<long, 12>;

int main()
{
    Grid<double, 64> a;
    a.step(0.5);
    a.step(0.5);
    double want = 0;
    for (int i = 0; i < 64; ++i)
        want += 2 * (i + (i % 2 ? 1.0 : 2.0));
    check("double", a.total(), want);
    Grid<int, 33> b;
    b.step(3);
    int w = 0;
    for (int i = 0; i < 33; ++i)
        w += i + (i % 2 ? 3 : 6);
    check("int", b.total(), w);
    return report();
}
