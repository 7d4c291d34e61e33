/* Wrong: a region has something beside its teams. */
#define N 100

void loop_around(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    for (int k = 0; k < 4; ++k) {
#pragma omp teams distribute parallel for // rex-expect: nesting
        for (int i = 0; i < N; ++i)
            x[i] += k;
    }
}
void statement_in_front(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
        x[0] = 1;
#pragma omp teams // rex-expect: nesting
#pragma omp distribute parallel for
        for (int i = 1; i < N; ++i)
            x[i] = i;
    }
}
/* Right. */
void alone(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
#pragma omp teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] = i;
    }
#pragma omp target map(tofrom: x[0:N])
#pragma omp teams
#pragma omp distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = i;
}
void one_directive(double *x)
{
#pragma omp target data map(tofrom: x[0:N])
    for (int k = 0; k < 4; ++k) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] += k;
    }
}
void no_teams(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
        x[0] = 1;
#pragma omp parallel for
        for (int i = 1; i < N; ++i)
            x[i] = i;
    }
}
