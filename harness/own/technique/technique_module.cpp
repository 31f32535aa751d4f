#include "harness/own/technique/technique_module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/device/device_compiler.hpp"
#include "harness/own/host/compiler_run.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/source/unit.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_compilation{600};

// What the CUDA runtime in the program is asked for by a library of kernels
// (harness/machine/cuda/runtime_of_modules.cpp).
constexpr const char* runtime_functions[] = {
    "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
    "__cudaRegisterFunction",  "__cudaRegisterVar",          "__cudaPopCallConfiguration",
    "__cudaGetKernel",         "__cudaLaunchKernel",         "cudaLaunchKernel",
    "cudaGetSymbolAddress"};

// The file's lines keep their numbers.
std::string unit_of(const TechniqueFile& file, const std::string& variants) {
    std::string text = file.text;
    const std::string code = without_comments(text);
    // The file is no header here.
    static const std::regex once(R"(#[ \t]*pragma[ \t]+once\b)");
    std::smatch found;
    if (std::regex_search(code, found, once))
        text.replace(static_cast<std::size_t>(found.position()),
                     static_cast<std::size_t>(found.length()),
                     std::string(static_cast<std::size_t>(found.length()), ' '));
    return fmt::format("#define CAMBER_TRIED_TECHNIQUES {}\n{}{}\n{}#include {}\n",
                       fmt::join(file.structs, ", "), line_marker(1, file.path.filename().string()),
                       text, line_marker(1, "camber"), string_literal(variants));
}

std::string folder_of(const TechniqueFile& file) {
    return fs::absolute(file.path).parent_path().string();
}

// As the program's own kernels are compiled (cmake/Kernels.cmake). The file's functions are the
// library's own, though the program may have others of their names.
std::vector<std::string> host_flags() {
    std::vector<std::string> flags{"-std=c++20",
                                   "-O1",
                                   "-DNDEBUG",
                                   "-fPIC",
                                   "-fno-semantic-interposition",
                                   "-w",
                                   few_errors,
                                   "-fstack-clash-protection",
                                   "-shared",
                                   "-Wl,-Bsymbolic-functions"};
#ifdef __SANITIZE_ADDRESS__
    flags.emplace_back("-fsanitize=address,undefined");
#endif
    return flags;
}

std::vector<std::string> device_flags(int compute_capability) {
    std::vector<std::string> flags{"-std=c++20",
                                   fmt::format("-arch=sm_{}", compute_capability),
                                   "-O1",
                                   "-DNDEBUG",
                                   "-lineinfo",
                                   "-w",
                                   "-Xptxas=-v",
                                   "-Xcompiler=-fPIC",
                                   few_host_errors_of_nvcc,
                                   "-cudart=none",
                                   "-shared",
                                   "-Xlinker=-Bsymbolic-functions"};
    for (const char* const function : runtime_functions)
        flags.push_back(fmt::format("-Xlinker=--wrap={}", function));
    return flags;
}

// Those lines that are of the file's own kernels, without the names of camber's own scopes.
std::string report_of(const TechniqueFile& file, const std::string& messages) {
    static const std::regex scopes(R"(camber::(on_device::)?)");
    const std::string all = kernel_report(messages);
    std::string report;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = all.find('\n', at);
        const std::string line = std::regex_replace(all.substr(at, end - at), scopes, "");
        at = end + 1;
        const std::string function = line.substr(0, line.find_first_of("<:"));
        if (std::ranges::find(file.kernels, function) != file.kernels.end()) report += line + "\n";
    }
    return report;
}

// In the cache: the report's length, the report, the library.
std::string packed(const TechniqueModule& module) {
    return fmt::format("{}\n{}{}", module.report.size(), module.report, module.library);
}
TechniqueModule unpacked(const std::string& text) {
    const std::size_t start = text.find('\n') + 1;
    const std::size_t length = std::stoul(text);
    return {text.substr(start + length), text.substr(start, length)};
}

fs::path compiler_for(const TechniqueFile& file, int compute_capability) {
    if (compute_capability == 0) return find_gcc();
    if (const auto nvcc = find_cuda_program("nvcc")) return *nvcc;
    throw Error(ExitCode::unavailable,
                fmt::format("there is no nvcc to compile {} for the device: install the CUDA "
                            "Toolkit, or choose --backend simt",
                            file.path.string()));
}

}  // namespace

TechniqueModule compile_technique(const TechniqueFile& file, const ModuleRecipe& recipe,
                                  const BuildCache& cache) {
    const bool for_device = recipe.compute_capability > 0;
    const fs::path compiler = compiler_for(file, recipe.compute_capability);
    const std::string unit = unit_of(file, recipe.variants);
    std::vector<std::string> arguments =
        for_device ? device_flags(recipe.compute_capability) : host_flags();
    arguments.push_back("-I" + recipe.sources.string());
    // The library calls the program that loads it.
    const std::string words =
        fmt::format("technique\n{}\n{}\n{}\n{}\n{}\n", identity_of("/proc/self/exe"),
                    identity_of(compiler), fmt::join(arguments, " "), folder_of(file), unit);
    if (const auto kept = cache.find(words)) return unpacked(*kept);

    const TemporaryFolder folder("compile a technique");
    const fs::path source = folder.write(for_device ? "unit.cu" : "unit.cpp", unit);
    const fs::path library = folder.path() / "unit.so";
    const fs::path dependencies = folder.path() / "unit.d";
    for (const std::string& word : {std::string(for_device ? "-I" : "-iquote"), folder_of(file),
                                    std::string("-MMD"), std::string("-MF"), dependencies.string(),
                                    source.string(), std::string("-o"), library.string()})
        arguments.push_back(word);
    // nvcc leaves its own files where it runs.
    const std::string messages = run_compiler(
        {compiler, file.path, for_device, longest_compilation}, arguments, folder, true);
    TechniqueModule module{read_file(library, "compiled technique", "a library"),
                           for_device ? report_of(file, messages) : ""};
    std::vector<fs::path> included;
    for (fs::path& path :
         included_files(read_file(dependencies, "list of files", "one of a compiler"), source))
        if (path != library && path.is_absolute()) included.push_back(std::move(path));
    cache.keep(words, included, packed(module));
    return module;
}

}  // namespace camber
