void f(int *a)
{
#pragma omp target parallel for map(tofrom: a[0:4])
    for (int i = 0; i < 4; ++i) {
#pragma omp barrier
        a[i] = 1;
    }
#pragma omp target parallel map(tofrom: a[0:4])
#pragma omp single
#pragma omp for
    for (int i = 0; i < 4; ++i)
        a[i] = 2;
#pragma omp target teams map(tofrom: a[0:4])
#pragma omp for
    for (int i = 0; i < 4; ++i)
        a[i] = 3;
#pragma omp target parallel map(tofrom: a[0:4])
#pragma omp distribute
    for (int i = 0; i < 4; ++i)
        a[i] = 4;
#pragma omp target parallel map(tofrom: a[0:4])
#pragma omp critical
    {
        a[0] = 5;
#pragma omp barrier
    }
#pragma omp target parallel map(tofrom: a[0:4])
#pragma omp task
#pragma omp single
    a[0] = 6;
#pragma omp target teams map(tofrom: a[0:4])
#pragma omp parallel
#pragma omp masked
#pragma omp sections
    {
        a[0] = 7;
    }
}
// expect: error 5:13 "'barrier' inside 'target parallel for'"
// expect: error 10:13 "'for' inside 'single'"
// expect: error 14:13 "inside 'target teams' each team has only one here"
// expect: error 18:13 "'distribute' is not directly inside 'teams'"
// expect: error 25:13 "'barrier' inside 'critical'"
// expect: error 29:13 "'single' inside 'task'"
// expect: error 34:13 "'sections' inside 'masked'"
