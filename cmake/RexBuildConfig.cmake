# Finds the rex-build command that belongs to this file, asks it what is on this machine, and defines
#
#   RexBuild::runtime              the libraries that offloading programs link: libomptarget and libomp
#   rex_add_offload_sources(...)   see RexBuild.cmake
#
# Variables: RexBuild_LLVM_ROOT            the LLVM installation to take libomptarget from
#            RexBuild_NVCC_EXECUTABLE      the nvcc to use. Otherwise it is the one that the project's CUDA settings name,
#                                          or that rex-build finds, or that FindCUDAToolkit finds
#            RexBuild_PYTHON_EXECUTABLE    the Python that runs rex-build from a source checkout
#
# Nothing is written to CMakeCache.txt, because in an isolated Python build these paths change with every run.

if(CMAKE_VERSION VERSION_LESS 3.23)
  set(RexBuild_FOUND FALSE)
  set(RexBuild_NOT_FOUND_MESSAGE "rex-build needs CMake 3.23 or newer, this is ${CMAKE_VERSION}.")
  return()
endif()

# Sets <out> to the output of a command's `doctor --json`. When that fails, <out> is empty and <out>_errors has its messages.
#
# Starting Python and asking the compilers takes longer than everything else here, so good answers are kept in the user's
# cache folder. They are used again while the environment, and the folders in which tools are installed, stay the same.
# An answer names a Python that builds will run. So it is never kept in a store that others share (REX_BUILD_CACHE_DIR),
# and is believed only if nobody else can write to it or to its folder.
function(_rex_ask out)
  set(command ${ARGN})
  set(key "${command}|${RexBuild_LLVM_ROOT}|${_rex_nvcc}")
  get_property(asked GLOBAL PROPERTY _REX_ASKED)
  if(asked STREQUAL key) # just now, when looking for the command
    get_property(facts GLOBAL PROPERTY _REX_ANSWER)
    set(${out} "${facts}" PARENT_SCOPE)
    return()
  endif()
  set(asked "${key}")
  set(environment "")
  foreach(variable PATH CC CXX NVCC CUDACXX LD_LIBRARY_PATH REX_LLVM_ROOT CUDA_VISIBLE_DEVICES PYTHONPATH)
    # The first configure run of a build folder sets these variables for the languages it enables. Later runs do not.
    if((variable STREQUAL "CC" AND CMAKE_C_COMPILER) OR (variable STREQUAL "CXX" AND CMAKE_CXX_COMPILER)
       OR (variable STREQUAL "CUDACXX" AND CMAKE_CUDA_COMPILER))
      list(APPEND environment -u ${variable})
    else()
      string(APPEND key "|$ENV{${variable}}")
    endif()
  endforeach()
  set(places "$ENV{PATH}:$ENV{LD_LIBRARY_PATH}")
  string(REPLACE ":" ";" places "${places}")
  list(APPEND places /usr/lib /usr/lib64 /usr/lib/x86_64-linux-gnu /usr/local /usr/local/lib /usr/local/cuda/bin/nvcc
       /dev/nvidiactl /proc/driver/nvidia/version "${RexBuild_LLVM_ROOT}/lib" "${RexBuild_LLVM_ROOT}" "${_rex_nvcc}")
  list(GET command -1 program)
  cmake_path(GET program PARENT_PATH package)
  file(GLOB libraries LIST_DIRECTORIES TRUE "/usr/lib/llvm-*/lib")
  file(GLOB modules "${package}/tools/*.py" "${package}/../rex_build/__init__.py"
       "${package}/../lib/python3*/site-packages/rex_build*" "${package}/../lib/python3*/site-packages/nvidia")
  foreach(place IN LISTS places libraries modules command)
    if(place)
      file(TIMESTAMP "${place}" time "%s" UTC)
      string(APPEND key "|${place}=${time}")
    endif()
  endforeach()
  string(SHA256 key "${key}")
  set(folder "$ENV{XDG_CACHE_HOME}")
  if(folder STREQUAL "")
    set(folder "$ENV{HOME}/.cache")
  endif()
  string(APPEND folder "/rex-build/configure")
  set(memo "${folder}/${key}.json")
  set(others "")
  if(EXISTS "${memo}")
    execute_process(COMMAND sh -c [[find "$0" "$1" -prune "(" -type l -o ! -user "$(id -u)" -o -perm /022 ")" || echo failed]]
      "${folder}" "${memo}" OUTPUT_VARIABLE others ERROR_QUIET)
  endif()
  if(EXISTS "${memo}" AND others STREQUAL "")
    file(READ "${memo}" facts)
    string(JSON package ERROR_VARIABLE error GET "${facts}" package_dir)
    if(NOT error AND EXISTS "${package}")
      set_property(GLOBAL PROPERTY _REX_ASKED "${asked}")
      set_property(GLOBAL PROPERTY _REX_ANSWER "${facts}")
      set(${out} "${facts}" PARENT_SCOPE)
      return()
    endif()
  endif()
  set(arguments doctor --json)
  if(RexBuild_LLVM_ROOT)
    list(APPEND arguments --llvm-root "${RexBuild_LLVM_ROOT}")
  endif()
  if(_rex_nvcc)
    list(APPEND environment "NVCC=${_rex_nvcc}")
  endif()
  execute_process(COMMAND env ${environment} ${command} ${arguments}
    OUTPUT_VARIABLE facts ERROR_VARIABLE errors RESULT_VARIABLE status)
  string(JSON version ERROR_VARIABLE error GET "${facts}" version)
  if(error)
    set(facts "")
    set(${out}_errors "'${command} doctor' failed (${status}): ${errors}" PARENT_SCOPE)
  else()
    set_property(GLOBAL PROPERTY _REX_ASKED "${asked}")
    set_property(GLOBAL PROPERTY _REX_ANSWER "${facts}")
    string(JSON ok GET "${facts}" ok)
    if(ok)
      # This is no error if it fails: the answer is then not kept, or another process has written the same answer.
      string(RANDOM LENGTH 12 part)
      execute_process(COMMAND sh -c [[umask 077 && mkdir -p "$0" && chmod go-w "$0" && : >"$1"]] "${folder}" "${memo}.${part}"
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        file(WRITE "${memo}.${part}" "${facts}")
        file(RENAME "${memo}.${part}" "${memo}")
      endif()
    endif()
  endif()
  set(${out} "${facts}" PARENT_SCOPE)
endfunction()

# Finds the command. These places are tried in order: a source checkout, a wheel in site-packages, pip --target, share/ of a
# virtual environment, a package without a script beside it, and PATH.
function(_rex_find_command out)
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(main "")
  if(EXISTS "${here}/../rex_build/__main__.py")
    set(main "${here}/../rex_build/__main__.py")
  else()
    foreach(bin ../../../../../../../bin ../../../../bin ../../../bin)
      if(EXISTS "${here}/${bin}/rex-build")
        cmake_path(SET script NORMALIZE "${here}/${bin}/rex-build")
        set(${out} "${script}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
    if(EXISTS "${here}/../../../__main__.py")
      set(main "${here}/../../../__main__.py")
    else()
      find_program(script rex-build NO_CACHE)
      set(${out} "${script}" PARENT_SCOPE)
      return()
    endif()
  endif()
  cmake_path(NORMAL_PATH main)
  find_program(python NAMES python3 python NO_CACHE)
  foreach(candidate "${RexBuild_PYTHON_EXECUTABLE}" "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" "$ENV{VIRTUAL_ENV}/bin/python" "${python}")
    if(candidate AND EXISTS "${candidate}")
      _rex_ask(facts "${candidate}" "${main}")
      if(facts)
        set(${out} "${candidate}" "${main}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# This is a function because FindCUDAToolkit sets many variables.
function(_rex_find_toolkit_nvcc out)
  find_package(CUDAToolkit QUIET)
  set(${out} "${CUDAToolkit_NVCC_EXECUTABLE}" PARENT_SCOPE)
endfunction()

# The project may already know nvcc, from find_package(CUDAToolkit) or from the CUDA language.
set(_rex_nvcc "${RexBuild_NVCC_EXECUTABLE}")
if(NOT _rex_nvcc AND CUDAToolkit_NVCC_EXECUTABLE)
  set(_rex_nvcc "${CUDAToolkit_NVCC_EXECUTABLE}")
elseif(NOT _rex_nvcc AND CMAKE_CUDA_COMPILER MATCHES "nvcc")
  set(_rex_nvcc "${CMAKE_CUDA_COMPILER}")
endif()

_rex_find_command(_rex_command)
if(NOT _rex_command)
  set(RexBuild_FOUND FALSE)
  string(CONCAT RexBuild_NOT_FOUND_MESSAGE
    "rex-build cannot run: no Python 3.10 or newer with pycparser, jinja2 and filelock was found. "
    "Install them (python3 -m pip install pycparser jinja2 filelock), or name a Python that has them in RexBuild_PYTHON_EXECUTABLE.")
  return()
endif()

# The command is asked once per configure run and settings. Every later find_package() reuses the answer.
set(_rex_key "${_rex_command}|${RexBuild_LLVM_ROOT}|${_rex_nvcc}")
get_property(_rex_known GLOBAL PROPERTY _REX_KEY)
if(NOT _rex_known STREQUAL _rex_key)
  set(_rex_nvcc_found "")
  foreach(_rex_attempt 1 2)
    _rex_ask(_rex_facts ${_rex_command})
    if(NOT _rex_facts)
      set(RexBuild_FOUND FALSE)
      set(RexBuild_NOT_FOUND_MESSAGE "${_rex_facts_errors}")
      return()
    endif()
    string(JSON _rex_nvcc_found GET "${_rex_facts}" nvcc)
    if(_rex_nvcc_found OR _rex_nvcc OR NOT DEFINED CUDAToolkit_ROOT)
      break()
    endif()
    _rex_find_toolkit_nvcc(_rex_nvcc) # CUDAToolkit_ROOT says that there is one in a place of its own
    if(NOT _rex_nvcc)
      break()
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY _REX_KEY "${_rex_key}")
  # Rules start the package itself, under `python -S` and without the script that pip wrote. This halves the time of a cache
  # hit.
  string(JSON _rex_package GET "${_rex_facts}" package_dir)
  string(JSON _rex_python GET "${_rex_facts}" python)
  set_property(GLOBAL PROPERTY _REX_COMMAND "${_rex_python}" -S -X utf8 "${_rex_package}/__main__.py")
  # Rules depend on rex-build's own files, so that an update lowers everything again. An installation writes all files, so
  # one of them is enough. In a checkout files are edited one by one, so all are listed.
  if(EXISTS "${_rex_package}/../pyproject.toml")
    file(GLOB_RECURSE _rex_tool_files "${_rex_package}/*.py" "${_rex_package}/*.j2")
    file(GLOB_RECURSE _rex_device_files "${_rex_package}/include/*")
  else()
    set(_rex_tool_files "${_rex_package}/__init__.py")
    set(_rex_device_files "${_rex_package}/__init__.py")
  endif()
  set_property(GLOBAL PROPERTY _REX_TOOL_FILES "${_rex_tool_files}")
  set_property(GLOBAL PROPERTY _REX_DEVICE_FILES "${_rex_device_files}")
  set_property(GLOBAL PROPERTY _REX_FACTS "${_rex_facts}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/RexBuild.cmake")
_rex_define_runtime()
set(RexBuild_FOUND TRUE)

foreach(_rex_name command nvcc nvcc_found attempt key known facts facts_errors package python tool_files device_files)
  unset(_rex_${_rex_name})
endforeach()
unset(_rex_name)
