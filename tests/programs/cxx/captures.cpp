// What regions capture: scalars, enumerations, structures, constants, globals of namespaces, local types, references.
#include "check.hpp"

enum class Colour { red, green };
namespace settings {
int level = 3;
const double factor = 2.5;
constexpr int table[3] = {10, 20, 30};
int counters[3];
} // namespace settings

struct Pair {
    int first;
    long second;
};

int main()
{
    using Number = double;
    struct Local {
        Number value;
    };
    constexpr int size = 4;
    const int width = size * 2;
    Colour colour = Colour::green;
    Pair pair = {1, 2};
    Local local = {1.5};
    float small = 0.25f;
    char letter = 'x';
    int changed = 5;
    int &alias = changed;
    Number results[width];
#pragma omp target map(from: results)
    {
        Number own[size] = {0, 0, 0, 0};
        Local copy = local;
        own[1] = copy.value;
        changed = 6;
        results[0] = colour == Colour::green ? own[1] : 0;
        results[1] = pair.first + pair.second;
        results[2] = settings::level * settings::factor;
        results[3] = settings::table[size - 2];
        results[4] = small + changed;
        results[5] = letter;
        results[6] = alias;
        results[7] = width;
        settings::counters[1] = 9;
        pair.second = 20;
    }
    check("a class of the function", results[0], 1.5);
    check("a structure", results[1], 3.0);
    check("variables of a namespace", results[2], 7.5);
    check("a constant table", results[3], 30.0);
    check("copies of scalars", results[4], 6.25);
    check("a char", results[5], 120.0);
    check("a reference", results[6], 5.0);
    check("a constant", results[7], 8.0);
    check("the original", changed, 5); // rex-ignore: lost-result: the region has a copy of its own
    check("an array of a namespace", settings::counters[1], 9);
    check("a structure that was written", pair.second, 20L);
    return report();
}
