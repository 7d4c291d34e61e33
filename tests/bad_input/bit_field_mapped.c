struct flags {
    unsigned ready : 1, count : 7;
    int rest;
};
int f(struct flags s)
{
#pragma omp target map(tofrom: s.count)
    s.count = 3;
#pragma omp target update to(s.rest, s.ready)
    return s.count;
}
// expect: error 7:32 "'s.count' is a bit-field"
// expect: error 9:38 "'s.ready' is a bit-field"
