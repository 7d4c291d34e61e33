/* Constant tables of functions and strings, which the device needs with addresses of its own. */
#include "check.h"

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }

static const operation operations[] = {add, mul};
static const struct {
    const char *name;
    operation apply;
} named[] = {{"add", add}, {"mul", mul}};
static const char *const words[] = {"one", "three"};
static const operation chosen = mul;
static const char *const title = "constants";
static const char *const aligned[] __attribute__((aligned(32))) = {"five", "seven"};
typedef int wide __attribute__((aligned(32)));
static wide *const placed = &(wide){11};

int main(void)
{
    int result = 0, letters = 0, first = 0;

#pragma omp target map(tofrom: result, letters, first)
    for (int i = 0; i < 2; ++i) {
        result += operations[i](3, 4) + named[i].apply(1, 2);
        for (const char *c = words[i]; *c; ++c)
            ++letters;
        first = 256 * first + named[i].name[0];
    }
    int product = 0, length = 0, misplaced = 1, sum = 0;
#pragma omp target map(from: misplaced, sum)
    {
        misplaced = (unsigned long)aligned % 32 || (unsigned long)placed % 32;
        sum = aligned[1][0] + *placed;
    }
    CHECK(!misplaced && sum == 's' + 11);
#pragma omp target map(from: product, length)
    {
        product = chosen(6, 7);
        for (length = 0; title[length]; ++length)
            ;
    }
    CHECK(product == 42 && length == 9);
    CHECK(result == 7 + 12 + 3 + 2 && letters == 8 && first == 256 * 'a' + 'm');
    printf("%d %d %d\n", result, letters, first);
    return CHECK_RESULT();
}
