# Fails if PAGE differs from the output of PROGRAM.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} found)
if(NOT found STREQUAL wanted)
  message(FATAL_ERROR "${PAGE} is out of date: ${PROGRAM} > ${PAGE}")
endif()
