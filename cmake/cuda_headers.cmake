# The target cuda_headers: cuda.h from CUDA_HOME, /usr/local/cuda or nvcc's own toolkit, else the
# headers that scripts/setup took from the nvidia-cuda-runtime wheel. As system headers: cuda.h
# does not pass our warnings.
find_path(CUDA_INCLUDE_DIR cuda.h
  HINTS $ENV{CUDA_HOME}/include /usr/local/cuda/include ${CMAKE_SOURCE_DIR}/build/cuda-include)
if(NOT CUDA_INCLUDE_DIR)
  message(FATAL_ERROR "no cuda.h found: run scripts/setup, or set CUDA_HOME to a CUDA Toolkit")
endif()
file(STRINGS ${CUDA_INCLUDE_DIR}/cuda.h CUDA_HEADERS_VERSION REGEX "^#define CUDA_VERSION ")
string(REGEX MATCH "[0-9]+" CUDA_HEADERS_VERSION "${CUDA_HEADERS_VERSION}")
if(CUDA_HEADERS_VERSION LESS 12000)
  message(FATAL_ERROR "${CUDA_INCLUDE_DIR}/cuda.h is older than CUDA 12.0")
endif()
add_library(cuda_headers INTERFACE)
target_include_directories(cuda_headers SYSTEM INTERFACE ${CUDA_INCLUDE_DIR})
