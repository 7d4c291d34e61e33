void f(int n, int **list)
{
#pragma omp target parallel map(alloc: list[0:8])
    {
        switch (n) {
            int own;
        case 1:
            own = 3;
            list[0] = &own;
        }
    }
}
// expect: error 6:17 "a jump past the declaration of 'own', which is on the device's heap, is not supported in device code"
