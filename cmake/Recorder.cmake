# Recorder of `camber capture`: a library that the GPU driver loads into any program. It must not bring
# libraries that the program has in another version, so it contains what it uses.
file(GLOB recorder_sources CONFIGURE_DEPENDS harness/capture/recorder/*.cpp)
camber_units(recorder_units ${recorder_sources})
camber_unit(recorder_parts recorder_parts harness/capture/cuda_driver.cpp
            harness/capture/cupti_records.cpp harness/capture/packed_file.cpp harness/base/text/text.cpp
            harness/machine/binary/bytes.cpp harness/machine/binary/elf.cpp harness/record/archive.cpp)
add_library(camber-recorder MODULE ${recorder_units} ${recorder_parts})
set_target_properties(camber-recorder PROPERTIES
                      PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_features(camber-recorder PRIVATE cxx_std_20)
target_include_directories(camber-recorder PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(camber-recorder SYSTEM PRIVATE ${CAMBER_ZSTD_INCLUDE_DIR})
target_compile_definitions(camber-recorder PRIVATE FMT_HEADER_ONLY)
target_compile_options(camber-recorder PRIVATE ${warnings})
set(recorder_zstd ${CAMBER_ZSTD_LIBRARY})
if(CAMBER_ZSTD_ARCHIVE)
  set(recorder_zstd ${CAMBER_ZSTD_ARCHIVE})
endif()
target_link_libraries(camber-recorder PRIVATE
  ${recorder_zstd} ${CMAKE_DL_LIBS} -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
  -Wl,--no-undefined)
