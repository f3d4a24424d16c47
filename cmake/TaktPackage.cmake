# `cpack -G DEB --config build/release/CPackConfig.cmake` makes a Debian package of the installed files. It
# depends on the headers that users need to build (OpenSSL's and zlib's) and the libraries of the programs.
# SQLite's headers are needed only by the component scheduling.
set(CPACK_PACKAGE_NAME takt)
set(CPACK_PACKAGE_VENDOR Takt)
set(CPACK_PACKAGE_CONTACT "Takt's maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "The library, takt-idl for IDL, the takt command line, and the files of find_package(Takt).")
set(CPACK_RESOURCE_FILE_LICENSE ${TAKT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libssl-dev (>= 3.0), zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake, libsqlite3-dev")
include(CPack)
