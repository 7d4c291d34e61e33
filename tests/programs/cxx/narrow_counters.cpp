// Narrow signed counters that wrap: C++ converts the sum of type int, and nvcc would take an endless loop for granted.
#include "check.hpp"

static signed char next(signed char &value) { return value++; }

int main()
{
    unsigned b[256] = {};
    int wrapped = 0, rows = 0;
    char letter = 'a';
#pragma omp target map(tofrom: b, wrapped, rows, letter)
    {
        for (signed char k = 100; k != -100; k++)
            b[(unsigned char)k] += 1;
        for (short k = 32767; k > 0; ++k)
            ++rows;
        for (signed char k = -120; k != 120; --k)
            b[(unsigned char)k] += 2;
        signed char c = 126;
        while (c++ > 0)
            ++wrapped;
        wrapped += 10 * c;
        signed char d = 127;
        wrapped += next(d) + (--d == 127) + (d-- == 127) + (++(d) == 127);
        ++letter, letter++;
    }
    unsigned sum = 0;
    for (unsigned one : b)
        sum = sum * 31 + one;
    unsigned c[256] = {}, expected = 0;
    for (int k = 100; k < 156; ++k)
        c[k] += 1;
    for (int k = 136; k > 120; --k)
        c[k] += 2;
    for (unsigned one : c)
        expected = expected * 31 + one;
    check("counters", sum, expected);
    check("rows", rows, 1);
    check("wrapped", wrapped, 2 + 10 * -127 + 127 + 1 + 1 + 1);
    check("letter", letter, 'c');
    return report();
}
