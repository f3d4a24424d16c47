# takt_add_idl(TARGET FILES a.idl b.idl ... [INCLUDES folder ...] [OPTIONS --option ...])
#
# A static library of what takt-idl generates from the files, in the build tree, to be linked with; its users
# include "aC.h" and "aS.h". It is generated anew when a file, or one that it includes at any distance, or takt-idl
# has changed. IDL files that include each other go into one target, or into targets that link each other. An
# included file's own headers are expected from whoever compiles that file.
#
# INCLUDES: where included IDL files are looked for, beside the including file's folder.
# OPTIONS: for takt-idl; the ones that rename files (--client-header and the like) as two arguments each.
function(takt_add_idl target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "FILES;INCLUDES;OPTIONS")
  if(NOT ARG_FILES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "takt_add_idl(${target} FILES a.idl ... [INCLUDES folder ...] [OPTIONS ...])")
  endif()
  if(TARGET takt-idl)
    set(compiler takt-idl)
    set(library takt)
  else()
    set(compiler Takt::takt-idl)
    set(library Takt::takt)
  endif()

  set(suffixes C.h C.cpp S.h S.cpp)
  foreach(option client-header client-source server-header server-source)
    list(FIND ARG_OPTIONS --${option} at)
    list(POP_FRONT suffixes suffix)
    if(at GREATER_EQUAL 0)
      math(EXPR at "${at} + 1")
      list(GET ARG_OPTIONS ${at} suffix)
    endif()
    list(APPEND suffixes ${suffix})
  endforeach()
  if("--no-server" IN_LIST ARG_OPTIONS)
    list(REMOVE_AT suffixes 2 3)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${folder})
  set(includes)
  foreach(include IN LISTS ARG_INCLUDES)
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND includes -I ${include})
  endforeach()
  set(all_generated)
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${file} NAME_WLE)
    list(TRANSFORM suffixes PREPEND ${folder}/${stem} OUTPUT_VARIABLE generated)
    add_custom_command(
      OUTPUT ${generated}
      COMMAND ${compiler} -o ${folder} --depfile ${folder}/${stem}.d ${includes} ${ARG_OPTIONS} ${path}
      DEPENDS ${compiler} ${path}
      DEPFILE ${folder}/${stem}.d
      COMMENT "IDL to C++: ${file}"
      VERBATIM)
    list(APPEND all_generated ${generated})
  endforeach()

  add_library(${target} STATIC ${all_generated})
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC ${library})
endfunction()
