# Files for pkg-config. They name paths relative to themselves, so that an installed prefix can be moved.
#
#   takt                                        the ORB as it was built (a shared library or an archive)
#   takt-scheduling, takt-naming, takt-events,
#   takt-rt_events, takt-notification,
#   takt-ifr, takt-imr, takt-trading,
#   takt-streams, takt-frames                   and the services, which are archives
#   takt-static, takt-scheduling-static, ...    the same with the ORB as an archive, and all that it needs
#
# The variable takt_idl is the path of the IDL compiler, and idldir is the folder of the installed IDL.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH TAKT_PC_UP /${pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" TAKT_PC_UP "${TAKT_PC_UP}")

# takt_pkg_config(NAME DESCRIPTION LIBS ... [REQUIRES ...] [PRIVATE ...] [REQUIRES_PRIVATE ...] [INCLUDE folder])
function(takt_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "INCLUDE" "LIBS;PRIVATE;REQUIRES;REQUIRES_PRIVATE")
  foreach(list LIBS PRIVATE)
    list(JOIN ARG_${list} " " TAKT_PC_${list})
  endforeach()
  foreach(list REQUIRES REQUIRES_PRIVATE)
    list(JOIN ARG_${list} ", " TAKT_PC_${list})
  endforeach()
  set(TAKT_PC_NAME ${name})
  set(TAKT_PC_DESCRIPTION "${description}")
  set(TAKT_PC_INCLUDE)
  if(ARG_INCLUDE)
    set(TAKT_PC_INCLUDE /${ARG_INCLUDE})
  endif()
  configure_file(${TAKT_SOURCE_DIR}/cmake/takt.pc.in ${TAKT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${TAKT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
endfunction()

# takt_pkg_config_service(COMPONENT DESCRIPTION [REQUIRES ...] [ALSO library ...]): a service of takt_service(), if it is
# built. ALSO: libraries of other services that it is linked with.
function(takt_pkg_config_service component description)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "REQUIRES;ALSO")
  get_property(libraries GLOBAL PROPERTY TAKT_COMPONENT_${component})
  if(NOT libraries)
    return()
  endif()
  list(PREPEND libraries ${ARG_ALSO})
  list(REVERSE libraries) # a linker wants a library before those that it uses, and they were declared the other way round
  list(TRANSFORM libraries PREPEND -l)
  foreach(kind "" -static)
    if(TARGET takt_archive OR NOT BUILD_SHARED_LIBS OR kind STREQUAL "")
      takt_pkg_config(takt-${component}${kind} "${description}" INCLUDE takt/services LIBS ${libraries}
                      REQUIRES "takt${kind} = ${PROJECT_VERSION}" ${ARG_REQUIRES})
    endif()
  endforeach()
endfunction()

set(needed "libssl >= 3.0" "libcrypto >= 3.0" zlib)
if(TAKT_LIBURING)
  list(APPEND needed liburing)
endif()
set(system_libraries -pthread ${CMAKE_DL_LIBS})
list(TRANSFORM system_libraries REPLACE "^([^-].*)" "-l\\1")
set(archive LIBS "\${libdir}/libtakt.a" ${system_libraries} REQUIRES ${needed})
if(BUILD_SHARED_LIBS)
  takt_pkg_config(takt "${PROJECT_DESCRIPTION}" LIBS -ltakt PRIVATE ${system_libraries} REQUIRES_PRIVATE ${needed})
else()
  takt_pkg_config(takt "${PROJECT_DESCRIPTION}" ${archive})
endif()
if(TARGET takt_archive OR NOT BUILD_SHARED_LIBS)
  takt_pkg_config(takt-static "${PROJECT_DESCRIPTION}, as an archive" ${archive})
endif()
takt_pkg_config_service(scheduling "Analysis of schedules, and Takt's Scheduling Service" REQUIRES sqlite3)
takt_pkg_config_service(naming "Takt's naming service" REQUIRES sqlite3)
takt_pkg_config_service(events "Takt's event service" REQUIRES sqlite3 ALSO takt_naming_idl)
takt_pkg_config_service(rt_events "Takt's real-time event channel" REQUIRES sqlite3
                        ALSO takt_naming_idl takt_events_idl takt_events takt_rt_scheduler_idl)
takt_pkg_config_service(notification "Takt's notification service" REQUIRES sqlite3
                        ALSO takt_constraint takt_naming_idl takt_events_idl takt_events)
takt_pkg_config_service(ifr "Takt's interface repository" REQUIRES sqlite3)
takt_pkg_config_service(imr "Takt's implementation repository" REQUIRES sqlite3)
takt_pkg_config_service(trading "Takt's trader" REQUIRES sqlite3)
takt_pkg_config_service(streams "Takt's streams of audio and video")
takt_pkg_config_service(frames "Control of streams of frames by calls of Takt")
