# The target `api_reference`, if there is doxygen: the reference of the public API (docs/api/README.md).
find_package(Doxygen QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT DOXYGEN_FOUND OR NOT Python3_FOUND)
  return()
endif()
set(api_reference ${TAKT_BINARY_DIR}/api_reference)
file(CONFIGURE OUTPUT ${api_reference}/Doxyfile CONTENT [[
@INCLUDE         = "@TAKT_SOURCE_DIR@/docs/api/Doxyfile"
INPUT_FILTER     = "\"@Python3_EXECUTABLE@\" docs/api/filter.py"
OUTPUT_DIRECTORY = "@api_reference@"
PROJECT_NUMBER   = @PROJECT_VERSION@
]] @ONLY)
add_custom_target(api_reference COMMAND Doxygen::doxygen ${api_reference}/Doxyfile WORKING_DIRECTORY ${TAKT_SOURCE_DIR}
                  COMMENT "API reference: ${api_reference}/html/index.html" VERBATIM)
