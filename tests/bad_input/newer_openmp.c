void f(double *a)
{
    double power = 1;
#pragma omp target teams distribute parallel for induction(step(2), *: power) map(tofrom: a[0:64])
    for (int i = 0; i < 64; ++i) {
        a[i] *= power;
        power *= 2;
    }
#pragma omp target replayable map(tofrom: a[0:64])
    a[0] = 0;
}
// expect: error 4:50 "clause 'induction' on 'target teams distribute parallel for' is not supported"
// expect: error 9:20 "clause 'replayable' on 'target' is not supported"
