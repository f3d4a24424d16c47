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
