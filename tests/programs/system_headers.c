/* A unit that includes what real programs include. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define N 64

struct sample {
    uint32_t id;
    struct timespec when;
    size_t bytes;
    bool valid;
};

static int say(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return length;
}

static void *run(void *argument)
{
    int *p = argument;
#pragma omp target map(tofrom: p[0:N])
    for (int i = 0; i < N; ++i)
        p[i] += 1;
    return NULL;
}

int main(void)
{
    struct sample samples[N];
    struct timeval start;
    char text[40];
    int a[N] = {0};
    pthread_t thread;

    gettimeofday(&start, NULL);
    for (int i = 0; i < N; ++i)
        samples[i] = (struct sample){.id = (uint32_t)i, .when = {.tv_sec = i, .tv_nsec = 500}, .bytes = 8, .valid = true};

#pragma omp target teams distribute parallel for map(tofrom: samples)
    for (int i = 0; i < N; ++i) {
        assert(samples[i].valid);
        samples[i].when.tv_nsec += samples[i].when.tv_sec;
        samples[i].bytes = SIZE_MAX - samples[i].bytes;
        samples[i].valid = samples[i].id % 2 == 0;
        if (samples[i].id > INT32_MAX)
            samples[i].when.tv_sec = (time_t)M_PI;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(samples[i].when.tv_nsec == 500 + i && samples[i].bytes == SIZE_MAX - 8);
        CHECK(samples[i].valid == (i % 2 == 0));
    }

    CHECK(pthread_create(&thread, NULL, run, a) == 0);
    pthread_join(thread, NULL);
    CHECK(a[0] == 1 && a[N - 1] == 1);
    CHECK(say(text, sizeof text, "%d-%s", 12, "ab") == 5 && toupper((unsigned char)text[3]) == 'A');
    CHECK(errno == 0 || errno != EINVAL);
    CHECK(getpid() > 0 && omp_get_max_threads() > 0);
    printf("%s %" PRIu32 "\n", text, samples[9].id);
    return CHECK_RESULT();
}
