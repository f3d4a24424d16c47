# takt.cdx.json: the software bill of materials, in CycloneDX 1.5. It lists what the build found: libraries that programs are
# linked with, headers that are compiled in, and the program that takt-idl runs. SOURCE_DATE_EPOCH sets its time, so that the
# same sources give the same file.

set(TAKT_SBOM_COMPONENTS)
set(TAKT_SBOM_NAMES)

# takt_sbom_component(NAME VERSION LICENSE TYPE DESCRIPTION): VERSION may be empty; LICENSE is an SPDX identifier; TYPE is
# `library` or `application`.
macro(takt_sbom_component name version license type description)
  set(versioned)
  if(NOT "${version}" STREQUAL "")
    set(versioned "\"version\": \"${version}\", \"purl\": \"pkg:generic/${name}@${version}\", ")
  endif()
  string(APPEND TAKT_SBOM_COMPONENTS
         ",\n    {\"type\": \"${type}\", \"bom-ref\": \"${name}\", \"name\": \"${name}\", ${versioned}\"scope\": \"required\",\n"
         "     \"description\": \"${description}\", \"licenses\": [{\"license\": {\"id\": \"${license}\"}}]}")
  list(APPEND TAKT_SBOM_NAMES "\"${name}\"")
endmacro()

# takt_tomlplusplus_version(RESULT): from its headers, since it comes without a package file in Debian 12.
function(takt_tomlplusplus_version result)
  find_path(TAKT_TOMLPLUSPLUS toml++/toml.h)
  mark_as_advanced(TAKT_TOMLPLUSPLUS)
  set(version)
  foreach(part MAJOR MINOR PATCH)
    foreach(header toml_version.h impl/version.h version.h)
      if(EXISTS ${TAKT_TOMLPLUSPLUS}/toml++/${header})
        file(STRINGS ${TAKT_TOMLPLUSPLUS}/toml++/${header} line REGEX "define +TOML_LIB_${part} +[0-9]+" LIMIT_COUNT 1)
        string(REGEX MATCH "[0-9]+$" number "${line}")
        list(APPEND version ${number})
        break()
      endif()
    endforeach()
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# takt_microhttpd_version(RESULT): from its header, where 0x00097500 is 0.9.75.
function(takt_microhttpd_version result)
  find_path(MICROHTTPD_INCLUDE microhttpd.h)
  set(version)
  if(MICROHTTPD_INCLUDE)
    file(STRINGS ${MICROHTTPD_INCLUDE}/microhttpd.h line REGEX "define +MHD_VERSION +0x[0-9]+" LIMIT_COUNT 1)
    if(line MATCHES "0x0?([0-9]+)([0-9][0-9])([0-9][0-9])[0-9][0-9]")
      set(parts ${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
      list(TRANSFORM parts REPLACE "^0([0-9])" "\\1")
      list(JOIN parts "." version)
    endif()
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

takt_sbom_component(openssl "${OPENSSL_VERSION}" Apache-2.0 library "TLS, linked")
set(zlib_version ${ZLIB_VERSION_STRING}) # before CMake 3.26
if(ZLIB_VERSION)
  set(zlib_version ${ZLIB_VERSION})
endif()
takt_sbom_component(zlib "${zlib_version}" Zlib library "compression, linked")
if(TAKT_BUILD_COMPILER)
  find_package(SQLite3 QUIET)
  find_package(CLI11 QUIET)
  find_package(nlohmann_json QUIET)
  set(gperf_version)
  find_program(TAKT_GPERF gperf)
  mark_as_advanced(TAKT_GPERF)
  if(TAKT_GPERF)
    execute_process(COMMAND ${TAKT_GPERF} --version OUTPUT_VARIABLE gperf_says ERROR_QUIET)
    string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" gperf_version "${gperf_says}")
  endif()
  takt_sbom_component(sqlite "${SQLite3_VERSION}" blessing library "storage of the services, linked")
  takt_sbom_component(CLI11 "${CLI11_VERSION}" BSD-3-Clause library "command lines, compiled in")
  takt_sbom_component(nlohmann-json "${nlohmann_json_VERSION}" MIT library "JSON, compiled in")
  takt_microhttpd_version(microhttpd_version)
  takt_sbom_component(libmicrohttpd "${microhttpd_version}" LGPL-2.1-or-later library "HTTP of takt metrics, linked by takt")
  takt_sbom_component(mcpp "" BSD-2-Clause library "preprocessing of IDL, linked by takt-idl and takt")
  takt_sbom_component(gperf "${gperf_version}" GPL-3.0-or-later application "perfect hashing, run by takt-idl")
endif()
takt_tomlplusplus_version(toml_version)
takt_sbom_component(tomlplusplus "${toml_version}" MIT library "configuration files, compiled in")

string(REGEX REPLACE "^,\n" "" TAKT_SBOM_COMPONENTS "${TAKT_SBOM_COMPONENTS}")
list(JOIN TAKT_SBOM_NAMES ", " TAKT_SBOM_NAMES)
string(TIMESTAMP TAKT_SBOM_TIME "%Y-%m-%dT%H:%M:%SZ" UTC)
string(UUID TAKT_SBOM_SERIAL NAMESPACE 6ba7b812-9dad-11d1-80b4-00c04fd430c8 TYPE SHA1
       NAME "Takt ${PROJECT_VERSION} ${TAKT_SBOM_COMPONENTS}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/takt.cdx.json.in ${TAKT_BINARY_DIR}/takt.cdx.json @ONLY)
install(FILES ${TAKT_BINARY_DIR}/takt.cdx.json DESTINATION ${CMAKE_INSTALL_DATADIR}/takt)
