int f(int n)
{
#pragma omp target map_to(n)
    n += 1;
#pragma omp target map(tofrom: n) colapse(2)
    n += 2;
    return n;
}
// expect: error 3:20 "map_to"
// expect: error 5:35 "colapse"
