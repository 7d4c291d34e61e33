// Closures that capture objects with copy constructors and destructors: the region's copies add up what they got when they end.
// reference: -O1 -Wl,--no-as-needed -lgomp
#include "check.hpp"
#include <omp.h>

constexpr int teams = 16;

// A block of the device's memory with a number for each team.
template <class T> struct Slots {
    T *device;
    explicit Slots(T first) : device(static_cast<T *>(omp_target_alloc(teams * sizeof(T), omp_get_default_device())))
    {
        T all[teams];
        for (T &one : all)
            one = first;
        omp_target_memcpy(device, all, sizeof all, 0, 0, omp_get_default_device(), omp_get_initial_device());
    }
    void read(T (&all)[teams])
    {
        omp_target_memcpy(all, device, sizeof all, 0, 0, omp_get_initial_device(), omp_get_default_device());
    }
};

struct Plus {
    template <class T> void operator()(T &a, T b) const { a += b; }
};

template <class Op, class T> class Reduced {
public:
    explicit Reduced(T first) : slots(first) {}
    Reduced(const Reduced &) = default;
    ~Reduced()
    {
        if (value != 0) {
#pragma omp critical
            Op{}(slots.device[omp_get_team_num() % teams], value);
        }
    }
    T total()
    {
        T all[teams], sum = 0;
        slots.read(all);
        for (T one : all)
            Op{}(sum, one);
        return sum;
    }

protected:
    void add(T v) const { Op{}(value, v); }

private:
    Slots<T> slots;
    mutable T value = 0;
};

template <class Op, class T> class Reducer;
template <class T> class Reducer<Plus, T> : public Reduced<Plus, T> {
public:
    using Reduced<Plus, T>::Reduced;
    const Reducer &operator+=(T v) const
    {
        this->add(v);
        return *this;
    }
};

// What is mutable comes back from a region, whether a clause maps the closure or not.
struct Count {
    mutable int n;
    int next() const { return ++n; }
};

// Nothing of a class like this one can be made on the device but copies.
struct Label {
    int code;
    explicit Label(int code) : code(code) {}
    Label(const Label &other) : code(other.code) {}
};

template <class F> void each(int n, F f)
{
#pragma omp target teams distribute parallel for num_teams(4) map(to : f)
    for (int i = 0; i < n; ++i) {
        F own = f;
        own(i);
    }
}

int main()
{
    double a[100];
    for (int i = 0; i < 100; ++i)
        a[i] = i;
    Reducer<Plus, double> sum(0.0);
    const Label label(3);
    {
        double *p = a;
#pragma omp target data map(to : a)
        each(100, [=](int i) { sum += label.code * p[i]; });
    }
    int at = 0;
    auto coded = [label](int i) { return label.code + i; };
#pragma omp target map(from : at)
    at = coded(4);
    check("what a closure captures", at, 7);
    Count count{4};
    auto counted = [count](int i) { return i < 0 ? count.n : count.next() + i; };
#pragma omp target map(from : at)
    at = counted(2);
    check("the next number", at, 7);
    check("what has changed", counted(-1), 5);
    double total = sum.total();
    check("the sum of the copies", total, 3 * 4950.0);
    return report();
}
