# rex_add_offload_sources(<target> SOURCES <file>...
#                         [DEVICES cuda cpu] [CUDA_ARCHITECTURES <NN>...] [SEPARABLE_DEVICE_LINK]
#                         [LOWER_OPTIONS <option>...] [NVCC_OPTIONS <option>...] [HOST_DEVICE_OPTIONS <option>...]
#                         [ON_UNSUPPORTED error|host] [INIT main|lazy])
#
# Lowers C and C++ sources of a target: rex-cc is put in front of the target's compilers, and lowers those units that a macro
# names (REX_OPTIONS). So both halves of a unit are compiled with the one command line that CMake has for it. The object holds
# the host's code, the device images and their registration. The target is linked to RexBuild::runtime.
#
#   SOURCES               C and C++ files, in the target already or not; relative to the current source or binary directory
#   DEVICES               cuda, cpu, both, or check. Default: cuda where nvcc is found, else cpu
#   CUDA_ARCHITECTURES    90, 90-real, 90a, native, all, all-major. Default: the target's CUDA_ARCHITECTURES property,
#                         else the GPU of this machine, else 90
#   SEPARABLE_DEVICE_LINK device code is linked where the target is, static libraries with the program: `declare target`
#                         functions and variables may be defined in one source and used in another
#   LOWER_OPTIONS         more options of `rex-build lower`
#   NVCC_OPTIONS          more options for nvcc; HOST_DEVICE_OPTIONS for the C++ compiler that makes cpu images
#   ON_UNSUPPORTED        refuse a region that cannot be lowered (error), or leave it to the host with a warning
#   INIT                  when the device is made ready: at the head of main where that is lowered, or at first use
#
# rex_target_offload(<target> [the same keywords but SOURCES, SEPARABLE_DEVICE_LINK and INIT])
#
# Lowers every C and C++ source of a target that has something for a device, without a list.
#
# Both may be called from any directory, the first several times for one target. The target is an executable or a static,
# shared, module or object library. A keyword that is not given is looked up as REX_<KEYWORD> when the function is called:
# among the properties of the source (only the *_OPTIONS and ON_UNSUPPORTED), then of the target, then among variables.
# All other properties of sources and of the target may also be set after the call.
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.31) # functions keep the policies they are defined under, whatever the project's are

foreach(_rex_part IN ITEMS Tools Units Target) # functions only, under the policies set here
  include("${CMAKE_CURRENT_LIST_DIR}/RexBuild${_rex_part}.cmake")
endforeach()
unset(_rex_part)

# Refuses the arguments that cmake_parse_arguments() could not place. <known> lists the keywords for the message.
function(_rex_check_arguments known unparsed missing)
  list(JOIN known ", " names)
  if(NOT unparsed STREQUAL "")
    list(GET unparsed 0 unknown)
    _rex_fail("unexpected argument '${unknown}'.\nThe keywords are ${names}.")
  elseif(NOT missing STREQUAL "")
    list(GET missing 0 keyword)
    _rex_fail("${keyword} needs a value")
  endif()
endfunction()

# Refuses a mistyped keyword, which cmake_parse_arguments() takes for a value of the keyword before it.
function(_rex_check_values known)
  list(FILTER ARGN INCLUDE REGEX "^[A-Z][A-Z_]+$")
  foreach(value IN LISTS ARGN)
    list(JOIN known ", " names)
    _rex_fail("unknown keyword '${value}'.\nThe keywords are ${names}.")
  endforeach()
endfunction()

function(_rex_check_choice keyword value)
  if(NOT value IN_LIST ARGN)
    list(JOIN ARGN " or " choices)
    _rex_fail("${keyword} takes ${choices}, not '${value}'")
  endif()
endfunction()

# Reads the keywords that both functions have into arg_<keyword> variables of the caller, and finds the target and compilers.
macro(_rex_read_arguments function options one_value lists)
  set_property(GLOBAL PROPERTY _REX_FUNCTION ${function})
  set(known ${lists} ${options} ${one_value})
  cmake_parse_arguments(PARSE_ARGV 1 arg "${options}" "${one_value}" "${lists}")
  _rex_check_arguments("${known}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  _rex_check_values("${known}" ${arg_SOURCES} ${arg_DEVICES} ${arg_CUDA_ARCHITECTURES})
  _rex_check_target(target "${target}")
  foreach(option LOWER_OPTIONS NVCC_OPTIONS HOST_DEVICE_OPTIONS ON_UNSUPPORTED INIT)
    if(NOT arg_${option})
      _rex_default(arg_${option} ${target} ${option})
    endif()
  endforeach()
  foreach(pair ON_UNSUPPORTED.error.host INIT.main.lazy)
    string(REPLACE "." ";" pair "${pair}")
    list(POP_FRONT pair keyword)
    if(NOT arg_${keyword})
      list(GET pair 0 arg_${keyword})
    endif()
    _rex_check_choice(${keyword} "${arg_${keyword}}" ${pair})
  endforeach()
  _rex_image_targets(image_targets ${target} "${arg_DEVICES}" "${arg_CUDA_ARCHITECTURES}")
  _rex_compiler_options(compilers ${target} TRUE)
endmacro()

function(rex_add_offload_sources target)
  _rex_read_arguments(rex_add_offload_sources SEPARABLE_DEVICE_LINK "ON_UNSUPPORTED;INIT"
    "SOURCES;DEVICES;CUDA_ARCHITECTURES;LOWER_OPTIONS;NVCC_OPTIONS;HOST_DEVICE_OPTIONS")
  if(NOT arg_SOURCES)
    _rex_fail("SOURCES needs a value.\nName the files that hold target regions.")
  endif()
  get_target_property(launched ${target} REX_LAUNCHED)
  if(launched)
    _rex_fail("'${target}' already has all its sources lowered by rex_target_offload().\nUse one or the other.")
  endif()
  _rex_separable(${target} "${arg_SEPARABLE_DEVICE_LINK}")
  _rex_prepare(${target} "${image_targets}")
  _rex_source_paths(paths ${target})
  get_target_property(lowered ${target} REX_OFFLOAD_SOURCES)
  list(REMOVE_ITEM paths ${lowered})
  set(own "")
  if(paths)
    _rex_list_sources(${target} ${paths})
    _rex_own_options(own ${target} ${paths})
    list(REMOVE_ITEM paths ${own})
  endif()
  if(paths) # most sources have no options of their own
    _rex_add_units(${target} ${paths})
  endif()
  foreach(source IN LISTS own)
    _rex_add_units(${target} "${source}")
  endforeach()
endfunction()

function(rex_target_offload target)
  _rex_read_arguments(rex_target_offload "" ON_UNSUPPORTED
    "DEVICES;CUDA_ARCHITECTURES;LOWER_OPTIONS;NVCC_OPTIONS;HOST_DEVICE_OPTIONS")
  get_target_property(launched ${target} REX_LAUNCHED)
  get_target_property(lowered ${target} REX_OFFLOAD_SOURCES)
  if(launched)
    _rex_fail("'${target}' has been given to rex_target_offload() before")
  elseif(lowered)
    _rex_fail("'${target}' already has sources lowered by rex_add_offload_sources().\nUse one or the other.")
  endif()
  set_property(TARGET ${target} PROPERTY REX_LAUNCHED ON)
  _rex_prepare(${target} "${image_targets}")
  _rex_add_units(${target})
endfunction()

cmake_policy(POP)
