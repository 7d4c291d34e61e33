int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        if (n > 3)
            goto out;
        n += 1;
    }
out:
    return n;
}
// expect: error 6:13 "goto"
