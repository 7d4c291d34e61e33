#!/bin/sh
# @NAME@ stands in a compiler's place. A small program, which rex-build compiles for this user when it first needs it
# (launcher.c), passes files that surely have nothing to lower on to the compiler. rex-build itself does the rest.
base=$XDG_CACHE_HOME
case $base in /*) ;; *) base=$HOME/.cache ;; esac
launcher=$base/rex-build-launcher/@DIGEST@/launcher
if [ -O "$launcher" ] && [ -x "$launcher" ]; then exec "$launcher" @NAME@ "$0" @OPTIONS@"$@"; fi
here=${0%/*}
[ -x "$here/rex-build" ] || here=$(dirname "$(readlink -f "$0")")
[ -x "$here/rex-build" ] || here=$(dirname "$(command -v rex-build)") # this is a copy
exec "$here/rex-build" @NAME@ @OPTIONS@"$@"
