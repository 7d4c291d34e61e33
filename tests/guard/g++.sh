#!/bin/sh
# g++, which adds the checks of $REX_CHECKED behind all other options where it makes images for the cpu device. It finds
# headers in $REX_CHECKED_HEADERS first. The functions that answer are loaded with the program, so the link that looks for
# missing functions of device code that is linked gets their library, too.
case " $* " in
*" -DREX_DEVICE_CPU "*) exec g++ -I"$REX_CHECKED_HEADERS" "$@" $REX_CHECKED ;;
*" -Wl,-z,defs "*) exec g++ "$@" "$REX_CHECKED_HEADERS/guard.so" ;;
*) exec g++ "$@" ;;
esac
