/* Metadirectives in target constructs with thread_limit, one of whose variants makes teams. The host version has the teams
 * that the variant asks for and the limit of the target construct. */

int decided_by_the_run(int c, double *a)
{
    int n = 0;
#pragma omp target thread_limit(8) map(tofrom: n)
#pragma omp metadirective when(user={condition(0)}: parallel num_threads(2)) otherwise(teams num_teams(1))
    { n = 5; }
#pragma omp target thread_limit(c + 7) if(c > 5) map(tofrom: a[0:100])
#pragma omp metadirective when(user={condition(c > 1)}: parallel for) default(teams distribute parallel for num_teams(3))
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target thread_limit(4) map(tofrom: a[0:100]) nowait
#pragma omp metadirective when(user={condition(c > 1)}: teams num_teams(2)) otherwise(teams thread_limit(2))
    {
#pragma omp distribute parallel for
        for (int i = 0; i < 100; i++)
            a[i] += i;
    }
#pragma omp taskwait
    return n;
}

void decided_by_the_device(int c, double *a)
{
#pragma omp target thread_limit(c) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(nohost)}: parallel for) otherwise(teams distribute num_teams(2))
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target device(0) thread_limit(8) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(nohost)}: teams distribute parallel for thread_limit(2)) otherwise(teams loop)
    for (int i = 0; i < 100; i++)
        a[i] = i;
}

void nothing_on_the_device(int c, double *a)
{
    double s = 0;
#pragma omp target thread_limit(c) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(nohost)}: nothing) default(teams distribute parallel for reduction(+: s))
    for (int i = 0; i < 100; i++)
        a[i] += s;
#pragma omp target nowait thread_limit(4) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(host)}: teams loop)
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target device(0) thread_limit(4) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(host)}: teams num_teams(c))
    a[0] = c;
}

void copies_on_the_host(int c, double *a, int x)
{
#pragma omp target thread_limit(c) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(nohost)}: nothing) default(teams private(x))
    for (int i = 0; i < 100; i++) {
        x = i;
        a[i] = x;
    }
#pragma omp target thread_limit(c) map(tofrom: a[0:100])
#pragma omp metadirective when(device={kind(nohost)}: nothing) default(teams distribute parallel for firstprivate(x))
    for (int i = 0; i < 100; i++) {
        a[i] = x;
        x = i;
    }
}
