/* Constructs in a distribute that bind to the team's initial thread, and which the host's threads share. */
#include "check.h"

#define N 24

int main(void)
{
    int a[N] = {0}, masters = 0, sections[2] = {0};
    for (int on_device = 0; on_device < 2; ++on_device) {
#pragma omp target teams distribute map(tofrom : a, masters, sections) if (target : on_device)
        for (int i = 0; i < N; ++i) {
            int scale = i % 3;
#pragma omp master
#pragma omp parallel for num_threads(4)
            for (int j = 0; j < 2; ++j)
                if (j == 1)
                    a[i] += scale;
#pragma omp single
            a[i] += 100;
#pragma omp for
            for (int j = 0; j < 4; ++j)
                a[i] += j;
#pragma omp barrier
            if (i % 2 == 0) {
#pragma omp master
                {
#pragma omp atomic
                    masters += 1;
                }
            } else
#pragma omp master
                a[i] += 1000;
#pragma omp sections
            {
#pragma omp section
#pragma omp atomic
                sections[0] += 1;
#pragma omp section
#pragma omp atomic
                sections[1] += 1;
            }
        }
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 2 * (i % 3 + 106 + (i % 2 ? 1000 : 0)));
    CHECK(masters == N && sections[0] == 2 * N && sections[1] == 2 * N);
    return CHECK_RESULT();
}
