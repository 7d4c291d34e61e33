// Storage that 'depend' names by other expressions than variables and sections: calls, conditions, pointers. Also of tasks in regions.
#include "check.hpp"

static int values[3] = {1, 2, 3};
int &second() { return values[1]; }

struct Box {
    int v = 0;
    int &get() { return v; }
    void fill()
    {
#pragma omp target map(tofrom: v) depend(out: get()) nowait
        v = 3;
#pragma omp target map(tofrom: v) depend(inout: this->get()) nowait
        v *= 5;
#pragma omp taskwait
    }
};

int main()
{
    int a = 1, b = 2, c = 3, value = 0;
    int *p = &a;
#pragma omp target parallel map(to: a, b, c) map(tofrom: value) num_threads(4)
    {
#pragma omp single
        {
#pragma omp task depend(out: (a > b) ? b : c) shared(a, b, c)
            c = 7;
#pragma omp task depend(in: (a > b) ? b : c) depend(inout: second()) shared(value, c)
            value += c;
#pragma omp taskwait
        }
    }
    check("tasks", value, 7);
#pragma omp target map(tofrom: values) depend(out: second()) nowait
    values[1] = 9;
#pragma omp target map(tofrom: values) depend(inout: second()) depend(in: *p, (a > b) ? b : c) nowait
    values[1] *= 2;
#pragma omp target enter data map(to: values) depend(inout: second())
#pragma omp target exit data map(from: values) depend(in: second())
    check("regions", values[1], 18);
    Box box;
    box.fill();
    check("method", box.v, 15);
    return report();
}
