/*
 * Heat in a chip, after the thermal model of the HotSpot family: each cell exchanges heat with its four neighbours
 * and with the ambient air and receives the power that its circuits dissipate. Explicit time steps; the two
 * temperature fields stay on the device for the whole simulation and trade places after each step.
 */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The coefficients of one time step, the same for every cell. */
struct coefficients {
    float step_over_capacity;           /* K/W */
    float horizontal, vertical, upward; /* W/K */
};

static struct coefficients coefficients_of(const struct plate *plate)
{
    const float thickness = 0.0005f;      /* m */
    const float conductivity = 100.0f;    /* W/(m K) */
    struct coefficients c = {
        .horizontal = conductivity * thickness * plate->cell_height / plate->cell_width,
        .vertical = conductivity * thickness * plate->cell_width / plate->cell_height,
        .upward = conductivity * plate->cell_width * plate->cell_height / thickness,
    };
    /* The explicit scheme is stable below capacity / (sum of the conductances); a fifth of that is accurate. */
    c.step_over_capacity = 0.2f / (2.0f * c.horizontal + 2.0f * c.vertical + c.upward);
    return c;
}

#pragma omp declare target
/* The cell's temperature one step later. At the border the missing neighbour is the cell itself: no heat flows. */
static float step_cell(const float *temperature, const float *power, int rows, int columns, int row, int column,
                       float ambient, struct coefficients c)
{
    const int cell = row * columns + column;
    const float here = temperature[cell];
    const float north = row > 0 ? temperature[cell - columns] : here;
    const float south = row < rows - 1 ? temperature[cell + columns] : here;
    const float west = column > 0 ? temperature[cell - 1] : here;
    const float east = column < columns - 1 ? temperature[cell + 1] : here;
    const float flow = (north + south - 2.0f * here) * c.vertical + (west + east - 2.0f * here) * c.horizontal
                       + (ambient - here) * c.upward + power[cell];
    return here + c.step_over_capacity * flow;
}
#pragma omp end declare target

/* `steps` time steps on the device. The result is in plate->temperature. */
static void simulate(struct plate *plate, int steps)
{
    const int rows = plate->rows, columns = plate->columns, cells = rows * columns;
    const float ambient = plate->ambient;
    const struct coefficients c = coefficients_of(plate);
    float *temperature = plate->temperature;
    float *power = plate->power;
    float *scratch = allocate((size_t)cells, sizeof *scratch);

#pragma omp target data map(to: power[0:cells], temperature[0:cells]) map(alloc: scratch[0:cells])
    {
        float *current = temperature, *next = scratch;

        for (int step = 0; step < steps; ++step) {
#pragma omp target teams distribute parallel for collapse(2)
            for (int row = 0; row < rows; ++row)
                for (int column = 0; column < columns; ++column)
                    next[row * columns + column] =
                        step_cell(current, power, rows, columns, row, column, ambient, c);

            float *swap = current;
            current = next;
            next = swap;
        }
        /* Only the field of the last step comes back, to whichever of the two buffers it is in. */
#pragma omp target update from(current[0:cells])
        if (current != temperature)
            memcpy(temperature, current, (size_t)cells * sizeof *current);
    }
    free(scratch);
}

static void simulate_serially(struct plate *plate, int steps)
{
    const int rows = plate->rows, columns = plate->columns;
    const struct coefficients c = coefficients_of(plate);
    float *next = allocate((size_t)rows * (size_t)columns, sizeof *next);

    for (int step = 0; step < steps; ++step) {
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                next[row * columns + column] = step_cell(plate->temperature, plate->power, rows, columns, row, column,
                                                         plate->ambient, c);
        memcpy(plate->temperature, next, (size_t)rows * (size_t)columns * sizeof *next);
    }
    free(next);
}

static struct plate make_plate(int rows, int columns)
{
    struct plate plate = {.rows = rows, .columns = columns, .ambient = 300.0f};
    const size_t cells = (size_t)rows * (size_t)columns;
    uint32_t state = 20240229u;

    plate.cell_width = 0.016f / (float)columns;
    plate.cell_height = 0.016f / (float)rows;
    plate.temperature = allocate(cells, sizeof *plate.temperature);
    plate.power = allocate(cells, sizeof *plate.power);
    for (size_t cell = 0; cell < cells; ++cell) {
        plate.temperature[cell] = 320.0f + random_between(&state, 0.0f, 5.0f);
        plate.power[cell] = random_between(&state, 0.0f, 0.001f);
    }
    return plate;
}

struct result heat_part(int scale)
{
    const int rows = 256 * scale, columns = 320 * scale, steps = 81;
    struct result result = {.part = "heat in a chip"};
    struct plate plate = make_plate(rows, columns), reference = make_plate(rows, columns);
    snprintf(result.problem, sizeof result.problem, "%d x %d cells, %d steps", rows, columns, steps);

    double start = seconds_now();
    simulate(&plate, steps);
    result.seconds = seconds_now() - start;

    start = seconds_now();
    simulate_serially(&reference, steps);
    result.reference_seconds = seconds_now() - start;

    for (int cell = 0; cell < rows * columns; ++cell)
        result.error = fmax(result.error, relative_error(plate.temperature[cell], reference.temperature[cell]));
    result.correct = result.error < 1e-5;

    free(plate.temperature);
    free(plate.power);
    free(reference.temperature);
    free(reference.power);
    return result;
}
