# shellcheck shell=bash
# Sourced by build-gcc.sh and build-clang.sh: call `build NAME SOURCE [FLAG]` for every benchmark of $src in C. Where clang
# is the compiler, build_cxx_programs calls `build_cxx NAME` for those in C++.

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
    build relaxation_turned relaxation -DTURNED
    build rows_norm_any_order rows_norm -DANY_ORDER
    build spmv_long_rows spmv -DROW=40
}

build_cxx_programs() {
    local file
    for file in "$src"/*.cpp; do
        build_cxx "$(basename "$file" .cpp)"
    done
}
