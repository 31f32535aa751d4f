#include "harness/own/source/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/functions.hpp"

namespace camber {

namespace {

const char* const own_name = "camber";

// Defines storage for arrays of unspecified length: all begin at the launch's dynamic shared
// memory.
std::string dynamic_shared_definition(const CandidateSource& source) {
    std::size_t bytes = 16;
    for (const KernelDirective& kernel : source.directives.kernels)
        bytes = std::max(bytes, kernel.shared_bytes);
    std::string text =
        "asm(\".pushsection .tbss.camber_dynamic,\\\"awT\\\",@nobits\\n.balign 128\\n\"\n";
    std::vector<std::string> names = source.dynamic_shared;
    names.push_back("camber_dynamic_bytes");
    for (const std::string& name : names)
        text += fmt::format("\".globl {0}\\n.hidden {0}\\n.type {0},@object\\n{0}:\\n\"\n", name);
    text += fmt::format("\".zero {}\\n.popsection\\n\");\n", bytes);
    text +=
        "extern __thread char camber_dynamic_bytes[];\n"
        "CAMBER_PART static void* camber_dynamic_shared() { return camber_dynamic_bytes; }\n";
    return text;
}

// Fills the empty bodies of infinite loops, `for (;;) {}`: without a statement the compiler inserts
// no instrumentation, and the time limit could not end the loop.
std::string with_full_loops(std::string text, const std::string& code) {
    static const std::regex empty(
        R"((for\s*\([^;()]*;\s*(?:1|true)?\s*;[^;()]*\)|while\s*\(\s*(?:1|true)\s*\))\s*(;|\{\s*\}))");
    std::vector<std::pair<std::size_t, std::size_t>> bodies;  // position and length
    for (auto loop = std::sregex_iterator(code.begin(), code.end(), empty);
         loop != std::sregex_iterator(); ++loop)
        bodies.emplace_back(loop->position(2), loop->length(2));
    for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
        const std::string old = text.substr(body->first, body->second);
        // Retain the number of lines.
        text.replace(
            body->first, body->second,
            "{__asm__(\"\");" +
                std::string(static_cast<std::size_t>(std::ranges::count(old, '\n')), '\n') + "}");
    }
    return text;
}

// Empties all functions, for kernels that only a GPU can run: the compiler still determines the
// types of their parameters and their names.
std::string without_bodies(const CandidateSource& source) {
    std::string text = source.text;
    const auto functions = functions_in(source.code);
    if (!functions) return text;
    for (const CodeFunction& function : *functions)
        if (function.body != 0 && !function.is_constexpr)
            blank_out(text, function.body + 1, function.end - 1);
    return text;
}

// Declares arrays of unspecified length as `__thread`: for `extern thread_local` variables,
// compilers would generate a dynamic initialization check.
std::string host_text(const CandidateSource& source) {
    if (!source.device_only.empty()) return without_bodies(source);
    constexpr std::string_view word = "__shared__";
    constexpr std::string_view in_its_place = "__thread  ";  // retains lines and columns
    static_assert(word.size() == in_its_place.size());
    std::string text = source.text;
    for (const std::size_t place : source.dynamic_shared_words)
        text.replace(place, word.size(), in_its_place);
    return with_full_loops(std::move(text), source.code);
}

}  // namespace

std::string string_literal(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        if (c == '\n')
            literal += "\\n";
        else
            literal += c;
    }
    return literal + '"';
}

std::string line_marker(int line, const std::string& file) {
    return fmt::format("#line {} {}\n", line, string_literal(file));
}

std::string host_unit(const CandidateSource& source) {
    const std::string file = source.path.string();
    std::string unit = line_marker(1, own_name);
    unit += unit_parts::host_interface();
    unit += unit_parts::host_words();
    unit += unit_parts::host_runtime();
    unit += unit_parts::host_groups();
    unit += source.defined;
    unit += line_marker(1, file) + host_text(source) + "\n";
    unit += line_marker(1, own_name);
    unit += unit_parts::torus();
    unit += unit_parts::host_hooks();
    unit += dynamic_shared_definition(source);
    unit += "static const CamberKernel camber_kernels[] = {\n";
    for (const KernelDirective& kernel : source.directives.kernels)
        unit += line_marker(kernel.line, file) +
                fmt::format("camber_kernel<&{0}>((const void*)&{0}),\n", kernel.kernel);
    for (const char* const kernel : torus_kernels)
        unit += line_marker(1, own_name) +
                fmt::format("camber_kernel<&{0}>((const void*)&{0}),\n", kernel);
    unit += "};\nstatic const CamberConstant camber_constants[] = {\n";
    for (const KernelDirective& kernel : source.directives.kernels)
        for (const auto& [symbol, value] : kernel.constants)
            unit += line_marker(kernel.line, file) + fmt::format("camber_constant({}),\n", symbol);
    unit += line_marker(1, own_name) +
            "{}};\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) const CamberFile camber_file =\n"
            "    {&camber_host, camber_kernels, camber_constants, &camber_shared_anchor,\n"
            "     &camber_dynamic_shared};\n";
    return unit;
}

std::string device_unit(const CandidateSource& source, bool instantiated) {
    const std::string file = source.path.string();
    std::string unit = source.defined + line_marker(1, file) + source.text + "\n";
    unit += line_marker(1, own_name);
    unit += unit_parts::torus();
    if (!instantiated) return unit;
    unit += "extern const void* const camber_kernels[];\nconst void* const camber_kernels[] = {\n";
    for (const KernelDirective& kernel : source.directives.kernels)
        unit += line_marker(kernel.line, file) + fmt::format("(const void*)&{},\n", kernel.kernel);
    for (const char* const kernel : torus_kernels)
        unit += line_marker(1, own_name) + fmt::format("(const void*)&{},\n", kernel);
    return unit + "};\n";
}

}  // namespace camber
