// An environment variable that is set for the duration of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace camber {

class EnvironmentVariable {
  public:
    // Unsets the variable if `value` is null.
    EnvironmentVariable(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        set(value);
    }
    EnvironmentVariable(const char* name, const std::string& value)
        : EnvironmentVariable(name, value.c_str()) {}
    ~EnvironmentVariable() { set(before_ ? before_->c_str() : nullptr); }
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

  private:
    void set(const char* value) const {
        if (value)
            setenv(name_, value, 1);
        else
            unsetenv(name_);
    }

    const char* name_;
    std::optional<std::string> before_;
};

// A terminal that takes escape sequences, wherever the tests run.
struct UsualTerminal {
    EnvironmentVariable type{"TERM", "xterm"};
    EnvironmentVariable colour{"NO_COLOR", nullptr};
};

}  // namespace camber
