#include <stdio.h>
#include <math.h>
int f(int n)
{
    int (*on_host)(const char *, ...) = printf;
#pragma omp target map(tofrom: n)
    {
        double (*possible)(double) = sin;
        int (*print)(const char *, ...) = n ? &printf : NULL;
        n = printf("%d\n", n) + print("%d\n", (int)possible(n));
    }
    return on_host("%d\n", n);
}
// expect: error 9:48 "'printf' can be called in device code, but its address cannot be taken there"
