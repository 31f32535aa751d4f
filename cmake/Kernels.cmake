# camber_add_kernels(NAME SOURCES...): compiles each .cu source once for the SIMT executor, by the C++
# compiler, and, where CUDA is built in, once for the device, by nvcc. NAME is an interface library
# that carries the objects of both, so that the registrations inside are linked without being
# referred to.
function(camber_add_kernels name)
  set(executor_sources "")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    string(REPLACE "/" "_" stem ${relative})
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/executor/${stem}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${relative}\"\n")
    list(APPEND executor_sources ${wrapper})
  endforeach()
  camber_compile_exact(${executor_sources} ${ARGN})
  add_library(${name}-executor OBJECT ${executor_sources})
  target_link_libraries(${name}-executor PUBLIC camber-dependencies)
  # Kernels carry `#pragma unroll`, which only nvcc knows. GCC, vectorising stores to packs of 16
  # bytes, takes them for stores beyond their end.
  target_compile_options(${name}-executor PRIVATE -Wno-unknown-pragmas
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # As fast as with more optimisation: what takes the time is fibres and checks.
  target_compile_options(${name}-executor PRIVATE $<$<CONFIG:Release>:-O1>)
  set(parts ${name}-executor)
  if(CAMBER_HAS_CUDA)
    add_library(${name}-device OBJECT ${ARGN})
    target_link_libraries(${name}-device PUBLIC camber-dependencies)
    list(APPEND parts ${name}-device)
  endif()
  # For shared libraries. What a library defines is what its own code calls.
  set_target_properties(${parts} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name}-executor PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)

  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE camber-dependencies)
  foreach(part IN LISTS parts)
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${part}>)
  endforeach()
endfunction()
