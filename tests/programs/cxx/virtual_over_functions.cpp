// Virtual methods with regions of class templates whose arguments are types of functions and pointers to members.
// cflags: -std=c++17
#include "check.hpp"

#include <memory>
#include <vector>

struct Step {
    virtual long go(int n) const = 0;
    virtual ~Step() = default;
};
template <class F> struct Call : Step {
    F f;
    explicit Call(F of) : f(of) {}
    long go(int n) const override
    {
        long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += i;
        return f(s);
    }
};
template <class S> struct Signature;
template <class R, class... A> struct Signature<R(A...)> : Step {
    R (*f)(A...);
    explicit Signature(R (*of)(A...)) : f(of) {}
    long go(int n) const override
    {
        long s = f(A(1)...);
#pragma omp target map(tofrom : s)
        for (int i = 0; i < n; ++i)
            s += sizeof...(A) + i;
        return s;
    }
};
template <class M, class T> struct Member : Step {
    M member;
    T of;
    Member(M m, T t) : member(m), of(t) {}
    long go(int n) const override
    {
        long s = 0;
        int k = of.k;
#pragma omp target map(tofrom : s)
        for (int i = 0; i < n; ++i)
            s += i * k;
        return s;
    }
};
template <class R, R (*F)(R)> struct Fixed : Step {
    long go(int n) const override
    {
        R s = 0;
#pragma omp target map(tofrom : s)
        for (int i = 0; i < n; ++i)
            s += F(i);
        return s;
    }
};

long next(long x) { return x + 1; }
int add(int a, int b) { return a + b; }
template <class T> T twice(T x) { return x + x; }
namespace {
struct Hidden {
    int k = 4;
};
int of_hidden(Hidden h) { return h.k; }
}  // namespace
struct Product {
    int k;
    int by(int x) const { return k * x; }
};

int main()
{
    std::vector<std::unique_ptr<Step>> steps;
    steps.emplace_back(new Call<long (*)(long)>(next));
    steps.emplace_back(new Signature<int(int, int)>(add));
    steps.push_back(std::make_unique<Member<int (Product::*)(int) const, Product>>(&Product::by, Product{3}));
    steps.push_back(std::make_unique<Member<int Product::*, Product>>(&Product::k, Product{2}));
    steps.emplace_back(new Member<int (*)(Hidden), Hidden>(of_hidden, Hidden{}));
    steps.emplace_back(new Fixed<double, twice<double>>);
    steps.emplace_back(new Fixed<int, twice<int>>);
    const long expected[] = {46, 67, 135, 90, 180, 90, 90};
    for (unsigned i = 0; i < 7; ++i)
        check("a virtual method over a function", steps[i]->go(10), expected[i]);
    return report();
}
