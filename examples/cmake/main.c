#include <stdio.h>

void saxpy(int n, float a, const float *x, float *y);

int main(void)
{
    static float x[1000], y[1000];

    for (int i = 0; i < 1000; i++)
        x[i] = i;
    saxpy(1000, 2, x, y);
    printf("y[999] = %g\n", y[999]);
    return 0;
}
