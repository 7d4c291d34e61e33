int counter;
#pragma omp threadprivate(counter)
int use(void) { return counter; }
int f(int *a)
{
    static int here;
#pragma omp threadprivate(here)
#pragma omp parallel copyin(counter)
    counter++;
#pragma omp target map(tofrom: a[0:4])
    a[0] = counter;
#pragma omp target map(tofrom: a[0:4])
    a[0] = here;
#pragma omp target map(tofrom: a[0:4])
    a[0] = use();
    return 0;
}
// expect: error 3:24 "'counter' is threadprivate"
// expect: error 11:12 "'counter' is threadprivate"
// expect: error 13:12 "'here' is threadprivate"
