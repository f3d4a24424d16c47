# One target per room of src/, which sees the headers of the rooms it may use and of no other.
#
#   takt_room(cdr USES base SOURCES encoder.cpp ...)
#
# QUICKLY: no call goes through it, see takt_compile_quickly(). PRECOMPILED: what it has precompiled
# instead of the standard's headers.
#
# A room's headers are reached as <takt/ROOM/x.h> (public, in include/takt/ROOM) and "ROOM/x.h"
# (private, in src/ROOM). Each room has an include folder of its own in the build tree that holds
# just these two, so that an arrow DESIGN does not allow is a file that the compiler cannot find.

function(takt_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "QUICKLY" "PRECOMPILED" "USES;SOURCES;LIBRARIES")
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
    if(ARG_QUICKLY)
      takt_compile_quickly(${target})
    elseif(ARG_PRECOMPILED)
      takt_reuse_precompiled(${ARG_PRECOMPILED} ${target})
    else()
      takt_reuse_precompiled(takt_standard_headers ${target})
    endif()
    set_property(GLOBAL APPEND PROPERTY TAKT_ROOMS ${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${view}>)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:takt_${used}>)
  endforeach()
  if(ARG_LIBRARIES)
    target_link_libraries(${target} ${scope} ${ARG_LIBRARIES})
  endif()
endfunction()
