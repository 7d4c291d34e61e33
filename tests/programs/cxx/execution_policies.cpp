// A layer of execution policies: one template of the layer begins regions in some of its instantiations and runs on
// the device in others, wrappers that are made there refer to each other, and local names of types stand in kernels.
#include "check.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

template <int, class T> struct Cell {
    T value;
    constexpr Cell() : value() {}
    constexpr Cell(T v) : value(v) {}
};
template <class, class...> struct Cells;
template <int... I, class... T> struct Cells<std::integer_sequence<int, I...>, T...> : Cell<I, T>... {
    constexpr Cells() = default;
    constexpr explicit Cells(T... v) : Cell<I, T>(v)... {}
};
template <class... T> using Pack = Cells<std::make_integer_sequence<int, sizeof...(T)>, T...>;
template <int I, class T> constexpr T &get(Cell<I, T> &cell) { return cell.value; }

template <class T> struct Text {
    T of;
    Text operator+(const Text &other) const { return {of + check(other)}; }
    int check(const Text &other) const;
    T less(const Text &other) const
    {
        if (of < other.of) throw std::runtime_error("less");
        return of;
    }
};

namespace policy {
struct Device {};
struct Sequential {};
struct Host {};
}

template <int Argument, class Policy, class Inner> struct For;
struct Body {};

template <class Body, class... Index> struct Data {
    Pack<Index...> index;
    Body body;
};

template <class Statement> struct Executor;
template <class Statement> struct Statements {
    template <class D> static void exec(D &&data) { Executor<Statement>::exec(std::forward<D>(data)); }
};
template <class Statement, class D> void execute(D &&data) { Statements<Statement>::exec(std::forward<D>(data)); }

template <> struct Executor<Body> {
    template <class D> static void exec(D &&data) { data.body(get<0>(data.index), get<1>(data.index)); }
};

template <int Argument, class D, class Inner> struct Wrapper {
    D &data;
    explicit Wrapper(D &d) : data(d) {}
    void operator()(int i)
    {
        get<Argument>(data.index) = i;
        execute<Inner>(data);
    }
};

template <class Function> void for_all(const policy::Sequential &, int n, Function &&function)
{
    for (int i = 0; i < n; ++i) function(i);
}

template <int Argument, class Inner> struct Executor<For<Argument, policy::Sequential, Inner>> {
    template <class D> static void exec(D &&data)
    {
        Wrapper<Argument, std::remove_reference_t<D>, Inner> wrapper(data);
        for_all(policy::Sequential{}, 8, wrapper);
    }
};

template <int Argument, class Inner> struct Executor<For<Argument, policy::Device, Inner>> {
    template <class D> static void exec(D &&data)
    {
        using Own = std::remove_const_t<std::remove_reference_t<decltype(data)>>;
        Own own = data;
#pragma omp target teams distribute parallel for firstprivate(own)
        for (int i = 0; i < 8; ++i) {
            Own each = own;
            get<Argument>(each.index) = i;
            execute<Inner>(each);
        }
    }
};

template <class Policy, class Function> void for_all(const Policy &, int n, Function &&function)
{
    using Body = typename std::remove_reference<decltype(function)>::type;
    Body body = function;
#pragma omp target teams distribute parallel for firstprivate(body)
    for (int i = 0; i < n; ++i) {
        Body each = body;
        each(i);
    }
}

// What only the host has reductions for.
template <class T> void join(Text<T> &to, const Text<T> &from) { to.of += from.less(to); }

template <class Policy, class T, class Function> T host_sum(const Policy &policy, int n, Function &&function, T params)
{
    using Exec = std::decay_t<decltype(policy)>;
#pragma omp declare reduction(combine : typename std::remove_reference<decltype(params)>::type : join(omp_out, omp_in), Exec{})
    (void)n;
    (void)function;
    return params;
}

struct Add {
    int *p, value;
    void operator()(int i) const { p[i] += value; }
};

struct Total {
    long of = 0;
    void add(const Total &other) { of += other.of; }
};
inline void unused(Total &, const Total &) { throw std::runtime_error("not on a device"); }
#pragma omp declare reduction(joined : Total : omp_out.add(omp_in))
#pragma omp declare reduction(thrown : Total : unused(omp_out, omp_in))

int main()
{
    int squares[64] = {}, *p = squares;
#pragma omp target enter data map(to : p[0:64])
#pragma omp target data use_device_ptr(p)
    {
        auto body = [p](int i, int j) { p[8 * i + j] += 100 * i + j; };
        Data<decltype(body), int, int> data = {Pack<int, int>(0, 0), body};
        execute<For<0, policy::Device, For<1, policy::Sequential, Body>>>(data);
        for_all(policy::Device{}, 64, Add{p, 1});
    }
#pragma omp target exit data map(from : p[0:64])
    bool right = true;
    for (int i = 0; i < 64; ++i) right = right && squares[i] == 100 * (i / 8) + i % 8 + 1;
    check("nested policies", right, true);
    Total total;
#pragma omp target teams distribute parallel for reduction(joined : total) map(to : squares)
    for (int i = 0; i < 64; ++i) total.of += squares[i];
    check("a reduction of a class", total.of, 22688L);
    return report();
}
