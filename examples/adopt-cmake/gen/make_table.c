/* Writes a source with a table and a loop over it. */
#include <stdio.h>

int main(void)
{
    puts("static const int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};");
    puts("void add_table(int n, double *x)\n{");
    puts("#pragma omp target teams distribute parallel for map(tofrom: x[0:n])");
    puts("    for (int i = 0; i < n; i++)\n        x[i] += table[i % 8];\n}");
    return 0;
}
