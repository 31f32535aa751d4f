# The target camber-code-tables: results/code/*.json, embedded in the program, which uses them to
# predict times if no machine code is available.
file(GLOB code_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/results/code/*.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${code_files})
set(code_entries "")
foreach(file IN LISTS code_files)
  cmake_path(GET file FILENAME name)
  file(READ ${file} text)
  string(APPEND code_entries "        {\"${name}\", R\"code(${text})code\"},\n")
endforeach()
set(code_source ${CMAKE_BINARY_DIR}/code_tables.cpp)
file(CONFIGURE OUTPUT ${code_source} @ONLY CONTENT
"#include <string_view>
#include <utility>
#include <vector>

namespace camber::results {

const std::vector<std::pair<std::string_view, std::string_view>>& embedded_code_tables() {
    static const std::vector<std::pair<std::string_view, std::string_view>> files{
@code_entries@    };
    return files;
}

}  // namespace camber::results
")
add_library(camber-code-tables STATIC ${code_source})
target_compile_features(camber-code-tables PRIVATE cxx_std_20)
