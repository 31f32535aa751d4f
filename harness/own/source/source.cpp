#include "harness/own/source/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/functions.hpp"
#include "harness/own/source/kernel_reading.hpp"
#include "harness/own/source/unit.hpp"

namespace camber {

// A kernel file's text with the included CUDA C++ files expanded, such as an application's own
// source.
struct ExpandedText {
    std::string text;
    // Folders of the expanded files, for their own includes.
    std::vector<std::filesystem::path> folders;
};

// Replaces each `#include "..."` of a file that contains kernels or launches by that file's text,
// with `#line` before and after it; other includes are unchanged. Searches the folder of `file`,
// then `include_folders`.
ExpandedText with_included_kernels(const std::string& text, const std::filesystem::path& file,
                                   const std::vector<std::filesystem::path>& include_folders);

namespace {

namespace fs = std::filesystem;

// File name in the quotes of an #include line; "" for any other line. `code`: the same line without
// comments.
std::string included_name(std::string_view code, std::string_view line) {
    std::size_t at = code.find_first_not_of(" \t");
    if (at == code.npos || code[at] != '#') return "";
    at = code.find_first_not_of(" \t", at + 1);
    constexpr std::string_view word = "include";
    if (at == code.npos || !code.substr(at).starts_with(word)) return "";
    const std::size_t open = code.find_first_not_of(" \t", at + word.size());
    if (open == code.npos || code[open] != '"') return "";
    const std::size_t close = line.find('"', open + 1);
    return close == line.npos ? "" : std::string(line.substr(open + 1, close - open - 1));
}

class Expander {
  public:
    explicit Expander(const std::vector<fs::path>& folders) : folders_(folders) {}

    ExpandedText expand(const std::string& text, const fs::path& file) {
        ExpandedText result;
        result.text = expanded(text, file, 0);
        result.folders = std::move(found_in_);
        return result;
    }

  private:
    static constexpr int deepest = 16;

    std::optional<fs::path> find(const std::string& name, const fs::path& includer) const {
        std::error_code error;
        const fs::path beside = includer.parent_path() / name;
        if (fs::is_regular_file(beside, error)) return beside;
        for (const fs::path& folder : folders_)
            if (fs::is_regular_file(folder / name, error)) return folder / name;
        return std::nullopt;
    }

    std::string expanded(const std::string& text, const fs::path& file, int depth) {
        const std::string code = without_comments(text);
        std::string result;
        int line = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view here = std::string_view(text).substr(at, end - at);
            ++line;
            const std::string name =
                included_name(std::string_view(code).substr(at, end - at), here);
            at = end + 1;
            if (!name.empty() && depth < deepest)
                if (const auto path = find(name, file))
                    if (const std::string inner = kernels_of(*path, depth); !inner.empty()) {
                        result += line_marker(1, path->string()) + inner +
                                  line_marker(line + 1, file.string());
                        continue;
                    }
            result += here;
            result += '\n';
        }
        if (!text.ends_with('\n') && !result.empty()) result.pop_back();
        return result;
    }

    // Expanded text of the file; "" if it has neither kernels nor launches.
    std::string kernels_of(const fs::path& path, int depth) {
        const std::string text = read_file(path, "included file", "a file of CUDA C++");
        std::string inner = expanded(text, path, depth + 1);
        const std::string code = without_comments(inner);
        if (!has_word(code, "__global__") && code.find("<<<") == code.npos) return "";
        if (has_word(code, "pragma") && code.find("once") != code.npos) {
            const std::string guard = fmt::format("CAMBER_INCLUDED_{}", number_of(path));
            inner = fmt::format("#ifndef {}\n#define {}\n", guard, guard) +
                    line_marker(1, path.string()) + inner + "\n#endif\n";
        }
        found_in_.push_back(fs::absolute(path).parent_path());
        return inner + (inner.ends_with('\n') ? "" : "\n");
    }

    std::size_t number_of(const fs::path& path) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(path, error);
        const auto found = std::ranges::find(guarded_, real);
        if (found != guarded_.end()) return static_cast<std::size_t>(found - guarded_.begin());
        guarded_.push_back(real);
        return guarded_.size() - 1;
    }

    const std::vector<fs::path>& folders_;
    std::vector<fs::path> found_in_;
    std::vector<fs::path> guarded_;  // files with #pragma once
};

}  // namespace

ExpandedText with_included_kernels(const std::string& text, const fs::path& file,
                                   const std::vector<fs::path>& include_folders) {
    return Expander(include_folders).expand(text, file);
}

namespace {

struct Unsupported {
    std::string_view word;
    std::string_view sentence;
};

// Features that the executor does not support.
constexpr Unsupported unsupported[] = {
    {"asm", "inline PTX is not supported on the CPU"},
    {"__asm__", "inline PTX is not supported on the CPU"},
    {"cuda::pipeline_role",
     "a cuda::pipeline whose threads have different roles is not supported on the CPU"},
    {"arrive_and_drop", "arrive_and_drop() is not supported on the CPU"},
    {"cuda::ptx", "cuda::ptx is not supported on the CPU"},
    {"cp_async_bulk_shared_to_global", "bulk copies to global memory are not supported on the CPU"},
    {"CUtensorMap", "tensor maps are not supported on the CPU"},
    {"coalesced_threads", "the set of active lanes is not defined on the CPU"},
    {"this_cluster", "thread block clusters are not supported on the CPU"},
    {"__nanosleep", "__nanosleep() is not supported on the CPU"},
    {"__activemask", "the set of active lanes is not defined on the CPU"},
    {"clock64", "clock64() is not supported on the CPU"},
};

void reject_launches(const CandidateSource& source) {
    const std::size_t at = source.code.find("<<<");
    if (at == source.code.npos) return;
    const SourceLine place = line_at(source.text, at, source.path.string());
    throw Error(ExitCode::usage,
                fmt::format("{}:{}: launches a kernel from a kernel, which camber does not "
                            "support: launch it from the host",
                            place.file, place.line));
}

// The first unsupported feature, with its location; "" if there is none.
std::string unsupported_in(const CandidateSource& source) {
    for (const Unsupported& feature : unsupported) {
        const std::size_t at = find_word(source.code, feature.word);
        if (at == source.code.npos) continue;
        const SourceLine place = line_at(source.text, at, source.path.string());
        return fmt::format("{}:{}: {}", place.file, place.line, feature.sentence);
    }
    return "";
}

// Name of the function that is declared __global__ at `at`; "" if there is none.
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

// Calls `take` with the position of every word __global__ and the name of its function.
template <class Take>
void for_each_kernel(const std::string& code, const Take& take) {
    for (std::size_t at = find_word(code, "__global__"); at != code.npos;
         at = find_word(code, "__global__", at + 1))
        take(at, kernel_at(code, at));
}

// Returns true if all declarations of the kernel are templates.
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

// Finds `extern __shared__ T name[];` with its words in any order.
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
    // Macros may be defined in an included file, but line numbers refer to the file itself.
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
    reject_launches(source);
    source.device_only = unsupported_in(source);
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

void require_executor(const CandidateSource& source) {
    if (source.device_only.empty()) return;
    throw Error(ExitCode::usage,
                fmt::format("{}, and a reference runs there: write it without, or give its results "
                            "by --expect",
                            source.device_only));
}

}  // namespace camber
