#include "scaled.hpp"

struct Twelve {
    double v[12];
    Twelve &operator+=(const Twelve &o)
    {
        for (int i = 0; i < 12; ++i)
            v[i] += o.v[i];
        return *this;
    }
};

static Twelve operator*(const Twelve &a, const Twelve &b)
{
    Twelve r = a;
    for (int i = 0; i < 12; ++i)
        r.v[i] *= b.v[i];
    return r;
}

static Twelve operator+(const Twelve &a, const Twelve &b)
{
    Twelve r = a;
    return r += b;
}

double others()
{
    double x[10], y[10];
    for (int i = 0; i < 10; ++i)
        x[i] = y[i] = i;
    Twelve p[2] = {}, q[2] = {}, by = {};
    p[1].v[3] = 4;
    by.v[3] = 7;
    return scaled(3.0, x, y, 10) + scaled(by, p, q, 2).v[3];
}
