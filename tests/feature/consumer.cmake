# Installs the build in BUILD, builds the project of consumer/ against the installed files, and runs it. Then
# changes an IDL file that another one includes, and expects the next build to notice. Then links it with
# linkers other than GNU ld. Last, builds the plug-in in PLUGIN against the installed files, with its
# conformance tests, and runs the build's examples with it.

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

function(expect build text)
  run(${WORK}/${build}/consumer)
  if(NOT output STREQUAL text)
    message(FATAL_ERROR "the consumer printed '${output}', not '${text}'")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(file bin/takt-idl include/takt/corba.h)
  if(NOT EXISTS ${WORK}/prefix/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()

file(COPY ${SOURCE}/ DESTINATION ${WORK}/source)
run(${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
expect(build "20 is 5 times 4\n")
run(${WORK}/build/services)
if(NOT output STREQUAL "filter is 1 of 1\nclients: 0\nframes go to 127.0.0.1\n")
  message(FATAL_ERROR "the services' program printed '${output}'")
endif()

# A component that cannot be used leaves the others, and says why.
function(expect_components text reason)
  file(REMOVE_RECURSE ${WORK}/components)
  run(${CMAKE_COMMAND} -S ${SOURCE}_components -B ${WORK}/components -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/prefix ${ARGN})
  if(NOT output MATCHES "${text}" OR NOT output MATCHES "${reason}")
    message(FATAL_ERROR "the components are not '${text}', because ${reason}:\n${output}")
  endif()
endfunction()
expect_components("Takt 1, naming FALSE, notification FALSE, frames TRUE" "needs SQLite 3" -D CMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON)
file(GLOB_RECURSE trading ${WORK}/prefix/Takt_trading.cmake)
if(trading)
  file(RENAME ${trading} ${WORK}/Takt_trading.cmake)
  expect_components("Takt 1, naming TRUE, notification FALSE, frames TRUE" "needs the component 'trading', which is not installed")
  file(RENAME ${WORK}/Takt_trading.cmake ${trading})
endif()

file(READ ${WORK}/source/idl/limits.idl text)
string(REPLACE "factor = 5" "factor = 6" text "${text}")
file(WRITE ${WORK}/source/idl/limits.idl "${text}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
expect(build "24 is 6 times 4\n")

foreach(linker mold gold)
  find_program(${linker} NAMES ld.${linker})
  if(NOT ${linker})
    message(STATUS "not linked by ${linker}, which is not installed")
    continue()
  endif()
  run(${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/linked -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
      -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_EXE_LINKER_FLAGS=-fuse-ld=${linker})
  run(${CMAKE_COMMAND} --build ${WORK}/linked --target consumer)
  expect(linked "24 is 6 times 4\n")
endforeach()

# Builds a plug-in against the installed files; then runs programs of the build with it.
file(COPY ${PLUGIN}/ DESTINATION ${WORK}/plugin)
run(${CMAKE_COMMAND} -S ${WORK}/plugin -B ${WORK}/plugin/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_PREFIX_PATH=${WORK}/prefix -D TEST_CONFORMANCE=ON)
run(${CMAKE_COMMAND} --build ${WORK}/plugin/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/plugin/build --output-on-failure -j 4)
foreach(test traced_conformance.Each/StreamTest.CarriesOctetsBothWays/traced
        shortest_conformance.Each/OrderTest.RequestsAreRankedByTheCriterion/shortest
        gateway_conformance.Each/PersonalityTest.AnOrbStartsWithEachAndHasItsPresets/gateway
        checked_conformance.Each/MessagingTest.DamageIsNoticed/checked "100% tests passed")
  if(NOT output MATCHES "${test}")
    message(FATAL_ERROR "the plug-in's conformance tests did not say '${test}':\n${output}")
  endif()
endforeach()
if(NOT EXAMPLES)
  message(STATUS "no call through the plug-in: the examples are not built")
  return()
endif()
run(${PYTHON} ${SOURCE}/call_through.py ${WORK}/plugin/build/traced.so ${BUILD}/examples/hello_server
    ${BUILD}/examples/hello_client)
