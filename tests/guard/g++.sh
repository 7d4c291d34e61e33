#!/bin/sh
# g++, which adds the checks of $REX_CHECKED behind all other options where it makes images for the cpu device. It finds
# headers in $REX_CHECKED_HEADERS first.
case " $* " in
*" -DREX_DEVICE_CPU "*) exec g++ -I"$REX_CHECKED_HEADERS" "$@" $REX_CHECKED ;;
*) exec g++ "$@" ;;
esac
