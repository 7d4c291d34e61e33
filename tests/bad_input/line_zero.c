int f(int n)
{
#line 0
#pragma omp target map(tofrom: n)
    n++;
    return n;
}
// expect: error 3:1 "'#line 0' is not C: lines are counted from 1"
