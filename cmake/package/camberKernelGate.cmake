# camber_add_kernel_gate(NAME name BASELINE path
#                        KERNELS path... [WORKLOAD name | REFERENCE file]
#                        [INCLUDE_DIRECTORIES folder...] [DEFINITIONS NAME=VALUE...]
#                        [NO_CHECK] [NO_VERIFY]
#                        | BINARIES file-or-target...
#                        [ALLOW what...] [THRESHOLD share] [FAIL_ON_UNDECIDED] [TIMEOUT seconds])
#
# KERNELS are CUDA sources, techniques (.hpp), or folders with .cu files. The function adds
#   test camber.NAME.gate           `camber compare BASELINE --candidate KERNELS`
#   test camber.NAME.check.FILE     `camber check` of each file: races, bounds, uninitialized reads
#   test camber.NAME.verify.FILE    `camber try` of each file: every cell against the reference
#   target NAME-baseline            writes BASELINE anew, after an intended change
#
# WORKLOAD or REFERENCE defines the correct result of kernels whose files do not say it. BINARIES are
# compiled programs and libraries, or CMake targets. They have one gate each; BASELINE is a .json file
# for one binary, and a folder for several. Relative paths start in the current source folder.
# A gate fails with the exit code of `camber compare`: 1 regression, 2 bad input, 3 not comparable, 4
# wrong result.
#
# The tests have the label `camber`: `ctest -L camber` runs them alone.

function(_camber_gate_error text)
  message(FATAL_ERROR "camber_add_kernel_gate: ${text}")
endfunction()

# Stops if the installed program does not have the command `inspect`.
function(_camber_require_inspect)
  execute_process(COMMAND "${camber_PROGRAM}" --help OUTPUT_VARIABLE commands ERROR_QUIET)
  if(NOT commands MATCHES "\n  inspect ")
    execute_process(COMMAND "${camber_PROGRAM}" --version OUTPUT_VARIABLE version
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    _camber_gate_error("BINARIES needs the command `camber inspect`, which ${camber_PROGRAM} (${version}) does not have: install a newer camber, or gate the sources with KERNELS")
  endif()
endfunction()

function(_camber_add_gate_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "COMMAND")
  add_test(NAME ${name} COMMAND ${test_COMMAND} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS camber TIMEOUT ${test_TIMEOUT})
endfunction()

function(camber_add_kernel_gate)
  cmake_parse_arguments(PARSE_ARGV 0 gate "NO_CHECK;NO_VERIFY;FAIL_ON_UNDECIDED"
                        "NAME;BASELINE;WORKLOAD;REFERENCE;THRESHOLD;TIMEOUT"
                        "KERNELS;BINARIES;ALLOW;INCLUDE_DIRECTORIES;DEFINITIONS")
  if(gate_UNPARSED_ARGUMENTS)
    _camber_gate_error("unknown argument '${gate_UNPARSED_ARGUMENTS}': camberKernelGate.cmake lists the arguments")
  endif()
  foreach(required IN ITEMS NAME BASELINE)
    if("${gate_${required}}" STREQUAL "")
      _camber_gate_error("${required} is missing: write camber_add_kernel_gate(NAME name KERNELS path BASELINE file.json)")
    endif()
  endforeach()
  if((gate_KERNELS AND gate_BINARIES) OR NOT (gate_KERNELS OR gate_BINARIES))
    _camber_gate_error("the gate '${gate_NAME}' needs either KERNELS or BINARIES: give one of the two")
  endif()
  if(gate_WORKLOAD AND gate_REFERENCE)
    _camber_gate_error("the gate '${gate_NAME}' has both WORKLOAD and REFERENCE: give one of the two")
  endif()
  if(gate_BINARIES)
    foreach(option IN ITEMS WORKLOAD REFERENCE INCLUDE_DIRECTORIES DEFINITIONS NO_CHECK NO_VERIFY THRESHOLD)
      if(gate_${option})
        _camber_gate_error("${option} is for KERNELS, and the gate '${gate_NAME}' is of BINARIES: leave it out")
      endif()
    endforeach()
  endif()
  if(NOT gate_TIMEOUT)
    set(gate_TIMEOUT 600)
  endif()

  get_filename_component(baseline "${gate_BASELINE}" ABSOLUTE)
  set(judge "")
  foreach(what IN LISTS gate_ALLOW)
    list(APPEND judge --allow ${what})
  endforeach()
  if(gate_THRESHOLD)
    list(APPEND judge --threshold ${gate_THRESHOLD})
  endif()
  if(gate_FAIL_ON_UNDECIDED)
    list(APPEND judge --fail-on-undecided)
  endif()

  if(gate_BINARIES)
    _camber_add_binary_gate()
  else()
    _camber_add_source_gate()
  endif()
  if(NOT EXISTS "${baseline}")
    message(STATUS "camber: the gate '${gate_NAME}' has no baseline yet: build the target ${gate_NAME}-baseline and commit ${gate_BASELINE}")
  endif()
endfunction()

# The gate of sources; uses the variables of camber_add_kernel_gate().
macro(_camber_add_source_gate)
  set(candidates "")
  set(files "")
  foreach(path IN LISTS gate_KERNELS)
    get_filename_component(path "${path}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      _camber_gate_error("KERNELS of the gate '${gate_NAME}' has '${path}', which does not exist: name a .cu file, a technique (.hpp), or a folder with .cu files")
    endif()
    list(APPEND candidates --candidate "${path}")
    if(IS_DIRECTORY "${path}")
      file(GLOB found CONFIGURE_DEPENDS "${path}/*.cu")
      if(NOT found)
        _camber_gate_error("KERNELS of the gate '${gate_NAME}' has the folder '${path}', which contains no .cu file: add one, or name another folder")
      endif()
      list(APPEND files ${found})
    else()
      list(APPEND files "${path}")
    endif()
  endforeach()
  set(problem "")
  if(gate_WORKLOAD)
    list(APPEND problem --workload ${gate_WORKLOAD})
  endif()
  if(gate_REFERENCE)
    get_filename_component(reference "${gate_REFERENCE}" ABSOLUTE)
    if(NOT EXISTS "${reference}")
      _camber_gate_error("REFERENCE of the gate '${gate_NAME}' is '${reference}', which does not exist: name the file of a kernel that computes the correct result")
    endif()
    list(APPEND problem --reference "${reference}")
  endif()
  foreach(folder IN LISTS gate_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND problem -I "${folder}")
  endforeach()
  foreach(definition IN LISTS gate_DEFINITIONS)
    list(APPEND problem -D "${definition}")
  endforeach()

  _camber_add_gate_test(camber.${gate_NAME}.gate TIMEOUT ${gate_TIMEOUT}
    COMMAND camber::camber compare "${baseline}" ${candidates} ${problem} ${judge})
  set(stems "")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    if(stem IN_LIST stems)
      _camber_gate_error("KERNELS of the gate '${gate_NAME}' has two files of the name '${stem}': make them two gates, or rename one")
    endif()
    list(APPEND stems ${stem})
    if(NOT gate_NO_CHECK)
      _camber_add_gate_test(camber.${gate_NAME}.check.${stem} TIMEOUT ${gate_TIMEOUT}
        COMMAND camber::camber check --candidate "${file}" ${problem})
    endif()
    if(NOT gate_NO_VERIFY)
      _camber_add_gate_test(camber.${gate_NAME}.verify.${stem} TIMEOUT ${gate_TIMEOUT}
        COMMAND camber::camber try "${file}" --backend simt ${problem})
    endif()
  endforeach()
  get_filename_component(folder "${baseline}" DIRECTORY)
  add_custom_target(${gate_NAME}-baseline
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
    COMMAND camber::camber model --baseline "${baseline}" ${candidates} ${problem}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" VERBATIM
    COMMENT "Predicting the memory traffic of the kernels of '${gate_NAME}'")
endmacro()

# The gate of compiled code; uses the variables of camber_add_kernel_gate().
macro(_camber_add_binary_gate)
  _camber_require_inspect()
  list(LENGTH gate_BINARIES count)
  if(count GREATER 1 AND gate_BASELINE MATCHES "\\.json$")
    _camber_gate_error("the gate '${gate_NAME}' has ${count} binaries and one file as BASELINE: name a folder, which then has a file for each")
  endif()
  set(renew "")
  set(folder "${baseline}")
  if(baseline MATCHES "\\.json$")
    get_filename_component(folder "${baseline}" DIRECTORY)
  endif()
  foreach(binary IN LISTS gate_BINARIES)
    if(TARGET ${binary})
      set(file "$<TARGET_FILE:${binary}>")
      set(stem ${binary})
    else()
      # Made by the build, perhaps, or committed.
      get_filename_component(file "${binary}" ABSOLUTE)
      get_filename_component(stem "${binary}" NAME)
    endif()
    set(of_binary "${baseline}")
    if(NOT baseline MATCHES "\\.json$")
      set(of_binary "${baseline}/${stem}.json")
    endif()
    _camber_add_gate_test(camber.${gate_NAME}.gate.${stem} TIMEOUT ${gate_TIMEOUT}
      COMMAND camber::camber compare "${of_binary}" "${file}" ${judge})
    list(APPEND renew COMMAND camber::camber inspect "${file}" --format json --out "${of_binary}")
  endforeach()
  add_custom_target(${gate_NAME}-baseline
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}" ${renew}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" VERBATIM
    COMMENT "Inspecting the compiled code of '${gate_NAME}'")
  foreach(binary IN LISTS gate_BINARIES)
    if(TARGET ${binary})
      add_dependencies(${gate_NAME}-baseline ${binary})
    endif()
  endforeach()
endmacro()
