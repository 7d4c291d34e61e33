int f(int n)
{
    for (int k = 0; k < 10; ++k) {
#pragma omp target map(tofrom: n)
        {
            if (n > 3)
                break;
            n += 1;
        }
    }
    return n;
}
// expect: error 7:17 "break"
