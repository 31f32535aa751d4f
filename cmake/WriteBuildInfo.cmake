# Writes ${output}, unless nothing has changed.
set(commit "")
set(dirty false)
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${source_dir} rev-parse HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit)
    # Uncommitted results come from runs, and are no change of the program.
    execute_process(COMMAND ${git} -C ${source_dir} status --porcelain -- . ":(exclude)results/*/*"
                    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()
set(content "#include \"harness/record/context.hpp\"

namespace camber::build_info {

const char* const version = \"${version}\";
const char* const compiler = \"${compiler}\";
const char* const flags = \"${flags}\";
const char* const build_type = \"${build_type}\";
const char* const git_commit = \"${commit}\";
const bool git_dirty = ${dirty};

}  // namespace camber::build_info
")
set(old "")
if(EXISTS ${output})
  file(READ ${output} old)
endif()
if(NOT old STREQUAL content)
  file(WRITE ${output} "${content}")
endif()
