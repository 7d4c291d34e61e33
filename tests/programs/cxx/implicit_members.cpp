// Constructors and assignments with regions, of class templates, that run without a call that names them.
#include "check.hpp"
#include <memory>
#include <vector>

template <class T>
struct Counted {
    T value;
    Counted() : value(1)
    {
#pragma omp target map(tofrom: value)
        value += 1;
    }
    explicit Counted(T x) : value(x)
    {
#pragma omp target map(tofrom: value)
        value += 2;
    }
    Counted(const Counted &other) : value(other.value)
    {
#pragma omp target map(tofrom: value)
        value += 4;
    }
    Counted &operator=(const Counted &other)
    {
        value = other.value;
#pragma omp target map(tofrom: value)
        value += 8;
        return *this;
    }
};

template <class T>
struct Derived : Counted<T> {
    using Counted<T>::Counted;
    Derived() = default;
};
template <class T>
struct Holder {
    Holder() : held(3) {}
    explicit Holder(T x) : held(x) {}
    Counted<T> held;
};
template <class T>
struct FurtherHolder : Holder<T> {
    using Holder<T>::Holder;
};
template <class T>
struct Further : Derived<T> {
    using Derived<T>::Derived;
};
struct Plain : Counted<double> {
    using Counted::Counted;
};
struct Whole {
    Counted<short> member;
    Holder<long> other;
};

template <class T>
struct Abstract {
    T value;
    virtual T get() const = 0;
    virtual ~Abstract() = default;

protected:
    explicit Abstract(T x, const T *more = nullptr) : value(x)
    {
        const T add = more != nullptr ? *more : 0;
#pragma omp target map(tofrom: value)
        value += add + 2;
    }
};
namespace app {
template <class T, int N>
struct Concrete : Abstract<T> {
    using Base = Abstract<T>;
    using Base::Base;
    T get() const override { return this->value + N; }
    static Concrete make(T x, const T *more) { return Concrete(x, more); }
};
}

template <class T>
struct Shape {
    virtual ~Shape() = default;
    virtual T area(T x)
    {
        T found = 0;
#pragma omp target map(from: found)
        found = x + 1;
        return found;
    }
    virtual T area(T x, T y) const
    {
        T found = 0;
#pragma omp target map(from: found)
        found = x * y;
        return found;
    }
};
template <class T>
struct Rectangle : Shape<T> {
    using Shape<T>::area;
    T area(T x) override { return Shape<T>::area(x) + 3; }
};

int main()
{
    Derived<int> made, given(4), copied(given);
    made = given;
    check("a default constructor", Derived<unsigned>().value, 2u);
    check("inherited constructors", given.value, 6);
    check("a copy", copied.value, 10);
    check("an assignment", made.value, 14);
    check("constructors that were inherited before", Further<long>(4L).value, 6L);
    check("those of a class that is no template", Plain(2.5).value, 4.5);
    Whole whole, second(whole);
    check("members", whole.member.value + whole.other.held.value, 2 + 5L);
    check("copies of members", second.member.value + second.other.held.value, 6 + 9L);
    const FurtherHolder<int> further, given_further(5);
    check("constructors that make members", further.held.value + given_further.held.value, 5 + 7);
    const int more = 10;
    const auto concrete = app::Concrete<int, 3>::make(4, &more);
    check("protected ones of an abstract class", concrete.get(), 19);
    std::vector<Counted<float>> elements;
    elements.reserve(4);
    elements.resize(3);
    elements.emplace_back(5.f);
    check("elements of a vector", elements[2].value + elements[3].value, 2.f + 7.f);
    check("an object of the library's", std::make_unique<Counted<char>>('a')->value, 'c');
    Rectangle<int> called;
    Shape<double> not_called;
    Shape<int> *first = &called;
    Shape<double> *other = &not_called;
    check("overloaded virtual methods, called by name", first->area(1) + first->area(2, 3), 5 + 6);
    check("and called virtually only", other->area(2.5) + other->area(2., 3.), 3.5 + 6.);
    return report();
}
