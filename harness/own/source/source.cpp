#include "harness/own/source/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/host_code.hpp"
#include "harness/own/source/included.hpp"
#include "harness/own/source/suggestion.hpp"

namespace camber {

namespace {

struct Unsupported {
    std::string_view word;
    std::string_view sentence;
};

// What neither the executor nor the launches of candidates have.
constexpr Unsupported unsupported[] = {
    {"<<<",
     "launches a kernel from a kernel, which camber does not support: launch it from the host"},
    {"asm", "inline PTX is not supported on the CPU: write it in C++"},
    {"__asm__", "inline PTX is not supported on the CPU: write it in C++"},
    {"tiled_partition",
     "tiled groups are not supported on the CPU: write __syncwarp(), and shuffles with a width"},
    {"coalesced_threads",
     "the set of active lanes is not defined on the CPU: pass the mask as an argument"},
    {"this_cluster", "thread block clusters are not supported on the CPU"},
    {"memcpy_async", "`cp.async` is not supported on the CPU: load and store instead"},
    {"nvcuda", "tensor cores are not supported on the CPU"},
    {"__half", "half precision is not supported on the CPU: use float"},
    {"__nv_bfloat16", "bfloat16 is not supported on the CPU: use float"},
    {"__pipeline_memcpy_async", "`cp.async` is not supported on the CPU: load and store instead"},
    {"__nanosleep", "__nanosleep() is not supported on the CPU"},
    {"__activemask",
     "the set of active lanes is not defined on the CPU: pass the mask as an argument"},
    {"clock64", "clock64() is not supported on the CPU"},
};

void reject_unsupported(const CandidateSource& source) {
    // A name like others where the header is not included.
    if (source.code.find("cuda_fp16") != source.code.npos && has_word(source.code, "half")) {
        const SourceLine place =
            line_at(source.text, find_word(source.code, "half"), source.path.string());
        throw Error(ExitCode::usage,
                    fmt::format("{}:{}: half precision is not supported on the CPU: use float",
                                place.file, place.line));
    }
    for (const Unsupported& feature : unsupported) {
        const std::size_t at = find_word(source.code, feature.word);
        if (at == source.code.npos) continue;
        const SourceLine place = line_at(source.text, at, source.path.string());
        throw Error(ExitCode::usage,
                    fmt::format("{}:{}: {}", place.file, place.line, feature.sentence));
    }
}

// The name of the function that is declared __global__ at `at`; "" for what is none.
std::string kernel_at(const std::string& code, std::size_t at) {
    std::size_t open = code.find('(', at);
    while (open != code.npos) {
        std::size_t end = open;
        while (end > at && std::isspace(static_cast<unsigned char>(code[end - 1]))) --end;
        std::size_t begin = end;
        while (begin > at && is_word_character(code[begin - 1])) --begin;
        std::string name = code.substr(begin, end - begin);
        if (name != "__launch_bounds__" && name != "__maxnreg__" && name != "__align__")
            return name;
        const std::size_t behind = behind_brackets(code, open);
        if (behind == code.npos) break;
        open = code.find('(', behind);
    }
    return "";
}

// Calls `take` with the place of every word __global__ and the name of its function.
template <class Take>
void for_each_kernel(const std::string& code, const Take& take) {
    for (std::size_t at = find_word(code, "__global__"); at != code.npos;
         at = find_word(code, "__global__", at + 1))
        take(at, kernel_at(code, at));
}

// Whether the kernel is declared as a template, and nowhere as a function.
bool is_template(const std::string& code, const std::string& kernel) {
    bool any = false;
    bool all = true;
    for_each_kernel(code, [&](std::size_t at, const std::string& name) {
        if (name != kernel) return;
        const std::size_t before = code.find_last_of(";}", at);
        const std::size_t begin = before == code.npos ? 0 : before + 1;
        any = true;
        all = all && find_word(code.substr(begin, at - begin), "template") != code.npos;
    });
    return any && all;
}

}  // namespace

std::vector<std::string> kernels_in(const std::string& code) {
    std::vector<std::string> names;
    for_each_kernel(code, [&](std::size_t, std::string name) {
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    });
    return names;
}

namespace {

void check_kernels(const CandidateSource& source) {
    const std::vector<std::string> names = kernels_in(source.code);
    for (const KernelDirective& directive : source.directives.kernels) {
        const std::string function = directive.function();
        const std::string plain = directive.plain_function();
        if (std::ranges::find(names, plain) != names.end()) {
            if (directive.kernel == function && is_template(source.code, plain))
                throw Error(ExitCode::usage,
                            fmt::format("{}:{}: {} is a template: name the instantiation with its "
                                        "arguments, such as {}<4>(...)",
                                        source.path.string(), directive.line, function, function));
            continue;
        }
        if (names.empty())
            throw Error(ExitCode::usage,
                        fmt::format("{} has no kernel: declare a function __global__ void",
                                    source.path.string()));
        throw Error(
            ExitCode::usage,
            fmt::format("{}:{}: the file has no kernel {}: name one of its kernels: {}",
                        source.path.string(), directive.line, function, fmt::join(names, " or ")));
    }
}

// Finds `extern __shared__ T name[];`, in whatever order its words stand.
void find_dynamic_shared(CandidateSource& source) {
    const std::string& code = source.code;
    for (std::size_t at = find_word(code, "extern"); at != code.npos;
         at = find_word(code, "extern", at + 1)) {
        const std::size_t end = code.find(';', at);
        const std::string declaration = code.substr(at, std::min(end, code.size()) - at);
        const std::size_t word = find_word(declaration, "__shared__");
        std::size_t bracket = declaration.rfind('[');
        if (word == declaration.npos || bracket == declaration.npos) continue;
        while (bracket > 0 && std::isspace(static_cast<unsigned char>(declaration[bracket - 1])))
            --bracket;
        std::size_t begin = bracket;
        while (begin > 0 && is_word_character(declaration[begin - 1])) --begin;
        std::string name = declaration.substr(begin, bracket - begin);
        source.dynamic_shared_words.push_back(at + word);
        if (std::ranges::find(source.dynamic_shared, name) == source.dynamic_shared.end())
            source.dynamic_shared.push_back(std::move(name));
    }
}

}  // namespace

CandidateSource candidate_from(const std::filesystem::path& path, std::string text,
                               const Settings& settings) {
    CandidateSource source;
    source.path = path;
    const std::string file = path.string();
    ExpandedText expanded = with_included_kernels(text, path, include_folders(settings));
    const std::string code = without_comments(expanded.text);
    // Macros may be set in an included file; the lines are those of the file itself.
    source.directives = parse_directives(text, code, file, settings);
    if (source.directives.kernels.empty())
        throw Error(ExitCode::usage, missing_line_sentence(file, code));
    TextWithMacros with = with_macros(std::move(expanded.text), code, settings, file);
    source.text = std::move(with.text);
    source.defined = std::move(with.defined);
    source.code = without_comments(source.text);
    check_kernels(source);
    std::vector<std::string> launched;
    for (const KernelDirective& kernel : source.directives.kernels)
        launched.push_back(kernel.plain_function());
    leave_out_host_code(source.text, source.code, launched);
    reject_unsupported(source);
    find_dynamic_shared(source);
    source.include_folders = {std::filesystem::absolute(path).parent_path()};
    for (std::filesystem::path& folder : expanded.folders)
        source.include_folders.push_back(std::move(folder));
    for (std::filesystem::path& folder : include_folders(settings))
        source.include_folders.push_back(std::move(folder));
    return source;
}

CandidateSource read_candidate(const std::filesystem::path& path, const Settings& settings) {
    return candidate_from(path, read_file(path, "kernel's file", "a file of CUDA C++"), settings);
}

}  // namespace camber
