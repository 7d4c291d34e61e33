// Narrow signed counters that wrap: C++ converts the sum of type int, and nvcc would take an endless loop for granted.
#include "check.hpp"

template <class T> T behind(T &value) { return value--; }

struct Iterator {
    int at;
    Iterator &operator++() { return at += 2, *this; }
    Iterator operator++(int) { return at += 2, Iterator{at - 2}; }
    Iterator operator--(int) { return at -= 2, Iterator{at + 2}; }
    bool operator>(int other) const { return at > other; }
};

// The same counters in a template, whose other instantiations step what is no narrow integer.
template <class T> int steps_of(T first, T value, int most)
{
    int steps = 0;
#pragma omp target map(tofrom: steps, value) firstprivate(first)
    {
        for (T k = first; k > 0 && steps < most; ++k)
            ++steps;
        for (T k = first; k++ > 0 && steps < most; steps += 100)
            ;
        steps += 10000 * !(behind(value) > 5);
    }
    return steps;
}

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
    check("signed char", steps_of<signed char>(120, -128, 1000), 8 + 800 + 10000);
    check("short", steps_of<short>(32760, 6, 2000), 8 + 800);
    check("int", steps_of(1, 6, 50), 50);
    check("object", steps_of(Iterator{1}, Iterator{2}, 50), 50 + 10000);
    return report();
}
