// References to members, to elements and to pointers in map clauses and regions.
#include "check.hpp"
#include <vector>

struct Body {
    double mass;
    double *trail;
    int length;
};

static void grow(double &m, double *&t, const int &n)
{
#pragma omp target map(tofrom: m) map(tofrom: t[0:n])
    {
        m += 1;
        for (int i = 0; i < n; ++i)
            t[i] *= m;
    }
}

// Members that are references, in data directives.
struct Owner {
    Body &body;
    double *&trail;
    int &count;
    double total = 0;
    void enter()
    {
#pragma omp target enter data map(to: body, trail[0:8]) map(to: this->count)
    }
    void sum()
    {
        Body &b = body;
        double *t = trail, s = 0;
        int &c = count;
#pragma omp target map(tofrom: s) map(to: b)
        s = t[1] + t[2] + b.mass;
        total = s;
#pragma omp target map(tofrom: c)
        c += 10;
    }
    void leave()
    {
        body.mass = 7;
        trail[2] = 20;
#pragma omp target update to(body.mass, trail[1:2])
        sum();
#pragma omp target exit data map(release: this->body, trail[0:8]) map(from: count)
    }
};

// Objects of device code have references to what is there, and those of the host need not use theirs.
struct Sum {
    double &to;
    int count;
    void add(double x) { to += x; }
};

static double added(const double *t, Sum &on_host)
{
    double s = 0;
#pragma omp target map(to: t[0:8]) map(tofrom: s)
    {
        Sum own{s, 8};
        for (int i = 0; i < own.count; ++i)
            own.add(t[i]);
        own.to += 1;
    }
#pragma omp target map(tofrom: s)
    s += on_host.count;
    return s;
}

struct Step {
    const int &by;
    int i = 0;
    explicit Step(const int &n) : by(n) {}
    Step &operator++()
    {
        i += by;
        return *this;
    }
};
static int two_steps(int n)
{
    Step step(n);
    ++ ++step;
    return step.i;
}

int main()
{
    double trail[8];
    for (int i = 0; i < 8; ++i)
        trail[i] = i;
    Body b{2, trail, 8};
    Sum sum{b.mass, 100};
    check("objects in a region", added(trail, sum), 129);
    grow(b.mass, b.trail, b.length);
    check("mass", b.mass, 3.0);
    check("trail", trail[7], 21.0);
    auto &mass = b.mass;
    auto &t = b.trail;
    const auto &n = b.length;
#pragma omp target teams distribute parallel for map(to: t[0:n]) map(tofrom: mass) reduction(+: mass)
    for (int i = 0; i < n; ++i)
        mass += t[i];
    check("reduced", b.mass, 3.0 + 3 * 28);
    int values[4] = {1, 2, 3, 4};
    int &third = values[2];
    int(&all)[4] = values;
#pragma omp target map(tofrom: third)
    third = 30;
    check("element", values[2], 30);
#pragma omp target map(tofrom: all)
    for (int &v : all)
        v += 1;
    check("array", values[2], 31);
    double more[8] = {1, 2, 3}, *to_more = more;
    Body body{5, more, 8};
    int count = 100;
    Owner owner{body, to_more, count};
    owner.enter();
    owner.sum();
    check("sum", owner.total, 10);
    owner.leave();
    check("updated", owner.total, 2 + 20 + 7);
    check("counted", count, 120);
    std::vector<double> host_data(5);
    int steps = 0;
#pragma omp target teams distribute parallel for reduction(+: steps)
    for (unsigned i = 0; i < host_data.size(); ++i)
        steps += two_steps(i);
    check("objects of the device beside a vector", steps, 20);
    return report();
}
