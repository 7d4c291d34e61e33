# Finds the rex-build command that belongs to this file, asks it what is on this machine, and defines
#
#   RexBuild::runtime              what offloading programs link: libomptarget and libomp
#   rex_add_offload_sources(...)   see RexBuild.cmake
#
# Variables: RexBuild_LLVM_ROOT            take libomptarget from this LLVM installation
#            RexBuild_NVCC_EXECUTABLE      the nvcc to use; else what the project's CUDA settings name, else what
#                                          rex-build finds, else what FindCUDAToolkit finds
#            RexBuild_PYTHON_EXECUTABLE    the Python that runs rex-build from a source checkout
#
# What is found is not cached: in an isolated Python build these paths change from one run to the next.

if(CMAKE_VERSION VERSION_LESS 3.23)
  set(RexBuild_FOUND FALSE)
  set(RexBuild_NOT_FOUND_MESSAGE "rex-build needs CMake 3.23 or newer, this is ${CMAKE_VERSION}.")
  return()
endif()

# The command, in the order: source checkout, wheel in site-packages, pip --target, share/ of a virtual environment,
# package without a script beside it, PATH.
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
      execute_process(COMMAND "${candidate}" -c "import pycparser, jinja2, filelock" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        set(${out} "${candidate}" "${main}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# In a function: FindCUDAToolkit sets many variables.
function(_rex_find_toolkit_nvcc out)
  find_package(CUDAToolkit QUIET)
  set(${out} "${CUDAToolkit_NVCC_EXECUTABLE}" PARENT_SCOPE)
endfunction()

_rex_find_command(_rex_command)
if(NOT _rex_command)
  set(RexBuild_FOUND FALSE)
  string(CONCAT RexBuild_NOT_FOUND_MESSAGE
    "rex-build cannot run: no Python 3.10 or newer with pycparser, jinja2 and filelock was found. "
    "Install them (python3 -m pip install pycparser jinja2 filelock), or name a Python that has them in RexBuild_PYTHON_EXECUTABLE.")
  return()
endif()

# nvcc as the project knows it: from find_package(CUDAToolkit) or the CUDA language.
set(_rex_nvcc "${RexBuild_NVCC_EXECUTABLE}")
if(NOT _rex_nvcc AND CUDAToolkit_NVCC_EXECUTABLE)
  set(_rex_nvcc "${CUDAToolkit_NVCC_EXECUTABLE}")
elseif(NOT _rex_nvcc AND CMAKE_CUDA_COMPILER MATCHES "nvcc")
  set(_rex_nvcc "${CMAKE_CUDA_COMPILER}")
endif()

# Asked once per configure run and settings; every later find_package() reuses the answer.
set(_rex_key "${_rex_command}|${RexBuild_LLVM_ROOT}|${_rex_nvcc}")
get_property(_rex_known GLOBAL PROPERTY _REX_KEY)
if(NOT _rex_known STREQUAL _rex_key)
  set(_rex_arguments doctor --json)
  if(RexBuild_LLVM_ROOT)
    list(APPEND _rex_arguments --llvm-root "${RexBuild_LLVM_ROOT}")
  endif()
  set(_rex_nvcc_found "")
  foreach(_rex_attempt 1 2)
    set(_rex_environment "")
    if(_rex_nvcc)
      set(_rex_environment "NVCC=${_rex_nvcc}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${_rex_environment} ${_rex_command} ${_rex_arguments}
      OUTPUT_VARIABLE _rex_facts ERROR_VARIABLE _rex_errors RESULT_VARIABLE _rex_status)
    string(JSON _rex_version ERROR_VARIABLE _rex_json_error GET "${_rex_facts}" version)
    if(_rex_json_error)
      set(RexBuild_FOUND FALSE)
      set(RexBuild_NOT_FOUND_MESSAGE "'${_rex_command} doctor' failed (${_rex_status}): ${_rex_errors}")
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
  set_property(GLOBAL PROPERTY _REX_COMMAND "${_rex_command}")
  # Rules depend on the tool's own files, so that an update of rex-build lowers anew.
  string(JSON _rex_package GET "${_rex_facts}" package_dir)
  file(GLOB_RECURSE _rex_tool_files "${_rex_package}/*.py" "${_rex_package}/*.j2")
  set_property(GLOBAL PROPERTY _REX_TOOL_FILES "${_rex_tool_files}")
  file(GLOB _rex_tool_files "${_rex_package}/include/*")
  set_property(GLOBAL PROPERTY _REX_DEVICE_FILES "${_rex_tool_files};${_rex_package}/device.py")
  set_property(GLOBAL PROPERTY _REX_FACTS "${_rex_facts}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/RexBuild.cmake")
_rex_define_runtime()
set(RexBuild_FOUND TRUE)

foreach(_rex_name command nvcc nvcc_found attempt key known environment arguments facts errors status version json_error package tool_files)
  unset(_rex_${_rex_name})
endforeach()
unset(_rex_name)
