# The installation of `cmake --install`: the library, its public headers, takt-idl, the services, and the
# package files with which find_package(Takt) provides Takt::takt, Takt::takt-idl and takt_add_idl().

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Takt)

set(installed takt takt_plugin)
if(TARGET takt-idl)
  list(APPEND installed takt-idl takt-idtable takt-command)
endif()
install(TARGETS ${installed} EXPORT TaktTargets)
install(EXPORT TaktTargets NAMESPACE Takt:: DESTINATION ${package_dir})
takt_install_services(${package_dir})
set(takt_idl_dir ${CMAKE_INSTALL_DATADIR}/takt/idl)
install(DIRECTORY idl/ DESTINATION ${takt_idl_dir} FILES_MATCHING PATTERN "*.idl")
install(DIRECTORY include/takt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# The conformance suites, as sources: a plug-in's author compiles them with the plug-in's compiler settings.
set(takt_conformance_dir ${CMAKE_INSTALL_DATADIR}/takt/conformance)
install(FILES tests/conformance/plugin_registry.h tests/conformance/reactor/allocations.h
              tests/conformance/reactor/allocations.cpp DESTINATION ${takt_conformance_dir})
foreach(suite transport messaging order personality)
  install(DIRECTORY tests/conformance/${suite}/suite/ DESTINATION ${takt_conformance_dir}/${suite}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp")
endforeach()

configure_package_config_file(cmake/TaktConfig.cmake.in ${TAKT_BINARY_DIR}/TaktConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS takt_idl_dir takt_conformance_dir)
write_basic_package_version_file(${TAKT_BINARY_DIR}/TaktConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${TAKT_BINARY_DIR}/TaktConfig.cmake ${TAKT_BINARY_DIR}/TaktConfigVersion.cmake
              cmake/TaktIdl.cmake cmake/TaktIdTable.cmake cmake/Takt_conformance.cmake
        DESTINATION ${package_dir})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
