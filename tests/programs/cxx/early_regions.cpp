// Regions in functions that run before main: constructors of the first priority that programs may give, and of globals.
#include "check.hpp"

static int earliest, early;

static int sum(int n)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += i;
    return s;
}

__attribute__((constructor(101))) static void first()
{
    earliest = sum(100);
}

struct Global {
    Global() { early = sum(10); }
};

static Global first_global __attribute__((init_priority(101)));

template <class T> struct Table {
    T squares[8];
    Table()
    {
#pragma omp target map(from : squares)
        for (int i = 0; i < 8; ++i)
            squares[i] = i * i;
    }
};

static const Table<long> table;

// Initialisers of arrays, and of several variables.
static const int numbers[] = {1, [] {
    int r = 0;
#pragma omp target map(from : r)
    r = 2;
    return r;
}(), [](int k) {
    int r = 0;
#pragma omp target map(from : r)
    r = k;
    return r;
}(3)};
static int one = [] {
    int r = 0;
#pragma omp target map(from : r)
    r = 1;
    return r;
}(), pair[2] = {4, [] {
    int r = 0;
#pragma omp target map(from : r)
    r = 5;
    return r;
}()};

int main()
{
    check("an array", numbers[1] + numbers[2], 5);
    check("several variables", one + pair[1], 6);
    check("a constructor of the first priority", earliest, 4950);
    check("an object of the first priority", early, 45);
    check("a member of a global object", table.squares[7], 49);
    return report();
}
