// Arrays whose length only the run knows, in device code: storage on the device's heap, and a pointer to it.
#include "check.hpp"

struct Pair {
    double x, y;
};

static double last(int n)
{
    double w[2 * n + 1];
    for (int i = 0; i <= 2 * n; i++)
        w[i] = i;
    return w[2 * n];
}

template <class T> T triangle(int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        T t[i + 1];
        for (int k = 0; k <= i; k++)
            t[k] = T(k);
        s += t[i] - t[0];
    }
    return s;
}

int main()
{
    int n = 5;
    double s = 0;
#pragma omp target map(tofrom : s)
    {
        Pair pairs[n];
        unsigned long numbers[n];
        Pair *pointers[n];
        for (int i = 0; i < n; i++) {
            pairs[i] = {1.0 * i, 2.0};
            numbers[i] = i;
            pointers[i] = &pairs[i];
        }
        for (int i = 0; i < n; i++)
            s += pointers[i]->x * numbers[i] + last(i);
    }
    check("in a region", s, 50.0);
    check("in iterations", triangle<double>(7), 21.0);
    check("of another type", triangle<short>(7), short(21));
    return report();
}
