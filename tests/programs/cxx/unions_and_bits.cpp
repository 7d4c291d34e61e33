// Unions, bit fields, enumerations and anonymous members in regions.
#include "check.hpp"
#include <cstdint>

union Number {
    std::uint32_t bits;
    float value;
};

struct Flags {
    unsigned low : 3;
    unsigned high : 5;
    bool set : 1;
};

enum Color : unsigned char { red = 1, green = 2, blue = 4 };
enum class State { idle, busy = 7 };

struct Tagged {
    State state;
    union {
        int i;
        float f;
        struct {
            short low, high;
        } half;
    };
};

int main()
{
    std::uint32_t bits[4];
#pragma omp target teams distribute parallel for map(from: bits)
    for (int i = 0; i < 4; ++i) {
        Number n;
        n.value = static_cast<float>(i);
        bits[i] = n.bits;
    }
    check("union", bits[1], 0x3f800000u);
    Flags flags[3] = {};
    Tagged tagged[2] = {};
#pragma omp target map(tofrom: flags, tagged)
    {
        for (unsigned i = 0; i < 3; ++i) {
            flags[i].low = i + 6;
            flags[i].high = i * 10;
            flags[i].set = i == 1;
        }
        tagged[0].state = State::busy;
        tagged[0].i = 5;
        tagged[1].f = 0.5f;
    }
    check("bits", int(flags[2].low), 0);
    check("more bits", int(flags[1].high), 10);
    check("a flag", flags[1].set && !flags[2].set, true);
    check("state", tagged[0].state == State::busy, true);
    check("anonymous", tagged[0].i, 5);
    check("the other", tagged[1].f, 0.5f);
    int mixed = 0;
    const Color color = green;
#pragma omp target map(tofrom: mixed)
    mixed = red | color | blue;
    check("enumeration", mixed, 7);
    return report();
}
