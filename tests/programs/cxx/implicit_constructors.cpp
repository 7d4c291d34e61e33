// Constructors, assignments and destructors that no call names: those of members and bases, also where they are
// templates.
#include "check.hpp"
#include <array>
#include <type_traits>

struct Counter {
    int value;
    Counter() { value = 40; }
};
template <int N>
struct Part {
    int kind;
    template <bool B = (N == 0), typename = typename std::enable_if<B>::type>
    Part()
    {
        kind = 1;
    }
    template <class T, typename = typename std::enable_if<std::is_same<long, typename std::decay<T>::type>::value>::type>
    Part(T &&)
    {
        kind = 2;
    }
};
template <int N>
struct Whole {
    Part<N> part;
    Counter counters[2];
};
struct Base {
    int base;
    Base() { base = 100; }
};
struct Derived : Base {
    Counter counter;
    int more;
    explicit Derived(int m) : more(m) {}
};

struct Scaled {
    int value;
    Scaled(int a = 3, int b = 4) : value(a * b) {}
};

struct WithDefaults : Scaled {
    Scaled part;
    int more;
    explicit WithDefaults(int m) : more(m + value + part.value) {}
};

struct WithArray {
    std::array<Counter, 2> counters;
};

// What copies and assigns these members nobody has written for the classes around them.
struct Marked {
    int copied = 0, assigned = 0;
    Marked() {}
    Marked(const Marked &other) : copied(other.copied + 1), assigned(other.assigned) {}
    Marked &operator=(const Marked &other)
    {
        copied = other.copied;
        assigned = other.assigned + 1;
        return *this;
    }
};
struct Moved {
    int moved = 0;
    Moved() {}
    Moved(Moved &&other) : moved(other.moved + 1) {}
};
struct Inner : Marked {
    int more;
};
struct Outer {
    Inner pair[2];
    int last = 5;
    Outer &operator=(const Outer &) = default;
    Outer() {}
    Outer(const Outer &) = default;
};
struct Carrier {
    Moved part;
};
struct Store {
    const Outer *all;
    bool get(Outer &to, int at) const
    {
        to = all[at];
        return true;
    }
};

// Default initialisers of members: functions, variables and names of CUDA's that nothing else in device code uses.
const int steps[3] = {4, 5, 6};
int level = 8;
int norm(int x) { return x + 100; }
int start(int x) { return 3 * x + 1; }
template <class T> T doubled(T x) { return 2 * x; }
struct Begun {
    int a = start(2);
    int b{a + steps[1]};
    int c = norm(level);
};
struct Aggregate {
    int n;
    Begun begun;
    Begun more[2];
};
template <class T> struct OfType {
    T value = doubled(T(n));
    static constexpr int n = 21;
};
struct Made : Begun {
    OfType<long> of;
    int k;
    explicit Made(int k) : k(k) {}
};

int main()
{
    int begun[5] = {};
#pragma omp target map(tofrom: begun)
    {
        Begun one;
        begun[0] = one.a + one.b + one.c;
        Aggregate all{3};
        begun[1] = all.begun.a + all.more[1].b;
        Made *made = new Made(4);
        begun[2] = made->a + int(made->of.value);
        delete made;
        begun[3] = Begun().b;
        begun[4] = OfType<int>{}.value;
    }
    check("default initialisers", begun[0] == 127 && begun[1] == 19 && begun[2] == 49, true);
    check("of temporaries", begun[3] + begun[4], 54);
    int copied = 0, assigned = 0, moved = 0;
    const Outer all[2] = {};
#pragma omp target map(to: all) map(tofrom: copied, assigned, moved)
    {
        Outer one, two(all[0]);
        Store{all}.get(one, 1);
        Outer three = two;
        copied = three.pair[1].copied * 10 + three.last;
        assigned = one.pair[1].assigned;
        Carrier from;
        Carrier to(static_cast<Carrier &&>(from));
        moved = to.part.moved;
    }
    check("copied members", copied, 25);
    check("assigned members", assigned, 1);
    check("a moved member", moved, 1);
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
#pragma omp target map(from: f, g, h)
    {
        std::array<Counter, 3> counters;
        f = counters[2].value;
        std::array<std::array<Scaled, 2>, 2> nested;
        g = nested[1][1].value;
        WithArray with_array;
        h = with_array.counters[1].value;
    }
    check("objects in std::array", f, 40);
    check("in arrays of arrays", g, 12);
    check("in a member", h, 40);
#pragma omp target map(from: a, b, c, d, e)
    {
        e = WithDefaults(1).more;
        Whole<0> w;
        a = w.part.kind;
        b = w.counters[1].value;
        Part<1> p(5L);
        c = p.kind;
        Derived made(7);
        d = made.base + made.counter.value + made.more;
    }
    check("a member that is a template", a, 1);
    check("an array of members", b, 40);
    check("by argument", c, 2);
    check("a base and a member", d, 147);
    check("constructors with default arguments", e, 25);
    return report();
}
