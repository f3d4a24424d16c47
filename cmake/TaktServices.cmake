# takt_service(COMPONENT LIBRARY...): makes libraries of services/ and of their IDL available to users by
# find_package(Takt COMPONENTS ...). Target takt_NAME, or takt_service_NAME if a room has that name, becomes
# Takt::NAME. Headers are included as in services/, "scheduling/scheduler.h", and those generated from their
# IDL beside them. The former are C++23.
function(takt_service component)
  foreach(library IN LISTS ARGN)
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${TAKT_SOURCE_DIR}/services>
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/takt/services>)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:takt_flags>)
    string(REGEX REPLACE "^takt_(service_)?" "" name ${library})
    get_target_property(generated ${library} TAKT_GENERATED_IN)
    if(NOT generated)
      target_compile_features(${library} PUBLIC cxx_std_23)
    endif()
    add_library(Takt::${name} ALIAS ${library})
    set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
    set_property(GLOBAL APPEND PROPERTY TAKT_COMPONENT_${component} ${library})
  endforeach()
endfunction()

# Installs the components that were built.
function(takt_install_services package_dir)
  foreach(component scheduling frames naming events rt_events notification ifr imr trading streams)
    get_property(libraries GLOBAL PROPERTY TAKT_COMPONENT_${component})
    if(NOT libraries)
      continue()
    endif()
    install(TARGETS ${libraries} EXPORT Takt_${component})
    install(EXPORT Takt_${component} NAMESPACE Takt:: DESTINATION ${package_dir})
    set(headers ${TAKT_SOURCE_DIR}/services/${component})
    list(APPEND headers ${TAKT_SOURCE_DIR}/services/sqlite ${TAKT_SOURCE_DIR}/services/octets) # stores and events include these
    if(component STREQUAL "scheduling") # in several rooms
      list(APPEND headers ${TAKT_SOURCE_DIR}/services/schedulability ${TAKT_SOURCE_DIR}/services/mast)
    endif()
    if(component STREQUAL "rt_events") # in several rooms
      list(APPEND headers ${TAKT_SOURCE_DIR}/services/event_ring ${TAKT_SOURCE_DIR}/services/event_schedule)
    endif()
    if(component STREQUAL "trading") # its libraries include these
      list(APPEND headers ${TAKT_SOURCE_DIR}/services/constraint ${TAKT_SOURCE_DIR}/services/naming)
    endif()
    if(component STREQUAL "notification") # in several rooms
      list(APPEND headers ${TAKT_SOURCE_DIR}/services/constraint ${TAKT_SOURCE_DIR}/services/notification_parts)
    endif()
    foreach(library IN LISTS libraries)
      get_target_property(generated ${library} TAKT_GENERATED_IN)
      if(generated)
        list(APPEND headers ${generated}/)
      endif()
    endforeach()
    install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/takt/services FILES_MATCHING PATTERN "*.h")
  endforeach()
endfunction()
