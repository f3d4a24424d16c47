# Read by ctest. Tests that say iiop: mean TCP, though calls within a machine leave it by default; tests of local roads, and programs
# that tests start without this environment, have the default.
if(NOT DEFINED ENV{TAKT_LOCAL_ROADS})
  set(ENV{TAKT_LOCAL_ROADS} off)
endif()
