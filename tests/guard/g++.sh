#!/bin/sh
# g++, which adds the checks of $REX_CHECKED behind all other options where it makes images for the cpu device. The folder
# $REX_CHECKED_HEADERS has the device library precompiled, for device files that choose nothing of it by macros; g++
# forgets the library's pragmas about warnings then. The functions that answer are loaded with the program, so the link
# that looks for missing functions of device code that is linked gets their library, too.
library=
read="-include rex_library.h -Wno-address-of-packed-member -Wno-packed-not-aligned -Wno-overflow"
case " $* " in
*" -DREX_DEVICE_CPU "*)
    for word; do
        case $word in *.cu) grep -q '^#define REX_' "$word" || library=$read ;; esac
    done
    # shellcheck disable=SC2086
    exec g++ -I"$REX_CHECKED_HEADERS" $library "$@" $REX_CHECKED
    ;;
*" -Wl,-z,defs "*) exec g++ "$@" "$REX_CHECKED_HEADERS/guard.so" ;;
*) exec g++ "$@" ;;
esac
