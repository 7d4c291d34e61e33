// Template parameters that are values of any type.
#include "check.hpp"

template <auto Step>
long counted(int n)
{
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += Step;
    return sum;
}

enum class Mode { add, subtract };

template <Mode mode>
int combined(int n)
{
    int value = 100;
#pragma omp target map(tofrom: value)
    {
        if (mode == Mode::add)
            value += n;
        else
            value -= n;
    }
    return value;
}

template <bool Negative, char Letter>
int letters(int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += Negative ? -Letter : Letter;
    return sum;
}

int main()
{
    check("int", counted<3>(4), 12L);
    check("long", counted<4L>(2), 8L);
    check("add", combined<Mode::add>(3), 103);
    check("subtract", combined<Mode::subtract>(3), 97);
    check("letters", letters<false, 'a'>(2), 2 * 'a');
    check("negative letters", letters<true, 'b'>(2), -2 * 'b');
    return report();
}
