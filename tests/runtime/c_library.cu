#include "xomp_cuda_lib_inlined.cu"

/* Calls as they stand in lowered C, one result after the other. */
extern "C" __global__ void __launch_bounds__(1)
    c_library(void *__rex_kernel_launch_env, unsigned long long shape, long long *results, char *text, double *numbers)
{
    REX_CPU_GRID_EXACT(shape, c_library(__rex_kernel_launch_env, shape, results, text, numbers));
    char buffer[64], other[64];
    long long *r = results;
    *r++ = static_cast<long long>(rex_c_strlen(text));
    *r++ = rex_c_strcmp(text, "offload") == 0;
    *r++ = rex_c_strcmp(text, "offloaded") < 0;
    *r++ = rex_c_strcmp("\xff", "a") > 0;
    *r++ = rex_c_strncmp(text, "offside", 3) == 0;
    *r++ = rex_c_strncmp(text, "offside", 4) < 0;
    *r++ = rex_c_memcmp(text, "offside", 4) < 0;
    *r++ = rex_c_strchr(text, 'f') - text;
    *r++ = rex_c_strrchr(text, 'f') - text;
    *r++ = rex_c_strchr(text, 'z') == nullptr && rex_c_strrchr(text, 'z') == nullptr;
    *r++ = rex_c_strchr(text, '\0') - text;
    *r++ = static_cast<char *>(rex_c_memchr(text, 'l', 7)) - text;
    *r++ = rex_c_memchr(text, 'l', 2) == nullptr;
    rex_c_strcpy(buffer, text);
    rex_c_strcat(buffer, "+");
    rex_c_strncat(buffer, text + 1, 2);
    *r++ = rex_c_strcmp(buffer, "offload+ff") == 0;
    rex_c_memmove(buffer + 2, buffer, 8);
    *r++ = rex_c_strncmp(buffer, "ofoffload+", 10) == 0;
    rex_c_memmove(buffer, buffer + 2, 8);
    *r++ = rex_c_strncmp(buffer, "offload+", 8) == 0;
    memset(other, 'x', sizeof other);
    rex_c_strncpy(other, "ab", 4);
    *r++ = rex_c_memcmp(other, "ab\0\0x", 5) == 0;
    int *zeros = static_cast<int *>(rex_c_calloc(4, sizeof *zeros));
    *r++ = zeros[0] == 0 && zeros[3] == 0;
    rex_c_free(zeros);
    *r++ = rex_c_div(-7, 2).quot * 10 + rex_c_div(-7, 2).rem;
    *r++ = rex_c_ldiv(-7, 2).quot * 10 + rex_c_lldiv(-7, 2).rem;
    *r++ = labs(-5000000000) + llabs(-1ll) + abs(-2);
    const double tiny = numbers[0], not_a_number = numbers[1], infinite = numbers[2];
    *r++ = __builtin_isnormal(tiny) * 2 + __builtin_isnormal(numbers[3]);
    *r++ = __builtin_isinf_sign(-infinite) * 10 + __builtin_isinf_sign(tiny);
    *r++ = __builtin_isunordered(tiny, not_a_number) * 2 + __builtin_isgreater(tiny, not_a_number);
    *r++ = __builtin_fpclassify(0, 1, 2, 3, 4, not_a_number) * 10000 +
           __builtin_fpclassify(0, 1, 2, 3, 4, infinite) * 1000 +
           __builtin_fpclassify(0, 1, 2, 3, 4, numbers[3]) * 100 + __builtin_fpclassify(0, 1, 2, 3, 4, tiny) * 10 +
           __builtin_fpclassify(0, 1, 2, 3, 4, 0.0);
    rex_c_puts("c_library: puts");
    rex_c_putchar('\n');
    assert(r - results == 25);
    if (r - results != 25)
        rex_c_abort();
}
