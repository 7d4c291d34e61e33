#ifndef ONCE_LATE_H
#define ONCE_LATE_H
#include "../headers/once.h"
#include "once_user.h"

static inline int once_late(void)
{
    return once_used() + once_run(3);
}
#endif
