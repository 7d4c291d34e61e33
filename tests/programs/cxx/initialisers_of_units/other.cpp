static int first = [] {
    int value = 1;
#pragma omp target map(tofrom: value)
    value *= 3000;
    return value;
}();

static int by_default(int value = [] {
    int made = 0;
#pragma omp target map(from: made)
    made = 5;
    return made;
}())
{
    return value;
}

int others()
{
    return first + by_default();
}
