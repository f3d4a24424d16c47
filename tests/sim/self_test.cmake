# cmake -DSIMULATION=program -P self_test.cmake: checks that each planted defect is found and reported with a
# seed that reproduces it; and that equal seeds give equal runs, alone or among others, traced or not.
set(within 200)

foreach(defect lost-wake-up lost-readiness octets-twice forgotten-close forgotten-memory upcall-twice reply-to-another point-left-out)
  execute_process(COMMAND ${SIMULATION} --seeds 1 ${within} --defect ${defect} --stop
                  OUTPUT_QUIET ERROR_VARIABLE told RESULT_VARIABLE result)
  if(NOT result EQUAL 1 OR NOT told MATCHES "again: simulation --seed ([0-9]+)")
    message(SEND_ERROR "${defect} is not found within ${within} seeds: ${told}")
    continue()
  endif()
  set(seed ${CMAKE_MATCH_1})
  execute_process(COMMAND ${SIMULATION} --seed ${seed} --defect ${defect} OUTPUT_QUIET ERROR_VARIABLE again)
  if(NOT told STREQUAL again)
    message(SEND_ERROR "${defect}, seed ${seed}: found as\n${told}\nand then as\n${again}")
  endif()
endforeach()

execute_process(COMMAND ${SIMULATION} --seeds 41 20 --digest ERROR_VARIABLE together OUTPUT_QUIET)
foreach(seed 41 50 60)
  execute_process(COMMAND ${SIMULATION} --seed ${seed} --digest --trace ERROR_VARIABLE alone OUTPUT_QUIET)
  string(REGEX MATCH "seed ${seed}: digest [^\n]*" digest "${alone}")
  string(FIND "${together}" "${digest}" found)
  if(NOT digest OR found LESS 0)
    message(SEND_ERROR "seed ${seed} is one run among others, and another alone: '${digest}'")
  endif()
endforeach()
