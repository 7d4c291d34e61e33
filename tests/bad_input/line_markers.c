# 1 "<built-in>"
# 33 "foo.c" 1
void f(int *y)
{
#pragma omp target teams distribute parallel for map(tofrom: y[0:10])
    for (int i = 0; i < 10; i++)
        y[i] += 1;
}
# 2 "bar.c" 2
// expect: error 2:1 "a file that a preprocessor has written is not supported: give the file that it was made from"
