#include "harness/own/source/included.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "harness/base/files.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/unit.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// The name between the quotes of an #include line; "" for another line. `code`: the same line
// without comments.
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

    // The file's text, expanded; "" if it has neither kernels nor launches.
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

}  // namespace camber
