# find_package(Takt COMPONENTS conformance): the contracts of interfaces that plug-ins implement, as tests.
# Needs GoogleTest.
#   takt_conformance_test(TARGET transport|messaging|order|personality SOURCES x.cpp ... [LIBRARIES ...])
# makes a program of the suite and the sources, which define what the suite's header asks for, as
# takt::transport::tested_transports() in transport_suite.h, and registers its tests with ctest. One that breaks
# the contract may make a test wait for ever, so each has two minutes.

include(CMakeFindDependencyMacro)
find_dependency(GTest)
include(GoogleTest)

function(takt_conformance_test target suite)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES;LIBRARIES")
  file(GLOB tests ${Takt_CONFORMANCE_DIR}/${suite}/*.cpp)
  if(NOT tests)
    file(GLOB suites RELATIVE ${Takt_CONFORMANCE_DIR} ${Takt_CONFORMANCE_DIR}/*/*_suite.h)
    list(TRANSFORM suites REPLACE "/.*" "")
    list(JOIN suites ", " suites)
    message(FATAL_ERROR "takt_conformance_test: there is no suite '${suite}'; there are ${suites}")
  endif()
  add_executable(${target} ${tests} ${Takt_CONFORMANCE_DIR}/allocations.cpp ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${Takt_CONFORMANCE_DIR} ${Takt_CONFORMANCE_DIR}/${suite})
  target_link_libraries(${target} PRIVATE Takt::takt GTest::gtest_main ${ARG_LIBRARIES})
  gtest_discover_tests(${target} TEST_PREFIX ${target}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
endfunction()
