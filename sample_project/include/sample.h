/* What the parts of the sample share: the records they work on and the form in which they report. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rectangular piece of a chip: temperature and dissipated power per cell, row by row. */
struct plate {
    int rows, columns;
    float cell_width, cell_height;   /* m */
    float ambient;                   /* K */
    float *temperature;              /* K, rows * columns */
    float *power;                    /* W, rows * columns */
};

/* One observation of a storm, as weather services publish them. */
struct observation {
    int32_t year;
    int16_t month, day;
    float latitude, longitude;       /* degrees */
    char name[12];
};

/* The distance of one observation from the place asked for. */
struct neighbour {
    int index;
    float distance;                  /* degrees */
};

/* A directed graph: the edges of vertex v lead to target[first[v]] ... target[first[v + 1] - 1]. */
struct graph {
    int vertices, edges;
    int *first;                      /* vertices + 1 */
    int *target;                     /* edges */
};

/* What one part has to say. */
struct result {
    const char *part;
    char problem[40];
    double seconds, reference_seconds;
    double error;                    /* largest deviation from the serial reference, in the part's own measure */
    bool correct;
};

/* The parts. Each computes on the device, computes the same serially, and compares. `scale` multiplies the work. */
struct result heat_part(int scale);
struct result neighbours_part(int scale);
struct result search_part(int scale);
struct result dot_part(int scale);
struct result extrema_part(int scale);
struct result product_part(int scale);

/* support.c */
double seconds_now(void);
void *allocate(size_t count, size_t size);
uint32_t next_random(uint32_t *state);
float random_between(uint32_t *state, float low, float high);
double relative_error(double value, double reference);

#endif
