# The target camber-build-info: definitions of harness/record/context.hpp, generated at every
# build because the commit may have changed, and recompiled only if they have changed.
set(build_info_source ${CMAKE_BINARY_DIR}/build_info.cpp)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(CAMBER_HAS_CUDA)
  string(APPEND compiler ", nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}" flags)

add_custom_target(camber-write-build-info
  COMMAND ${CMAKE_COMMAND}
    -D "output=${build_info_source}"
    -D "source_dir=${PROJECT_SOURCE_DIR}"
    -D "version=${PROJECT_VERSION}"
    -D "compiler=${compiler}"
    -D "flags=${flags}"
    -D "build_type=${CMAKE_BUILD_TYPE}"
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake
  BYPRODUCTS ${build_info_source}
  COMMENT "Checking the commit"
  VERBATIM)
add_library(camber-build-info STATIC ${build_info_source})
add_dependencies(camber-build-info camber-write-build-info)
target_include_directories(camber-build-info PRIVATE ${PROJECT_SOURCE_DIR})
