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

// Writes a file with the text that `write` produces. Either the whole file is replaced or nothing
// changes. `kind` names the file's kind in messages. Throws Error(unavailable) on failure.
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

// Splits text into words between white space; LF, CR and CR LF all end a line. `text` and `name`
// must outlive the object.
class TokenSource {
  public:
    TokenSource(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

    Token next();

    // Throws Error(usage) with file name, location and reason.
    [[noreturn]] void reject(TextPosition place, const std::string& reason) const;

  private:
    void advance();

    std::string_view rest_;
    const std::string& name_;
    TextPosition place_;
};

// Token as shown in a message: quoted, shortened to fit a line, with unprintable characters
// replaced.
std::string shown(const Token& token);

// Value of `text` if all of it is a finite number; otherwise nullopt.
std::optional<double> finite_number(std::string_view text);

}  // namespace camber::grid_file
