static int on_device(void)
{
    return 1;
}
#pragma omp declare variant(on_device) match
static int where(void)
{
    return 0;
}
int f(void)
{
    int found;
#pragma omp target map(from: found)
    found = where();
    return found;
}
// expect: error 5:44 "expected '(' after 'match'"
