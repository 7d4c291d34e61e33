/* atomic read and atomic write. */
#include "check.h"

#include <omp.h>

#define N 200

int main(void)
{
    int flag = 0, seen = 0, value = -1, wrong = 0;
    double last = 0;
    unsigned char small = 0;

    /* All threads write the same value; all read a value that was written. */
#pragma omp target teams distribute parallel for map(tofrom: flag, last, small) reduction(+: wrong)
    for (int i = 0; i < N; ++i) {
        int now;
        double snapshot;
        unsigned char byte;
#pragma omp atomic write
        flag = 77;
#pragma omp atomic read
        now = flag;
#pragma omp atomic write
        last = 0.5;
#pragma omp atomic read
        snapshot = last;
#pragma omp atomic write
        small = (unsigned char)255;
#pragma omp atomic read
        byte = small;
        wrong += now != 77 || snapshot != 0.5 || byte != 255;
    }
    CHECK(wrong == 0 && flag == 77 && last == 0.5 && small == 255);

    /* Values of an array that grow: a reader never sees a torn or unwritten one. */
    long long pairs[8] = {0};
#pragma omp target parallel for map(tofrom: pairs) reduction(+: wrong)
    for (int i = 0; i < N; ++i) {
        long long both;
#pragma omp atomic write
        pairs[i % 8] = (long long)i << 32 | (unsigned)i;
#pragma omp atomic read
        both = pairs[(i + 3) % 8];
        wrong += (int)(both >> 32) != (int)(both & 0xffffffff);
    }
    CHECK(wrong == 0 && pairs[3] % 8 == 3);

#pragma omp target parallel num_threads(8) map(tofrom: seen, value)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp atomic write
            value = 5;
        }
#pragma omp barrier
        int mine;
#pragma omp atomic read
        mine = value;
        if (mine != 5) {
#pragma omp atomic
            seen++;
        }
    }
    CHECK(seen == 0 && value == 5);
    return CHECK_RESULT();
}
