struct item {
    int key;
};

void f(struct item *items, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: items[0:n])
    for (int *p = (int *)items; p < &items[n]; p++)
        *p = 1;
}
// expect: error 8:38 "a bound that is no pointer to the loop variable's type is not canonical"
