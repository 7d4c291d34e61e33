#include "dice.h"

#include <cstdio>

int main()
{
    const int n = 60;
    double sums[60], last[60] = {};
#pragma omp target teams distribute parallel for map(from: sums) map(tofrom: last)
    for (int i = 0; i < n; ++i) {
        Dice dice(i + 1, &last[i]);
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            dice.next();
            Dice other = dice;
            sum += dice + other;
        }
        sums[i] = sum;
    }
    double all = 0, ended = 0;
    for (int i = 0; i < n; ++i) {
        all += sums[i];
        ended += last[i];
    }
    std::printf("%.8f %g\n", all, ended);
}
