#include "harness/machine/binary/fat_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "harness/machine/binary/code_identity.hpp"

namespace camber::binary {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '%' || c == '@';
}

// Words, numbers and single signs of PTX; comments are skipped.
class Tokens {
  public:
    explicit Tokens(std::string_view text) : text_(text) {}

    // The next token; empty at the end.
    std::string_view next() {
        skip_blanks();
        if (at_ >= text_.size()) return {};
        const std::size_t start = at_;
        if (text_[at_] == '"') {
            at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
        } else if (is_word(text_[at_])) {
            while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        } else {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }
    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
    std::size_t position() const { return at_; }

  private:
    void skip_blanks() {
        while (at_ < text_.size()) {
            at_ = text_.find_first_not_of(blanks, at_);
            if (at_ == std::string_view::npos) at_ = text_.size();
            const std::string_view rest = text_.substr(at_, 2);
            if (rest == "//")
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (rest == "/*")
                at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
            else
                return;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// Names with a number that counts functions, texts or calls in the file, such as the labels
// "$L__BB3_2" and the texts "$str$1": without that number.
std::string stable_word(std::string_view word) {
    constexpr std::string_view numbered[] = {"$L__BB", "$str", "__local_depot", "prototype_"};
    for (const std::string_view prefix : numbered) {
        if (!word.starts_with(prefix)) continue;
        const auto end = word.find_first_not_of("$0123456789", prefix.size());
        return std::string(prefix) + std::string(word.substr(std::min(end, word.size())));
    }
    return stable_symbol(word);
}

std::optional<std::array<int, 3>> dimensions_in(Tokens& tokens) {
    std::array<int, 3> sizes{1, 1, 1};
    for (int& size : sizes) {
        const std::string_view word = tokens.next();
        if (std::from_chars(word.data(), word.data() + word.size(), size).ec != std::errc())
            return std::nullopt;
        Tokens ahead = tokens;
        if (ahead.next() != ",") break;
        tokens = ahead;
    }
    return sizes;
}

// Reads an .entry up to the end of its body.
results::CompiledKernel kernel_in(Tokens& tokens, const Bytes& file) {
    results::CompiledKernel kernel;
    kernel.symbol = tokens.next();
    kernel.name = readable_name(kernel.symbol);
    if (kernel.name.empty()) file.fail(tokens.position(), "an .entry in PTX has no name");
    Hash hash;
    int depth = 0;
    for (bool in_body = false; !in_body || depth > 0;) {
        const std::string_view token = tokens.next();
        if (token.empty())
            file.fail(file.size(), fmt::format("PTX ends within the kernel {}", kernel.name));
        if (token == ";" && !in_body && depth == 0) break;  // a declaration
        if (token == ".maxntid" || token == ".reqntid") {
            (token == ".maxntid" ? kernel.max_block : kernel.required_block) =
                dimensions_in(tokens);
            continue;
        }
        // Source lines do not change the code.
        if (token == ".loc") {
            tokens.skip_line();
            continue;
        }
        // Labels of line numbers.
        if (token.starts_with("$L__tmp") || token.starts_with("$L__func")) {
            tokens.next();
            continue;
        }
        if (token == "{") in_body = true;
        if (token == "{" || token == "(") ++depth;
        if (token == "}" || token == ")") --depth;
        hash.add(token == kernel.symbol ? "" : stable_word(token));
    }
    kernel.hash = hash.digits();
    return kernel;
}

}  // namespace

bool is_ptx(std::string_view text) {
    constexpr std::size_t most = 1 << 16;  // comments before the first statement
    return Tokens(text.substr(0, most)).next() == ".version";
}

std::vector<results::CompiledKernel> kernels_in_ptx(const Bytes& file) {
    // The text in a fat binary ends with NULs.
    Tokens tokens(file.text().substr(0, file.text().find('\0')));
    std::vector<results::CompiledKernel> kernels;
    std::string target = "PTX";
    for (std::string_view token; !(token = tokens.next()).empty();) {
        if (token == ".target") {
            target = tokens.next();
            if (target.starts_with("sm_")) target.replace(0, 3, "compute_");
        } else if (token == ".entry") {
            kernels.push_back(kernel_in(tokens, file));
            kernels.back().architecture = target;
        }
    }
    return kernels;
}

}  // namespace camber::binary
