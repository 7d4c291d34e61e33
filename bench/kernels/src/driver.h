/* main(): repetitions, their times, the check; one line of JSON on stdout. BENCH_STEPS is the number of timed steps. */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    const char *wanted = getenv("BENCH_STEPS");
    const int timed = wanted ? atoi(wanted) : 20;
    double *times = NEW(double, timed + 1), first, tenth = 0;
    int good;

    setup();
    begin();
    for (int i = 0; i < timed + 1; ++i) {
        const double from = seconds_now();
        step();
        ++steps;
        times[i] = seconds_now() - from;
        if (i == 9)
            tenth = times[i];
    }
    first = times[0];
    end();
    good = check();
    qsort(times, (size_t)timed + 1, sizeof *times, by_time);
    printf("{\"ok\": %s, \"steps\": %d, \"step_s\": %.9f, \"first_s\": %.9f, \"tenth_s\": %.9f, \"bytes\": %.0f}\n",
           good ? "true" : "false", steps, times[timed / 2], first, tenth, (double)bytes);
    return !good;
}
