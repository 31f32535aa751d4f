# camber_add_kernels(NAME SOURCES...): compiles each .cu source with the C++ compiler, for the SIMT
# executor, and in builds with CUDA also with nvcc, for the device. NAME is an interface library
# with the objects of both, so that their registrations are linked although nothing refers to them.
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
  # Kernels contain `#pragma unroll`, which only nvcc knows. When GCC vectorizes stores to packs of
  # 16 bytes, it falsely reports stores beyond their end.
  target_compile_options(${name}-executor PRIVATE -Wno-unknown-pragmas
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # More optimization would not be faster: fibers and checks dominate the time.
  target_compile_options(${name}-executor PRIVATE $<$<CONFIG:Release>:-O1>)
  set(parts ${name}-executor)
  if(CAMBER_HAS_CUDA)
    add_library(${name}-device OBJECT ${ARGN})
    target_link_libraries(${name}-device PUBLIC camber-dependencies)
    list(APPEND parts ${name}-device)
  endif()
  # For shared libraries: calls within a library use its own definitions.
  set_target_properties(${parts} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name}-executor PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)

  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE camber-dependencies)
  foreach(part IN LISTS parts)
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${part}>)
  endforeach()
endfunction()
