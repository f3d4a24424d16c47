# omniORB, as a peer of tests and benches. omniorb_FOUND and OMNIIDL say whether its packages are installed.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(omniorb QUIET IMPORTED_TARGET omniORB4 omnithread4)
endif()
find_program(OMNIIDL omniidl)

# takt_omniorb_idl(target FILE [omniidl's options]): a library of the code that omniORB's compiler generates from a file.
function(takt_omniorb_idl target file)
  cmake_path(GET file STEM name)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(OUTPUT ${generated}/${name}.hh ${generated}/${name}SK.cc
                     COMMAND ${OMNIIDL} -bcxx ${ARGN} -C${generated} ${file}
                     DEPENDS ${file} VERBATIM)
  add_library(${target} STATIC ${generated}/${name}SK.cc ${generated}/${name}.hh)
  target_compile_options(${target} PRIVATE -w)
  target_include_directories(${target} SYSTEM PUBLIC ${generated})
  target_link_libraries(${target} PUBLIC PkgConfig::omniorb)
endfunction()
