# The C++ back end of takt-idl.
set(TAKT_IDL_CPP_SOURCES
    cpp/client.cpp
    cpp/context.cpp
    cpp/generator.cpp
    cpp/interfaces.cpp
    cpp/names.cpp
    cpp/orb_idl.cpp
    cpp/perfect_hash.cpp
    cpp/schedule.cpp
    cpp/server.cpp
    cpp/small_types.cpp
    cpp/structs.cpp
    cpp/typecodes.cpp
    cpp/unions.cpp
    cpp/values.cpp
    cpp/writer.cpp)
