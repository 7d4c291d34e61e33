/* Arrays of a thread's own that loops of constant length index: registers, once the loops are unrolled. */
#include <stdio.h>

#define N 50
#define W 6

struct sums {
    double part[W];
    int count;
};

#pragma omp declare target
static double sorted_middle(const double *from, int stride)
{
    double v[W];
    for (int k = 0; k < W; k++)
        v[k] = from[k * stride];
    for (int k = 0; k < W - 1; k++)
        for (int l = 0; l < W - 1; l++)
            if (v[l] > v[l + 1]) {
                double t = v[l];
                v[l] = v[l + 1];
                v[l + 1] = t;
            }
    return v[W / 2];
}
#pragma omp end declare target

int main(void)
{
    static double a[N * W], out[N], middle[N], matrix[N], jumps[N], chosen[N];
    static int rest[N];
    for (int i = 0; i < N * W; i++)
        a[i] = (i * 37 % 101) * 0.5 - 7;

#pragma omp target teams distribute parallel for map(to: a) map(from: out, middle, matrix, jumps, chosen, rest)
    for (int i = 0; i < N; i++) {
        struct sums s = {.count = 0};
#pragma omp simd
        for (int l = 0; l < W; l++)
            s.part[l] = a[i * W + l];
        for (int pass = 0; pass < i % 3 + 1; pass++)
            for (int l = W - 1; l >= 1; l--)
                s.part[l] += s.part[l - 1] * 0.5, s.count++;
        out[i] = s.part[W - 1];
        rest[i] = s.count;
        middle[i] = sorted_middle(a + i, N);

        double m[3][3], product[3][3];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c != 3; ++c)
                m[r][c] = a[i + r * 3 + c];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                product[r][c] = 0;
                for (unsigned char k = 0; k < 3; k++)
                    product[r][c] += m[r][k] * m[k][c];
            }
        matrix[i] = product[0][0] + product[1][2] - product[2][1];

        double taken[8]; /* a loop that changes its counter, one that leaves early, and an index that nobody knows */
        for (int l = 0; l < 8; l++)
            taken[l] = l;
        for (int l = 0; l < 8; l++) {
            if (a[(i + l) % (N * W)] > 20)
                break;
            if (a[(i + l) % (N * W)] < 0)
                l++;
            if (l < 8)
                taken[l] += a[i] + l;
        }
        jumps[i] = taken[3] + taken[7];
        double open[4];
        for (int l = 0; l < 4; l++)
            open[l] = a[i] * l;
        chosen[i] = open[i % 4];
    }
    double total = 0;
    for (int i = 0; i < N; i++)
        total += out[i] + 3 * middle[i] + 5 * matrix[i] + 7 * jumps[i] + 11 * chosen[i] + rest[i];
    printf("%.6f\n", total);
    return 0;
}
