#include "dice.h"

Dice::Dice(unsigned seed, double *place) : state(seed * 2654435761u + 1), last(place) {}
Dice::Dice(const Dice &other) : state(other.state ^ 0x5bd1e995u), last(other.last) {}
Dice::~Dice() { *last += state % 7; }
Dice::operator double() const { return state / 4294967296.0; }

unsigned Dice::next()
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}
