/* declare target in its spellings: lists, to and enter, begin and end, device_type, static names. */
// reference: -Wno-unknown-pragmas
#include "data.h"

int listed = 1, entered = 2, both[3];
static int quiet = 3;
static int twice(int x);
static int helper(int x) { return x + listed; }
#pragma omp declare target(listed, helper)
#pragma omp declare target enter(entered, twice)
#pragma omp declare target to(both) to(quiet) device_type(any)

static int twice(int x)
{
    return 2 * x + entered;
}

#pragma omp begin declare target
static int inner = 4;
int outer_value = 5;
static int product(void)
{
    return inner * outer_value;
}
#pragma omp begin declare target device_type(nohost)
static int on_device_only(void)
{
    return 40 + quiet;
}
#pragma omp end declare target
#pragma omp end declare target

#pragma omp declare target device_type(any)
int after = 6;
#pragma omp end declare target

/* In a block, of what it declares itself or of what stands at file scope. */
static int in_block(int x)
{
    extern int defined_later;
    int called_later(int x);
    static int hidden = 5;
#pragma omp declare target to(defined_later, called_later)
    return called_later(x) + defined_later + hidden;
}

int defined_later = 7;
int called_later(int x)
{
    return 100 * x + defined_later;
}

int host_side = 8;
static int host_only(void)
{
    return host_side;
}
#pragma omp declare target to(host_only, host_side) device_type(host)

int main(void)
{
    int r[6] = {0};
#pragma omp target map(from : r)
    {
        r[0] = helper(10);
        r[1] = twice(10);
        r[2] = product();
        r[3] = on_device_only();
        r[4] = after + both[1];
        quiet += 1; // rex-ignore: stale: that the host has its own is tested
    }
    CHECK(r[0] == 11 && r[1] == 22 && r[2] == 20 && r[3] == 43 && r[4] == 6);
    CHECK(host_only() == 8 && (!SEPARATE || quiet == 3));
#pragma omp target update from(quiet)
    CHECK(quiet == 4);
    both[1] = 50;
    after = 60;
#pragma omp target update to(both, after)
#pragma omp target map(from : r)
    r[4] = after + both[1];
    CHECK(r[4] == 110);
    PRESENT(both);
    /* Always there: mapping neither moves nor removes it, unless it says always. */
    both[2] = 7;
#pragma omp target map(tofrom : both) map(from : r)
    r[5] = both[2]; // rex-ignore: stale: that each side has its own is tested
    CHECK(r[5] == (SEPARATE ? 0 : 7));
    both[2] = 7;
#pragma omp target map(always, to : both) map(from : r)
    r[5] = both[2];
    CHECK(r[5] == 7);
    PRESENT(both);
    defined_later = 8; // rex-ignore: stale: that the device has its own is tested
    {
#pragma omp declare target to(in_block)
#pragma omp target map(from : r)
        r[0] = in_block(2) + defined_later;
    }
    CHECK(r[0] == (SEPARATE ? 226 : 229) && in_block(1) == 121);
#pragma omp target update to(defined_later)
#pragma omp target map(from : r)
    r[0] = in_block(2) + defined_later;
    CHECK(r[0] == 229);
    PRESENT(&defined_later);
    return CHECK_RESULT();
}
