// Objects that are passed by value, references to elements that data chooses, and variables of classes.
struct Handle {
    double *p;
    int n;
    Handle(double *q, int m) : p(q), n(m)
    {
#pragma omp target enter data map(to: p[0:n])
    }
    ~Handle()
    {
#pragma omp target exit data map(from: p[0:n]) // rex-expect: double-release (likely)
    }
};
double sum(Handle given)
{
    double s = 0, *p = given.p;
    int n = given.n;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += p[i];
    return s;
}
double copies(double *a)
{
    Handle handle(a, 100);
    double s = sum(handle), *p = handle.p;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; ++i)
        p[i] = 2; // rex-expect: unmapped-pointer (likely)
    return s;
}

struct Counted {
    double *p;
    int n;
    Counted(double *q, int m) : p(q), n(m)
    {
#pragma omp target enter data map(to: p[0:n])
    }
    Counted(const Counted &other) : p(other.p), n(other.n)
    {
#pragma omp target enter data map(to: p[0:n])
    }
    ~Counted()
    {
#pragma omp target exit data map(from: p[0:n])
    }
};
double sum(Counted given)
{
    double s = 0, *p = given.p;
    int n = given.n;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += p[i];
    return s;
}
double counts(double *a)
{
    Counted handle(a, 100);
    double s = sum(handle), *p = handle.p;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; ++i)
        p[i] = 2;
    return s;
}

void references(int n, const int *key, int (&cell)[8], int *own)
{
#pragma omp target teams distribute parallel for map(to: key[0:n]) map(tofrom: cell, own[0:n])
    for (int i = 0; i < n; ++i) {
        auto &c = cell[key[i] & 7];
        c += 1; // rex-expect: reduction (likely)
        int &o = own[i];
        o += 1;
    }
}
void pointers(int n, const int *key, int *cell, int *own)
{
#pragma omp target teams distribute parallel for map(to: key[0:n]) map(tofrom: cell[0:8], own[0:n])
    for (int i = 0; i < n; ++i) {
        int *c = &cell[key[i] & 7], *o = own + i;
        ++*c; // rex-expect: reduction (likely)
        ++*o;
    }
}

struct Settings {
#pragma omp declare target
    static double gain, offset;
#pragma omp end declare target
};
double Settings::gain = 1;
double Settings::offset = 1;
static void set_gain(double to) { Settings::gain = to; }
static void set_offset(double to)
{
    Settings::offset = to;
#pragma omp target update to(Settings::offset)
}
void settings(double *a)
{
    set_gain(4);
    set_offset(4);
#pragma omp target teams distribute parallel for map(tofrom: a[0:30])
    for (int i = 0; i < 30; ++i)
        a[i] = a[i] * Settings::gain + Settings::offset; // rex-expect: stale
}
