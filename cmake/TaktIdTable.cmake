# takt_add_id_table(TARGET LIST ids.txt [NAME function] [ADAPTERS])
#
# A static library, in the build tree, of the code that takt-idtable generates from the list. Targets that
# link it include "NAME.h", which declares `const takt::IdTable& NAME();`. NAME defaults to the target's name.
# The list has one id per line; with ADAPTERS each line is the path of an adapter, as in outer/inner.
function(takt_add_id_table target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "ADAPTERS" "LIST;NAME" "")
  if(NOT ARG_LIST OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "takt_add_id_table(${target} LIST ids.txt [NAME function] [ADAPTERS])")
  endif()
  if(NOT ARG_NAME)
    set(ARG_NAME ${target})
  endif()
  if(TARGET takt-idtable)
    set(tool takt-idtable)
    set(library takt)
  else()
    set(tool Takt::takt-idtable)
    set(library Takt::takt)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${folder})
  get_filename_component(list ${ARG_LIST} ABSOLUTE)
  set(made ${folder}/${ARG_NAME}.h ${folder}/${ARG_NAME}.cpp)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${tool} --name ${ARG_NAME} --output ${folder} $<$<BOOL:${ARG_ADAPTERS}>:--adapters> ${list}
    DEPENDS ${tool} ${list}
    COMMENT "A table of ids: ${ARG_LIST}"
    VERBATIM COMMAND_EXPAND_LISTS)
  add_library(${target} STATIC ${made})
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC ${library})
endfunction()
