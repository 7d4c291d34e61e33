// reference: -Wno-unknown-pragmas
/* Objects of which the device has only pointers, for their sections, and regions that map more of them. */
#include "check.h"

struct store {
    double *p;
    int n, calls;
};

int main(void)
{
    double data[4] = {1, 2, 3, 4};
    struct store s = {data, 4, 0}, *q = &s;
#pragma omp target enter data map(to: q->p[0:4])
#pragma omp target map(tofrom: q->p[0:4]) map(to: q->n) map(tofrom: q->calls)
    for (int i = 0; i < q->n; i++, q->calls++)
        q->p[i] += 1;
#pragma omp target map(tofrom: q[0:1])
    for (int i = 0; i < q->n; i++, q->calls++)
        q->p[i] += 1;
#pragma omp target /* a pointer that stays on the device is attached still */
    s.p[0] += s.n;
#pragma omp target exit data map(from: q->p[0:4])
    CHECK(data[0] == 7 && data[3] == 6);
    CHECK(s.calls == 8 && s.p == data);
    return CHECK_RESULT();
}
