// Text files of workloads: writes whole files, and splits input into words with source locations
// for error messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace camber::grid_file {

// Text files that workloads write.

// Writes what `write` does instead of the file, whole or not at all. `kind` names it in messages.
// Throws Error(unavailable) where that fails.
void write_text(const std::filesystem::path& path, const std::string& kind,
                const std::function<void(std::ostream&)>& write);

// Words of a text file, with their source locations for messages.
struct TextPosition {
    std::int64_t line = 1;
    std::int64_t column = 1;
};

struct Token {
    std::string_view text;  // empty at the end of the file
    TextPosition place;
};

// Words between white space; LF, CR and CR LF all end a line. `text` and `name` must outlive it.
class TokenSource {
  public:
    TokenSource(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

    Token next();

    // Throws Error(usage).
    [[noreturn]] void reject(TextPosition place, const std::string& reason) const;

  private:
    void advance();

    std::string_view rest_;
    const std::string& name_;
    TextPosition place_;
};

// The token as it is shown in a message: quoted, cut to a line's part, fit for a terminal.
std::string shown(const Token& token);

// nullopt for what is no finite number from its first to its last character.
std::optional<double> finite_number(std::string_view text);

}  // namespace camber::grid_file
