# Contents of `cmake --install` and CPack: the complete program, its libraries, the schemas of its
# files, the headers for a user's own kernels, the documentation, and the files that the guide's
# commands read. Charts' library, published tables, ceilings of cards and patterns are inside the
# program.
include(GNUInstallDirs)

install(TARGETS camber-complete RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(library IN ITEMS fmt::fmt benchmark::benchmark)
  install(FILES $<TARGET_FILE:${library}> DESTINATION lib/camber
          RENAME $<TARGET_SONAME_FILE_NAME:${library}>)
endforeach()
add_dependencies(camber-complete camber-recorder)
install(TARGETS camber-recorder LIBRARY DESTINATION lib/camber)
if(TARGET camber-mpi)
  add_dependencies(camber-complete camber-mpi)  # what `./camber --build` makes can be installed
  install(TARGETS camber-mpi LIBRARY DESTINATION lib/camber)
endif()
install(DIRECTORY results/schema examples DESTINATION ${CMAKE_INSTALL_DATADIR}/camber)
install(FILES include/camber/launch.h include/camber/reference.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/camber)
# Headers for compiling a technique from a user's own file.
set(sources ${CMAKE_INSTALL_DATADIR}/camber/sources)
foreach(folder IN ITEMS base groups machine record registry)
  install(DIRECTORY harness/${folder} DESTINATION ${sources}/harness
          FILES_MATCHING REGEX "\\.(hpp|cuh)$")
endforeach()
install(DIRECTORY variants workloads DESTINATION ${sources}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cu")
# For other projects: find_package(camber), and a GitHub action.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/camberConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/package/camberConfig.cmake cmake/package/camberKernelGate.cmake
              ${CMAKE_BINARY_DIR}/camberConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/camber)
install(FILES action.yml DESTINATION ${CMAKE_INSTALL_DATADIR}/camber)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Files that the guide's commands read: the program looks for them in share/camber if the working
# folder lacks them (harness/base/files.hpp).
set(data ${CMAKE_INSTALL_DATADIR}/camber)
set(whole_files
    h200/life.json.zst h200/life-counters.json.zst h100/life.json.zst baseline/model.json
    experiments/surface_water-divisions.json.zst experiments/surface_water-reciprocals.json.zst
    h200x2/magflow-etna2001-2m.json.zst
    experiments/convolution/rows.json.zst experiments/convolution/plain_rows.cu
    experiments/convolution/rows_warp.cu experiments/convolution/rows_four.cu
    h200x2/rustico/magflow-2m-19-percent.json.zst
    h200x2/rustico/magflow-2m-19-percent-graph.json.zst
    h200x2/rustico/magflow-2m-19-percent-2gpus-published.json.zst
    h200x2/rustico/magflow-2m-19-percent-2gpus-stores.json.zst)
foreach(folder IN ITEMS life life/larger_than_life)
  install(DIRECTORY workloads/${folder}/patterns DESTINATION ${data}/workloads/${folder})
endforeach()
# The campaigns, summarized by the program; whole files replace their summaries. Summaries are kept in
# the build tree until the program or a results file is newer.
install(CODE "
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${data}/results)
  set(kept \"${CMAKE_BINARY_DIR}/summaries\")
  file(MAKE_DIRECTORY \${kept} \${folder})
  file(LOCK \${kept} DIRECTORY)
  foreach(card IN ITEMS h100 h200)
    set(campaign ${PROJECT_SOURCE_DIR}/results/\${card})
    file(GLOB files \${campaign}/*)
    foreach(file IN LISTS files ITEMS \${campaign} \"$<TARGET_FILE:camber-complete>\")
      if(\${file} IS_NEWER_THAN \${kept}/\${card}.made)
        file(REMOVE_RECURSE \${kept}/\${card} \${kept}/\${card}.made)
        execute_process(COMMAND \"$<TARGET_FILE:camber-complete>\" campaign
                          --out \${campaign} --summary \${kept}/\${card}
                        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        file(TOUCH \${kept}/\${card}.made)
      endif()
    endforeach()
    file(COPY \${kept}/\${card} DESTINATION \${folder})
  endforeach()
  file(LOCK \${kept} DIRECTORY RELEASE)
  foreach(file IN ITEMS ${whole_files})
    cmake_path(GET file PARENT_PATH place)
    file(MAKE_DIRECTORY \${folder}/\${place})
    file(COPY_FILE ${PROJECT_SOURCE_DIR}/results/\${file} \${folder}/\${file})
  endforeach()")

# Shell completion scripts, as printed by the program.
install(CODE "
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR})
  foreach(shell bash zsh)
    execute_process(COMMAND \"$<TARGET_FILE:camber-complete>\" completion \${shell}
                    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    if(shell STREQUAL bash)
      file(WRITE \${folder}/bash-completion/completions/camber \"\${text}\")
    else()
      file(WRITE \${folder}/zsh/site-functions/_camber \"\${text}\")
    endif()
  endforeach()")

set(CPACK_PACKAGE_NAME camber)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "Memory-access benchmarks of cellular automata on GPUs")
set(CPACK_PACKAGE_CONTACT "camber's developers")
set(CPACK_PACKAGE_FILE_NAME camber-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
# Requires the C and C++ run-time libraries in the versions of the compiler; a package cannot
# require a GPU driver.
find_program(CAMBER_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(CAMBER_SHLIBDEPS)
if(CAMBER_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libstdc++6 (>= 12), libgcc-s1")
endif()
include(CPack)
