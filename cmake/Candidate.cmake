# camber_unit_parts(OUTPUT): writes the C++ source OUTPUT, which embeds the texts that are compiled
# together with a kernel from a file.
function(camber_unit_parts output)
  set(folder ${PROJECT_SOURCE_DIR}/harness/own/host)
  set(code "#include \"harness/own/source/unit.hpp\"\n\n")
  set(embedded "")
  foreach(part IN ITEMS interface words runtime groups hooks torus half async fragments)
    camber_embed(unit_${part} ${folder}/${part}.h)
  endforeach()
  string(APPEND code "
#define TEXT(symbol) \\
    std::string_view { symbol, static_cast<std::size_t>(symbol##_end - symbol) }

namespace camber::unit_parts {

std::string_view host_interface() { return TEXT(camber_unit_interface); }
std::string_view host_words() { return TEXT(camber_unit_words); }
std::string_view host_runtime() { return TEXT(camber_unit_runtime); }
std::string_view host_groups() { return TEXT(camber_unit_groups); }
std::string_view host_hooks() { return TEXT(camber_unit_hooks); }
std::string_view torus() { return TEXT(camber_unit_torus); }
std::string_view half() { return TEXT(camber_unit_half); }
std::string_view async() { return TEXT(camber_unit_async); }
std::string_view fragments() { return TEXT(camber_unit_fragments); }

}  // namespace camber::unit_parts
")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${embedded}")
endfunction()

# camber_starting_points(OUTPUT): writes the C++ source OUTPUT, which embeds a plain kernel for each
# workload that has one.
function(camber_starting_points output)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/cli/try/starting_points/*.cu)
  set(code "#include \"harness/cli/try/starting_points.hpp\"\n\n")
  set(embedded "")
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    camber_embed(start_${name} ${file})
    string(APPEND entries "        {\"${name}\", {camber_start_${name}, static_cast<std::size_t>(camber_start_${name}_end - camber_start_${name})}},\n")
  endforeach()
  string(APPEND code "
namespace camber {

const std::vector<StartingPoint>& starting_points() {
    static const std::vector<StartingPoint> all{\n${entries}    };
    return all;
}

}  // namespace camber
")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${embedded}")
endfunction()

# camber_course(OUTPUT): writes the C++ source OUTPUT, which embeds the files of the course's
# exercises.
function(camber_course output)
  set(folder ${PROJECT_SOURCE_DIR}/harness/cli/course/exercises)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*/*.cu ${folder}/*/*.html ${folder}/*/*.json)
  set(code "#include \"harness/cli/course/exercise.hpp\"\n\n")
  set(embedded "")
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    cmake_path(GET file PARENT_PATH exercise)
    cmake_path(GET exercise FILENAME exercise)
    string(MAKE_C_IDENTIFIER "exercise_${exercise}_${name}" symbol)
    camber_embed(${symbol} ${file})
    string(APPEND entries "        {\"${exercise}\", \"${name}\", {camber_${symbol}, static_cast<std::size_t>(camber_${symbol}_end - camber_${symbol})}},\n")
  endforeach()
  string(APPEND code "
namespace camber::course {

const std::vector<ExerciseFile>& exercise_files() {
    static const std::vector<ExerciseFile> all{\n${entries}    };
    return all;
}

}  // namespace camber::course
")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${embedded}")
endfunction()

# camber_project_templates(OUTPUT): writes the C++ source OUTPUT, which embeds the files that
# `camber init` writes.
function(camber_project_templates output)
  set(folder ${PROJECT_SOURCE_DIR}/harness/cli/init/templates)
  set(code "#include \"harness/cli/init/project_texts.hpp\"\n\n#include <cstddef>\n\n")
  set(embedded "")
  camber_embed(project_action ${PROJECT_SOURCE_DIR}/action.yml)
  camber_embed(project_cmake ${folder}/CMakeLists.txt)
  camber_embed(project_readme ${folder}/README.md)
  camber_embed(project_workflow ${folder}/workflow.yml)
  string(APPEND code "\nnamespace camber::project_files::templates {\n\n")
  foreach(name IN ITEMS action cmake readme workflow)
    set(symbol camber_project_${name})
    string(APPEND code "std::string_view ${name}() { return {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}; }\n")
  endforeach()
  string(APPEND code "\n}  // namespace camber::project_files::templates\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${embedded}")
endfunction()
