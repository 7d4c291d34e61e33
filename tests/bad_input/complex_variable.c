_Complex __int128 counts[4];
static void clear(void)
{
    counts[0] = 0;
}
void f(void)
{
#pragma omp target
    clear();
}
// expect: error 1:19 "'__int128 _Complex' is not supported in device code"
