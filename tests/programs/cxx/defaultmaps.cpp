// defaultmap says what happens to variables that no clause names.
#include "check.hpp"

struct Pair {
    int a, b;
};

int main()
{
    int x = 1, arr[4] = {1, 2, 3, 4};
    Pair p{5, 6};
#pragma omp target defaultmap(tofrom: scalar)
    x += 10;
    check("tofrom scalar", x, 11);
#pragma omp target defaultmap(firstprivate: scalar)
    x += 10; // rex-ignore: lost-result, because this is what the clause is for
    check("firstprivate scalar", x, 11);
#pragma omp target defaultmap(to: aggregate)
    {
        arr[0] = 100; // rex-ignore: lost-result
        p.a = 100; // rex-ignore: lost-result
    }
    int r = 0;
#pragma omp target defaultmap(from: scalar) defaultmap(to: aggregate)
    r = arr[1] + p.b;
    check("to aggregate", r, 8);
#pragma omp target defaultmap(firstprivate: aggregate) map(from: r)
    {
        p.b = 70;
        arr[2] = 9;
        r = p.b + arr[2];
    }
    check("inside", r, 79);
    check("p", p.b, 6);
    check("arr", arr[2], 3);
#pragma omp target defaultmap(none) map(from: r) firstprivate(x)
    r = x;
    check("none", r, 11);
    return report();
}
