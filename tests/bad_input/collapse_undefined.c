enum { ZERO };
void f(int *x)
{
#pragma omp target teams distribute parallel for collapse(2 / ZERO) map(tofrom: x[0:9])
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            x[3 * i + j] = 1;
}
// expect: error 4:59 "'2 / ZERO' in 'collapse' has no value"
