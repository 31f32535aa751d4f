# camber_page_assets(OUTPUT): writes the C++ source OUTPUT, which embeds the parts of HTML reports.
# The chart library comes from the Debian package libjs-vega; without it, the program is built
# without HTML reports.

# Modules of the chart library, in no particular order. One module's name differs from its file's.
set(CAMBER_VEGA_MODULES
    vega-util vega-time vega-format vega-loader vega-dataflow vega-canvas vega-scale
    vega-scenegraph vega-statistics vega-expression vega-event-selector vega-selections
    vega-functions vega-runtime vega-view vega-parser vega-transforms vega-view-transforms
    vega-encode)
set(CAMBER_PAGE_SCRIPTS
    theme.js figure.js chart_parts.js ranking.js roofline.js counters.js predicted.js samples.js
    over_run.js published.js sizes.js radius.js scaling.js timeline.js history.js page.js)

# Appends to `code` in the caller's scope the bytes of a file between two symbols. The assembler
# copies them, so the C++ compiler does not process them.
macro(camber_embed symbol file)
  string(APPEND code
    "asm(\".pushsection .rodata\\n.global camber_${symbol}\\ncamber_${symbol}:\\n\"\n"
    "    \".incbin \\\"${file}\\\"\\n.global camber_${symbol}_end\\ncamber_${symbol}_end:\\n\"\n"
    "    \".popsection\\n\");\n"
    "extern \"C\" const char camber_${symbol}[];\n"
    "extern \"C\" const char camber_${symbol}_end[];\n")
  list(APPEND embedded ${file})
endmacro()

function(camber_page_assets output)
  set(folder ${PROJECT_SOURCE_DIR}/harness/page)
  set(code "#include \"harness/page/page.hpp\"\n\n")
  set(embedded "")
  set(scripts "")
  set(modules "")
  camber_embed(page_html ${folder}/page.html)
  camber_embed(page_css ${folder}/page.css)
  camber_embed(modules_js ${folder}/modules.js)
  foreach(script IN LISTS CAMBER_PAGE_SCRIPTS)
    string(MAKE_C_IDENTIFIER script_${script} symbol)
    camber_embed(${symbol} ${folder}/${script})
    string(APPEND scripts "    {\"${script}\", TEXT(camber_${symbol})},\n")
  endforeach()

  set(missing "")
  foreach(module IN LISTS CAMBER_VEGA_MODULES)
    string(REPLACE "vega-selections" "vega-selection" stem ${module})
    string(MAKE_C_IDENTIFIER ${module} symbol)
    find_file(CAMBER_${symbol} ${stem}.min.js
              PATHS /usr/share/javascript/vega /usr/share/nodejs/${module}/build NO_DEFAULT_PATH)
    mark_as_advanced(CAMBER_${symbol})
    if(CAMBER_${symbol})
      camber_embed(${symbol} ${CAMBER_${symbol}})
      string(APPEND modules "    {\"${module}\", TEXT(camber_${symbol})},\n")
    else()
      list(APPEND missing ${stem}.min.js)
    endif()
  endforeach()
  find_file(CAMBER_VEGA_LICENCE copyright PATHS /usr/share/doc/libjs-vega NO_DEFAULT_PATH)
  mark_as_advanced(CAMBER_VEGA_LICENCE)
  set(licence "return \"Vega: Copyright (c) 2015-2021 University of Washington Interactive Data Lab, BSD-3-Clause\";")
  if(CAMBER_VEGA_LICENCE)
    camber_embed(vega_licence ${CAMBER_VEGA_LICENCE})
    set(licence "return TEXT(camber_vega_licence);")
  endif()
  if(missing)
    list(GET missing 0 first)
    message(STATUS "Vega's ${first} was not found: camber is built without HTML reports; install "
                   "libjs-vega to have them")
    set(modules_body "    return {};")
  else()
    set(modules_body "    static const Asset all[] = {\n${modules}    };\n    return all;")
  endif()

  string(APPEND code "
#define TEXT(symbol) \\
    std::string_view { symbol, static_cast<std::size_t>(symbol##_end - symbol) }

namespace camber::page_assets {

std::string_view html() { return TEXT(camber_page_html); }
std::string_view style() { return TEXT(camber_page_css); }
std::string_view library_loader() { return TEXT(camber_modules_js); }
std::string_view library_licence() { ${licence} }
std::span<const Asset> scripts() {
    static const Asset all[] = {\n${scripts}    };
    return all;
}
std::span<const Asset> library_modules() {
${modules_body}
}

}  // namespace camber::page_assets
")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${embedded}")
endfunction()
