// Fixture for tests that need CUPTI: they are skipped if it cannot be loaded.
#pragma once

#include <functional>
#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "tests/catch.hpp"

namespace camber::counters_test {

inline void skip_without_cupti() {
    if (const auto reason = counters::why_no_cupti(); !reason.empty()) skip_test(reason);
}

// Returns the message of the usage error that `action` throws; "" if it throws none.
inline std::string usage_error(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

}  // namespace camber::counters_test
