int f(int n)
{
#pragma omp target map(tofrom: n) num_team(4)
    n += 1;
    return n;
}
// expect: error 3:35 "num_team"
