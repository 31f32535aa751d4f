# camber_kernel_units(OUTPUT SOURCES...): groups of adjacent sources, each a "|"-separated item of
# OUTPUT, which are compiled together. Headers take nvcc seven seconds and are read once per group.
# Constant memory slows down every kernel of its module (CONTRIBUTING.md), and fast_math.cu has its
# own options, so these sources are compiled separately. The order of the sources is kept.
set(CAMBER_UNIT_KERNELS 3)  # at most, since nvcc takes up to half a minute for one source

function(camber_kernel_units output)
  set(groups "")
  set(run "")
  foreach(source IN LISTS ARGN ITEMS "")
    if(CAMBER_UNITS AND source AND NOT source MATCHES "(_constant|/fast_math)[.]cu$")
      list(APPEND run ${source})
      continue()
    endif()
    list(LENGTH run count)
    math(EXPR parts "(${count} + ${CAMBER_UNIT_KERNELS} - 1) / ${CAMBER_UNIT_KERNELS}")
    foreach(part RANGE 1 ${parts})
      if(count EQUAL 0)
        break()
      endif()
      math(EXPR first "${count} * (${part} - 1) / ${parts}")
      math(EXPR length "${count} * ${part} / ${parts} - ${first}")
      list(SUBLIST run ${first} ${length} members)
      list(JOIN members "|" group)
      list(APPEND groups "${group}")
    endforeach()
    set(run "")
    if(source)
      list(APPEND groups ${source})
    endif()
  endforeach()
  set(${output} ${groups} PARENT_SCOPE)
endfunction()

# camber_add_kernels(NAME SOURCES...): compiles .cu sources with the C++ compiler, for the SIMT
# executor, and in builds with CUDA also with nvcc, for the device. NAME is an interface library
# with the objects of both, so that their registrations are linked although nothing refers to them.
function(camber_add_kernels name)
  set(executor_sources "")
  set(device_sources "")
  camber_kernel_units(groups ${ARGN})
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" sources "${group}")
    set(text "")
    set(stem "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
      string(APPEND text "#include \"${relative}\"\n")
      if(NOT stem)
        string(REPLACE "/" "_" stem ${relative})
      endif()
    endforeach()
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/executor/${stem}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "${text}")
    list(APPEND executor_sources ${wrapper})
    list(LENGTH sources count)
    if(count EQUAL 1)
      list(APPEND device_sources ${sources})
    else()
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/device/${stem})
      file(CONFIGURE OUTPUT ${unit} CONTENT "${text}")
      list(APPEND device_sources ${unit})
    endif()
  endforeach()
  camber_compile_exact(${executor_sources} ${device_sources})
  add_library(${name}-executor OBJECT ${executor_sources})
  target_link_libraries(${name}-executor PUBLIC camber-dependencies)
  # Kernels contain `#pragma unroll`, which only nvcc knows. When GCC vectorizes stores to packs of
  # 16 bytes, it falsely reports stores beyond their end.
  target_compile_options(${name}-executor PRIVATE -Wno-unknown-pragmas
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # -O1 alone inlines no small function: kernels on bits, which call many, take a fifth longer. -O2
  # takes a third to three quarters longer to compile, and gains 7 % more there.
  target_compile_options(${name}-executor PRIVATE
                         "$<$<CONFIG:Release>:-O1;-finline-small-functions>")
  if(CAMBER_SANITIZE) # a third of the time to compile; the executor checks the kernels' own accesses
    target_compile_options(${name}-executor PRIVATE -O0)
  endif()
  set(parts ${name}-executor)
  if(CAMBER_HAS_CUDA)
    add_library(${name}-device OBJECT ${device_sources})
    target_link_libraries(${name}-device PUBLIC camber-dependencies)
    list(APPEND parts ${name}-device)
  endif()
  # For shared libraries: calls within a library use its own definitions.
  set_target_properties(${parts} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name}-executor PRIVATE
                         "$<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition;-fno-plt>")

  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE camber-dependencies)
  foreach(part IN LISTS parts)
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${part}>)
  endforeach()
endfunction()
