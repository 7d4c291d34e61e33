// Variables and functions of declare target in its forms, and variables that device functions use without it.
#include "check.hpp"

#pragma omp declare target
int shared_counter = 3;
static double table[4] = {1, 2, 3, 4};
namespace deep {
long offset = 100;
}
inline double lookup(int i) { return table[i] + deep::offset; }
#pragma omp end declare target

int listed = 7;
static int undeclared = 11;
int uses_undeclared() { return undeclared + 1; }
int add(int a, int b);
#pragma omp declare target to(listed, add)

int add(int a, int b) { return a + b; }

// Directives in functions, with block scope, and declarations there.
int square(int x);
int in_block(int x)
{
#pragma omp declare target(square)
    extern int listed;
#pragma omp declare target to(listed)
    int found = 0;
#pragma omp target map(from: found)
    {
        found = square(x) + listed;
        ++listed;
    }
    return found;
}
int square(int x) { return x * x; }

int main()
{
    double looked = 0;
    int sum = 0, implicit = 0;
#pragma omp target map(from: looked, sum, implicit)
    {
        looked = lookup(2);
        sum = add(shared_counter, listed);
        implicit = uses_undeclared();
        shared_counter += 10;
    }
    check("a static table and a variable of a namespace", looked, 103.0);
    check("listed variables and functions", sum, 10);
    check("a variable that a function uses", implicit, 12);
#pragma omp target update from(shared_counter)
    check("update from", shared_counter, 13);
    table[2] = 30;
#pragma omp target update to(table)
#pragma omp target map(from: looked)
    looked = lookup(2);
    check("update to", looked, 130.0);
    check("directives in a function", in_block(3) + in_block(4), 16 + 24);
#pragma omp target update from(listed)
    check("a variable that a function declares", listed, 9);
    return report();
}
