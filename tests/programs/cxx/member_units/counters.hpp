// A static member of a declare target class, defined in a unit without regions.
#pragma once
#pragma omp declare target
struct Counter {
    static int made;
    int get() const { return made; }
};
#pragma omp end declare target
int read_on_device();
