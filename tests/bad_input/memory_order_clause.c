int f(int n)
{
#pragma omp target parallel map(tofrom: n)
    {
#pragma omp atomic update seq_cst
        n += 1;
    }
    return n;
}
// expect: error 5:27 "'seq_cst'"
