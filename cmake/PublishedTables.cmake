# The targets camber-published-tables (results/published/*.json) and camber-cards
# (results/published-cards/*.json and results/cards/*.json), embedded in the program, so that it has
# them on any machine. Every command uses the ceilings of a card; the tables are for `reproduce`.
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

# camber_embedded(TARGET [FUNCTION FOLDER]...): FUNCTION() returns the texts of results/FOLDER.
function(camber_embedded target)
  set(code "#include \"analysis/published/table.hpp\"\n\nnamespace camber::published {\n")
  set(words ${ARGN})
  while(words)
    list(POP_FRONT words name folder)
    texts_of(${folder} entries)
    string(APPEND code "
const std::vector<std::pair<std::string_view, std::string_view>>& ${name}() {
    static const std::vector<std::pair<std::string_view, std::string_view>> files{
${entries}    };
    return files;
}
")
  endwhile()
  string(APPEND code "\n}  // namespace camber::published\n")
  set(source ${CMAKE_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "${code}")
  add_library(${target} STATIC ${source})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()
camber_embedded(camber-published-tables embedded_files published)
camber_embedded(camber-cards embedded_cards published-cards embedded_measured_cards cards)
