# Every generated source file compiles without a warning: CXX, VERSION, SOURCE, GENERATED.
file(GLOB sources ${GENERATED}/*.cpp)
if(NOT sources)
  message(FATAL_ERROR "nothing was generated in ${GENERATED}")
endif()
foreach(source IN LISTS sources)
  execute_process(COMMAND ${CXX} -std=c++${VERSION} -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror
                          -fsyntax-only -I ${SOURCE}/include -I ${GENERATED} ${source}
                  RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${source}\n${output}")
  endif()
endforeach()
