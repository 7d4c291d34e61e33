void f(int *a, int n, int s)
{
    int i;
#pragma omp target teams distribute parallel for
    for (i = 0; i < n; i++) { a[i] = 1; i += 1; }
#pragma omp target teams distribute parallel for
    for (i = 0; i < n; i -= 1) a[i] = 1;
#pragma omp target teams distribute parallel for
    for (i = 0; i != n; i += 2) a[i] = 1;
#pragma omp target teams distribute parallel for
    for (i = 0; i < n; i += 0) a[i] = 1;
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k += s) { if (a[k]) k = n; }
#pragma omp target teams distribute parallel for
    for (int *p = a; p < a + n; ++p) { *p = 1; *p++ = 2; }
#pragma omp target teams distribute parallel for
    for (int k = n; k > 0; k = 3 - k) a[k] = 1;
#pragma omp target teams distribute parallel for
    for (int k = n; k & 1; k++) a[k] = 1;
}
// expect: error 5:41 "the loop variable 'i' is changed in the loop"
// expect: error 7:24 "a loop that steps away from its bound is not canonical"
// expect: error 9:25 "a '!=' loop whose increment is not the constant 1 or -1 is not canonical"
// expect: error 11:24 "a loop with increment 0 is not canonical"
// expect: error 13:48 "the loop variable 'k' is changed in the loop"
// expect: error 15:49 "the loop variable 'p' is changed in the loop"
// expect: error 17:28 "this loop's increment is not canonical"
// expect: error 19:21 "this loop's condition is not canonical"
