#pragma GCC system_header
#include "../rex_std_begin.h"
#include_next <bits/char_traits.h>
#include "../rex_std_end.h"
