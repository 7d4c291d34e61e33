/* atomic compare and compare capture in all their forms, memory orders and hints, flush. */
#include "check.h"

#include <omp.h>

#define N 1000

int main(void)
{
    int lowest = 1 << 20, highest = -1, slot = 0, winners = 0, seen[4] = {0}, fine = 1;
    double largest = -1e9;
    unsigned char small = 0;

#pragma omp target parallel for map(tofrom: lowest, highest, largest, slot, winners, small)
    for (int i = 0; i < N; ++i) {
        int value = (i * 37 + 11) % N, won = 0;
#pragma omp atomic compare
        if (value < lowest) { lowest = value; }
#pragma omp atomic compare seq_cst
        highest = highest < value ? value : highest;
#pragma omp atomic compare
        if (largest < value) { largest = value; }
#pragma omp atomic compare capture acq_rel fail(acquire)
        { won = slot == 0; if (won) { slot = i + 1; } }
        if (won) {
#pragma omp atomic hint(omp_sync_hint_uncontended) relaxed
            winners += 1;
        }
#pragma omp atomic compare
        small = small == 0 ? 9 : small;
    }
    long long least = 1LL << 40;
    float most = -1;
#pragma omp target teams distribute parallel for map(tofrom: least, most)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic compare relaxed
        least = (long long)i + 7 < least ? (long long)i + 7 : least;
#pragma omp atomic compare
        if (most < (float)i) { most = (float)i; }
    }
    CHECK(least == 7 && most == N - 1);
    CHECK(lowest == 0 && highest == N - 1 && largest == N - 1 && slot != 0 && winners == 1 && small == 9);

#pragma omp target map(tofrom: seen, slot, fine)
    {
        int v = 0, r = 0;
        slot = 5;
#pragma omp atomic compare capture
        { v = slot; if (slot == 5) { slot = 6; } }
        seen[0] = v;
#pragma omp atomic compare capture
        { if (slot == 6) { slot = 7; } v = slot; }
        seen[1] = v;
        v = -1;
#pragma omp atomic compare capture
        if (slot == 100) { slot = 0; } else { v = slot; }
        seen[2] = v;
        v = -1;
#pragma omp atomic compare capture
        { r = slot == 7; if (r) { slot = 8; } else { v = slot; } }
        seen[3] = v;
        fine = r == 1 && slot == 8;
#pragma omp atomic compare capture
        { v = slot; if (slot < 20) { slot = 20; } }
        fine = fine && v == 8 && slot == 20;
    }
    CHECK(seen[0] == 5 && seen[1] == 7 && seen[2] == 7 && seen[3] == -1 && fine);

    /* A flag handed from one thread to another. */
    int data = 0, flag = 0, got = 0;
#pragma omp target parallel num_threads(2) map(tofrom: data, flag, got)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush
#pragma omp atomic write release
            flag = 1;
        }
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            int ready = 0;
            while (!ready) {
#pragma omp atomic read acquire
                ready = flag;
            }
#pragma omp flush(data, flag)
            got = data;
        }
#pragma omp flush acq_rel
    }
    CHECK(got == 42);
    return CHECK_RESULT();
}
