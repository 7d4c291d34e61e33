void f(int **p)
{
#pragma omp target enter data map(iterator(i = 0:10:0), to: p[i][0:4])
}
// expect: error 3:53 "the step of an iterator is zero"
