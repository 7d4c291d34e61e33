// Rows of as many elements as a loop has iterations, where that number is not known.
#pragma omp declare target
static void turned(float *one, float *other)
{
    *one = *other * 2; // rex-expect: dependence (likely)
    *other = *one + 1;
}
#pragma omp end declare target

void pairs(float *x, int n, int width)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < width; ++i)
        for (int k = 0; k < 100; k += 2)
            turned(&x[i + k * 4096], &x[i + (k + 1) * 4096]);
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < width; ++i)
        x[i + 2] = x[i]; // rex-expect: dependence
}
