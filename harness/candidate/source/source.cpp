#include "harness/candidate/source/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/read_file.hpp"

namespace camber {

namespace {

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

int line_of(std::string_view text, std::size_t place) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + place, '\n'));
}

// Where `word` stands by itself; npos: nowhere.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0) {
    for (std::size_t at = code.find(word, from); at != code.npos; at = code.find(word, at + 1)) {
        const bool begins = at == 0 || !is_letter(word.front()) || !is_letter(code[at - 1]);
        const std::size_t end = at + word.size();
        const bool ends = end == code.size() || !is_letter(word.back()) || !is_letter(code[end]);
        if (begins && ends) return at;
    }
    return code.npos;
}

struct Unsupported {
    std::string_view word;
    std::string_view sentence;
};

// What neither the executor nor the launches of candidates have.
constexpr Unsupported unsupported[] = {
    {"<<<",
     "launches a kernel itself: camber launches those that its camber: lines name; keep the "
     "host's code in another file"},
    {"asm", "has inline PTX, which only a GPU runs: write it in C++"},
    {"__asm__", "has inline PTX, which only a GPU runs: write it in C++"},
    {"tiled_partition",
     "divides a block into groups, which the executor does not have: write __syncwarp(), and "
     "shuffles with a width"},
    {"coalesced_threads",
     "asks which lanes run together, which differs from device to device: pass the mask on"},
    {"this_cluster", "has clusters of blocks, which the executor does not have"},
    {"memcpy_async",
     "copies asynchronously, which the executor does not do: load and store instead"},
    {"nvcuda", "uses tensor cores, which the executor does not have"},
    {"cuda_fp16", "includes half-precision numbers, which the executor does not have: take float"},
    {"__half",
     "computes with half-precision numbers, which the executor does not have: take float"},
    {"__nv_bfloat16",
     "computes with bfloat16 numbers, which the executor does not have: take float"},
    {"__pipeline_memcpy_async",
     "copies asynchronously, which the executor does not do: load and "
     "store instead"},
    {"__nanosleep", "waits for time to pass, which the executor does not do"},
    {"__activemask",
     "asks which lanes run together, which differs from device to device: pass the "
     "mask on"},
    {"clock64", "reads the device's clock, which the executor does not have"},
};

void reject_unsupported(const CandidateSource& source) {
    for (const Unsupported& feature : unsupported) {
        const std::size_t at = find_word(source.code, feature.word);
        if (at == source.code.npos) continue;
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", source.path.string(),
                                                 line_of(source.code, at), feature.sentence));
    }
}

// The place behind the bracket that closes the one at `open`.
std::size_t behind_brackets(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        depth += int{code[i] == '('} - int{code[i] == ')'};
        if (depth == 0) return i + 1;
    }
    return code.size();
}

// The name of the function that is declared __global__ at `at`; "" for what is none.
std::string kernel_at(const std::string& code, std::size_t at) {
    std::size_t open = code.find('(', at);
    while (open != code.npos) {
        std::size_t end = open;
        while (end > at && std::isspace(static_cast<unsigned char>(code[end - 1]))) --end;
        std::size_t begin = end;
        while (begin > at && is_letter(code[begin - 1])) --begin;
        std::string name = code.substr(begin, end - begin);
        if (name != "__launch_bounds__" && name != "__maxnreg__" && name != "__align__")
            return name;
        open = code.find('(', behind_brackets(code, open));
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
        const std::size_t scope = function.rfind("::");
        const std::string plain = scope == function.npos ? function : function.substr(scope + 2);
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
        while (begin > 0 && is_letter(declaration[begin - 1])) --begin;
        std::string name = declaration.substr(begin, bracket - begin);
        source.dynamic_shared_words.push_back(at + word);
        if (std::ranges::find(source.dynamic_shared, name) == source.dynamic_shared.end())
            source.dynamic_shared.push_back(std::move(name));
    }
}

}  // namespace

std::string without_comments(std::string_view text) {
    std::string code(text);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < code.size(); ++i)
            if (code[i] != '\n') code[i] = ' ';
    };
    for (std::size_t i = 0; i < code.size();) {
        if (text.substr(i).starts_with("//")) {
            const std::size_t end = std::min(text.find('\n', i), text.size());
            blank(i, end);
            i = end;
        } else if (text.substr(i).starts_with("/*")) {
            const std::size_t close = text.find("*/", i + 2);
            const std::size_t end = close == text.npos ? text.size() : close + 2;
            blank(i, end);
            i = end;
        } else if (code[i] == '"' || (code[i] == '\'' && (i == 0 || !is_letter(code[i - 1])))) {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            blank(i + 1, end);
            i = end + 1;
        } else {
            ++i;
        }
    }
    return code;
}

CandidateSource candidate_from(const std::filesystem::path& path, std::string text,
                               const Settings& settings) {
    CandidateSource source;
    source.path = path;
    const std::string code = without_comments(text);
    TextWithMacros with = with_macros(std::move(text), code, settings, path.string());
    source.text = std::move(with.text);
    source.defined = std::move(with.defined);
    source.directives = parse_directives(source.text, path.string(), settings);
    source.code = without_comments(source.text);
    reject_unsupported(source);
    check_kernels(source);
    find_dynamic_shared(source);
    return source;
}

CandidateSource read_candidate(const std::filesystem::path& path, const Settings& settings) {
    return candidate_from(path, read_file(path, "kernel's file", "a file of CUDA C++"), settings);
}

}  // namespace camber
