# The target warnings: what both compilers must accept in silence.
add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla
    -Wpointer-arith -Wcast-qual -Wwrite-strings -Wformat=2 -Wstrict-prototypes
    -Wmissing-prototypes>)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wlogical-op -Wduplicated-cond -Wduplicated-branches
      -Wjump-misses-init>)
endif()
if(CULPRIT_WERROR)
  target_compile_options(warnings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
