#include "harness/own/technique/technique_variants.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/source/unit.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

// Shared library of a file's techniques and the workload's own source from variants/. It contains
// the code that the program would contain if the file were in variants/techniques/.
struct TechniqueModule {
    std::string library;
    // One line per kernel of the file: registers, spills; "" if compiled for the executor.
    std::string report;
};

struct ModuleRecipe {
    std::filesystem::path sources;  // folder that contains variants/
    std::string variants;           // "variants/image/blur/blur.cu"
    int compute_capability = 0;     // 10 * major + minor of a GPU; 0: for the executor
};

// Throws Error(usage) with the compiler's messages if the file does not compile, and
// Error(unavailable) if there is no compiler.
TechniqueModule compile_technique(const TechniqueFile& file, const ModuleRecipe& recipe,
                                  const BuildCache& cache);

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_compilation{600};

// CUDA runtime functions that the library's kernels call in the program
// (harness/machine/cuda/runtime_of_modules.cpp).
constexpr const char* runtime_functions[] = {
    "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
    "__cudaRegisterFunction",  "__cudaRegisterVar",          "__cudaPopCallConfiguration",
    "__cudaGetKernel",         "__cudaLaunchKernel",         "cudaLaunchKernel",
    "cudaGetSymbolAddress"};

// Translation unit in which the file's lines retain their numbers.
std::string unit_of(const TechniqueFile& file, const std::string& variants) {
    std::string text = file.text;
    const std::string code = without_comments(text);
    // #pragma once would be a warning in a main file.
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

// The flags of the program's own kernels (cmake/Kernels.cmake). -Bsymbolic-functions: the library's
// functions take precedence over those of the same names in the program.
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

// Report lines of the file's own kernels, without camber's namespaces.
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

// Format in the cache: the report's length, the report, the library.
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
    // The library calls functions of the program that loads it.
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
    // nvcc writes temporary files into the working directory.
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

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Sources in variants/ that generate the workload's variants from a list of techniques.
std::vector<std::string> sources_of(const Workload& workload, ElementType cell,
                                    const fs::path& sources) {
    static const std::regex listed(
        R"(\bAllTechniques\b|\bStepTechniques\b|\bstep_choices<\s*\w+(<[^<>]*>)?\s*>\(\))");
    const std::string name = fmt::format("\"{}\"", workload.name());
    const std::regex cells(fmt::format(R"(ElementType::{}\b)", info(cell).name));
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(sources / "variants", error)) {
        if (entry.path().extension() != ".cu") continue;
        const std::string text = text_of(entry.path());
        if (text.find(name) != text.npos && std::regex_search(text, cells) &&
            std::regex_search(text, listed))
            found.push_back(fs::relative(entry.path(), sources).string());
    }
    std::ranges::sort(found);
    return found;
}

// Writes the library to an anonymous memory file. Other processes such as a disassembler can read
// it, and it disappears with the program. "" if the system does not support such files.
std::string file_in_memory(const std::string& library) {
    const int descriptor = memfd_create("camber-technique", 0);
    if (descriptor < 0) return "";
    for (std::size_t at = 0; at < library.size();) {
        const ssize_t written = write(descriptor, library.data() + at, library.size() - at);
        if (written <= 0) return "";
        at += static_cast<std::size_t>(written);
    }
    return fmt::format("/proc/{}/fd/{}", getpid(), descriptor);
}

// Loads the library and never unloads it, because its variants are called until the program ends.
void load_for_good(const TechniqueFile& file, const std::string& library) {
    std::string path = file_in_memory(library);
    std::optional<TemporaryFolder> folder;  // deleted after dlopen()
    if (path.empty()) {
        path = folder.emplace("load a technique").write("technique.so", library).string();
    }
    const CandidateActivity loading(CandidateWork::loading, file.path.string(),
                                    candidate_limits().work);
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw Error(ExitCode::unavailable, fmt::format("{} was compiled and cannot be loaded: {}",
                                                       file.path.string(), dlerror()));
}

struct Build {
    TechniqueFile file;
    std::vector<TechniqueModule> modules;  // for the executor, followed by those for the device
};

Build build(const fs::path& path, const Workload& workload, ElementType cell,
            const std::vector<int>& compute_capabilities, const CandidateOptions& options) {
    Build built{read_technique(path), {}};
    const fs::path sources = kernel_sources();
    const std::vector<std::string> variants = sources_of(workload, cell, sources);
    if (variants.empty())
        throw Error(ExitCode::usage,
                    fmt::format("the variants of {} on {} cells are not made of the list of "
                                "techniques, so {} cannot be tried for it: choose another "
                                "--workload{}",
                                workload.name(), info(cell).name, path.string(),
                                workload.facts().cell_types.size() > 1 ? " or --cell" : ""));
    // Must outlive the signal handling of the compilation threads, which begin and end in any
    // order.
    const StopSignals signals;
    std::vector<std::future<TechniqueModule>> compilations;
    for (const int capability : compute_capabilities)
        for (const std::string& source : variants)
            compilations.push_back(std::async(std::launch::async, [&, capability, source] {
                return compile_technique(built.file, {sources, source, capability},
                                         BuildCache(options.cache));
            }));
    for (auto& compilation : compilations) compilation.wait();
    for (auto& compilation : compilations) built.modules.push_back(compilation.get());
    return built;
}

void check_names(const TechniqueFile& file) {
    for (const Variant& variant : registry().variants())
        if (variant.file.empty() &&
            std::ranges::find(file.names, variant.info.technique.name) != file.names.end())
            throw Error(
                ExitCode::usage,
                fmt::format("{}: its technique is called {}, as one of camber's is: give its "
                            "TechniqueInfo another name",
                            file.path.string(), variant.info.technique.name));
}

}  // namespace

std::vector<Variant> technique_variants(const fs::path& path, const Workload& workload,
                                        ElementType cell, const CandidateOptions& options) {
    check_names(read_technique(path));
    std::vector<int> capabilities{0};
    if (options.compute_capability > 0) capabilities.push_back(options.compute_capability);
    const Build built = build(path, workload, cell, capabilities, options);

    Registry all;
    for (const TechniqueModule& module : built.modules) {
        const LibraryRegistrations waiting;
        load_for_good(built.file, module.library);
        try {
            waiting.add_to(all);
        } catch (const std::logic_error& error) {
            throw Error(ExitCode::usage,
                        fmt::format("{}: {}: give its shapes different blocks or paths",
                                    path.string(), error.what()));
        }
    }
    std::vector<Variant> variants;
    for (const Variant& variant : all.variants())
        if (std::ranges::find(built.file.names, variant.info.technique.name) !=
                built.file.names.end() &&
            variant.info.workload == workload.name() && variant.info.cell == cell)
            variants.push_back(variant);
    if (!variants.empty()) return variants;
    for (const Registry::LeftOut& out : all.left_out())
        if (out.workload == workload.name() &&
            std::ranges::find(built.file.names, out.technique) != built.file.names.end())
            throw Error(ExitCode::usage,
                        fmt::format("{}: technique {} leaves out {}, which {}: choose another "
                                    "--workload",
                                    path.string(), out.technique, out.workload, out.reason));
    throw Error(ExitCode::usage,
                fmt::format("{}: add() gives {} no variant of {}: add one to the catalogue, or "
                            "choose another --workload",
                            path.string(), workload.name(), fmt::join(built.file.names, " or ")));
}

std::string technique_report(const fs::path& path, const Workload& workload, ElementType cell,
                             const CandidateOptions& options) {
    std::string report;
    for (const TechniqueModule& module :
         build(path, workload, cell, {options.compute_capability}, options).modules)
        report += module.report;
    return report;
}

}  // namespace camber
