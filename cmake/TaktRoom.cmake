# One target per room of src/.
#
#   takt_room(cdr SOURCES encoder.cpp ...)
#
# src/rooms.txt lists the rooms that it may use. QUICKLY: for rooms that no call passes through; see
# takt_compile_quickly(). PRECOMPILED: headers to precompile instead of the standard library's. TOGETHER: compiles the
# sources of all folders together, because the path of a call passes from one to the other.
#
# A room's headers are included as <takt/ROOM/x.h> (public, in include/takt/ROOM) and "ROOM/x.h" (private, in
# src/ROOM). Each room has an include folder in the build tree with just these two, so that the compiler finds no
# header of a room above. tools/check/layers refuses an include of a lower room that the room may not use.

function(takt_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "QUICKLY;TOGETHER" "PRECOMPILED" "SOURCES;LIBRARIES")
  file(STRINGS ${TAKT_SOURCE_DIR}/src/rooms.txt row REGEX "^${name}:")
  string(REGEX MATCHALL "[a-z_]+" uses "${row}")
  list(POP_FRONT uses)
  set(view ${TAKT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${view}/takt)
  file(CREATE_LINK ${TAKT_SOURCE_DIR}/src/${name} ${view}/${name} SYMBOLIC)
  if(EXISTS ${TAKT_SOURCE_DIR}/include/takt/${name})
    file(CREATE_LINK ${TAKT_SOURCE_DIR}/include/takt/${name} ${view}/takt/${name} SYMBOLIC)
  endif()

  set(target takt_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE takt_flags)
    takt_together_by_folder(${target} ${ARG_SOURCES})
    if(ARG_TOGETHER)
      set_source_files_properties(${ARG_SOURCES} PROPERTIES UNITY_GROUP ${name})
    endif()
    if(ARG_PRECOMPILED)
      takt_reuse_precompiled(${ARG_PRECOMPILED} ${target})
    endif()
    if(ARG_QUICKLY)
      takt_compile_quickly(${target})
    elseif(NOT ARG_PRECOMPILED)
      takt_reuse_precompiled(takt_standard_headers ${target})
    endif()
    set_property(GLOBAL APPEND PROPERTY TAKT_ROOMS ${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${view}>)
  foreach(used IN LISTS uses)
    target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:takt_${used}>)
  endforeach()
  if(ARG_LIBRARIES)
    target_link_libraries(${target} ${scope} ${ARG_LIBRARIES})
  endif()
endfunction()
