# The target camber-published-tables: results/published/*.json and results/published-cards/*.json as
# texts inside the program, which has to find them on any machine.
function(texts_of folder output)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/results/${folder}/*.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    file(READ ${file} text)
    string(APPEND entries "        {\"${name}\", R\"table(${text})table\"},\n")
  endforeach()
  set(${output} "${entries}" PARENT_SCOPE)
endfunction()
texts_of(published published_entries)
texts_of(published-cards card_entries)
set(published_source ${CMAKE_BINARY_DIR}/published_tables.cpp)
file(CONFIGURE OUTPUT ${published_source} @ONLY CONTENT
"#include \"analysis/published/embedded.hpp\"

namespace camber::published {

const std::vector<std::pair<std::string_view, std::string_view>>& embedded_files() {
    static const std::vector<std::pair<std::string_view, std::string_view>> files{
@published_entries@    };
    return files;
}

const std::vector<std::pair<std::string_view, std::string_view>>& embedded_cards() {
    static const std::vector<std::pair<std::string_view, std::string_view>> files{
@card_entries@    };
    return files;
}

}  // namespace camber::published
")
add_library(camber-published-tables STATIC ${published_source})
target_compile_features(camber-published-tables PRIVATE cxx_std_20)
target_include_directories(camber-published-tables PRIVATE ${PROJECT_SOURCE_DIR})
