// Templates with regions that are instantiated explicitly, and declared so in front.
#include "check.hpp"

template <class T, int N>
struct Block {
    T cells[N];
    void set(T v)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            cells[i] = v + i;
    }
    T last() const { return cells[N - 1]; }
};
template struct Block<int, 5>;
extern template struct Block<double, 3>;

template <class T>
T twice(T x)
{
    T r = 0;
#pragma omp target map(tofrom: r)
    r = 2 * x;
    return r;
}
template long twice<long>(long);

template struct Block<double, 3>;

// Classes in such classes are instantiated, too, and virtual functions wherever an object is.
template <class T> struct Outer {
    struct Row {
        T v = 2;
        T twice();
        virtual T thrice()
        {
            T r = v;
#pragma omp target map(tofrom: r)
            r *= 3;
            return r;
        }
        virtual ~Row() {}
    };
    Row row;
};
template <class T> T Outer<T>::Row::twice()
{
    T r = v;
#pragma omp target map(tofrom: r)
    r *= 2;
    return r;
}
template struct Outer<float>;

struct Counted {
    virtual int go() = 0;
};
template <class T> struct Counter {
    template <class U> struct In : Counted {
        U u;
        int go() override
        {
            int r = u;
#pragma omp target map(tofrom: r)
            r += sizeof(T);
            return r;
        }
    };
};
template <class T, class U> struct Pair;
template <class T> struct Pair<T, int> {
    T run(T t)
    {
#pragma omp target map(tofrom: t)
        t += 1;
        return t;
    }
    virtual T run_late(T t)
    {
#pragma omp target map(tofrom: t)
        t += 2;
        return t;
    }
};
template struct Pair<double, int>;

// Instantiations that only tables name.
template <int N> int times(int *p)
{
#pragma omp target map(tofrom: p[0:1])
    p[0] *= N;
    return p[0];
}
template <int N> int more_than(int *p) { return times<N>(p) + 1; }
typedef int (*Function)(int *);
static const struct {
    const char *name;
    Function function;
} table[] = {{"two", times<2>}, {"three", &more_than<3>}};
template <int... N> Function chosen(int k)
{
    const Function all[] = {static_cast<Function>(times<N>)...};
    return all[k];
}

int main()
{
    int p[1] = {1};
    Function local[2] = {times<5>, &times<7>};
    check("a table", table[0].function(p) + table[1].function(p), 9);
    check("a table of a function", local[1](p), 42);
    check("a table of a template", chosen<4, 11>(1)(p), 462);
    Outer<int> outer;
    Outer<int>::Row &row = outer.row;
    check("a class inside", outer.row.twice(), 4);
    check("its virtual function", row.thrice(), 6);
    Counter<char>::In<short> counter;
    counter.u = 4;
    Counted *counted = &counter;
    check("a class template inside", counted->go(), 5);
    Pair<double, int> pair, *pointer = &pair;
    check("a partial specialisation", pair.run(1), 2.0);
    check("its virtual function", pointer->run_late(1), 3.0);
    Block<int, 5> a;
    Block<double, 3> b;
    a.set(2);
    b.set(0.5);
    check("int", a.last(), 6);
    check("double", b.last(), 2.5);
    check("a function", twice(21L), 42L);
    check("another one", twice(1.5), 3.0);
    return report();
}
