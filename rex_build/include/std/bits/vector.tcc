#pragma GCC system_header
#include "../rex_std_begin.h"
#include_next <bits/vector.tcc>
#include "../rex_std_end.h"
