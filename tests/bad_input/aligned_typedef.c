typedef int loose __attribute__((aligned(1)));
int f(char *bytes)
{
    loose *words = (loose *)(bytes + 1);
#pragma omp target map(tofrom: words[0:2])
    words[1]++;
    return words[1];
}
// expect: error 6:5 "the type 'loose', which is aligned to 1, is not supported"
