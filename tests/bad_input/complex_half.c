int f(_Float16 x)
{
    _Complex _Float16 host = 2;
    host += x;
#pragma omp target map(tofrom: host)
    host *= 2;
    return __real__ host;
}
// expect: error 6:5 "'host': '_Float16 _Complex' is not supported in device code"
