# `cmake --install`: the library, its public headers, the programs, the services, manual pages, documents, and the files
# that find_package(Takt) and pkg-config read. Each component (`tools`, `runtime`, `development`, `documentation`) is one
# Debian package.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Takt)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/takt)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(installed takt takt_plugin takt_classic)
if(TARGET takt_archive)
  install(TARGETS takt_archive)
endif()
if(TARGET takt-idl)
  list(APPEND installed takt-idl takt-idtable takt-command)
endif()
install(TARGETS ${installed} EXPORT TaktTargets RUNTIME COMPONENT tools
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development ARCHIVE COMPONENT development)
# Beside the library, for the option -ORBPlugin; not linked, so it has no name for the linker.
install(TARGETS takt_faults_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/takt COMPONENT runtime)
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
include(TaktPkgConfig)
include(TaktSbom)

if(TARGET takt-idl)
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  install(DIRECTORY docs/completion/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools
          PATTERN "_*" EXCLUDE)
  set(TAKT_ZSH_FUNCTIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of functions that zsh loads")
  install(DIRECTORY docs/completion/ DESTINATION ${TAKT_ZSH_FUNCTIONS} COMPONENT tools FILES_MATCHING PATTERN "_*")
endif()
install(FILES LICENSE README.md ARCHITECTURE.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
        PATTERN docs/man EXCLUDE PATTERN docs/completion EXCLUDE)
install(CODE "
  set(documents \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
  set(sources \"${TAKT_SOURCE_DIR}\")
  include(\"${TAKT_SOURCE_DIR}/cmake/TaktInstalledDocuments.cmake\")" COMPONENT documentation)
