// All forms of atomic: read, write, update, capture; on members, elements and references.
#include "check.hpp"

struct Counters {
    int hits;
    double sum;
    long slots[4];
};

int main()
{
    Counters c{};
    int order[128] = {};
    int &hits = c.hits;
#pragma omp target teams distribute parallel for map(tofrom: c, order)
    for (int i = 0; i < 128; ++i) {
        int mine;
#pragma omp atomic capture
        mine = c.hits++;
#pragma omp atomic write
        order[mine] = 1;
#pragma omp atomic update
        c.sum += 0.5;
#pragma omp atomic
        c.slots[i % 4] = c.slots[i % 4] + i;
    }
    check("hits", c.hits, 128);
    int left = 128, *at = &left, seen[128] = {};
#pragma omp target teams distribute parallel for map(tofrom: at[0:1], seen)
    for (int i = 0; i < 128; ++i) {
        int old;
#pragma omp atomic capture
        {
            old = *at;
            (*at)--;
        }
        seen[old - 1] += 1;
    }
    check("in parentheses", left, 0);
    for (int i = 0; i < 128; ++i)
        check("seen once", seen[i], 1);
    check("reference", hits, 128);
    check("sum", c.sum, 64.0);
    check("slots", c.slots[1], 1984L + 32);
    for (int v : order)
        check("each", v, 1);
    int x = 3, old = 0, now = 0, swapped = 0, taken = 0;
#pragma omp target map(tofrom: x, old, now, swapped, taken)
    {
#pragma omp atomic capture
        {
            old = x;
            x *= 5;
        }
#pragma omp atomic capture
        {
            x -= 1;
            now = x;
        }
#pragma omp atomic capture
        {
            swapped = x;
            x = 40;
        }
#pragma omp atomic read
        taken = x;
#pragma omp atomic
        x = 100 - x;
#pragma omp atomic
        x <<= 1;
#pragma omp atomic
        x |= 1;
    }
    check("old", old, 3);
    check("now", now, 14);
    check("swapped", swapped, 14);
    check("taken", taken, 40);
    check("x", x, 121);
    return report();
}
