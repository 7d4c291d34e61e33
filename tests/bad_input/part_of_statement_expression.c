struct point { double x, y; };

void f(struct point *p)
{
#pragma omp target map(tofrom: p[0:1])
    {
        struct point copy = *p;
        ({ copy; }).y *= 2;
        *p = copy;
    }
}
// expect: error 8:9 "a change of a part of a statement expression's value is not supported"
