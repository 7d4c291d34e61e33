/* One of the application's units: @ is its number. */
void unit_@(int n, const float *x, float *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += @ * x[i];
}
