/* Host constructs that stand for metadirectives. A host compiler that knows no metadirectives accepts these jumps. */
int f(const double *a, int n, int *y)
{
#pragma omp target map(tofrom: y[0:10])
    y[0] = 1;
#pragma omp metadirective when(user = {condition(1)}: parallel) otherwise(nothing)
    for (int i = 0; i < n; ++i)
        if (a[i] != 0)
            return 0;
#pragma omp metadirective when(user = {condition(n > 3)}: parallel for) otherwise(single)
    for (int i = 0; i < n; ++i) {
        if (a[i] > 1)
            continue;
        if (a[i] != 0)
            break;
    }
    for (int i = 0; i < n; ++i) {
#pragma omp metadirective when(user = {condition(1)}: critical)
        {
            if (i > 2)
                goto out;
        }
#pragma omp begin metadirective when(user = {condition(1)}: single)
        if (i > 3)
            continue;
#pragma omp end metadirective
        switch (i) {
        case 0:
#pragma omp metadirective when(user = {condition(1)}: parallel)
            break;
        }
    }
out:
#pragma omp metadirective when(user = {condition(1)}: sections)
    {
#pragma omp section
        {
            return 1;
        }
    }
    return 1;
}
// expect: error 9:13 "'return' leaves the 'parallel' region"
// expect: error 15:13 "'break' leaves the 'parallel for' region"
// expect: error 21:17 "'goto out' leaves the 'critical' region"
// expect: error 25:13 "'continue' leaves the 'single' region"
// expect: error 30:13 "'break' leaves the 'parallel' region"
// expect: error 38:13 "'return' leaves the 'section' region"
