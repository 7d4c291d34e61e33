/* Implicit data-sharing: scalars firstprivate, arrays and structures mapped both ways, pointers found in the device's data. */
#include "check.h"

#include <stdlib.h>

#define N 33

enum colour { RED, GREEN = 5, BLUE };

static int global_counter = 10;
static double global_array[N];
int external_value = 3;

static int count_calls(void)
{
    static int calls = 100;
    int result = 0;
#pragma omp target map(from: result) // rex-ignore: lost-result: the copies are what is tested
    {
        result = calls + 1;
        calls = 0;
    }
    ++calls;
    return result;
}

int main(void)
{
    int i = 1, a[N];
    char c = 'x';
    float f = 2.5f;
    long long big = 1LL << 40;
    _Bool flag = 1;
    enum colour colour = BLUE;
    const int constant = 77;
    struct { int n; double d; } s = {2, 0.5};
    double *p = malloc(N * sizeof *p);
    double sum = 0;

    for (int k = 0; k < N; ++k) {
        a[k] = k;
        p[k] = k;
    }

    /* Scalars are copies: what the region does to them is not seen afterwards. */
#pragma omp target map(from: sum) // rex-ignore: lost-result: the copies are what is tested
    {
        i += 10;
        sum = i + c + f + (double)big + flag + colour + constant + global_counter + external_value;
        c = 0;
        f = 0;
        big = 0;
        flag = 0;
        colour = RED;
        global_counter = 0;
        external_value = 0;
    }
    CHECK(sum == 11 + 'x' + 2.5 + 1099511627776.0 + 1 + 6 + 77 + 10 + 3);
    CHECK(i == 1 && c == 'x' && f == 2.5f && big == 1LL << 40 && flag && colour == BLUE);
    CHECK(global_counter == 10 && external_value == 3);

    /* Aggregates come back. */
#pragma omp target
    {
        for (int k = 0; k < N; ++k) {
            a[k] += s.n;
            global_array[k] = a[k] * s.d;
        }
        s.n = -1;
        s.d = 9;
    }
    CHECK(a[4] == 6 && global_array[4] == 3.0 && s.n == -1 && s.d == 9);

    /* A pointer without a map clause refers to what is mapped already, also into its middle. */
    double *middle = p + 10;
#pragma omp target data map(tofrom: p[0:N])
    {
#pragma omp target
        p[0] = -1;
#pragma omp target teams distribute parallel for
        for (int k = 0; k < 5; ++k)
            middle[k] = 500 + k;
    }
    CHECK(p[0] == -1 && p[10] == 500 && p[14] == 504 && p[15] == 15);

    /* Loop variables and variables declared inside are private; the outer i is untouched. */
#pragma omp target teams distribute parallel for
    for (int k = 0; k < N; ++k) {
        int twice = 2 * k;
        a[k] = twice + i;
    }
    CHECK(a[32] == 65 && i == 1);

    /* Static locals behave as scalars do. */
    CHECK(count_calls() == 101);
    CHECK(count_calls() == 102);
    free(p);
    return CHECK_RESULT();
}
