int next(void);
int f(int **p)
{
#pragma omp target map(iterator(i = 0:4), tofrom: p[i][0:next()])
    p[0][0] = 1;
    return p[0][0];
}
// expect: error 4:58 "'next()' has side effects"
