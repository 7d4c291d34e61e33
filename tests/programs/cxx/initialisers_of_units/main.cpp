// Initialisers and default arguments with regions that have one name in two units, and other values.
// reference: -Wno-unknown-pragmas
#include "../check.hpp"

int others();

static int first = [] {
    int value = 1;
#pragma omp target map(tofrom: value)
    value *= 21;
    return value;
}();

static int by_default(int value = [] {
    int made = 0;
#pragma omp target map(from: made)
    made = 22;
    return made;
}())
{
    return value;
}

int main()
{
    check("the initialiser here", first, 21);
    check("the argument here", by_default(), 22);
    check("those of the other unit", others(), 3005);
    return report();
}
