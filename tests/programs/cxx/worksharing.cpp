// sections, single, masked, critical, barrier, flush and tasks inside of regions.
#include "check.hpp"
#include <omp.h>

int main()
{
    int a = 0, b = 0, c = 0, one = 0, boss = 0, locked = 0, stage[64] = {}, tasks = 0, threads = 0;
#pragma omp target map(tofrom: a, b, c, one, boss, locked, stage, tasks, threads)
#pragma omp parallel num_threads(8)
    {
#pragma omp sections
        {
#pragma omp section
            a = 1;
#pragma omp section
            b = 2;
#pragma omp section
            {
                c = 3;
            }
        }
#pragma omp single
        {
            one += 1;
            threads = omp_get_num_threads();
        }
#pragma omp masked
        boss += 1;
#pragma omp barrier
        int me = omp_get_thread_num();
        stage[me] = me + 1;
#pragma omp flush
#pragma omp barrier
        int next = stage[(me + 1) % omp_get_num_threads()];
#pragma omp critical
        locked += next;
#pragma omp single nowait
        for (int i = 0; i < 5; ++i) {
#pragma omp task
            {
#pragma omp atomic
                tasks += 1;
            }
        }
    }
    check("a", a, 1);
    check("b", b, 2);
    check("c", c, 3);
    check("single", one, 1);
    check("masked", boss, 1);
    check("critical", locked, threads * (threads + 1) / 2);
    check("tasks", tasks, 5);
    return report();
}
