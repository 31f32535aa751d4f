# find_package(camber) of other projects: the installed program, and camber_add_kernel_gate(), which
# adds CTest entries that compare kernels with a committed baseline. No GPU is needed.
#
#     find_package(camber REQUIRED)
#     camber_add_kernel_gate(NAME kernels KERNELS kernels/ BASELINE camber/baseline.json)
#
# Sets camber_PROGRAM, and the imported executable camber::camber.
cmake_policy(PUSH)
cmake_policy(VERSION 3.18...3.30)

# The program beside this file: PREFIX/share/cmake/camber/camberConfig.cmake, PREFIX/bin/camber.
get_filename_component(_camber_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(camber_PROGRAM "${_camber_prefix}/bin/camber")
if(NOT EXISTS "${camber_PROGRAM}")
  set(camber_FOUND FALSE)
  set(camber_NOT_FOUND_MESSAGE
      "${CMAKE_CURRENT_LIST_DIR} is no complete installation: ${camber_PROGRAM} is missing; install camber again")
  unset(_camber_prefix)
  cmake_policy(POP)
  return()
endif()
unset(_camber_prefix)
if(NOT TARGET camber::camber)
  add_executable(camber::camber IMPORTED)
  set_target_properties(camber::camber PROPERTIES IMPORTED_LOCATION "${camber_PROGRAM}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/camberKernelGate.cmake")
cmake_policy(POP)
