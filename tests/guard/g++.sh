#!/bin/sh
# g++, which adds the checks of $REX_CHECKED behind all other options where it makes images for the cpu device.
case " $* " in
*" -DREX_DEVICE_CPU "*) exec g++ "$@" $REX_CHECKED ;;
*) exec g++ "$@" ;;
esac
