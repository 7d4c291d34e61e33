# shellcheck shell=bash
# Sourced by build-gcc.sh and build-clang.sh: call `build NAME SOURCE [FLAG]` for every benchmark of $src in C.

build_programs() {
    local file name
    for file in "$src"/*.c; do
        name=$(basename "$file" .c)
        [ "$name" = srad ] || build "$name" "$name"
    done
    for name in axpy matvec nn; do
        build "${name}_parallel_for" "$name" -DPARALLEL_FOR
    done
    build srad_v1 srad -DVERSION=1
    build srad_v2 srad -DVERSION=2
}
