# NCCL: one of the exchange paths between devices. Only its header is needed to build; the library
# is loaded when it is requested.

if(CMAKE_CUDA_COMPILER)
  find_path(CAMBER_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  mark_as_advanced(CAMBER_NCCL_INCLUDE_DIR)
endif()
if(CAMBER_NCCL_INCLUDE_DIR)
  target_include_directories(camber-dependencies SYSTEM INTERFACE ${CAMBER_NCCL_INCLUDE_DIR})
  # Defined only for the source that uses it, so that the others compile as in builds without CUDA.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/harness/machine/cuda/nccl.cpp PROPERTIES
                              COMPILE_DEFINITIONS CAMBER_HAS_NCCL=1)
endif()
