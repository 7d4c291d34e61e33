/* Included once per element type with ELEMENT and AXPY defined: a function with regions in a header. */
static void AXPY(int n, ELEMENT alpha, const ELEMENT *x, ELEMENT *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] += alpha * x[i];
}

#undef ELEMENT
#undef AXPY
