# camber_precompile(TARGET HEADERS...): compiles HEADERS once for all C++ sources of TARGET, and
# includes them everywhere in it. A compiler cache does not work with that, so it is off by default
# where one is set.
set(pch_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(pch_default OFF)
endif()
option(CAMBER_PCH "Precompile headers, for a faster build from scratch" ${pch_default})

function(camber_precompile target)
  if(CAMBER_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # The false alarms of GCC bug 105651 once more: in precompiled headers they are not silenced
      # as in a system's.
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
    endif()
  endif()
endfunction()

# What most sources of the harness include.
set(CAMBER_COMMON_HEADERS
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span>
    <string> <string_view> <utility> <variant> <vector>)
