#pragma once
#include "once.h"

static inline int once_used(void)
{
    return once_run(1);
}
