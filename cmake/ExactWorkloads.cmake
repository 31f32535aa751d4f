# Workloads with bit-exact models. Their references, rules, kernels and tests are compiled without
# contraction of products and sums: each operation is rounded separately.
set(CAMBER_EXACT_WORKLOADS sciara_fv2 sciara_fv3 magflow transfer_overlap sph)

# camber_has_exact_workload(OUTPUT FOLDER): whether sources in FOLDER are compiled exactly.
function(camber_has_exact_workload output folder)
  list(JOIN CAMBER_EXACT_WORKLOADS "|" names)
  set(${output} OFF PARENT_SCOPE)
  if("${folder}/" MATCHES "(workloads|variants)/[a-z]+/(${names})/")
    set(${output} ON PARENT_SCOPE)
  endif()
endfunction()

# camber_compile_exact(SOURCES...): sets these options for those of the sources that are in a folder
# of such a workload, or whose names contain its path (camber_add_kernels).
function(camber_compile_exact)
  list(JOIN CAMBER_EXACT_WORKLOADS "|" names)
  list(FILTER ARGN INCLUDE REGEX "(workloads|variants)[/_][a-z]+[/_](${names})[/_][^/]*$")
  set(kernels ${ARGN})
  list(FILTER kernels INCLUDE REGEX "[.]cu$")
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  set_source_files_properties(${kernels} PROPERTIES
                              COMPILE_OPTIONS "-fmad=false;-Xcompiler=-ffp-contract=off")
  # Variants that use the device's fast math functions; their flow is verified as a whole.
  set(fast ${kernels})
  list(FILTER fast INCLUDE REGEX "/fast_math[.]cu$")
  set_source_files_properties(${fast} PROPERTIES
                              COMPILE_OPTIONS "-use_fast_math;-Xcompiler=-ffp-contract=off")
endfunction()
