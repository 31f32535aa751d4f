# camber_units(OUTPUT SOURCES...): sets OUTPUT to translation units that include SOURCES, one unit
# per group of sources in a folder. Headers take most of the compilation time and are read once per
# unit: a build from scratch takes a third of the time. Names within a folder must differ, also in
# anonymous namespaces. Without CAMBER_UNITS each source is compiled separately, which must always
# be possible.
#
# camber_units(OUTPUT TOGETHER SOURCES...): small folders share units, too, so names in all of SOURCES
# must differ. Not those of harness/machine: kernel words are macros, which CUDA's headers do not
# expect; nor those of harness/own, which are large; nor those of commands with namespaces of their own.
option(CAMBER_UNITS "Compile the sources of a folder together, for a faster build from scratch" ON)
set(CAMBER_UNIT_SOURCES 24)  # at most, so that several compilers have work
set(CAMBER_SHARED_UNIT_SOURCES 12)  # at most in a unit of several folders

# camber_unit(OUTPUT NAME SOURCES...): sets OUTPUT to the unit units/NAME.cpp of the current binary
# directory, which includes SOURCES, or to SOURCES without CAMBER_UNITS.
function(camber_unit output name)
  set(${output} ${ARGN} PARENT_SCOPE)
  if(CAMBER_UNITS)
    list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
    list(JOIN lines "" text)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/units/${name}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}")
    set(${output} ${unit} PARENT_SCOPE)
  endif()
endfunction()

function(camber_units output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TOGETHER" "" "")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT CAMBER_UNITS)
    set(${output} ${sources} PARENT_SCOPE)
    return()
  endif()
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    cmake_path(GET relative PARENT_PATH folder)
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} ${relative})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  if(arg_TOGETHER)
    set(first "")  # folder whose unit takes further ones
    foreach(folder IN LISTS folders)
      if(folder MATCHES "(^|/)(harness/machine|harness/capture|harness/cli/(capture|course|history|init|inspect))(/|$)|^harness/own(/|$)")
        set(first "")
        continue()
      endif()
      list(LENGTH sources_of_${folder} count)
      camber_has_exact_workload(is_exact ${folder})
      if(first AND is_exact STREQUAL first_is_exact)
        list(LENGTH sources_of_${first} sum)
        math(EXPR sum "${sum} + ${count}")
        if(sum LESS_EQUAL CAMBER_SHARED_UNIT_SOURCES)
          list(APPEND sources_of_${first} ${sources_of_${folder}})
          list(REMOVE_ITEM folders ${folder})
          continue()
        endif()
      endif()
      set(first ${folder})
      set(first_is_exact ${is_exact})
    endforeach()
  endif()
  set(units "")
  foreach(folder IN LISTS folders)
    list(LENGTH sources_of_${folder} count)
    math(EXPR parts "(${count} + ${CAMBER_UNIT_SOURCES} - 1) / ${CAMBER_UNIT_SOURCES}")
    string(REPLACE "/" "_" stem ${folder})
    foreach(part RANGE 1 ${parts})
      math(EXPR first "${count} * (${part} - 1) / ${parts}")
      math(EXPR length "${count} * ${part} / ${parts} - ${first}")
      list(SUBLIST sources_of_${folder} ${first} ${length} members)
      camber_unit(unit ${stem}_${part} ${members})
      list(APPEND units ${unit})
    endforeach()
  endforeach()
  set(${output} ${units} PARENT_SCOPE)
endfunction()
