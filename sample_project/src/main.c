/*
 * sample_project: six small computations of the kind that people offload, each checked against a serial reference.
 *
 *     sample_project [SCALE]      SCALE (1 to 8, default 1) enlarges the problems
 *
 * Exit status 0 when every part agrees with its reference.
 */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The device that the build made images for; without one the target regions run on the host. */
#ifndef SAMPLE_DEVICE
#define SAMPLE_DEVICE "host"
#endif

/* Whether target regions leave the host. Asking also starts the device, outside of every part's time. */
static bool regions_are_offloaded(void)
{
    int on_host = 1;
#ifdef _OPENMP
#pragma omp target map(from: on_host)
    on_host = omp_is_initial_device();
#endif
    return !on_host;
}

static void print_row(const struct result *r)
{
    printf("%-22s %-34s %10.2f %10.2f %10.1e   %s\n", r->part, r->problem, 1e3 * r->seconds,
           1e3 * r->reference_seconds, r->error, r->correct ? "ok" : "WRONG");
}

int main(int argc, char **argv)
{
    struct result (*const parts[])(int) = {heat_part, neighbours_part, search_part,
                                           dot_part,  extrema_part,    product_part};
    const size_t part_count = sizeof parts / sizeof parts[0];
    const int scale = argc > 1 ? atoi(argv[1]) : 1;
    bool correct = true;

    if (argc > 2 || scale < 1 || scale > 8) {
        fprintf(stderr, "usage: %s [SCALE]   (1 to 8)\n", argv[0]);
        return 2;
    }

    const char *const device = regions_are_offloaded() ? SAMPLE_DEVICE : "host";
    printf("%-22s %-34s %10s %10s %10s   %s\n", "part", "problem", "time [ms]", "serial", "error", "verdict");
    for (size_t i = 0; i < part_count; ++i) {
        const struct result result = parts[i](scale);
        print_row(&result);
        fflush(stdout);
        correct = correct && result.correct;
    }
    printf("sample_project: %s (device: %s)\n", correct ? "PASS" : "FAIL", device);
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
