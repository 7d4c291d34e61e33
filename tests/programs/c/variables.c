/* Device variables whose initialisers name other variables and functions; some that nothing on the device uses. */
// cflags: -std=gnu11
#include "../check.h"

union word {
    volatile int *p;
    const short s;
};
struct unused {
    int a[3];
};
struct message {
    int n;
    char text[];
};
enum { FIVE = 5 };

static int increment(int);

#pragma omp declare target
static union word word;
static struct unused never = {{FIVE, 2}};
int hidden = 9;
static int *const to_hidden = &hidden;
static int (*function)(int) = increment;
static int grid[2][3][4] = {{{0}}, {{0}, {0}, {1, 2, 3, 4}}};
static int *into = &grid[1][2][3], *between[2] = {&grid[0][1][0], 2 + &grid[1][2][1]};
static char *bytes = (char *)&grid;
static struct message message = {5, "hello"}, letters = {2, {'a', 'b'}};
#pragma omp end declare target

static int value = 7;
static int *const to_value = &value;
static const int constant = 4;
static const int *to_constant = &constant;
static int *table[2] = {&value, 0};

static int sum(void) { return *to_value + *to_constant + (table[0] == &value); }

int main(void)
{
    int out[6];
#pragma omp target map(from: out)
    {
        out[0] = sum();
        out[1] = *to_hidden;
        out[2] = function(4);
        out[3] = *into + 10 * (between[0] == grid[0][1]) + 100 * *between[1];
        out[4] = bytes == (char *)grid[0][0];
        static const struct message local = {2, "xy"};
        out[5] = message.text[message.n - 1] + message.text[5] + letters.text[1] + local.text[1];
    }
    printf("%d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
    return CHECK_RESULT();
}

static int increment(int x) { return x + 1; }
