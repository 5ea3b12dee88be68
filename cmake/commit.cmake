# Run as a script: writes OUT, a header with the commit of the checkout in SOURCE, or with "".
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel --short=12 HEAD
  OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
# SOURCE may lie, without git, in the checkout of something else.
if(answer MATCHES "^(.*)\n([0-9a-f]+)$" AND CMAKE_MATCH_1 STREQUAL SOURCE)
  set(commit ${CMAKE_MATCH_2})
endif()
file(WRITE ${OUT} "#define BUILD_COMMIT \"${commit}\"\n")
