# Checks that generated code compiles without warnings: CXX, VERSION, SOURCE, GENERATED, WORK. Compiles the
# sources together; the normal build compiles each alone.
file(GLOB sources ${GENERATED}/*.cpp)
if(NOT sources)
  message(FATAL_ERROR "nothing was generated in ${GENERATED}")
endif()
list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
string(JOIN "" unit ${includes})
file(WRITE ${WORK} "${unit}")
execute_process(COMMAND ${CXX} -std=c++${VERSION} -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror
                        -fsyntax-only -I ${SOURCE}/include -I ${GENERATED} ${WORK}
                RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
