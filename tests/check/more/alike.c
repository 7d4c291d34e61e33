/* Accesses and calls with the same text: in other loops, under conditions, and with other variables of that name. */
#pragma omp declare target
static double difference(const double *x, int at, int by)
{
    return x[at + by] - x[at];
}
static double difference_too_far(const double *x, int at, int by)
{
    return x[at + by] - x[at]; // rex-expect: bounds (likely)
}
static double sum_of(const double *x, int from, int count)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += x[from + k];
    return sum;
}
static double sum_of_too_many(const double *x, int from, int count)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += x[from + k]; // rex-expect: bounds (likely)
    return sum;
}
#pragma omp end declare target

void calls(int n, const double *restrict x, double *restrict y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n - 1; ++i)
        y[i] = difference(x, i, 1) * difference(x, i, 1) + difference_too_far(x, i, 1) + sum_of(x, i, 2);
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] = difference_too_far(x, i, 1);
#pragma omp target map(to: x[0:100]) map(from: y[0:100])
    {
        int i;
        for (i = 0; i < 98; ++i)
            y[i] = sum_of_too_many(x, i, 2) + sum_of_too_many(x, i, 2);
        for (i = 0; i < 100; ++i)
            y[i] = sum_of_too_many(x, i, 2);
    }
}

void loops(double *restrict x, double *restrict y)
{
#pragma omp target map(to: x[0:100]) map(tofrom: y[0:100])
    {
        int i;
        for (i = 0; i < 99; ++i)
            y[i] = x[i + 1] + x[i + 1];
        for (i = 0; i < 100; ++i)
            y[i] += x[i + 1]; // rex-expect: bounds (likely)
    }
}

double conditions(int wanted)
{
    double x[102], y[100];
    for (int i = 0; i < 102; ++i)
        x[i] = i;
#pragma omp target teams distribute parallel for map(to: x[0:100]) map(from: y)
    for (int i = 0; i < 100; ++i) {
        y[i] = 0;
        if (wanted)
            y[i] = x[i + 2]; // rex-expect: bounds (likely)
        y[i] += x[i + 2];    // rex-expect: bounds
    }
    return y[3];
}

void blocks(double *restrict x, double *restrict y, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:100]) map(from: y[0:100])
    for (int i = 0; i < 100; ++i) {
        {
            const int at = i;
            y[i] = x[at];
        }
        {
            const int at = i + 1;
            y[i] += x[at]; // rex-expect: bounds (likely)
        }
    }
#pragma omp target teams distribute parallel for map(tofrom: x[0:n + 1])
    for (int i = 0; i < n; ++i) {
        {
            const int at = i;
            x[at] = 1; // rex-expect: dependence
        }
        {
            const int at = i + 1;
            x[at] = 1;
        }
    }
}
