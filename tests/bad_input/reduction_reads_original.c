#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
void f(int n, int *out) {
    int v[n];
#pragma omp target teams distribute parallel for reduction(most: v)
    for (int i = 0; i < n; ++i) v[i] = i;
    out[0] = v[0];
}
// expect: error 4:66 "a declared reduction whose initialiser reads 'omp_orig', of a length that only the run knows"
