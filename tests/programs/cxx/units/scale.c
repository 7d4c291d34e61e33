void c_scale(double *x, int n, double k)
{
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
    for (int i = 0; i < n; i++)
        x[i] *= k;
}

int c_count(const int *x, int n)
{
    int r = 0;
#pragma omp target teams distribute parallel for map(to : x[0 : n]) reduction(+ : r)
    for (int i = 0; i < n; i++)
        r += x[i] != 0;
    return r;
}
