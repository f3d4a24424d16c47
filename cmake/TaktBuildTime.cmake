# What shortens a build from nothing, and changes nothing else: every source includes what it uses, and builds alone.
# Headers that most sources read are parsed once, and sources are compiled a few at a time. A compiler cache does better
# with whole sources, so with one (CMAKE_CXX_COMPILER_LAUNCHER) neither is done.
option(TAKT_COMPILE_TOGETHER "Compile several sources at a time" ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(TAKT_COMPILE_TOGETHER OFF)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A tenth of GCC's time goes into collecting garbage, for the sake of a few hundred megabytes.
  add_compile_options(--param=ggc-min-heapsize=524288)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    # Calls of std::move() and its like are no functions, also where nothing is optimized.
    add_compile_options(-ffold-simple-inlines)
  endif()
endif()

# takt_compile_together(): the targets of this folder and those below it, some sources at a time. A name that two of
# a target's sources give to different things is then an error; put it in their header, or name it better.
macro(takt_compile_together)
  if(TAKT_COMPILE_TOGETHER AND NOT TAKT_WERROR)  # a warning names its source where it is an error
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options(-Wno-subobject-linkage)  # of what is in an anonymous namespace, in a source that is included
    endif()
  endif()
endmacro()

# takt_link_quickly(): the programs of this folder and those below it, by mold where there is one; for those that nobody
# measures.
macro(takt_link_quickly)
  find_program(TAKT_MOLD mold)
  mark_as_advanced(TAKT_MOLD)
  if(TAKT_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1
     AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    add_link_options(-fuse-ld=mold)
    link_libraries(-Wl,-z,nopack-relative-relocs) # after what the ORB asks for; those of mold 1.10 do not load
  endif()
endmacro()

# takt_together_by_folder(TARGET SOURCE...): those of a folder together, so that what is compiled into what does not
# change with a source elsewhere: the instructions of a call are counted.
function(takt_together_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "of_${folder}")
  endforeach()
endfunction()

# What GCC 12 sees in std::string that isn't there (its bugs 105329, 105651) it keeps to itself where a header is the
# system's; of one that was precompiled it forgets that.
function(takt_quiet_about_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
    if(TAKT_SANITIZE)  # with which it sees as much in std::regex
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

# takt_precompiled(NAME HEADERS <a> <b> ... [LIBRARIES ...]): headers precompiled with the options of this folder.
function(takt_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "HEADERS;LIBRARIES")
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  takt_quiet_about_precompiled(${name})
endfunction()

# takt_reuse_precompiled(NAME TARGET...): but for targets that have others.
function(takt_reuse_precompiled name)
  foreach(target IN LISTS ARGN)
    get_target_property(own ${target} PRECOMPILE_HEADERS)
    get_target_property(reused ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(NOT own AND NOT reused)
      target_precompile_headers(${target} REUSE_FROM ${name})
      takt_quiet_about_precompiled(${target})
    endif()
  endforeach()
endfunction()

# takt_compile_quickly(TARGET...): those for which less is waited than for their being compiled.
function(takt_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    takt_reuse_precompiled(takt_quick_headers ${target})
  endforeach()
endfunction()

# Sets `result` to the targets of a folder and of those below it.
function(takt_targets_below result folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    takt_targets_below(more ${one})
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Sets `result` to those of the targets that link one of the libraries themselves.
function(takt_linking result targets)
  set(found)
  foreach(target IN LISTS targets)
    get_target_property(linked ${target} LINK_LIBRARIES)
    foreach(library IN LISTS ARGN)
      if(library IN_LIST linked)
        list(APPEND found ${target})
        break()
      endif()
    endforeach()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Sets `users` to those of the targets that are compiled as ours and include the ORB's headers as its users do: they link
# the ORB, or what takt_add_idl() made. `generated`: what that made, where it is compiled as users compile it. Warnings
# of its own change what is precompiled (-Wpedantic takes a macro away), so with those it is in neither.
function(takt_of_idl generated users targets)
  set(made)
  set(plain)
  foreach(target IN LISTS targets)
    get_target_property(folder ${target} TAKT_GENERATED_IN)
    get_target_property(options ${target} COMPILE_OPTIONS)
    if(folder)
      list(APPEND made ${target})
      if(NOT "${options}" MATCHES "-Wpedantic")
        list(APPEND plain ${target})
      endif()
    endif()
  endforeach()
  takt_linking(ours "${targets}" takt_flags $<BUILD_INTERFACE:takt_flags>)
  takt_linking(linking "${ours}" takt ${made})
  list(REMOVE_ITEM plain ${ours})
  set(${generated} ${plain} PARENT_SCOPE)
  set(${users} ${linking} PARENT_SCOPE)
endfunction()

# takt_precompile_for_users(): what includes the ORB's headers as its users do, and has no others precompiled: services,
# tools, examples, benches.
function(takt_precompile_for_users)
  if(BUILD_SHARED_LIBS)  # programs have other options than libraries then
    return()
  endif()
  takt_targets_below(all ${TAKT_SOURCE_DIR})
  takt_of_idl(generated users "${all}")
  takt_precompiled(takt_users_headers HEADERS ${TAKT_USER_HEADERS} ${TAKT_STANDARD_HEADERS} LIBRARIES takt takt_flags)
  takt_reuse_precompiled(takt_users_headers ${users})
  takt_precompiled(takt_generated_headers HEADERS ${TAKT_USER_HEADERS} LIBRARIES takt)
  takt_reuse_precompiled(takt_generated_headers ${generated})
  if(TAKT_BUILD_BENCH)  # whose peers have no headers of the ORB
    takt_targets_below(benches ${TAKT_SOURCE_DIR}/bench)
    takt_linking(ours "${benches}" takt_flags)
    takt_reuse_precompiled(takt_standard_headers ${ours})
  endif()
endfunction()

set(TAKT_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <cstring> <expected>
                          <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread>
                          <utility> <variant> <vector>)
set(TAKT_USER_HEADERS <takt/corba.h> <takt/adapter/skeleton.h> <takt/cdr/mapping.h> <takt/invocation/stub.h>)
