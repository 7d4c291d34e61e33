void f(int n)
{
#pragma omp target map(tofrom: n)
    {
#pragma omp atomic update
        (int){0} += n;
    }
}
// expect: error 5:13 "an atomic access to a compound literal, which only one thread sees, is not supported"
