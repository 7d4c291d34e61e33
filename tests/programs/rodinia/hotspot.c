/* HotSpot's stencil: collapse(2), temperatures that trade places, a chunk of borders handled by conditions. */
#include "../check.h"

#include <stdlib.h>

#define ROWS 40
#define COLUMNS 52
#define AMBIENT 80.0f

static void step(float *result, const float *temp, const float *power, int rows, int columns, float cap, float rx, float ry,
                 float rz)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            const int here = r * columns + c;
            const float centre = temp[here];
            const float north = r == 0 ? centre : temp[here - columns];
            const float south = r == rows - 1 ? centre : temp[here + columns];
            const float west = c == 0 ? centre : temp[here - 1];
            const float east = c == columns - 1 ? centre : temp[here + 1];
            result[here] = centre + cap * (power[here] + (north + south - 2 * centre) * ry
                                           + (east + west - 2 * centre) * rx + (AMBIENT - centre) * rz);
        }
    }
}

int main(void)
{
    const int cells = ROWS * COLUMNS;
    float *temp = (float *)malloc((size_t)cells * sizeof *temp), *power = (float *)malloc((size_t)cells * sizeof *power);
    float *result = (float *)malloc((size_t)cells * sizeof *result);

    for (int i = 0; i < cells; ++i) {
        temp[i] = AMBIENT + (float)(i % 16);
        power[i] = i % 97 == 0 ? 8.0f : 0.0f;
    }
    /* Powers of two keep the arithmetic exact enough that a fused multiplication and addition changes nothing printed. */
#pragma omp target data map(to: power[0:cells]) map(tofrom: temp[0:cells], result[0:cells])
    {
        float *from = temp, *to = result;
        for (int t = 0; t < 4; ++t) {
            step(to, from, power, ROWS, COLUMNS, 0.5f, 0.25f, 0.25f, 0.125f);
            float *swap = from;
            from = to;
            to = swap;
        }
    }
    double sum = 0;
    for (int i = 0; i < cells; ++i)
        sum += temp[i];
    printf("%.2f %.3f %.3f\n", sum, (double)temp[0], (double)temp[cells - 1]);
    CHECK(temp[0] > AMBIENT && sum / cells > AMBIENT && sum / cells < AMBIENT + 16);
    free(temp);
    free(power);
    free(result);
    return CHECK_RESULT();
}
