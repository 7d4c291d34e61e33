// Atomics and reductions of volatile objects, and classes whose defaulted members the unit uses.
#include "check.hpp"
#include <string>
#include <vector>

struct Table
{
    std::vector<int> rows;
    std::string name;
    int width = 3;
    Table() = default;
    Table(const Table &) = default;
    ~Table() = default;
    int at(int i) const { return rows[i]; }
};

struct Plain
{
    int a = 4;
    Plain() = default;
    Plain(const Plain &) = default;
};

int main()
{
    volatile int flags[4] = {15, 15, 0, 0};
    volatile int *p = flags;
    volatile double total = 0;
    int old = 0, sum = 0;
    Table first;
    first.rows.push_back(2);
    const Table second(first);
    const int two = second.at(0);
#pragma omp target teams distribute parallel for map(tofrom : p[0:4], old, sum) reduction(+ : total)
    for (int i = 0; i < 4; ++i) {
#pragma omp atomic update
        p[0] &= ~(1 << i);
#pragma omp atomic
        p[1] += two;
#pragma omp atomic capture // rex-ignore: race: any of them will do
        old = p[2]++;
#pragma omp atomic write
        p[3] = 5;
        int seen;
#pragma omp atomic read
        seen = p[3];
        total += seen;
        const Plain one, other(one);
#pragma omp atomic
        sum += other.a;
    }
    check("update", flags[0], 0);
    check("sum", flags[1], 23);
    check("capture", flags[2], 4);
    check("write", flags[3], 5);
    check("reduction", double(total), 20.0);
    check("defaulted", sum + second.width, 19);
    check("before", old >= 0 && old < 4, true);
    return report();
}
