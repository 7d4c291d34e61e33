int f(int n, int *a)
{
#pragma omp metadirective when(user = {condition(n > 1)}: target map(tofrom: a[0:n]))
    {
        if (n == 5)
            goto out;
        a[0] = 1;
    out:
        a[0] += 1;
    }
    return 0;
}
// expect: error 3:1 "the label 'out' in the statement of a metadirective whose condition is not constant"
