// Virtual functions of objects that device code has made, which 'is_device_ptr' says.
#include "check.hpp"

struct Shape {
    double k;
    explicit Shape(double k) : k(k) {}
    virtual double area(double x) const = 0;
    virtual double twice(double x) const { return 2 * x; }
};
struct Square : Shape {
    using Shape::Shape;
    double area(double x) const override { return k * x * x; }
};
struct Rows : Shape {
    int n;
    Rows(double k, int n) : Shape(k), n(n) {}
    double area(double x) const override { return k * x * n; }
    double twice(double x) const override { return 7 * x + n; }
};

int main()
{
    Shape *a = nullptr, *b = nullptr;
    double s = 0;
#pragma omp target map(from : a, b)
    {
        a = new Square(3);
        b = new Rows(2, 5);
    }
#pragma omp target teams distribute parallel for is_device_ptr(a, b) reduction(+ : s)
    for (int i = 0; i < 10; i++)
        s += a->area(i) + b->twice(i);
#pragma omp target is_device_ptr(a, b) map(tofrom : s)
    s += a->twice(1) + (*b).area(2);
    check("sums", s, 855.0 + 315 + 50 + 2 + 20);
    return report();
}
