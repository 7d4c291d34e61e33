/* A function that is not `declare target indirect`, called on the device by the address that the host took. */
#include <stdio.h>

static int add_one(int x) { return x + 1; }

int main(int argc, char **argv)
{
    int (*function)(int) = argc > 5 ? (int (*)(int))(void *)argv : add_one;
    int result = 0;
#pragma omp target map(from: result)
    result = function(1);
    printf("%d\n", result);
    return 0;
}
