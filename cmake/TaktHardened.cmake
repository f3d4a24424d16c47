# TAKT_HARDENED: compiles and links everything with the protections that distributions ask of packages. What they cost
# a call is in docs/user/installing.md. The paths of the source and build folders do not appear in the output.
option(TAKT_HARDENED "Compile and link with protections against exploits" OFF)
if(TAKT_HARDENED)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  # Programs are linked as PIE, but compiled as libraries are, so that both read the same precompiled headers.
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # As an option, because some compilers define it themselves and would warn of a second definition.
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
    add_compile_options(-fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    add_compile_options(-mbranch-protection=standard)
  endif()
  add_link_options(LINKER:-z,relro LINKER:-z,now)
  # When both match, the compiler takes the later one; the build folder may be inside the source folder.
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=/usr/src/takt
                      -ffile-prefix-map=${CMAKE_BINARY_DIR}=/usr/src/takt/build)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()
