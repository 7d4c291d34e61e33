#pragma GCC system_header
#include "../rex_std_begin.h"
#include_next <bits/stl_construct.h>
#include "../rex_std_end.h"
