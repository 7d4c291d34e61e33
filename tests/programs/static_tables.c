/* Constant tables of the file and of functions, used in regions and in functions that regions call. */
#include "check.h"

#define N 48

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static const double weights[2][3] = {{0.5, 0.25, 0.125}, {1, 2, 4}};
static const char letters[] = "abcdefgh";
static const struct unit {
    const char *name;
    double factor;
    int exponent[2];
} units[] = {{"metre", 1.0, {1, 0}}, {"inch", 0.0254, {1, 0}}, {.name = "hectare", .factor = 1e4, .exponent = {2, 0}}};

static int days_in(int month)
{
    static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month];
}

static char initial_of(int unit)
{
    return units[unit].name[0];
}

int main(void)
{
    int a[N];
    double x[N];
    char text[N];

#pragma omp target teams distribute parallel for map(from: a, x, text)
    for (int i = 0; i < N; ++i) {
        static const short offsets[4] = {100, 200, 300, 400};
        a[i] = primes[i % 8] + offsets[i % 4] + days_in(i % 12);
        x[i] = weights[i % 2][i % 3] * units[i % 3].factor + units[i % 3].exponent[0];
        text[i] = i % 2 ? letters[i % 8] : initial_of(i % 3);
    }
    for (int i = 0; i < N; ++i) {
        CHECK(a[i] == primes[i % 8] + 100 * (i % 4 + 1) + days_in(i % 12));
        CHECK(x[i] == weights[i % 2][i % 3] * units[i % 3].factor + units[i % 3].exponent[0]);
    }
    printf("%.*s\n", N, text);

    int length = 0, size = 0;
#pragma omp target map(tofrom: length) map(from: size)
    {
        while (letters[length] != '\0')
            ++length;
        size = (int)(sizeof primes / sizeof *primes);
    }
    CHECK(length == 8 && size == 8);
    return CHECK_RESULT();
}
