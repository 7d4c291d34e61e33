// Calls of virtual functions where the object's class is certain: objects declared by value, members, elements of arrays,
// final classes, calls that name the class, and pointers and references that lead to objects of one class. The host's objects lead to the host's table of functions, so none may be used.
#include "check.hpp"

struct Shape {
    int sides = 0;
    virtual int area(int x) const { return x + 1; }
    virtual int twice(int x) const { return 2 * Shape::area(x); }
    virtual void grow() { sides += 1; }
    virtual int operator()(int x) const { return x; }
    virtual ~Shape() {}
};

namespace flat {
struct Square : Shape {
    int k = 3;
    int area(int x) const override { return x * k; }
    void grow() override { sides += 4; }
    int both(int x) const { return Square::area(x) + Shape::area(x); }
};
} // namespace flat

struct Disc final : Shape {
    int area(int x) const override { return 100 + x; }
};

struct Closed : Shape {
    int area(int x) const final { return 200 + x; }
};

template <class T>
struct Scaled : Shape {
    T by{};
    int area(int x) const override { return int(by * x); }
};

struct Pair {
    flat::Square first;
    Scaled<double> second;
    int sum(int x) const { return first.area(x) + second.area(x); }
};

int of_disc(const Disc &disc, int x) { return disc.area(x); }
int of_closed(const Closed *closed, int x) { return closed->area(x) + closed->Closed::area(1); }

template <class T>
int in_a_template(T by)
{
    Scaled<int> whole;
    flat::Square square;
    T shape;
    whole.by = 5;
    int r = 0;
#pragma omp target map(tofrom: r)
    {
        flat::Square own;
        r = whole.area(2) + square.area(by.sides) + shape.area(3) + own.area(1);
    }
    return r;
}

struct Solver {
    flat::Square shape;
    Shape *unused = nullptr;
    int run(int n)
    {
        int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += shape.area(i) + this->shape.twice(i);
        return s;
    }
};

// Device code calls none of the functions that this class's override.
struct Abstract {
    virtual int edges() const = 0;
    virtual int corners() const { return 0; }
    virtual ~Abstract() {}
};
struct Cube : Abstract {
    int scale = 2;
    int edges() const override { return 12 * scale; }
    int corners() const override { return 8 * scale; }
};

struct Ended : flat::Square {
    int *ends = nullptr;
    ~Ended() { *ends += 10; }
};

// What device code makes and ends.
int with_new(int x, int *ends)
{
    Ended *made = new Ended;
    made->ends = ends;
    Shape *shape = nullptr;
    if (x > 0)
        shape = made;
    const int area = shape->area(x);
    delete shape;
    return area;
}

void pointed()
{
    flat::Square square;
    Scaled<double> scaled;
    const Shape *by_pointer;
    by_pointer = &square;
    Shape &by_reference = square, *of_template = &scaled;
    scaled.by = 3;
    int r[6] = {}, ends = 0;
#pragma omp target data map(to: square, scaled)
#pragma omp target map(tofrom: r, ends)
    {
        Disc local;
        Shape &shape = local;
        const Abstract *cube = new Cube;
        r[5] = cube->edges() + cube->corners();
        delete cube;
        r[0] = by_pointer->area(1);
        r[1] = by_reference.area(2) + (by_reference).twice(1);
        r[2] = of_template->area(4);
        r[3] = shape.area(5);
        r[4] = with_new(6, &ends);
    }
    const int expected[6] = {3, 6 + 4, 12, 105, 18, 40};
    for (int i = 0; i < 6; ++i)
        check("pointed", r[i], expected[i]);
    check("ends", ends, 10);
}

int main()
{
    pointed();
    flat::Square square, squares[3];
    Shape shape;
    Disc disc;
    Closed closed;
    Scaled<double> scaled;
    Pair pair;
    squares[1].k = 7;
    scaled.by = 2.5;
    pair.second.by = 4;
    int r[10] = {};
#pragma omp target map(tofrom: r, square)
    {
        r[0] = square.area(2);
        r[1] = shape.area(2) + shape.twice(1);
        r[2] = of_disc(disc, 1);
        r[3] = of_closed(&closed, 1);
        r[4] = scaled.area(4);
        r[5] = pair.sum(10);
        r[6] = squares[1].area(2) + squares[2].area(1);
        r[7] = square.both(3) + square.twice(1);
        flat::Square local;
        local.grow();
        local.Shape::grow();
        square.grow();
        r[8] = local.sides;
        auto inside = [=](int x) { return local.area(x); };
        r[9] = inside(3);
    }
    const int expected[10] = {6, 7, 101, 402, 10, 70, 17, 17, 5, 9};
    for (int i = 0; i < 10; ++i)
        check("call", r[i], expected[i]);
    check("square", square.sides, 4);
    const Shape *host = &square; // the table of functions is still the host's
    check("host", host->area(5), 15);
    flat::Square three;
    three.sides = 3;
    check("template", in_a_template(three), 10 + 9 + 9 + 3);
    check("member", Solver{}.run(4), 18 + 2 * (6 + 4));
    return report();
}
