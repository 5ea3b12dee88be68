# The target cuda_headers: cuda.h from CUDA_HOME, /usr/local/cuda or nvcc's own toolkit, else the
# headers that scripts/setup took from the nvidia-cuda-runtime wheel. As system headers: cuda.h
# does not pass our warnings.
find_path(CUDA_INCLUDE_DIR cuda.h
  HINTS $ENV{CUDA_HOME}/include /usr/local/cuda/include ${CMAKE_SOURCE_DIR}/build/cuda-include)
if(NOT CUDA_INCLUDE_DIR)
  message(FATAL_ERROR "no cuda.h found: run scripts/setup, or set CUDA_HOME to a CUDA Toolkit")
endif()
add_library(cuda_headers INTERFACE)
target_include_directories(cuda_headers SYSTEM INTERFACE ${CUDA_INCLUDE_DIR})
