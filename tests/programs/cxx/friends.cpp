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
    return report();
}
