/* __LINE__ and __FILE__ stay those of the source, before, inside and after regions. */
#include "check.h"

#include <assert.h>
#include <string.h>

#define HERE __LINE__
#define SPELL(x) #x
#define OMP(directive) _Pragma(SPELL(omp directive))
#define REGION_THAT_KEEPS_ITS_LINE(variable) \
    OMP(target map(from: variable)) variable = __LINE__

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(void)
{
    int first = __LINE__, inside = 0, in_loop[3], after;

#pragma omp target map(from: inside)
    {

        inside = __LINE__;
    }
    after = __LINE__;
    printf("%d %d %d\n", first, inside, after);

#pragma omp target teams distribute parallel for map(from: in_loop)
    for (int i = 0; i < 3; ++i)

        in_loop[i] = HERE

            + i;
    printf("%d %d %d\n", in_loop[0], in_loop[2], __LINE__);

    REGION_THAT_KEEPS_ITS_LINE(inside); printf("%d %d\n", inside, __LINE__);

#pragma omp target data map(to: first) \
    map(tofrom: after)
    {
        printf("%d\n", __LINE__);
#pragma omp target map(tofrom: after)
        after = __LINE__;
        printf("%d\n",
               __LINE__);
    }
    printf("%d %d\n", after, __LINE__);
    printf("%s %s\n", base_name(__FILE__), __func__);

    char names[3] = {0}, parallel[4] = {0};
#pragma omp target map(tofrom: names)
    names[0] = __func__[0], names[1] = __PRETTY_FUNCTION__[sizeof(__PRETTY_FUNCTION__) - 2];
#pragma omp target teams distribute parallel for map(tofrom: parallel)
    for (int i = 0; i < 3; ++i)
        parallel[i] = __func__[i];
    printf("%s %s\n", names, parallel);

#pragma omp target update to(first) if (0)
    assert(__LINE__ > 0);
    printf("%d\n", __LINE__);
#line 1000 "renamed.c"
#pragma omp target map(from: inside)
    inside = __LINE__;
    printf("%d %d %s\n", inside, __LINE__, base_name(__FILE__));
    return CHECK_RESULT();
}
