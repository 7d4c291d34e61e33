#include "headers/broken.h"
int f(int n)
{
    return next(n);
}
// expect: error headers/broken.h:4:35 "thread_limits"
