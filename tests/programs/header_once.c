/* Headers with regions and "#pragma once", which others include, too. */
#include "headers/once_user.h"
#include "check.h"
#include "headers/once.h"
#include "headers/once_late.h"
#include "./headers/../headers/once.h"

int main(void)
{
    CHECK(once_used() == 3);
    CHECK(once_run(2) == 6);
    CHECK(once_late() == 12);
    return CHECK_RESULT();
}
