/* map types: what each transfers, and what it leaves alone. */
#include "check.h"
#include "headers/device.h"

#define N 64

static void fill(int *a, int value)
{
    for (int i = 0; i < N; ++i)
        a[i] = value;
}

int main(void)
{
    const int host = regions_on_host();
    int to[N], from[N], both[N], none[N], plain[N], sum = 0;

    fill(to, 1);
    fill(from, 2);
    fill(both, 3);
    fill(none, 4);
    fill(plain, 5);

// rex-ignore: lost-result: what does not come back is tested
#pragma omp target map(to: to) map(from: from) map(tofrom: both) map(alloc: none) map(plain) map(tofrom: sum)
    {
        for (int i = 0; i < N; ++i) {
            none[i] = i;
            from[i] = none[i] + 1;
            both[i] += to[i] + plain[i];
            plain[i] = -both[i];
            to[i] = 100;
        }
        for (int i = 0; i < N; ++i)
            sum += to[i];
    }
    CHECK(sum == 100 * N);
    for (int i = 0; i < N; ++i) {
        CHECK(to[i] == (host ? 100 : 1));
        CHECK(from[i] == i + 1);
        CHECK(both[i] == 9);
        CHECK(none[i] == (host ? i : 4));
        CHECK(plain[i] == -9);
    }

    int in = 10, out = 20, inout = 30, private_to_device = 40;
    // rex-ignore: lost-result: what does not come back is tested
#pragma omp target map(to: in) map(from: out) map(tofrom: inout) map(alloc: private_to_device)
    {
        private_to_device = 7;
        out = in + private_to_device;
        inout += out;
        in = 99;
    }
    CHECK(out == 17);
    CHECK(inout == 47);
    CHECK(in == (host ? 99 : 10));
    CHECK(private_to_device == (host ? 7 : 40));

    /* Several items and several clauses of one type; the spelling without a space and with many. */
    int p = 1, q = 2, r = 3;
#pragma omp target map(tofrom:p,q) map( tofrom : r )
    {
        p += 1;
        q += p;
        r += q;
    }
    printf("%d %d %d\n", p, q, r);
    return CHECK_RESULT();
}
