typedef struct {
    int a;
} record;
typedef record loose __attribute__((aligned(1)));
int f(char *bytes)
{
    loose *words = (loose *)(bytes + 1);
#pragma omp target map(tofrom: words[0:2])
    words[1].a++;
    return words[1].a;
}
// expect: error 9:5 "the type 'loose', which is aligned to 1, is not supported"
