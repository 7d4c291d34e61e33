// Constants in declare target, of static and of no storage class, with and without uses on the device.
#include "check.hpp"

struct Point
{
    int x, y;
};

#pragma omp declare target
static double const half_turn = 3.25;
const float unused = 2.5f;
static const int sizes[3] = {4, 5, 6};
constexpr double third = 1.0 / 3;
namespace shapes {
const Point corner = {7, 8};
const double *const nowhere = nullptr;
}
constexpr double inverse(double x) { return 1 / x; }
constexpr int by_closure = [] { return 2; }();
static const int doubled[2] = {by_closure, 2 * by_closure};
static const double small = 1.0 / 64;
static const double large = inverse(small);
double scaled(double x) { return x * half_turn + shapes::corner.y + (shapes::nowhere ? 1 : 0) + large; }
#pragma omp end declare target

// Regions use the host's values of constants that are computed when the program starts.
static int computed(int x) { return x + 1; }
const int later = computed(half_turn > 3 ? 41 : 0);
const double steps[3] = {1.5 * later, 2, 3};
static const Point place = {later, 9};

int main()
{
    double host = 0;
#pragma omp target map(tofrom : host)
    host = later + steps[0] + place.x + place.y;
    check("values of the host", host, 42 + 63 + 42 + 9);
    double results[3] = {};
#pragma omp target map(tofrom : results)
    {
        results[0] = scaled(2);
        results[1] = sizes[2] + shapes::corner.x;
        results[2] = third * 3 + doubled[1] - 4;
    }
    const int first = 1, last = int(host) - 153; // a constant and another, in one declaration
#pragma omp target teams distribute parallel for map(tofrom : results)
    for (int i = first; i < last; ++i)
        results[i] += first - 1;
    check("in a function", results[0], scaled(2));
    check("in a region", results[1], 13.0);
    check("constexpr", results[2], 1.0);
    check("on the host", unused + sizes[0], 6.5f);
    return report();
}
