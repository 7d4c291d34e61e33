// Objects of derived classes in regions: members of bases, of several bases, and methods that hide each other.
#include "check.hpp"

struct Shape {
    double scale;
    double scaled(double v) const { return v * scale; }
    int kind() const { return 0; }
};

struct Named {
    int id;
    int doubled() const { return 2 * id; }
};

struct Circle : Shape, Named {
    double radius;
    double area() const { return scaled(3.0 * radius * radius); }
    int kind() const { return 1 + Shape::kind(); }
};

class Hidden : Circle {
public:
    using Circle::area;
    using Shape::scale;
    Hidden(double r, double s)
    {
        radius = r;
        scale = s;
        id = 7;
    }
    double sum(int n) const
    {
        double total = 0;
#pragma omp target teams distribute parallel for reduction(+: total)
        for (int i = 0; i < n; ++i)
            total += area() + id;
        return total;
    }
};

int main()
{
    Circle circles[3];
    for (int i = 0; i < 3; ++i) {
        circles[i].scale = 2;
        circles[i].id = i;
        circles[i].radius = i;
    }
    double areas[3];
    int kinds = 0;
#pragma omp target teams distribute parallel for map(to: circles) map(from: areas) reduction(+: kinds)
    for (int i = 0; i < 3; ++i) {
        areas[i] = circles[i].area() + circles[i].doubled();
        const Shape &base = circles[i];
        kinds += circles[i].kind() * 10 + base.kind();
    }
    check("area", areas[2], 28.0);
    check("kinds", kinds, 30);
    check("private bases", Hidden(1, 2).sum(4), 52.0);
    return report();
}
