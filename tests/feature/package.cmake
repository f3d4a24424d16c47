# Makes a Debian package of the build in BUILD, unpacks it, and builds the project of consumer/ against its
# contents.

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

function(expect text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "'${output}' has no '${text}'")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CPACK} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${WORK})
file(GLOB package ${WORK}/takt_*.deb)
run(${DPKG_DEB} --field ${package} Package Depends)
expect("Package: takt")
expect("libssl-dev")
expect("libmcpp0")  # a dependency found by examining takt-idl
run(${DPKG_DEB} --extract ${package} ${WORK}/root)
run(${WORK}/root/usr/bin/takt-idl --version)
run(${WORK}/root/usr/bin/takt --version)

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${WORK}/root/usr)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
expect("20 is 5 times 4")
run(${WORK}/build/services)
expect("filter is 1 of 1")
