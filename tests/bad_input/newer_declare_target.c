static int counter;
#pragma omp declare target local(counter)

void f(void)
{
#pragma omp target
    counter += 1;
}
// expect: error 2:28 "clause 'local' on 'declare target' is not supported"
