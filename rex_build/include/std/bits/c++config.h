#pragma GCC system_header
#include_next <bits/c++config.h>
#include "../rex_std_builtins.h"
