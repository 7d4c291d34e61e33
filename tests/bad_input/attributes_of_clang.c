typedef float quad __attribute__((ext_vector_type(4)));
int g(void)
{
    int n;
#pragma omp target map(from: n)
    n = sizeof(quad);
    return n;
}
// expect: error 6:16 "the attribute 'ext_vector_type' is not supported"
