# Compilers and libraries, gathered in the target camber-dependencies.

find_package(CLI11 REQUIRED)
find_package(OpenMP REQUIRED)
find_package(PNG REQUIRED)
find_package(Threads REQUIRED)
# Compression of code in fat binaries. Neither library has CMake files everywhere.
find_path(CAMBER_ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_path(CAMBER_LZ4_INCLUDE_DIR lz4.h REQUIRED)
find_library(CAMBER_ZSTD_LIBRARY zstd REQUIRED)
find_library(CAMBER_LZ4_LIBRARY lz4 REQUIRED)
mark_as_advanced(CAMBER_ZSTD_INCLUDE_DIR CAMBER_LZ4_INCLUDE_DIR CAMBER_ZSTD_LIBRARY
                 CAMBER_LZ4_LIBRARY)
find_package(benchmark 1.7 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

add_library(camber-dependencies INTERFACE)
target_compile_features(camber-dependencies INTERFACE cxx_std_20)
target_include_directories(camber-dependencies INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(camber-dependencies INTERFACE
  CLI11::CLI11 Threads::Threads nlohmann_json::nlohmann_json)

target_compile_options(camber-dependencies INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>)
target_link_libraries(camber-dependencies INTERFACE fmt::fmt benchmark::benchmark)
target_include_directories(camber-dependencies SYSTEM INTERFACE
  ${PNG_INCLUDE_DIRS} ${CAMBER_ZSTD_INCLUDE_DIR} ${CAMBER_LZ4_INCLUDE_DIR})

# Other libraries of a program: shared libraries of the system, or static archives of them, with
# which the program runs on systems that lack them. Debian has no archives of fmt and Google
# Benchmark.
add_library(camber-shared-libraries INTERFACE)
target_link_libraries(camber-shared-libraries INTERFACE
  PNG::PNG ${CAMBER_ZSTD_LIBRARY} ${CAMBER_LZ4_LIBRARY} ${OpenMP_CXX_LIBRARIES}
  ${CMAKE_DL_LIBS})
add_library(camber-archives INTERFACE)
find_library(CAMBER_PNG_ARCHIVE libpng.a)
find_library(CAMBER_ZLIB_ARCHIVE libz.a)
find_library(CAMBER_ZSTD_ARCHIVE libzstd.a)
find_library(CAMBER_LZ4_ARCHIVE liblz4.a)
mark_as_advanced(CAMBER_PNG_ARCHIVE CAMBER_ZLIB_ARCHIVE CAMBER_ZSTD_ARCHIVE CAMBER_LZ4_ARCHIVE)
if(CAMBER_PNG_ARCHIVE AND CAMBER_ZLIB_ARCHIVE AND CAMBER_ZSTD_ARCHIVE AND CAMBER_LZ4_ARCHIVE)
  target_link_libraries(camber-archives INTERFACE
    ${CAMBER_PNG_ARCHIVE} ${CAMBER_ZLIB_ARCHIVE} ${CAMBER_ZSTD_ARCHIVE} ${CAMBER_LZ4_ARCHIVE}
    -Wl,-Bstatic -lgomp -Wl,-Bdynamic ${CMAKE_DL_LIBS})
else()
  target_link_libraries(camber-archives INTERFACE camber-shared-libraries)
endif()

# ---- compilation speed
# GCC collects its garbage often. With this much memory before the first collection, most units need
# none.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(camber-dependencies INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288;--param=ggc-min-expand=200>)
endif()
# Release options for code that prints, parses or tests and is not timed: -Og compiles faster than
# -O1, and than -O0. With it, GCC falsely reports uninitialized variables; the -O2 of the dev preset
# is more accurate. With sanitizers, -Og takes half the time of -O1; without the checks that GCC adds
# to every access (AddressSanitizer reports a null pointer, too), a third.
set(release_cxx $<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>)
set(fast_cxx $<OR:${release_cxx},$<BOOL:${CAMBER_SANITIZE}>>)
set(CAMBER_COMPILED_FAST $<${fast_cxx}:-Og>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND CAMBER_COMPILED_FAST $<${fast_cxx}:-Wno-maybe-uninitialized>)
  if(CAMBER_SANITIZE) # tests keep all checks: their options come before the sanitizers'
    list(APPEND CAMBER_COMPILED_FAST -fno-sanitize=null,alignment,object-size)
  endif()
endif()

# ---- warnings and sanitizers
set(warnings -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # false alarms on std::string (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms in its own library (GCC bugs 107532, 110498, 110501).
  list(APPEND warnings -Wno-dangling-reference -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(CAMBER_UNITS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wno-subobject-linkage)  # takes a unit's sources for headers
endif()
if(CAMBER_WERROR)
  list(APPEND warnings -Werror)
endif()
target_compile_options(camber-dependencies INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warnings}>)
if(CAMBER_SANITIZE)
  # The check of virtual calls (vptr) writes to a pipe, for which a course ends a graded process. That
  # of shifts makes GCC 12 evaluate `(a[k] < b ? 1u : 0u) << k` with another k.
  target_compile_options(camber-dependencies INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize=vptr,shift;-fno-sanitize-recover=undefined>")
  # Checks by calls instead of inline code: a quarter less time to compile.
  target_compile_options(camber-dependencies INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param asan-instrumentation-with-call-threshold=0>")
  # With sanitizers, GCC takes members of std::regex for uninitialized.
  target_compile_options(camber-dependencies INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(camber-dependencies INTERFACE -fsanitize=address,undefined)
endif()

# ---- CUDA
set(CAMBER_HAS_CUDA FALSE)
string(TOUPPER "${CAMBER_CUDA}" cuda_choice) # `off` is what the script `camber` understands
if(NOT cuda_choice STREQUAL "OFF")
  # An eighth of the time in which kernels are compiled.
  option(CAMBER_LINE_INFO "Compile source lines of kernels into device code, for profilers" ON)
  include(CheckLanguage)
  find_program(CAMBER_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda
               PATH_SUFFIXES bin)
  if(CAMBER_NVCC AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${CAMBER_NVCC})
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      # Native if there is a GPU to build for.
      if(EXISTS /dev/nvidia0)
        set(CMAKE_CUDA_ARCHITECTURES native CACHE STRING "Architectures to build device code for")
      else()
        set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "Architectures to build device code for")
      endif()
    endif()
    # For the host part of a kernel's source, which registers and launches; kernels are always
    # optimized.
    if(NOT DEFINED CMAKE_CUDA_FLAGS_RELEASE)
      set(CMAKE_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "Flags of nvcc in Release builds")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit 12.6 REQUIRED)
    set(CAMBER_HAS_CUDA TRUE)
    target_include_directories(camber-dependencies SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(camber-shared-libraries INTERFACE CUDA::cudart)
    target_link_libraries(camber-archives INTERFACE CUDA::cudart_static)
    # Set as an option, because CMake 3.25 does not know the dialects of CUDA 13.
    target_compile_options(camber-dependencies INTERFACE
      $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>
      $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${CAMBER_LINE_INFO}>>:-lineinfo>
      # By default, nvcc compresses only PTX; machine code with its line numbers shrinks to a sixth,
      # in 0.1 s per file.
      $<$<COMPILE_LANGUAGE:CUDA>:-Xfatbin=-compress-all>)
    if(CAMBER_WERROR)
      target_compile_options(camber-dependencies INTERFACE
        $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
    endif()
  elseif(cuda_choice STREQUAL "ON")
    message(FATAL_ERROR "CAMBER_CUDA is ON, but no nvcc was found: install the CUDA Toolkit, or set "
                        "CMAKE_CUDA_COMPILER to its nvcc")
  else()
    message(STATUS "No nvcc was found: camber is built with the simt and cpu backends only")
  endif()
endif()
