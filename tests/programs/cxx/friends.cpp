// Friends of classes and of class templates, found by their arguments, in regions.
#include "check.hpp"

class Secret {
    int value_;

public:
    explicit Secret(int v) : value_(v) {}
    friend int reveal(const Secret &s) { return s.value_; }
    friend class Reader;
    friend int added(const Secret &a, const Secret &b);
};

int added(const Secret &a, const Secret &b)
{
    return a.value_ + b.value_;
}

class Reader {
public:
    int read(const Secret &s) const { return s.value_ * 10; }
};

template <class T>
struct Box {
    T content;
    friend bool operator<(const Box &a, const Box &b) { return a.content < b.content; }
    friend T swap_out(Box &b, T v)
    {
        T old = b.content;
        b.content = v;
        return old;
    }
};

// Only the host calls these friends. What is left of them may not have a template's default argument.
class Near {
    double value_;

public:
    explicit Near(double v) : value_(v) {}
    template <class T, class = decltype(double(T()))> friend bool operator==(const T &a, const Near &b)
    {
        const double d = double(a) - b.value_;
        return d * d < 1e-9;
    }
    template <class T, int N = 2> friend double scaled(const T &a, const Near &b) { return a * b.value_ * N; }
};

int main()
{
    int out[4];
#pragma omp target map(from: out)
    {
        Secret s(4);
        out[0] = reveal(s) + added(s, Secret(6));
        out[1] = Reader().read(s);
        Box<double> a{1.5}, b{2.5};
        out[2] = a < b;
        out[3] = int(swap_out(a, 9.0) * 2 + a.content);
    }
    check("friends", out[0], 14);
    check("a class", out[1], 40);
    check("operator", out[2], 1);
    check("function", out[3], 12);
    check("a friend with default arguments", out[0] == Near(out[0]), true);
    check("another", scaled(2, Near(3)), 12.0);
    return report();
}
