_Complex int counts[4];
static void clear(void)
{
    counts[0] = 0;
}
void f(void)
{
#pragma omp target
    clear();
}
// expect: error 1:14 "the type '_Complex int' is not supported"
