#include "xomp_cuda_lib_inlined.cu"

/* Calls as they stand in lowered C, one result after the other. */
extern "C" __global__ void __launch_bounds__(1)
    c_library(void *__rex_kernel_launch_env, unsigned long long shape, long long *results, char *text, double *numbers)
{
    REX_CPU_GRID_EXACT(shape, c_library(__rex_kernel_launch_env, shape, results, text, numbers));
    char buffer[64], other[64];
    long long *r = results;
    *r++ = static_cast<long long>(strlen(text));
    *r++ = strcmp(text, "offload") == 0;
    *r++ = strcmp(text, "offloaded") < 0;
    *r++ = strcmp("\xff", "a") > 0;
    *r++ = strncmp(text, "offside", 3) == 0;
    *r++ = strncmp(text, "offside", 4) < 0;
    *r++ = memcmp(text, "offside", 4) < 0;
    *r++ = strchr(text, 'f') - text;
    *r++ = strrchr(text, 'f') - text;
    *r++ = strchr(text, 'z') == nullptr && strrchr(text, 'z') == nullptr;
    *r++ = strchr(text, '\0') - text;
    *r++ = static_cast<char *>(memchr(text, 'l', 7)) - text;
    *r++ = memchr(text, 'l', 2) == nullptr;
    strcpy(buffer, text);
    strcat(buffer, "+");
    strncat(buffer, text + 1, 2);
    *r++ = strcmp(buffer, "offload+ff") == 0;
    memmove(buffer + 2, buffer, 8);
    *r++ = strncmp(buffer, "ofoffload+", 10) == 0;
    memmove(buffer, buffer + 2, 8);
    *r++ = strncmp(buffer, "offload+", 8) == 0;
    memset(other, 'x', sizeof other);
    strncpy(other, "ab", 4);
    *r++ = memcmp(other, "ab\0\0x", 5) == 0;
    int *zeros = static_cast<int *>(calloc(4, sizeof *zeros));
    *r++ = zeros[0] == 0 && zeros[3] == 0;
    free(zeros);
    *r++ = div(-7, 2).quot * 10 + div(-7, 2).rem;
    *r++ = ldiv(-7, 2).quot * 10 + lldiv(-7, 2).rem;
    *r++ = labs(-5000000000) + llabs(-1ll) + abs(-2);
    const double tiny = numbers[0], not_a_number = numbers[1], infinite = numbers[2];
    *r++ = __builtin_isnormal(tiny) * 2 + __builtin_isnormal(numbers[3]);
    *r++ = __builtin_isinf_sign(-infinite) * 10 + __builtin_isinf_sign(tiny);
    *r++ = __builtin_isunordered(tiny, not_a_number) * 2 + __builtin_isgreater(tiny, not_a_number);
    *r++ = __builtin_fpclassify(0, 1, 2, 3, 4, not_a_number) * 10000 +
           __builtin_fpclassify(0, 1, 2, 3, 4, infinite) * 1000 +
           __builtin_fpclassify(0, 1, 2, 3, 4, numbers[3]) * 100 + __builtin_fpclassify(0, 1, 2, 3, 4, tiny) * 10 +
           __builtin_fpclassify(0, 1, 2, 3, 4, 0.0);
    puts("c_library: puts");
    putchar('\n');
    assert(r - results == 25);
    if (r - results != 25)
        abort();
}
