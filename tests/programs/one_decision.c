/* What is decided about constructs together: which 'if' is meant, whose copy a variable is, who can observe chunks. */
#include "check.h"

#include <omp.h>

#define N 64

static int asked(void)
{
    return omp_get_thread_num();
}

static void scale(double *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

int main(void)
{
    int threads = 0, no = 0, seen[8], flag = 1, out[N], position = 0, said = 0;
    double a[N];

    /* A plain 'if' is the nested construct's, and not the region's. */
#pragma omp target map(tofrom: threads) firstprivate(no)
#pragma omp parallel if(no) num_threads(8)
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK(threads == 1);

    /* The copy of 'target' is one for all threads of 'parallel'. */
#pragma omp target firstprivate(flag) map(from: seen, threads)
#pragma omp parallel num_threads(8)
    {
#pragma omp single
        {
            flag = 5;
            threads = omp_get_num_threads();
        }
        seen[omp_get_thread_num()] = flag;
    }
    for (int i = 0; i < threads; i++)
        CHECK(seen[i] == 5);

    /* Threads change a scalar of the region atomically, which has one copy. */
#pragma omp target teams distribute parallel for map(tofrom: out)
    for (int i = 0; i < N; i++) {
        int mine;
#pragma omp atomic capture
        mine = position++; // rex-ignore: lost-result: the copy is what is asked for
        out[mine] = i;
    }
    CHECK(position == 0); // rex-ignore: dropped-result: the copy is what is asked for
    for (int i = 0; i < N; i++) {
        int found = 0;
        for (int k = 0; k < N; k++)
            found += out[k] == i;
        CHECK(found == 1);
    }

    /* A called function observes the chunks. */
#pragma omp target parallel for schedule(static) num_threads(2) map(from: seen)
    for (int i = 0; i < 8; i++)
        seen[i] = asked();
    CHECK(seen[0] == 0 && seen[3] == seen[0] && seen[4] == seen[7]);

    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target map(tofrom: a)
    scale(a, N);
    for (int i = 0; i < N; i++)
        CHECK(a[i] == 2.0 * i);

    /* A text is no call. */
#pragma omp target map(tofrom: said)
    {
        said = 1;
        if (said == 2)
            printf("omp_set_num_threads(4) is not called\n");
    }
    CHECK(said == 1);
    return CHECK_RESULT();
}
