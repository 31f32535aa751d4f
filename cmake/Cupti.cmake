# CUPTI: hardware counters. Only its headers are needed to build; the library is loaded when
# counters are requested, so the program also starts on machines without it.
set(CAMBER_HAS_CUPTI FALSE)
set(cupti_roots ${CUDAToolkit_TARGET_DIR} ${CUDAToolkit_LIBRARY_ROOT} /usr/local/cuda)
list(TRANSFORM cupti_roots APPEND /extras/CUPTI/include OUTPUT_VARIABLE cupti_include_dirs)
list(TRANSFORM cupti_roots APPEND /include OUTPUT_VARIABLE toolkit_include_dirs)
list(APPEND cupti_include_dirs ${CUDAToolkit_INCLUDE_DIRS} ${toolkit_include_dirs})

# The Range Profiler came with CUDA 12.6: a CUPTI without this header is too old. cuda.h is in the
# same folder or in the toolkit's own include folder.
find_path(CAMBER_CUPTI_INCLUDE_DIR cupti_range_profiler.h PATHS ${cupti_include_dirs}
          NO_DEFAULT_PATH)
find_path(CAMBER_CUDA_H_DIR cuda.h PATHS ${CUDAToolkit_INCLUDE_DIRS} ${toolkit_include_dirs}
          NO_DEFAULT_PATH)
mark_as_advanced(CAMBER_CUPTI_INCLUDE_DIR CAMBER_CUDA_H_DIR)

if(CAMBER_CUPTI_INCLUDE_DIR AND CAMBER_CUDA_H_DIR)
  set(CAMBER_HAS_CUPTI TRUE)
  target_include_directories(camber-dependencies SYSTEM INTERFACE
    ${CAMBER_CUPTI_INCLUDE_DIR} ${CAMBER_CUDA_H_DIR})
  target_compile_definitions(camber-dependencies INTERFACE CAMBER_HAS_CUPTI=1)
  # Search path if the loader does not find the library: <cuda>/extras/CUPTI/lib64 or <cuda>/lib64.
  set(cupti_folders "")
  foreach(root IN LISTS cupti_roots)
    list(APPEND cupti_folders ${root}/extras/CUPTI/lib64 ${root}/lib64 ${root}/lib)
  endforeach()
  list(APPEND cupti_folders ${CUDAToolkit_LIBRARY_DIR})
  list(REMOVE_DUPLICATES cupti_folders)
  list(JOIN cupti_folders ":" cupti_folders)
  target_compile_definitions(camber-dependencies INTERFACE
    CAMBER_CUPTI_FOLDERS="${cupti_folders}")
else()
  message(STATUS "No CUPTI of CUDA 12.6 or newer was found: camber is built without hardware "
                 "counters")
endif()
