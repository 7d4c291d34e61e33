// Aggregates: designated and nested initialisers, arrays of structures of arrays, and copies of whole objects.
// cflags: -std=c++20
#include "check.hpp"

struct Point {
    double x = 1, y = 2;
};
struct Line {
    Point from, to;
    int tags[3];
};

enum class Step { add, times };
struct Rule {
    Step step;
    int by;
    constexpr int operator()(int x) const { return step == Step::add ? x + by : x * by; }
};

int main()
{
    using enum Step;
    constexpr Rule rules[] = {{add, 2}, {times, 5}};
    int ruled = 1;
#pragma omp target map(tofrom: ruled)
    for (const auto &rule : rules)
        ruled = rule(ruled);
    check("a constant with what 'using enum' names", ruled, 15);
    Line lines[5];
#pragma omp target teams distribute parallel for map(from: lines)
    for (int i = 0; i < 5; ++i) {
        Line line{.from = {.x = double(i)}, .to = {}, .tags = {i, i + 1}};
        lines[i] = line;
        Point p = lines[i].to;
        p.y += 1;
        lines[i].to = p;
    }
    check("given", lines[4].from.x, 4.0);
    check("default", lines[4].from.y, 2.0);
    check("copied", lines[4].to.y, 3.0);
    check("zero", lines[4].tags[2], 0);
    Line copy = lines[2];
    int sum = 0;
#pragma omp target map(tofrom: sum) firstprivate(copy)
    {
        copy.tags[0] += 10;
        for (int t : copy.tags)
            sum += t;
    }
    check("firstprivate", sum, 15);
    check("unchanged", copy.tags[0], 2);
    return report();
}
