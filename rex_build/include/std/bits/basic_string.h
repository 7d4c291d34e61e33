#pragma GCC system_header
#include "../rex_std_begin.h"
#include_next <bits/basic_string.h>
#include "../rex_std_end.h"
