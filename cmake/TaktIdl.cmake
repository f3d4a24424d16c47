# takt_add_idl(TARGET FILES a.idl b.idl ... [INCLUDES folder ...] [OPTIONS --option ...] [SCHEDULE]
#              [MAPPING classic])
#
# A static library, in the build tree, of the code that takt-idl generates from the files. Targets that link
# it include "aC.h" and "aS.h". It is generated anew when a file, a directly or indirectly included file, or
# takt-idl has changed. IDL files that include each other must be in one target, or in targets that link each
# other. A target that includes other IDL must find the headers of that IDL itself.
#
# INCLUDES: folders to search for included IDL files, besides the including file's folder and the folder of
# Takt's own IDL (orb.idl, CosNaming.idl, ...).
# MAPPING classic: generates code of the classic IDL to C++ mapping (X_var, X_ptr, POA_X), which needs C++14; targets
# that link it are linked with Takt::classic too.
# OPTIONS: for takt-idl; options that rename files (such as --client-header) take two arguments each.
# SCHEDULE: writes the scheduling declarations of operations (@period, @wcet, ...) to "a_schedule.h" and
# a.schedule.toml, for takt_add_schedule().
# With the option --keep-folders, files of equal names in different folders below INCLUDES do not collide: targets
# include "below/aC.h" for below/a.idl.
function(takt_add_idl target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SCHEDULE" "MAPPING" "FILES;INCLUDES;OPTIONS")
  if(NOT ARG_FILES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "takt_add_idl(${target} FILES a.idl ... [INCLUDES folder ...] [OPTIONS ...] [SCHEDULE] [MAPPING classic])")
  endif()
  if(TARGET takt-idl)
    set(compiler takt-idl)
    set(library ${TAKT_LIBRARY})
  else()
    set(compiler Takt::takt-idl)
    set(library Takt::takt)
  endif()
  if(ARG_MAPPING)
    list(APPEND ARG_OPTIONS --mapping ${ARG_MAPPING})
    if(ARG_MAPPING STREQUAL "classic")
      set(library Takt::classic)
    endif()
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

  if(ARG_SCHEDULE)
    list(APPEND ARG_OPTIONS --schedule)
    list(APPEND suffixes _schedule.h .schedule.toml)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${folder})
  set(includes)
  foreach(include IN LISTS ARG_INCLUDES)
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND includes -I ${include})
  endforeach()
  if(TARGET takt-idl)  # an installed one finds Takt's own IDL by itself
    list(APPEND includes -I ${TAKT_SOURCE_DIR}/idl)
  endif()
  set(all_generated)
  set(schedules)
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${file} NAME_WLE)
    if("--keep-folders" IN_LIST ARG_OPTIONS)
      takt_idl_path_below(below ${path} ${ARG_INCLUDES})
      get_filename_component(below ${below} DIRECTORY)
      if(below)
        string(PREPEND stem ${below}/)
        file(MAKE_DIRECTORY ${folder}/${below})
      endif()
    endif()
    list(TRANSFORM suffixes PREPEND ${folder}/${stem} OUTPUT_VARIABLE generated)
    add_custom_command(
      OUTPUT ${generated}
      COMMAND ${compiler} -o ${folder} --depfile ${folder}/${stem}.d ${includes} ${ARG_OPTIONS} ${path}
      DEPENDS ${compiler} ${path}
      DEPFILE ${folder}/${stem}.d
      COMMENT "IDL to C++: ${file}"
      VERBATIM)
    list(APPEND all_generated ${generated})
    if(ARG_SCHEDULE)
      list(APPEND schedules ${folder}/${stem}.schedule.toml)
    endif()
  endforeach()

  add_library(${target} STATIC ${all_generated})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  target_link_libraries(${target} PUBLIC ${library})
  if(ARG_MAPPING STREQUAL "classic")
    target_compile_features(${target} PUBLIC cxx_std_14)
    # A project's precompiled headers may be of the other mapping, whose names are the same.
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  set_target_properties(${target} PROPERTIES TAKT_SCHEDULES "${schedules}" TAKT_GENERATED_IN ${folder})
endfunction()

# Sets `result` to the path of a file below the deepest of the folders that it is in; its name if it is in none.
function(takt_idl_path_below result file)
  get_filename_component(best ${file} NAME)
  get_filename_component(file ${file} REALPATH)
  set(longest 0)
  foreach(folder IN LISTS ARGN)
    get_filename_component(folder ${folder} REALPATH)
    file(RELATIVE_PATH below ${folder} ${file})
    string(LENGTH ${folder} length)
    if(NOT below MATCHES "^\\.\\./" AND length GREATER longest)
      set(best ${below})
      set(longest ${length})
    endif()
  endforeach()
  set(${result} ${best} PARENT_SCOPE)
endfunction()

# takt_add_schedule(TARGET [IDL target ...] [FILES a.toml ...] [OPTIONS --option ...])
#
# A static library, in the build tree, of the table that `takt schedule table` generates. Targets that link it
# include "TARGET.h" and find the table in namespace TARGET; "TARGET_run_time.h", for servers, has the
# operations for the run-time scheduler. Generated anew when its inputs have changed. A deadline that may be
# missed is a build error.
#
# IDL: targets of takt_add_idl(... SCHEDULE). FILES: TOML files; what a later one says of an operation
# overrides earlier ones and the IDL. OPTIONS: for takt schedule table, as --strategy and --minimum.
function(takt_add_schedule target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "IDL;FILES;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT (ARG_IDL OR ARG_FILES))
    message(FATAL_ERROR "takt_add_schedule(${target} [IDL target ...] [FILES a.toml ...] [OPTIONS ...])")
  endif()
  if(TARGET takt-command)
    set(command takt-command)
  else()
    set(command Takt::takt-command)
  endif()
  set(inputs)
  foreach(idl IN LISTS ARG_IDL)
    get_target_property(schedules ${idl} TAKT_SCHEDULES)
    if(NOT schedules)
      message(FATAL_ERROR "takt_add_schedule(${target}): ${idl} is no target of takt_add_idl(... SCHEDULE)")
    endif()
    list(APPEND inputs ${schedules})
  endforeach()
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    list(APPEND inputs ${path})
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${folder})
  set(table ${folder}/${target}.h ${folder}/${target}.cpp ${folder}/${target}_run_time.h)
  add_custom_command(
    OUTPUT ${table}
    COMMAND ${command} schedule table ${inputs} --name ${target} --directory ${folder} ${ARG_OPTIONS}
    DEPENDS ${command} ${ARG_IDL} ${inputs}
    COMMENT "Priorities: ${target}"
    VERBATIM)
  add_library(${target} STATIC ${table})
  target_include_directories(${target} PUBLIC ${folder})
endfunction()
