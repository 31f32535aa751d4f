#include "harness/own/source/kernel_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "harness/own/source/code_text.hpp"

namespace camber {

namespace {

class Suggester {
  public:
    Suggester(const CodeFunction& kernel, std::string_view code) : reading_(kernel, code) {}

    Suggestion suggest(std::string_view code) const {
        return {reading_.signature(),
                fmt::format("// camber: {}({}) {}", reading_.instance(),
                            fmt::join(arguments(), ", "), launch()),
                fits_board(), array_lines_for(reading_, code)};
    }

  private:
    // A board has two dimensions, and cells of 8 or 32 bits.
    bool fits_board() const {
        if (reading_.uses_z()) return false;
        for (const FunctionParameter& parameter : reading_.kernel().parameters) {
            if (!parameter.is_pointer() && meaning_of(parameter) == Meaning::depth) return false;
            for (const std::string_view type :
                 {"half", "__half", "half2", "__half2", "__nv_bfloat16", "__nv_bfloat162", "short",
                  "long", "int16_t", "uint16_t", "int64_t", "uint64_t", "size_t"})
                if (parameter.is_pointer() && has_word(parameter.type, type)) return false;
        }
        return true;
    }

    std::vector<std::string> arguments() const {
        int pointers = 0;
        std::map<Use, int> uses;
        for (const FunctionParameter& parameter : reading_.kernel().parameters)
            if (parameter.is_pointer()) {
                ++pointers;
                ++uses[reading_.use(parameter)];
            }
        // Exactly one input and one output mean one field before and after the launch.
        const bool one_field = pointers == 2 && uses[Use::read] == 1 && uses[Use::written] == 1;
        std::vector<std::string> texts;
        for (const FunctionParameter& parameter : reading_.kernel().parameters) {
            if (!parameter.is_pointer()) {
                texts.push_back(number(parameter));
                continue;
            }
            std::string text = reading_.use(parameter) == Use::both      ? "inout"
                               : reading_.use(parameter) == Use::written ? "out"
                                                                         : "in";
            if (!one_field && !parameter.name.empty()) text += "." + parameter.name;
            texts.push_back(text);
        }
        return texts;
    }

    std::string number(const FunctionParameter& parameter) const {
        switch (meaning_of(parameter)) {
            case Meaning::columns:
                return "columns";
            case Meaning::rows:
                return "rows";
            case Meaning::pitch:
                return "pitch";
            default:
                break;
        }
        const bool real = has_word(parameter.type, "float") || has_word(parameter.type, "double");
        if (real) return "0.5";
        if (has_word(parameter.type, "bool")) return "true";
        if (meaning_of(parameter) == Meaning::count)
            return reading_.uses_y() ? "columns" : "columns*rows";
        return "1";
    }

    // Block shape according to a tile in shared memory; "" if there is none.
    std::string block_of_tile() const {
        constexpr int most_threads = 1024;
        const auto tile = reading_.tile();
        if (!tile || tile->first * tile->second > most_threads) return "";
        return fmt::format("{}x{}", tile->second, tile->first);
    }

    std::string launch() const {
        std::string text;
        const int threads = reading_.uses_y() ? 256 : reading_.threads();
        if (reading_.uses_y()) {
            const std::string tile = block_of_tile();
            text = "block=" + (tile.empty() ? std::string("32x8") : tile);
        } else {
            text = reading_.is_strided() ? fmt::format("block={} grid=64", threads)
                                         : fmt::format("block={} grid=(columns*rows+{})/{}",
                                                       threads, threads - 1, threads);
        }
        if (!reading_.dynamic_shared_type().empty()) text += fmt::format(" shared={}", 4 * threads);
        return text;
    }

    KernelReading reading_;
};

// "`// camber: ...` and `// camber: shape ...`"
std::string quoted(const std::vector<std::string>& lines) {
    return fmt::format("`{}`", fmt::join(lines, "` and `"));
}

// Lines for boards, if the kernel fits them, and for arrays.
std::string lines_of(const Suggestion& one) {
    if (one.arrays.empty()) return fmt::format("`{}`", one.line);
    if (!one.fits_board) return quoted(one.arrays);
    return fmt::format("`{}`; or, for arrays of any shape: {}", one.line, quoted(one.arrays));
}

}  // namespace

std::vector<Suggestion> suggestions_for(std::string_view code) {
    std::vector<Suggestion> suggestions;
    const auto functions = functions_in(code);
    if (!functions) return suggestions;
    for (const CodeFunction& function : *functions)
        if (function.is_kernel && function.body != 0)
            suggestions.push_back(Suggester(function, code).suggest(code));
    return suggestions;
}

std::string missing_line_sentence(const std::string& file, std::string_view code) {
    const std::vector<Suggestion> suggestions = suggestions_for(code);
    if (suggestions.empty())
        return fmt::format(
            "{}: no `// camber:` line, which says how a kernel is launched: write for example "
            "`{}`",
            file, example_line);
    std::string text = fmt::format("{}: no `// camber:` line. ", file);
    if (suggestions.size() == 1)
        return text + fmt::format("Found `{}`; try: {}", suggestions.front().signature,
                                  lines_of(suggestions.front()));
    text += fmt::format("Found {} kernels; add the line of the one to launch:", suggestions.size());
    for (const Suggestion& one : suggestions)
        text += fmt::format("\n  `{}`: {}", one.signature, lines_of(one));
    return text;
}

}  // namespace camber
