# rex_add_offload_sources(<target> SOURCES <file>...
#                         [DEVICES cuda cpu] [CUDA_ARCHITECTURES <NN>...] [SEPARABLE_DEVICE_LINK]
#                         [LOWER_OPTIONS <option>...] [NVCC_OPTIONS <option>...] [HOST_DEVICE_OPTIONS <option>...]
#                         [ON_UNSUPPORTED error|host] [INIT main|lazy])
#
# Lowers C and C++ sources of a target. The host file made from a source takes its place in the target. The kernels are compiled to
# device images, and one registration unit per target embeds these. The target is linked to RexBuild::runtime.
#
#   SOURCES               C and C++ files, in the target already or not; relative to the current source or binary directory
#   DEVICES               cuda, cpu, both, or check. Default: cuda where nvcc is found, else cpu
#   CUDA_ARCHITECTURES    90, 90-real, 90a, native, all, all-major. Default: the target's CUDA_ARCHITECTURES property,
#                         else the GPU of this machine, else 90
#   SEPARABLE_DEVICE_LINK one device image for the whole target: `declare target` functions and variables may be
#                         defined in one source and used in another
#   LOWER_OPTIONS         more options of `rex-build lower`
#   NVCC_OPTIONS          more options for nvcc; HOST_DEVICE_OPTIONS for the C++ compiler that makes cpu images
#   ON_UNSUPPORTED        refuse a region that cannot be lowered (error), or leave it to the host with a warning
#   INIT                  when the device is made ready: at the head of main where that is lowered, or at first use
#
# rex_target_offload(<target> [the same keywords but SOURCES, SEPARABLE_DEVICE_LINK and INIT])
#
# Lowers every C source of a target, without a list: rex-cc is put in front of the target's compiler.
#
# Both may be called from any directory, the first several times for one target. The target is an executable or a static,
# shared, module or object library. A keyword that is not given is looked up as REX_<KEYWORD> when the function is called:
# among the properties of the source (only the *_OPTIONS and ON_UNSUPPORTED), then of the target, then among variables.
# Other properties of a source (COMPILE_DEFINITIONS, ...) may also be set after the call.
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.31) # functions keep the policies they are defined under, whatever the project's are

foreach(_rex_part IN ITEMS Tools Flags Rules Target) # functions only, under the policies set here
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
  foreach(value IN LISTS ARGN)
    if(value MATCHES "^[A-Z][A-Z_]+$")
      list(JOIN known ", " names)
      _rex_fail("unknown keyword '${value}'.\nThe keywords are ${names}.")
    endif()
  endforeach()
endfunction()

function(_rex_check_choice keyword value)
  if(NOT value IN_LIST ARGN)
    list(JOIN ARGN " or " choices)
    _rex_fail("${keyword} takes ${choices}, not '${value}'")
  endif()
endfunction()

function(rex_add_offload_sources target)
  set_property(GLOBAL PROPERTY _REX_FUNCTION rex_add_offload_sources)
  set(options LOWER_OPTIONS NVCC_OPTIONS HOST_DEVICE_OPTIONS)
  set(lists SOURCES DEVICES CUDA_ARCHITECTURES ${options})
  set(known ${lists} SEPARABLE_DEVICE_LINK ON_UNSUPPORTED INIT)
  cmake_parse_arguments(PARSE_ARGV 1 arg SEPARABLE_DEVICE_LINK "ON_UNSUPPORTED;INIT" "${lists}")
  _rex_check_arguments("${known}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  if(NOT arg_SOURCES)
    _rex_fail("SOURCES needs a value.\nName the files that hold target regions.")
  endif()
  _rex_check_values("${known}" ${arg_SOURCES} ${arg_DEVICES} ${arg_CUDA_ARCHITECTURES})
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "[$]<")
      _rex_fail("the generator expression ${source} cannot stand among SOURCES.\n"
                "Which files are lowered has to be known when configuring: use if() around the call.")
    elseif(source MATCHES "[][$;\n\"\\]")
      _rex_fail("the name '${source}' cannot be used: CMake's lists and the generated build files give brackets, dollar "
                "signs, semicolons, quotes, backslashes and line breaks a meaning.\nRename the file or its folder.")
    elseif(NOT source MATCHES "\\.(c|cc|cp|cxx|cpp|CPP|c\\+\\+|C)$")
      _rex_fail("'${source}' is not a C or C++ source.\nOnly files that end in .c, .cpp, .cc, .cxx or .C are lowered; leave others to the target.")
    endif()
  endforeach()
  _rex_check_target(target "${target}")
  get_target_property(launched ${target} REX_LAUNCHED)
  if(launched)
    _rex_fail("'${target}' already has all its sources lowered by rex_target_offload().\nUse one or the other.")
  endif()
  foreach(option IN LISTS options)
    if(NOT arg_${option})
      _rex_default(arg_${option} ${target} ${option})
    endif()
  endforeach()
  foreach(pair ON_UNSUPPORTED.error.host INIT.main.lazy)
    string(REPLACE "." ";" pair "${pair}")
    list(POP_FRONT pair keyword)
    if(NOT arg_${keyword})
      _rex_default(arg_${keyword} ${target} ${keyword})
    endif()
    if(NOT arg_${keyword})
      list(GET pair 0 arg_${keyword})
    endif()
    _rex_check_choice(${keyword} "${arg_${keyword}}" ${pair})
  endforeach()
  _rex_separable(${target} ${arg_SEPARABLE_DEVICE_LINK})
  _rex_image_targets(image_targets ${target} "${arg_DEVICES}" "${arg_CUDA_ARCHITECTURES}")
  _rex_link(${target})
  if("check" IN_LIST image_targets)
    _rex_link_check(${target})
  endif()

  get_target_property(source_dir ${target} SOURCE_DIR)
  get_target_property(lowered ${target} REX_OFFLOAD_SOURCES)
  set(made "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS "${path}") # generated: looked for in the binary directory, as CMake does
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE OUTPUT_VARIABLE path)
      cmake_language(EVAL CODE "cmake_language(DEFER CALL _rex_check_source [==[${path}]==])")
    endif()
    if(IS_DIRECTORY "${path}")
      _rex_fail("'${source}' is a directory")
    endif()
    get_property(language SOURCE "${path}" TARGET_DIRECTORY ${target} PROPERTY LANGUAGE)
    _rex_language(own_language "${path}")
    if(language AND NOT language STREQUAL own_language)
      _rex_fail("'${source}' is to be compiled as ${language} (its LANGUAGE property).\n"
                "It is lowered as its suffix says: as ${own_language}.")
    endif()
    _rex_is_enabled(enabled ${target} ${own_language})
    if(NOT enabled)
      string(REPLACE "CXX" "C++" spoken "${own_language}")
      _rex_fail("'${source}' is a ${spoken} source, but the project has not enabled ${spoken}.\nWrite project(... LANGUAGES C CXX).")
    endif()
    if(NOT path IN_LIST lowered)
      _rex_add_source(made ${target} "${path}" "${image_targets}" LOWER_OPTIONS ${arg_LOWER_OPTIONS}
        NVCC_OPTIONS ${arg_NVCC_OPTIONS} HOST_DEVICE_OPTIONS ${arg_HOST_DEVICE_OPTIONS}
        ON_UNSUPPORTED ${arg_ON_UNSUPPORTED} INIT ${arg_INIT})
      list(APPEND lowered "${path}")
    endif()
  endforeach()

  set(helper "")
  if(made AND NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL source_dir)
    _rex_add_helper(helper ${target} ${made})
  endif()
  # The registration runs late, so that it sees later settings in the target's directory.
  _rex_at_the_end(${target} _rex_register ${target})
  _rex_at_the_end(${target} _rex_finish ${target})
  get_target_property(register_helper ${target} REX_REGISTER_HELPER)
  if(register_helper AND helper)
    add_dependencies(${register_helper} ${helper})
  endif()
endfunction()

function(rex_target_offload target)
  set_property(GLOBAL PROPERTY _REX_FUNCTION rex_target_offload)
  set(options LOWER_OPTIONS NVCC_OPTIONS HOST_DEVICE_OPTIONS)
  set(lists DEVICES CUDA_ARCHITECTURES ${options})
  set(known ${lists} ON_UNSUPPORTED)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ON_UNSUPPORTED "${lists}")
  _rex_check_arguments("${known}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  _rex_check_values("${known}" ${arg_DEVICES} ${arg_CUDA_ARCHITECTURES})
  _rex_check_target(target "${target}")
  get_target_property(launched ${target} REX_LAUNCHED)
  get_target_property(lowered ${target} REX_OFFLOAD_SOURCES)
  if(launched)
    _rex_fail("'${target}' has been given to rex_target_offload() before")
  elseif(lowered)
    _rex_fail("'${target}' already has sources lowered by rex_add_offload_sources().\nUse one or the other.")
  elseif(CMAKE_GENERATOR MATCHES "Visual Studio|Xcode")
    _rex_fail("the generator ${CMAKE_GENERATOR} knows no compiler launchers.\nUse Ninja or Unix Makefiles.")
  endif()
  foreach(option IN LISTS options ITEMS ON_UNSUPPORTED)
    if(NOT arg_${option})
      _rex_default(arg_${option} ${target} ${option})
    endif()
  endforeach()
  if(NOT arg_ON_UNSUPPORTED)
    set(arg_ON_UNSUPPORTED error)
  endif()
  _rex_check_choice(ON_UNSUPPORTED "${arg_ON_UNSUPPORTED}" error host)
  _rex_image_targets(image_targets ${target} "${arg_DEVICES}" "${arg_CUDA_ARCHITECTURES}")
  set_property(TARGET ${target} PROPERTY REX_LAUNCHED ON)
  _rex_link(${target})
  if("check" IN_LIST image_targets)
    _rex_link_check(${target})
  endif()
  get_property(rex GLOBAL PROPERTY _REX_COMMAND)
  set(launcher ${rex} rex-cc --no-link "--base-dir=${CMAKE_SOURCE_DIR}" "--on-unsupported=${arg_ON_UNSUPPORTED}")
  foreach(image_target IN LISTS image_targets)
    list(APPEND launcher "--image=${image_target}")
  endforeach()
  foreach(kind cuda cpu)
    _rex_image_compiler(compiler ${target} ${kind})
    _rex_image_launcher(front ${target} ${kind})
    if(compiler)
      string(STRIP "${front} ${compiler}" compiler)
      list(APPEND launcher "--${kind}-compiler=${compiler}")
    endif()
  endforeach()
  foreach(pair LOWER_OPTIONS.lower NVCC_OPTIONS.nvcc HOST_DEVICE_OPTIONS.host-device)
    string(REPLACE "." ";" pair "${pair}")
    list(GET pair 0 keyword)
    list(GET pair 1 name)
    foreach(option IN LISTS arg_${keyword})
      list(APPEND launcher "--${name}-option=${option}")
    endforeach()
  endforeach()
  if(CMAKE_GENERATOR MATCHES "Makefiles") # objects are made again when definitions change, but not when launchers do
    string(REPLACE "${rex}" "" options "${launcher}") # the places of checkouts change nothing: these share what is cached
    string(REPLACE "${CMAKE_BINARY_DIR}" "" options "${options}")
    string(REPLACE "${CMAKE_SOURCE_DIR}" "" options "${options}")
    string(MD5 options "${options}")
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS "REX_OPTIONS_${options}")
  endif()
  if(CMAKE_COLOR_DIAGNOSTICS)
    list(APPEND launcher --color=always)
  endif()
  list(APPEND launcher --)
  foreach(language C CXX)
    get_target_property(before ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT before)
      set(before "")
    endif()
    set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER "${launcher}" ${before})
  endforeach()
  _rex_at_the_end(${target} _rex_finish_launched ${target})
endfunction()

cmake_policy(POP)
