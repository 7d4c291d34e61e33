/* What statements of atomic may be made of: braces, parentheses, and operands with operators of their own. */
#include "check.h"

struct cells { int n; double s[4]; };

int main(void)
{
    struct cells c = {3, {1, 2, 3, 4}};
    int kept[5] = {0}, low = 50, x = 5;
    double sum = 1;
#pragma omp target map(tofrom: c, kept, low, x, sum)
    {
        struct cells *q = &c;
        int a = 2, b = 3, v = 0;
#pragma omp atomic
        x = x + (a + b); /* 10 */
#pragma omp atomic
        x = a * b - x; /* -4 */
#pragma omp atomic capture
        { v = x; x = 40; }
        kept[0] = v;
#pragma omp atomic capture
        { v = x; x = a - x; } /* -38 */
        kept[1] = v;
#pragma omp atomic capture
        { --x; v = x; }
        kept[2] = v;
#pragma omp atomic capture
        v = x -= a;
        kept[3] = v;
#pragma omp atomic capture
        v = q->n++;
        kept[4] = v;
#pragma omp atomic
        q->s[a] = q->s[a] * (a + b);
#pragma omp atomic compare
        if (low > (a)) { low = (a); }
#pragma omp atomic compare
        sum = sum < 4.5 ? 4.5 : sum;
    }
    CHECK(kept[0] == -4 && kept[1] == 40 && kept[2] == -39 && kept[3] == -41 && kept[4] == 3);
    CHECK(c.n == 4 && x == -41 && c.s[2] == 15 && low == 2 && sum == 4.5);
    return CHECK_RESULT();
}
