// A template with regions that two units make for one type, and one of them for a type that travels in another way.
#include "../check.hpp"
#include "scaled.hpp"

double others();

int main()
{
    double x[10], y[10];
    for (int i = 0; i < 10; ++i)
        x[i] = y[i] = i;
    check("here", scaled(2.0, x, y, 10), 31.0);
    check("there", others(), 42.0 + 7 + 7 + 28);
    return report();
}
