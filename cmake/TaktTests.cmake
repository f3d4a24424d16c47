set(TAKT_TEST_SECONDS 60 CACHE STRING "Time limit of a test that does not set its own; builds whose programs are slow need more")

# takt_discover_tests(TARGET PREFIX [FILTER gtest's] [PROPERTIES ...]): registers each test of a program with
# ctest, with the timeout TAKT_TEST_SECONDS unless the properties set another one.
function(takt_discover_tests target prefix)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "FILTER" "PROPERTIES")
  gtest_discover_tests(${target} TEST_PREFIX ${prefix} TEST_FILTER "${ARG_FILTER}" DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES NO_PRETTY_TYPES
                       PROPERTIES TIMEOUT ${TAKT_TEST_SECONDS} ${ARG_PROPERTIES})
endfunction()

# takt_unit_test(cdr SOURCES ...): the tests of one room, linked with that room and the rooms it uses.
function(takt_unit_test room)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "NAME" "SOURCES;LIBRARIES")
  if(NOT ARG_NAME)
    set(ARG_NAME unit_${room})
  endif()
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PRIVATE takt_flags takt_${room} GTest::gtest_main ${ARG_LIBRARIES})
  takt_discover_tests(${ARG_NAME} "${ARG_NAME}.")
endfunction()

# takt_classic_headers(NAME HEADER LIBRARY...): precompiles a header of the classic mapping, by Takt or omniORB, and GoogleTest's, in C++14.
function(takt_classic_headers name header)
  takt_precompiled(${name} HEADERS <gtest/gtest.h> ${header} LIBRARIES ${ARGN} GTest::gtest)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON)
endfunction()

# takt_reuse_classic(NAME TARGET...): uses them in programs and libraries, which are then of C++14 too.
function(takt_reuse_classic name)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON
                          DISABLE_PRECOMPILE_HEADERS "${CMAKE_DISABLE_PRECOMPILE_HEADERS}")
    target_precompile_headers(${target} REUSE_FROM ${name})
    # So that the precompiled headers fit.
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
    takt_quiet_about_precompiled(${target})
  endforeach()
endfunction()
