// reference: -Wno-unknown-pragmas
// Sections of variable-length arrays: what a length is when they are used may not be what it was where the array was
// declared, although it is spelled alike. Only what is in the section moves.
#include "data.h"

static int whole, apart;

/* The device's copy of 16 elements is 7; how many of the host's came over? */
static void count(const double *a, int n, int wanted)
{
    int sevens = 0;
    for (int i = 0; i < n; i++)
        sevens += a[i] == 7; // rex-ignore: lost-result: what does not come back is counted
    CHECK(sevens == wanted || !SEPARATE);
    (wanted == n ? whole++ : apart++);
}

#define ENTER(a) \
    for (int i = 0; i < 16; i++) (&(a)[0][0])[i] = 1; \
    _Pragma("omp target enter data map(to: a)") \
    _Pragma("omp target") \
    for (int i = 0; i < 16; i++) (&(a)[0][0])[i] = 7;
#define LEAVE(a, wanted) \
    _Pragma("omp target exit data map(delete: a)") \
    count(&(a)[0][0], 16, wanted);

static void assigned_since(void)
{
    int n = 4;
    double a[n][n];
    ENTER(a)
    n = 2;
#pragma omp target update from(a[0:2][0:n])
    LEAVE(a, 4)
}

static void shadowed(void)
{
    int n = 4;
    double a[n][n];
    ENTER(a)
    {
        int n = 2;
#pragma omp target update from(a[0:2][0:n])
    }
    LEAVE(a, 4)
}

static void parameter(int n, double (*a)[n])
{
    for (int i = 0; i < 16; i++)
        (&a[0][0])[i] = 1;
#pragma omp target enter data map(to: a[0:4])
#pragma omp target
    for (int i = 0; i < 16; i++)
        (&a[0][0])[i] = 7;
    n -= 2;
#pragma omp target update from(a[0:2][0:n])
#pragma omp target exit data map(delete: a[0:4])
    count(&a[0][0], 16, 4);
}

static void through_pointer(void)
{
    int n = 4, *p = &n;
    double a[n][n];
    ENTER(a)
    *p = 2;
#pragma omp target update from(a[0:2][0:n])
    LEAVE(a, 4)
}

static int shared_length = 4;

static void change(void)
{
    shared_length = 2;
}

static void by_a_function(void)
{
    double a[shared_length][shared_length];
    ENTER(a)
    change();
#pragma omp target update from(a[0:2][0:shared_length])
    LEAVE(a, 4)
    shared_length = 4;
}

static void of_a_typedef(void)
{
    int n = 4;
    typedef double rows[n][n];
    n = 2;
    rows a;
    ENTER(a)
#pragma omp target update from(a[0:2][0:n])
    LEAVE(a, 4)
}

static void private_copy(void)
{
    int n = 4;
    double a[n][n];
    ENTER(a)
#pragma omp parallel num_threads(1) private(n)
    {
        n = 2;
#pragma omp target update from(a[0:2][0:n])
    }
    LEAVE(a, 4)
}

static void in_an_expression(void)
{
    int n = 3;
    double a[n + 1][n + 1];
    ENTER(a)
    n = 1;
#pragma omp target update from(a[0:2][0:n + 1])
    LEAVE(a, 4)
}

static void in_a_loop(void)
{
    for (int n = 2; n <= 4; n += 2) {
        double a[4][n], b[4][4];
        for (int i = 0; i < 4 * n; i++)
            (&a[0][0])[i] = 1;
        (void)b;
#pragma omp target enter data map(to: a)
#pragma omp target
        for (int i = 0; i < 4 * n; i++)
            (&a[0][0])[i] = 7;
#pragma omp target update from(a[0:4][0:n])
#pragma omp target exit data map(delete: a)
        count(&a[0][0], 4 * n, 4 * n);
    }
}

static void unchanged(void)
{
    int n;
    n = 4;
    const int m = n;
    double a[m][n];
    ENTER(a)
#pragma omp target update from(a[0:m][0:n])
    LEAVE(a, 16)
}

static void shaped(double *p, int n)
{
    for (int i = 0; i < 16; i++)
        p[i] = 1;
#pragma omp target enter data map(to: p[0:16])
#pragma omp target
    for (int i = 0; i < 16; i++)
        p[i] = 7;
    n = 4;
#pragma omp target update from(([4][n])p[0:4][0:n])
#pragma omp target exit data map(delete: p[0:16])
    count(p, 16, 16);
}

int main(void)
{
    double p[4][4];
    assigned_since();
    shadowed();
    parameter(4, p);
    through_pointer();
    by_a_function();
    of_a_typedef();
    private_copy();
    in_an_expression();
    in_a_loop();
    unchanged();
    shaped(&p[0][0], 1);
    CHECK(whole == 4 && apart == 8);
    return CHECK_RESULT();
}
