/* State of the device library. Each unit has its own, or all units that device-link joins share one. */
#pragma once

#ifdef REX_SEPARABLE
#define REX_STATE inline
#else
#define REX_STATE static
#endif
