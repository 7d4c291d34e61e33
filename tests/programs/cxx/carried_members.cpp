// Objects of which the device has only pointers, for their sections: regions use other members beside them.
// reference: -O1
#include "check.hpp"

template <class F> void for_each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

template <class T> class Store {
public:
    explicit Store(int n) : factor(1), data(new T[n]()), n(n), calls(0)
    {
#pragma omp target enter data map(to: data[0:n])
    }
    ~Store()
    {
#pragma omp target exit data map(delete: data[0:n])
        delete[] data;
    }
    void fill()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            data[i] = i * factor + n;
    }
    void count()  // changes a member of the host's object
    {
#pragma omp target
        {
            calls += n;
            data[0] = calls;
        }
    }
    void mapped_again()
    {
#pragma omp target teams distribute parallel for map(tofrom: data[0:n])
        for (int i = 0; i < n; ++i)
            data[i] += factor;
    }
    void by_method()  // needs the whole object
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            data[i] += twice(i);
    }
    void by_closure()
    {
        for_each(n, [this](int i) { data[i] += factor * n; });
        for_each(n, [&](int i) { data[i] += factor * n; });
    }
    T sum()
    {
        T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += data[i] * factor;
        return s;
    }
    T twice(int i) const { return 2 * factor + 0 * i; }
    T factor;
    T *data;
    int n;
    int calls;
};

struct Part {
    int before, first, second, after;
};

struct Whole {
    Part *part;
    Part *other;
    int *numbers;
    int count;
    void both();
};

// Several list items behind one pointer are one block on the device.
void Whole::both()
{
#pragma omp target map(tofrom: part->first, part->second, other->second) map(tofrom: numbers[1:2], count)
    {
        part->first += 1;
        part->second += part->first;
        other->second += numbers[1];
        numbers[2] = count++;
    }
}

#pragma omp declare mapper(two: Whole w) map(w.part->first, w.part->second, w.count)

template <int N> void by_mapper(Whole &w)
{
#pragma omp target map(mapper(two), tofrom: w)
    {
        w.part->first *= N;
        w.part->second *= 3;
        ++w.count;
    }
}

template <class W> void kept(W *w)
{
#pragma omp target enter data map(to: w[:1]) map(to: w->part->second, w->part->first)
#pragma omp target map(tofrom: w->part->first, w->part->second)
    {
        w->part->first += 10;
        w->part->second -= 10;
    }
#pragma omp target exit data map(from: w->part->first, w->part->second) map(release: w[:1])
}

int main()
{
    Store<double> store(10);
    store.factor = 3;
    store.fill();
    check("a member beside the pointer", store.sum(), 705.0);
    store.count();
    check("a member that the region changes", store.calls, 10);
    store.mapped_again();
    check("the section mapped again", store.sum(), 795.0);
    store.by_method();
    store.by_closure();
    check("the whole object", store.sum(), 795.0 + 3 * 10 * 6 + 3 * 2 * 10 * 30);

    Part a{1, 2, 3, 4}, b{5, 6, 7, 8};
    int numbers[] = {10, 20, 30};
    Whole w{&a, &b, numbers, 4};
    w.both();
    check("first", a.first, 3);
    check("second", a.second, 6);
    check("the other object", b.second, 27);
    check("a section", numbers[2], 4);
    check("a member", w.count, 5);
    by_mapper<2>(w);
    check("first by mapper", a.first, 6);
    check("second by mapper", a.second, 18);
    check("a member by mapper", w.count, 6);
    kept(&w);
    check("first kept", a.first, 16);
    check("second kept", a.second, 8);
    check("what is not mapped", a.before + a.after + b.before + b.first + b.after, 24);
    return report();
}
