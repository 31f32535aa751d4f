#include "harness/own/technique/technique_variants.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <regex>
#include <stdexcept>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/own/technique/technique_file.hpp"
#include "harness/own/technique/technique_module.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// The sources, in variants/, that give the workload every technique of a list.
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

// The library in memory, as a file that other processes can read, too, such as a disassembler;
// nothing can be left behind of it. "" where the system has no such files.
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

// Its variants are called until the program ends, so it stays loaded.
void load_for_good(const TechniqueFile& file, const std::string& library) {
    std::string path = file_in_memory(library);
    std::optional<TemporaryFolder> folder;  // once it is loaded, its file may go
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
    std::vector<TechniqueModule> modules;  // for the executor, then for the device
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
    // Around those of all threads, which begin and end in any order.
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
