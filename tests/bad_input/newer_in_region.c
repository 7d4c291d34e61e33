void f(double *a, double *sums)
{
    double sum = 0;
#pragma omp target map(tofrom: a[0:64], sums[0:64])
#pragma omp parallel for reduction(inscan, +: sum)
    for (int i = 0; i < 64; ++i) {
#pragma omp scan init_complete
        sums[i] = sum;
#pragma omp scan exclusive(sum)
        sum += a[i];
    }
#pragma omp target map(tofrom: a[0:64])
#pragma omp taskloop transparent
    for (int i = 1; i < 64; ++i) {
#pragma omp task_iteration depend(inout: a[i]) depend(in: a[i - 1])
        a[i] += a[i - 1];
    }
#pragma omp target teams map(tofrom: a[0:64])
#pragma omp workdistribute
    {
        a[0] = 0;
    }
}
// expect: error 7:18 "clause 'init_complete' on 'scan' is not supported"
// expect: error 13:22 "clause 'transparent' on 'taskloop' is not supported"
// expect: error 15:13 "directive 'task_iteration' is not supported"
// expect: error 19:13 "directive 'workdistribute' is not supported"
