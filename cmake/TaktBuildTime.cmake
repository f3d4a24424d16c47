# Shortens a full build without changing its result: every source includes what it uses, and compiles alone.
# Headers used by most sources are precompiled, and several sources are compiled together. A compiler cache
# works better with single sources, so with one (CMAKE_CXX_COMPILER_LAUNCHER) both are off.
option(TAKT_COMPILE_TOGETHER "Compile several sources at a time" ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(TAKT_COMPILE_TOGETHER OFF)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC spends a tenth of its time on garbage collection, to save a few hundred megabytes.
  add_compile_options(--param=ggc-min-heapsize=524288)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    # Treats std::move() and similar functions as casts instead of calls, even without optimisation.
    add_compile_options(-ffold-simple-inlines)
  endif()
endif()

# takt_compile_together(): compiles several sources at a time in the targets of this folder and its
# subfolders. It is then an error if two sources of a target define the same name differently; put it into a
# common header, or rename one.
macro(takt_compile_together)
  if(TAKT_COMPILE_TOGETHER AND NOT TAKT_WERROR)  # if warnings are errors, each should name its source
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # False alarms for anonymous namespaces in sources included by another.
      add_compile_options(-Wno-subobject-linkage)
    endif()
  endif()
endmacro()

# takt_link_quickly(): links the programs of this folder and its subfolders with mold, if installed; for
# programs whose performance is not measured.
macro(takt_link_quickly)
  find_program(TAKT_MOLD mold)
  mark_as_advanced(TAKT_MOLD)
  if(TAKT_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1
     AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT CMAKE_CROSSCOMPILING)
    add_link_options(-fuse-ld=mold)
    link_libraries(-Wl,-z,nopack-relative-relocs) # after what the ORB asks for; those of mold 1.10 do not load
  endif()
endmacro()

# takt_together_by_folder(TARGET SOURCE...): compiles the sources of each folder together, so that a source
# elsewhere does not change what is inlined where: tests count the instructions of a call.
function(takt_together_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    # Relative, because packages must not differ by the folder of their build.
    cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR "${source}" is_absolute)
    if(is_absolute)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    else()
      set(relative ${source})
    endif()
    cmake_path(GET relative PARENT_PATH folder)
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "of_${folder}")
  endforeach()
endfunction()

# GCC 12 warns falsely about std::string (GCC bugs 105329 and 105651). It does not report these warnings for
# system headers, but forgets that for precompiled ones.
function(takt_quiet_about_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
    if(TAKT_SANITIZE)  # here it warns falsely about std::regex too
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

# takt_precompiled(NAME HEADERS <a> <b> ... [LIBRARIES ...]): precompiles headers with the options of this
# folder.
function(takt_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "HEADERS;LIBRARIES")
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  takt_quiet_about_precompiled(${name})
endfunction()

# takt_reuse_precompiled(NAME TARGET...): uses them in the targets, except those with precompiled headers of
# their own.
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

# takt_sources_reuse(FOLDER NAME OPTIONS SOURCE...): compiles sources with options and with headers that were precompiled with these
# options in a folder of the build tree, each source apart.
function(takt_sources_reuse folder name options)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set(header ${folder}/CMakeFiles/${name}.dir/cmake_pch.hxx)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options};-include;${header}" OBJECT_DEPENDS ${header}.gch)
  endif()
endfunction()

# takt_optimize_for_size(SOURCE...): for sources of a room that no call passes through. Builds for release
# compile them together, with headers that are precompiled for size; but each apart that is to stay apart from
# its room (SKIP_UNITY_BUILD_INCLUSION, which must be set before). Others compile them like the rest of their room.
function(takt_optimize_for_size)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  set(compiled ${ARGN})
  if(CMAKE_UNITY_BUILD)
    takt_together_for_size(compiled ${compiled})
  endif()
  takt_sources_reuse(${TAKT_BINARY_DIR}/src takt_small_headers -Os ${compiled})
endfunction()

# takt_together_for_size(RESULT SOURCE...): makes a source of the room of this folder that includes those which need not stay apart.
# Sets `result` to it and the others.
function(takt_together_for_size result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME room)
  set(compiled)
  set(included)
  foreach(source IN LISTS ARGN)
    get_source_file_property(apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(apart)
      list(APPEND compiled ${source})
    else()
      list(APPEND included ${source})
    endif()
  endforeach()
  if(included)
    set_source_files_properties(${included} PROPERTIES HEADER_FILE_ONLY ON)
    list(TRANSFORM included REPLACE "(.+)" "#include \"${room}/\\1\"\n" OUTPUT_VARIABLE lines)
    string(CONCAT lines ${lines})
    set(together ${CMAKE_CURRENT_BINARY_DIR}/small_of_${room}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${lines}" @ONLY)
    target_sources(takt_${room} PRIVATE ${together})
    list(APPEND compiled ${together})
  endif()
  set(${result} ${compiled} PARENT_SCOPE)
endfunction()

# takt_compile_quickly(TARGET...): for targets whose compile time matters more than their speed.
function(takt_compile_quickly)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    takt_reuse_precompiled(takt_standard_headers ${ARGN})
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -O1)
    takt_reuse_precompiled(takt_quick_headers ${target})
  endforeach()
endfunction()

# takt_compile_users_quickly(TARGET...): the same for targets that include the ORB's headers as users do.
function(takt_compile_users_quickly)
  if(TARGET takt_quick_users_headers)
    takt_reuse_precompiled(takt_quick_users_headers ${ARGN})
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release")  # others have those of takt_precompile_for_users()
    takt_compile_quickly(${ARGN})
  endif()
endfunction()

# Sets `result` to the targets of a folder and its subfolders.
function(takt_targets_below result folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    takt_targets_below(more ${one})
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Sets `result` to the targets among these that link one of the libraries directly.
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

# Sets `users` to the project's own targets that include the ORB's headers as users do: they link the ORB, or
# a library of takt_add_idl(). Sets `generated` to libraries of takt_add_idl() that are compiled with users'
# options. Targets with warning options of their own are in neither, because these change the precompiled
# header (-Wpedantic removes a macro).
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
  set(linking takt ${made})
  set(before)
  while(NOT linking STREQUAL before)  # targets that link users are users too
    set(before ${linking})
    takt_linking(linking "${ours}" takt ${made} ${before})
  endwhile()
  list(REMOVE_ITEM plain ${ours})
  set(${generated} ${plain} PARENT_SCOPE)
  set(${users} ${linking} PARENT_SCOPE)
endfunction()

# takt_precompile_for_quick_users(): for takt_compile_users_quickly().
function(takt_precompile_for_quick_users)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND (TAKT_HARDENED OR NOT BUILD_SHARED_LIBS))
    takt_precompiled(takt_quick_users_headers HEADERS ${TAKT_USER_HEADERS} ${TAKT_STANDARD_HEADERS} LIBRARIES takt takt_flags)
    target_compile_options(takt_quick_users_headers PRIVATE -O1)
  endif()
endfunction()

# takt_precompile_for_users(): for targets that include the ORB's headers as users do and have no other
# precompiled headers: services, tools, examples, benches.
function(takt_precompile_for_users)
  if(BUILD_SHARED_LIBS AND NOT TAKT_HARDENED)  # programs then have other options than libraries
    return()
  endif()
  takt_targets_below(all ${TAKT_SOURCE_DIR})
  takt_of_idl(generated users "${all}")
  takt_precompiled(takt_users_headers HEADERS ${TAKT_USER_HEADERS} ${TAKT_STANDARD_HEADERS} LIBRARIES takt takt_flags)
  takt_reuse_precompiled(takt_users_headers ${users})
  takt_precompiled(takt_generated_headers HEADERS ${TAKT_USER_HEADERS} LIBRARIES takt)
  takt_reuse_precompiled(takt_generated_headers ${generated})
  if(TAKT_BUILD_BENCH)  # its peers do not use the ORB's headers
    takt_targets_below(benches ${TAKT_SOURCE_DIR}/bench)
    takt_linking(ours "${benches}" takt_flags)
    takt_reuse_precompiled(takt_standard_headers ${ours})
  endif()
endfunction()

set(TAKT_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <cstring> <expected>
                          <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread>
                          <utility> <variant> <vector>)
set(TAKT_USER_HEADERS <takt/corba.h> <takt/adapter/skeleton.h> <takt/cdr/mapping.h> <takt/invocation/stub.h>)
