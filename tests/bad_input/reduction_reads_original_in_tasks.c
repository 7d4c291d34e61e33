#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
void f(int n) {
    int m = 0;
#pragma omp target map(tofrom: m)
#pragma omp parallel
#pragma omp taskgroup task_reduction(most: m)
    {
#pragma omp task in_reduction(most: m)
        m = m > 1 ? m : 1;
    }
}
// expect: error 8:37 "a declared reduction whose initialiser reads 'omp_orig', in tasks"
