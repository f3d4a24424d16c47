# omniORB, as a peer of tests and benches. omniorb_FOUND and OMNIIDL say whether its packages are installed.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(omniorb QUIET IMPORTED_TARGET omniORB4 omniDynamic4 omnithread4)
endif()
find_program(OMNIIDL omniidl)
if(omniorb_FOUND)
  pkg_get_variable(OMNIORB_IDL omniORB4 idldir)
endif()

# takt_omniorb_idl(target FILE [omniidl's options]): a library of the code that omniORB's compiler generates from a file.
function(takt_omniorb_idl target file)
  cmake_path(GET file STEM name)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}.generated)
  file(MAKE_DIRECTORY ${generated})
  set(sources ${generated}/${name}SK.cc)
  if("-Wba" IN_LIST ARGN)  # Any and TypeCodes
    list(APPEND sources ${generated}/${name}DynSK.cc)
  endif()
  foreach(header boxes corbaidl)  # of what orb.idl includes; omniORB4/CORBA.h has its types
    file(CONFIGURE OUTPUT ${generated}/${header}.hh CONTENT "")
  endforeach()
  add_custom_command(OUTPUT ${generated}/${name}.hh ${sources}
                     COMMAND ${OMNIIDL} -bcxx ${ARGN} -I${OMNIORB_IDL} -C${generated} ${file}
                     DEPENDS ${file} VERBATIM)
  add_library(${target} STATIC ${sources} ${generated}/${name}.hh)
  target_compile_options(${target} PRIVATE -w)
  target_include_directories(${target} SYSTEM PUBLIC ${generated})
  target_link_libraries(${target} PUBLIC PkgConfig::omniorb)
endfunction()
