void f(int n, int *a)
{
    switch (n) {
#pragma omp metadirective when(user = {condition(n > 9)}: parallel)
    case 1:
        a[0] = 1;
    }
#pragma omp target map(tofrom: a[0:1])
    a[0] += 1;
}
// expect: error 4:1 "the label 'case' in the statement of a metadirective whose condition is not constant is not supported"
